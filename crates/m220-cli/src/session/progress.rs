//! Progress, shown on a terminal while somebody waits.
//!
//! One line on standard error, from the second second on, gone before the result is written: the time elapsed, what the
//! command says it is [at](Session::at), and the work that all machines and searches have
//! [reported](m220_limits::Limits::tell).

use super::lock;
use crate::prelude::*;
use crate::terminal;
use indicatif::{ProgressBar, ProgressStyle};
use m220_answers::words;
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
    /// What is done of how much.
    share: Option<(u64, u64)>,
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
            // The language is known once the options are read.
            let words = session.spoken();
            loop {
                let (done, left) = (session.limits().done(), session.limits().time_left());
                let mut progress = lock(&session.0.progress);
                if progress.drawing != own {
                    return;
                }
                progress.draw(begun.elapsed(), left, done, &words);
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
        progress.share = None;
    }

    /// Sets what the command is at, such as `12 of 1,000 cases`.
    pub fn at(&self, what: String) {
        lock(&self.0.progress).at = terminal::printable(&what);
    }

    /// Sets how much is done of what a limit allows.
    pub fn done_of(&self, done: u64, limit: u64) {
        lock(&self.0.progress).share = Some((done, limit));
    }
}

impl Progress {
    fn draw(&mut self, elapsed: Duration, left: Option<Duration>, done: WorkDone, words: &Words) {
        let of_time = left.map(|left| elapsed.as_secs_f64() / (elapsed + left).as_secs_f64());
        let of_work = self.share.map(|(done, limit)| done as f64 / limit as f64);
        // Of two limits, the one that will be reached first.
        let share = of_time.into_iter().chain(of_work).reduce(f64::max);
        let text = text(elapsed, &self.at, share, done, words);
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

/// `12 s: 3 of 24 moves; 40% of the limit; machine: 123,456,789 instructions, M-220 50 min; native: 12,345 positions`
fn text(elapsed: Duration, at: &str, share: Option<f64>, done: WorkDone, words: &Words) -> String {
    let mut parts = Vec::new();
    if !at.is_empty() {
        parts.push(at.to_owned());
    }
    if let Some(share) = share {
        parts.push(words.say(&told!("progress-share", percent = (100.0 * share) as u64)));
    }
    if done.instructions > 0 {
        let time = words::time(done.m220_half_us as f64 / 2.0);
        parts.push(words.say(&told!("progress-machine", count = done.instructions, time)));
    }
    if done.positions > 0 {
        parts.push(words.say(&told!("progress-native", count = done.positions)));
    }
    if parts.is_empty() {
        parts.push(words.say(&told!("progress-begun")));
    }
    words.say(&told!("progress", seconds = elapsed.as_secs(), at = parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_has_been_done() {
        let [english, russian] = Language::ALL.map(Words::new);
        let line = |at, done| text(Duration::from_millis(61_900), at, None, done, &english);
        let done = WorkDone { positions: 1, instructions: 150_000_000, m220_half_us: 7_320_000_000 };
        let machine = "machine: 150,000,000 instructions, M-220 61.0 min; native: 1 position";
        assert_eq!(line("KPK", done), format!("61 s: KPK; {machine}"));
        assert_eq!(line("", done), format!("61 s: {machine}"));
        assert_eq!(line("", WorkDone::default()), "61 s: at work; Ctrl-C ends it");
        let in_russian = "61 с: машина: 150\u{a0}000\u{a0}000 команд, М-220 61,0 мин; эталон: 1 позиция";
        assert_eq!(text(Duration::from_secs(61), "", None, done, &russian), in_russian);
        let limited = text(Duration::from_secs(61), "", Some(0.155), WorkDone::default(), &english);
        assert_eq!(limited, "61 s: 15% of the limit");
    }
}
