//! Signals that ask the program to end: from the keyboard, or from outside.
//!
//! A command that works for long says that it [listens](listen), looks at [`is_asked`] now and then, and
//! ends with what it has. A second signal ends the program at once, and so does the first one where
//! nobody listens. The exit code is that of a shell: 128 and the signal's number.

use crate::exit::Exit;
use crate::progress;
use chess_reference::patience;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The first signal that came, 0 if none did.
static SIGNAL: AtomicU8 = AtomicU8::new(0);
/// Someone has seen it and ends because of it.
static SEEN: AtomicBool = AtomicBool::new(false);
/// How many are listening.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// How many are listening that may not look in time.
static PATIENT: AtomicUsize = AtomicUsize::new(0);
/// The time limit has passed.
static TIME_IS_UP: AtomicBool = AtomicBool::new(false);

/// How long a search may take to notice that it has been stopped.
const GRACE: Duration = Duration::from_secs(2);

/// What is asked first; it says whether it has taken care of the signal.
type SignalHandler = fn() -> bool;

static HANDLER: Mutex<Option<SignalHandler>> = Mutex::new(None);

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

/// As long as it lives, a signal or the time limit asks all searches to end ([`patience`]); what does not end soon is
/// ended without a result.
#[derive(Debug)]
pub struct Searching(());

impl Drop for Searching {
    fn drop(&mut self) {
        PATIENT.fetch_sub(1, Ordering::SeqCst);
        progress::end();
    }
}

/// Begins a search that may take at most this long; what it has done so far is shown on a terminal.
#[must_use]
pub fn search(limit: Option<Duration>) -> Searching {
    PATIENT.fetch_add(1, Ordering::SeqCst);
    progress::begin();
    if let Some(limit) = limit {
        in_background(move || {
            std::thread::sleep(limit);
            TIME_IS_UP.store(true, Ordering::SeqCst);
            give_up(Exit::NoVerdict as u8);
        });
    }
    Searching(())
}

/// Asks all searches to end, and ends the process with this code if they do not.
fn give_up(code: u8) {
    patience::give_up();
    std::thread::sleep(GRACE);
    if PATIENT.load(Ordering::SeqCst) > 0 {
        report_partial("there is no result");
        std::process::exit(i32::from(code));
    }
}

/// Says on standard error why a result is not whole, or not there.
fn report_partial(what: &str) {
    let why = if TIME_IS_UP.load(Ordering::SeqCst) { "the time limit was reached (--timeout)" } else { description() };
    progress::end();
    // If standard error is closed, nothing is reported.
    let _ = writeln!(std::io::stderr(), "m220: {why}: {what}");
}

/// How a command ends that came to `exit`, or that was cut short; what was cut short is said.
#[must_use]
pub fn exit(exit: Exit) -> ExitCode {
    let signal = SIGNAL.load(Ordering::Relaxed);
    let noticed = patience::was_noticed();
    if noticed {
        report_partial("the result is partial");
    }
    match exit {
        _ if signal != 0 && (noticed || SEEN.load(Ordering::Relaxed)) => ExitCode::from(128 + signal),
        exit => exit.into(),
    }
}

/// Runs something beside the command; without it where the system has no room for another thread.
fn in_background(work: impl FnOnce() + Send + 'static) {
    let _ = std::thread::Builder::new().spawn(work);
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
pub fn handle_first(handler: SignalHandler) {
    *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) = Some(handler);
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
    in_background(move || {
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
    let code = 128 + signal;
    let (listening, searching) = (LISTENING.load(Ordering::SeqCst), PATIENT.load(Ordering::SeqCst));
    if first && listening + searching == 0 {
        report_partial("there is no result");
    }
    if !first || listening + searching == 0 {
        std::process::exit(i32::from(code));
    }
    if searching > 0 {
        in_background(move || give_up(code));
    }
}

/// Whether whoever started the program wants it to ignore the signal, as `nohup` does. Linux tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
