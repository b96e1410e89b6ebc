//! Work on several threads.

use crate::session::exit::Failure;

/// Runs `work` on `jobs` threads, by default one for each processor.
///
/// If the system refuses so many, fewer work; the work of a single thread is done by this one.
///
/// # Errors
/// [`Failure::NoVerdict`] if the system does not give even one thread.
pub fn in_parallel<T: Send>(jobs: Option<u16>, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut threads = jobs.map_or(processors, usize::from);
    let pool = loop {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = if threads == 1 { pool.use_current_thread() } else { pool };
        match pool.build() {
            Ok(pool) => break pool,
            // Only this thread is left, and the pool of all work already has it.
            Err(_) if threads == 1 => return Ok(work()),
            Err(_) => threads /= 2,
        }
    };
    Ok(pool.install(work))
}
