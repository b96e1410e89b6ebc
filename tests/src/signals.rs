//! Signals that can be sent to a command under test.

use std::process::{Child, Command};

/// A signal by its name for `kill`, the resulting exit code, and the message of the machine's stop.
pub type EndingSignal = (&'static str, i32, &'static str);

const FROM_OUTSIDE: EndingSignal = ("-TERM", 143, "ended from outside");
const FROM_KEYBOARD: EndingSignal = ("-INT", 130, "interrupted from the keyboard");

/// The signals that end a command. Ctrl-C is left out if this process ignores it, as a shell's background
/// processes do: child processes inherit that.
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
/// If there is no such process.
pub fn send(child: &Child, (name, ..): EndingSignal) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("there is a command `kill`").success());
}
