//! What bounds the command: the signals that ask the program to end, and the time limit.
//!
//! A process runs one command, so it has one value of [`Limits`], which every command passes to whatever works for it.
//! A signal raises its interrupt; that takes no thread. If nothing [listens](listen), and from the second signal on, it
//! ends the program at once instead. The exit code is that of a shell: 128 plus the signal's number.

use m220_limits::{End, Interrupt, Limits};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// The limits of the command.
static LIMITS: LazyLock<Mutex<Limits>> =
    LazyLock::new(|| Mutex::new(Limits::default().with_interrupt(&Interrupt::default())));
/// The last signal that came, 0 if none did.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
/// A signal ends the program at once: nothing listens, or it is not the first.
static AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// The signal has been noticed, and the command is ending because of it.
static SEEN: AtomicBool = AtomicBool::new(false);
/// The number of [`Listening`] values alive.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// The limits of the command, to be passed to whatever works for it.
#[must_use]
pub fn limits() -> Limits {
    LIMITS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A new command begins: its limits are those of `interrupt` alone.
pub fn begin(interrupt: &Interrupt) {
    *LIMITS.lock().unwrap_or_else(PoisonError::into_inner) = Limits::default().with_interrupt(interrupt);
    SIGNAL.store(0, Ordering::SeqCst);
    SEEN.store(false, Ordering::Relaxed);
}

/// Lets the command end after this time from now.
pub fn end_after(time: Duration) {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    *limits = limits.with_timeout(time);
}

/// As long as it lives, a signal raises the interrupt of the [`limits`].
#[derive(Debug)]
pub struct Listening(());

impl Drop for Listening {
    fn drop(&mut self) {
        if LISTENING.fetch_sub(1, Ordering::SeqCst) == 1 {
            AT_ONCE.store(true, Ordering::SeqCst);
        }
    }
}

/// From now on a signal raises the interrupt of the [`limits`] instead of ending the program at once.
#[must_use]
pub fn listen() -> Listening {
    if LISTENING.fetch_add(1, Ordering::SeqCst) == 0 {
        AT_ONCE.store(false, Ordering::SeqCst);
    }
    Listening(())
}

/// Whether a signal asks the program to end. A caller that gets `true` must end.
pub fn is_asked() -> bool {
    let asked = limits().interrupt().is_raised();
    if asked {
        SEEN.store(true, Ordering::Relaxed);
    }
    asked
}

/// Clears an interrupt from the keyboard that has been obeyed: the command continues. Returns whether there was one.
pub fn obeyed() -> bool {
    let limits = limits();
    if !limits.interrupt().is_raised() || SIGNAL.load(Ordering::SeqCst) != SIGINT {
        return false;
    }
    limits.interrupt().clear();
    SIGNAL.store(0, Ordering::SeqCst);
    true
}

/// What cut the command's work short, in words; none if its results are complete.
#[must_use]
pub fn reason() -> Option<&'static str> {
    match limits().ended()? {
        End::Deadline => Some("the time limit was reached (--timeout)"),
        End::Interrupt => Some(description()),
    }
}

/// The exit code of a command ended by a signal; none if it ended by itself.
#[must_use]
pub fn code() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::SeqCst);
    let obeyed = limits().ended().is_some() || SEEN.load(Ordering::Relaxed);
    u8::try_from(128 + signal).ok().filter(|_| signal != 0 && obeyed)
}

/// The signal in words.
#[must_use]
pub fn description() -> &'static str {
    if SIGNAL.load(Ordering::SeqCst) == SIGINT { "interrupted from the keyboard" } else { "ended from outside" }
}

const SIGINT: usize = 2;

/// Begins to catch signals. Each handler only sets flags, or ends the process.
#[cfg(unix)]
pub fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;
    let interrupt = limits().interrupt().clone();
    for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)) {
        // They run in this order: the one that ends the program looks before the others change anything. Without a
        // handler, which the system grants for these signals, a signal ends the program at once.
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, AT_ONCE.clone());
        let _ = flag::register_usize(signal, SIGNAL.clone(), signal as usize);
        let _ = flag::register(signal, interrupt.flag().clone());
        let _ = flag::register(signal, AT_ONCE.clone());
    }
}

/// Elsewhere every signal ends the program at once.
#[cfg(not(unix))]
pub fn install() {}

/// Whether the program was started with the signal ignored, as by `nohup`.
#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe interface asks for a signal's disposition without changing it")]
fn is_ignored(signal: i32) -> bool {
    let mut found = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: with a null action `sigaction` changes nothing, and writes at most one structure to the second pointer,
    // which is valid for it. All zeros is a value of that structure, so it may be read whether or not the call succeeds.
    let (done, found) = unsafe { (libc::sigaction(signal, std::ptr::null(), found.as_mut_ptr()), found.assume_init()) };
    done == 0 && found.sa_sigaction == libc::SIG_IGN
}
