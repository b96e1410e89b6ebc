//! Work that is shared out among the processors. A page has one thread: there it is done in order, and the library for it
//! stays out of the module that every visitor loads.

#[cfg(not(target_family = "wasm"))]
pub(crate) use rayon::{current_num_threads, prelude::*};

/// Does the work on one of the library's threads. Work that is shared out from another thread waits for a change of
/// threads each time.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn on_worker<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    rayon::scope(|_| work())
}

/// Whether a whole task of this thread waits, which an idle thread would take. Until it is taken, pieces of the present
/// task are not worth their sharing, and a thread that waits for such a piece would begin another whole task meanwhile.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn has_waiting_tasks() -> bool {
    rayon_core::current_thread_has_pending_tasks() == Some(true)
}

/// Does both pieces of a task, side by side if no whole task waits.
pub(crate) fn join<A: Send, B: Send>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(not(target_family = "wasm"))]
    if !has_waiting_tasks() {
        return rayon::join(first, second);
    }
    (first(), second())
}

#[cfg(target_family = "wasm")]
pub(crate) use in_order::{InOrder, InOrderSlice, IntoOrder, current_num_threads, has_waiting_tasks, on_worker};

/// What is used of the library, under the same names.
#[cfg(target_family = "wasm")]
mod in_order {
    use std::slice::{Chunks, ChunksMut, Iter, IterMut};

    pub(crate) const fn current_num_threads() -> usize {
        1
    }

    pub(crate) const fn has_waiting_tasks() -> bool {
        true
    }

    pub(crate) fn on_worker<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    pub(crate) trait IntoOrder: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoOrder for I {}

    pub(crate) trait InOrder: Iterator + Sized {
        fn with_max_len(self, _: usize) -> Self {
            self
        }
    }

    impl<I: Iterator> InOrder for I {}

    pub(crate) trait InOrderSlice<T> {
        fn par_iter(&self) -> Iter<'_, T>;
        fn par_iter_mut(&mut self) -> IterMut<'_, T>;
        fn par_chunks(&self, size: usize) -> Chunks<'_, T>;
        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T>;
    }

    impl<T> InOrderSlice<T> for [T] {
        fn par_iter(&self) -> Iter<'_, T> {
            self.iter()
        }

        fn par_iter_mut(&mut self) -> IterMut<'_, T> {
            self.iter_mut()
        }

        fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
            self.chunks(size)
        }

        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
            self.chunks_mut(size)
        }
    }
}
