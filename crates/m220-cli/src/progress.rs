//! Progress, shown on a terminal while somebody waits.
//!
//! One line on standard error, from the second second on, gone before the result is written: the time elapsed, what the
//! command says it is [at](at), and the work that all machines and searches have [reported](m220_limits::Limits::tell).

use crate::interrupt;
use crate::terminal;
use indicatif::{ProgressBar, ProgressStyle};
use m220_chess::text::{counted, duration, grouped};
use m220_limits::WorkDone;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long nothing is shown.
const SILENCE: Duration = Duration::from_secs(1);
/// The interval at which the line is redrawn.
const BEAT: Duration = Duration::from_millis(200);

/// Which thread draws: the one begun last; none for an even number.
static DRAWING: AtomicU64 = AtomicU64::new(0);
static LINE: Mutex<ProgressShown> = Mutex::new(ProgressShown { bar: None, at: String::new() });

struct ProgressShown {
    bar: Option<ProgressBar>,
    at: String,
}

fn line() -> MutexGuard<'static, ProgressShown> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on progress is shown, if standard error is a terminal, until something is written ([`end`]).
pub fn begin() {
    end();
    if !terminal::stderr().is_terminal() {
        return;
    }
    let own = DRAWING.fetch_add(1, Ordering::SeqCst) + 1;
    let begun = Instant::now();
    // If no thread can be started the line is not shown.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(SILENCE);
        loop {
            let mut line = line();
            if DRAWING.load(Ordering::SeqCst) != own {
                return;
            }
            line.draw(begun.elapsed());
            drop(line);
            thread::sleep(BEAT);
        }
    });
}

/// Removes the line: something else is written now.
pub fn end() {
    let mut line = line();
    if DRAWING.load(Ordering::SeqCst) % 2 == 1 {
        DRAWING.fetch_add(1, Ordering::SeqCst);
    }
    if let Some(bar) = line.bar.take() {
        bar.finish_and_clear();
    }
    line.at.clear();
}

/// Sets what the command is at, such as `12 of 1,000 cases`.
pub fn at(what: String) {
    line().at = terminal::printable(&what);
}

impl ProgressShown {
    fn draw(&mut self, elapsed: Duration) {
        let text = text(elapsed, &self.at, interrupt::limits().done());
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
