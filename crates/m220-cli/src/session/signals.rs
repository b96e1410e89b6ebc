//! What bounds a command: the signals that ask the program to end, and the time limit.
//!
//! Every command passes the limits of its session to whatever works for it. A signal raises their interrupt; that takes
//! no thread. If nothing [listens](Session::listen), and from the second signal on, it ends the program at once instead.
//! The exit code is that of a shell: 128 plus the signal's number.

use super::{Session, lock};
use m220_answers::{Message, told};
use m220_limits::{End, Limits};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The limits of a command, and what the signal handlers set.
pub(super) struct Signals {
    limits: Mutex<Limits>,
    /// The last signal that came, 0 if none did.
    last: Arc<AtomicUsize>,
    /// A signal ends the program at once: nothing listens, or it is not the first.
    at_once: Arc<AtomicBool>,
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
    pub fn catch_signals(&self) {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::flag;
        let (signals, interrupt) = (&self.0.signals, self.limits().interrupt().clone());
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)) {
            // They run in this order: the one that ends the program looks before the others change anything. Without a
            // handler, which the system grants for these signals, a signal ends the program at once.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, signals.at_once.clone());
            let _ = flag::register_usize(signal, signals.last.clone(), signal as usize);
            let _ = flag::register(signal, interrupt.flag().clone());
            let _ = flag::register(signal, signals.at_once.clone());
        }
        // A file that may not grow is then an error of its writing, and the command tidies up.
        let _ = flag::register(libc::SIGXFSZ, Arc::default());
    }

    /// Elsewhere every signal ends the program at once.
    #[cfg(not(unix))]
    pub fn catch_signals(&self) {}
}

const SIGINT: usize = 2;

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
