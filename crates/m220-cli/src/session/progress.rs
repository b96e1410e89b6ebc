//! Progress, shown on a terminal while somebody waits.
//!
//! One line on standard error, from the second second on, gone before the result is written: the time elapsed, what the
//! command says it is [at](Session::at), and the work that all machines and searches have
//! [reported](m220_limits::Limits::tell).

use super::lock;
use crate::prelude::*;
use crate::terminal;
use indicatif::{ProgressBar, ProgressStyle};
use m220_limits::WorkDone;
use std::io::IsTerminal;
use std::thread;

/// How long nothing is shown.
const SILENCE: Duration = Duration::from_secs(1);
/// The interval at which the line is redrawn.
const BEAT: Duration = Duration::from_millis(200);

/// The line of progress.
#[derive(Default)]
pub(super) struct Progress {
    /// Which thread draws: the one begun last; none for an even number.
    drawing: u64,
    bar: Option<ProgressBar>,
    at: String,
}

impl Session {
    /// From now on progress is shown, if standard error is a terminal, until something is written
    /// ([`Session::end_progress`]).
    pub fn begin_progress(&self) {
        self.end_progress();
        if !terminal::stderr().is_terminal() {
            return;
        }
        let own = {
            let mut progress = lock(&self.0.progress);
            progress.drawing += 1;
            progress.drawing
        };
        let (begun, session) = (Instant::now(), self.clone());
        // If no thread can be started the line is not shown.
        let _ = thread::Builder::new().spawn(move || {
            thread::sleep(SILENCE);
            loop {
                let done = session.limits().done();
                let mut progress = lock(&session.0.progress);
                if progress.drawing != own {
                    return;
                }
                progress.draw(begun.elapsed(), done);
                drop(progress);
                thread::sleep(BEAT);
            }
        });
    }

    /// Removes the line: something else is written now.
    pub fn end_progress(&self) {
        let mut progress = lock(&self.0.progress);
        progress.drawing += progress.drawing % 2;
        if let Some(bar) = progress.bar.take() {
            bar.finish_and_clear();
        }
        progress.at.clear();
    }

    /// Sets what the command is at, such as `12 of 1,000 cases`.
    pub fn at(&self, what: String) {
        lock(&self.0.progress).at = terminal::printable(&what);
    }
}

impl Progress {
    fn draw(&mut self, elapsed: Duration, done: WorkDone) {
        let text = text(elapsed, &self.at, done);
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            // The template is fixed; if it were wrong, the plain spinner would do.
            if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        bar.set_message(text);
        bar.tick();
    }
}

/// `12 s: 3 of 24 moves; machine: 123,456,789 instructions, M-220 50 min; native: 12,345 positions`
fn text(elapsed: Duration, at: &str, done: WorkDone) -> String {
    let mut parts = Vec::new();
    if !at.is_empty() {
        parts.push(at.to_owned());
    }
    if done.instructions > 0 {
        let time = duration(done.m220_half_us as f64 / 2.0);
        parts.push(format!("machine: {}, M-220 {time}", counted(done.instructions, "instruction")));
    }
    if done.positions > 0 {
        parts.push(format!("native: {}", counted(done.positions, "position")));
    }
    if parts.is_empty() {
        parts.push("at work; Ctrl-C ends it".to_owned());
    }
    format!("{} s: {}", grouped(elapsed.as_secs()), parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_has_been_done() {
        let line = |at, done| text(Duration::from_millis(61_900), at, done);
        let done = WorkDone { positions: 1, instructions: 150_000_000, m220_half_us: 7_320_000_000 };
        let machine = "machine: 150,000,000 instructions, M-220 61.0 min; native: 1 position";
        assert_eq!(line("KPK", done), format!("61 s: KPK; {machine}"));
        assert_eq!(line("", done), format!("61 s: {machine}"));
        assert_eq!(line("", WorkDone::default()), "61 s: at work; Ctrl-C ends it");
    }
}
