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

#[cfg(target_family = "wasm")]
pub(crate) use in_order::{InOrderSlice, IntoOrder, current_num_threads, on_worker};

/// What is used of the library, under the same names.
#[cfg(target_family = "wasm")]
mod in_order {
    use std::slice::{Chunks, ChunksMut, Iter, IterMut};

    pub(crate) const fn current_num_threads() -> usize {
        1
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
