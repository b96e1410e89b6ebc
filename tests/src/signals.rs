//! Signals that a command under test can be sent.

use std::process::{Child, Command};

/// A signal as `kill` names it, the exit code that it leads to, and what the machine's stop says.
pub type EndingSignal = (&'static str, i32, &'static str);

const FROM_OUTSIDE: EndingSignal = ("-TERM", 143, "ended from outside");
const FROM_KEYBOARD: EndingSignal = ("-INT", 130, "interrupted from the keyboard");

/// The signals that end a command. Ctrl-C is left out where this process ignores it, as one does that a
/// shell has put into the background: what it starts inherits that.
#[must_use]
pub fn ending_signals() -> Vec<EndingSignal> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    if ignored >> 1 & 1 == 1 { vec![FROM_OUTSIDE] } else { vec![FROM_OUTSIDE, FROM_KEYBOARD] }
}

/// Sends a signal.
///
/// # Panics
/// When there is no such process.
pub fn send(child: &Child, (name, ..): EndingSignal) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("there is a command `kill`").success());
}
