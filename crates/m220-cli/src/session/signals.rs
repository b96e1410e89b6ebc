//! What bounds a command: the signals that ask the program to end, and the time limit.
//!
//! Every command passes the limits of its session to whatever works for it. A signal raises their interrupt; that takes
//! no thread. If nothing [listens](Session::listen), and when a signal comes again, it ends the program at once instead.
//! The exit code is that of a shell: 128 plus the signal's number.

use super::{Session, lock};
use m220_answers::{Message, told};
use m220_limits::{End, Limits};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The limits of a command, and what the signal handlers set.
pub(super) struct Signals {
    limits: Mutex<Limits>,
    /// The last signal that came, 0 if none did.
    last: Arc<AtomicUsize>,
    /// A signal ends the program at once: nothing listens.
    at_once: Arc<AtomicBool>,
    /// When the first signal came, in milliseconds since signals are caught; 0 if none did.
    first: Arc<AtomicU64>,
    /// The signal has been noticed, and the command is ending because of it.
    seen: AtomicBool,
    /// The number of [`Listening`] values alive.
    listening: AtomicUsize,
}

impl Signals {
    pub(super) fn new(limits: Limits) -> Signals {
        Signals {
            limits: Mutex::new(limits),
            last: Arc::default(),
            at_once: Arc::new(AtomicBool::new(true)),
            first: Arc::default(),
            seen: AtomicBool::new(false),
            listening: AtomicUsize::new(0),
        }
    }
}

/// As long as it lives, a signal raises the interrupt of the session's limits.
pub struct Listening(Session);

impl Drop for Listening {
    fn drop(&mut self) {
        let signals = &self.0.0.signals;
        if signals.listening.fetch_sub(1, Ordering::SeqCst) == 1 {
            signals.at_once.store(true, Ordering::SeqCst);
        }
    }
}

impl Session {
    /// The limits of the command, to be passed to whatever works for it.
    #[must_use]
    pub fn limits(&self) -> Limits {
        lock(&self.0.signals.limits).clone()
    }

    /// Lets the command end after this time from now.
    pub fn end_after(&self, time: Duration) {
        let mut limits = lock(&self.0.signals.limits);
        *limits = limits.with_timeout(time);
    }

    /// From now on a signal raises the interrupt of the limits instead of ending the program at once.
    #[must_use]
    pub fn listen(&self) -> Listening {
        let signals = &self.0.signals;
        if signals.listening.fetch_add(1, Ordering::SeqCst) == 0 {
            signals.first.store(0, Ordering::SeqCst);
            signals.at_once.store(false, Ordering::SeqCst);
        }
        Listening(self.clone())
    }

    /// Whether a signal asks the program to end. A caller that gets `true` ends, and the exit code will tell why.
    #[must_use]
    pub fn must_end(&self) -> bool {
        let asked = self.limits().interrupt().is_raised();
        if asked {
            self.0.signals.seen.store(true, Ordering::Relaxed);
        }
        asked
    }

    /// Clears an interrupt from the keyboard that has been obeyed: the command continues. Returns whether there was one.
    #[must_use]
    pub fn obeyed(&self) -> bool {
        let limits = self.limits();
        if !limits.interrupt().is_raised() || self.0.signals.last.load(Ordering::SeqCst) != SIGINT {
            return false;
        }
        limits.interrupt().clear();
        self.0.signals.last.store(0, Ordering::SeqCst);
        true
    }

    /// What cut the command's work short; none if its results are complete.
    #[must_use]
    pub fn cut_short(&self) -> Option<Message> {
        match self.limits().ended()? {
            End::Deadline => Some(told!("cut-deadline")),
            End::Interrupt => Some(self.signal()),
        }
    }

    /// The exit code of a command ended by a signal; none if it ended by itself.
    #[must_use]
    pub fn signal_code(&self) -> Option<u8> {
        let signal = self.0.signals.last.load(Ordering::SeqCst);
        let obeyed = self.limits().ended().is_some() || self.0.signals.seen.load(Ordering::Relaxed);
        u8::try_from(128 + signal).ok().filter(|_| signal != 0 && obeyed)
    }

    /// The signal, in words.
    #[must_use]
    pub fn signal(&self) -> Message {
        let last = self.0.signals.last.load(Ordering::SeqCst);
        if last == SIGINT { told!("cut-keyboard") } else { told!("cut-outside") }
    }

    /// Begins to catch signals. Each handler only sets flags, or ends the process.
    #[cfg(unix)]
    #[expect(unsafe_code, reason = "signal-hook's safe actions know no second signal that counts as the first")]
    pub fn catch_signals(&self) {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::{flag, low_level};
        let begun = Instant::now();
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)) {
            let (signals, interrupt) = (&self.0.signals, self.limits().interrupt().clone());
            let (last, first, at_once) = (signals.last.clone(), signals.first.clone(), signals.at_once.clone());
            let act = move || {
                let now = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
                let before = first.compare_exchange(0, now, Ordering::SeqCst, Ordering::SeqCst);
                let is_again = before.is_err_and(|before| now.saturating_sub(before) > SAME_SIGNAL);
                if is_again || at_once.load(Ordering::SeqCst) {
                    low_level::exit(128 + signal);
                }
                last.store(signal as usize, Ordering::SeqCst);
                interrupt.raise();
            };
            // Without a handler, which the system grants for these signals, a signal ends the program at once.
            // SAFETY: the action reads the clock, reads and writes atomics, and ends the process by `_exit`: nothing that
            // a handler must not do. It takes no lock, allocates nothing, and cannot panic.
            let _ = unsafe { low_level::register(signal, act) };
        }
        // A file that may not grow is then an error of its writing, and the command tidies up.
        let _ = flag::register(libc::SIGXFSZ, Arc::default());
    }

    /// Elsewhere every signal ends the program at once.
    #[cfg(not(unix))]
    pub fn catch_signals(&self) {}
}

const SIGINT: usize = 2;

/// A signal that comes again within so many milliseconds is the same: timeout(1) sends it to the program and to its group,
/// and in four of ten runs both came before the first was obeyed.
const SAME_SIGNAL: u64 = 200;

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
