//! Signals that ask the program to end: from the keyboard, or from outside.
//!
//! A command that works for long says that it [listens](listen), looks at [`is_asked`] now and then, and
//! ends with what it has. A second signal ends the program at once, and so does the first one where
//! nobody listens. The exit code is that of a shell: 128 and the signal's number.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The first signal that came, 0 if none did.
static SIGNAL: AtomicU8 = AtomicU8::new(0);
/// Someone has seen it and ends because of it.
static SEEN: AtomicBool = AtomicBool::new(false);
/// How many are listening.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// What is asked first; it says whether it has taken care of the signal.
type Handler = fn() -> bool;

static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

/// As long as it lives, a signal waits for [`is_asked`].
#[derive(Debug)]
pub struct Listening(());

impl Drop for Listening {
    fn drop(&mut self) {
        LISTENING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// From now on a signal does not end the program at once, but makes [`is_asked`] true.
#[must_use]
pub fn listen() -> Listening {
    LISTENING.fetch_add(1, Ordering::SeqCst);
    Listening(())
}

/// Whether a signal asks to end. Whoever finds it true does end, and marks the result as partial.
pub fn is_asked() -> bool {
    let asked = SIGNAL.load(Ordering::Relaxed) != 0;
    if asked {
        SEEN.store(true, Ordering::Relaxed);
    }
    asked
}

/// Lets the handler see signals first: what it does not take care of goes the usual way.
pub fn handle_first(handler: Handler) {
    *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) = Some(handler);
}

/// The exit code of a command that ended because of a signal.
#[must_use]
pub fn exit() -> Option<ExitCode> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    (signal != 0 && SEEN.load(Ordering::Relaxed)).then(|| ExitCode::from(128 + signal))
}

/// What came, in words.
#[must_use]
pub fn description() -> &'static str {
    if SIGNAL.load(Ordering::Relaxed) == SIGINT { "interrupted from the keyboard" } else { "ended from outside" }
}

const SIGINT: u8 = 2;

/// Begins to catch signals.
#[cfg(unix)]
pub fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    // Without a handler every signal ends the program at once.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            received(u8::try_from(signal).unwrap_or(0));
        }
    });
}

/// Elsewhere every signal ends the program at once.
#[cfg(not(unix))]
pub fn install() {}

#[cfg(unix)]
fn received(signal: u8) {
    let handler = *HANDLER.lock().unwrap_or_else(PoisonError::into_inner);
    if handler.is_some_and(|handler| handler()) {
        return;
    }
    let first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    if !first || LISTENING.load(Ordering::SeqCst) == 0 {
        std::process::exit(128 + i32::from(signal));
    }
}

/// Whether whoever started the program wants it to ignore the signal, as `nohup` does. Linux tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
