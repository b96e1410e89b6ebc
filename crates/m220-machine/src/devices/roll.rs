//! Paper that is read while the machine runs.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many bytes of untaken output a [`Roll`] keeps: more lines than anyone reads.
const LONGEST_ROLL: usize = 16 << 20;

/// The output of the printer or the punch until it is taken. The device holds one handle, the session another. Of
/// more than 16 MiB only the end is kept.
#[derive(Clone, Default)]
pub struct Roll(Arc<Mutex<RollState>>);

#[derive(Default)]
struct RollState {
    text: Vec<u8>,
    cut: bool,
}

impl Roll {
    /// Whether nothing was written since the last [`Roll::take`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.state().text.is_empty()
    }

    /// What was written since the last [`Roll::take`], which stays here.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.state().text).into_owned()
    }

    /// A poisoned text is still whole.
    fn state(&self) -> MutexGuard<'_, RollState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes everything written since the last call. If only the end was kept, a first line says so.
    #[must_use]
    pub fn take(&self) -> Vec<u8> {
        let RollState { mut text, cut } = std::mem::take(&mut *self.state());
        if cut {
            let begin = text.len().saturating_sub(LONGEST_ROLL);
            let line = text[begin..].iter().position(|&byte| byte == b'\n').map_or(begin, |at| begin + at + 1);
            let note = format!("(only the last {LONGEST_ROLL} bytes of a long text)\n");
            text.splice(..line, note.into_bytes());
        }
        text
    }
}

impl Write for Roll {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        state.text.extend_from_slice(bytes);
        if state.text.len() > 2 * LONGEST_ROLL {
            let begin = state.text.len() - LONGEST_ROLL;
            state.text.drain(..begin);
            state.cut = true;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
