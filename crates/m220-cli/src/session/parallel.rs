//! Work on several threads.

/// Runs `work` on `jobs` threads, by default one for each processor.
///
/// If the system refuses so many, fewer work; the work of a single thread is done by this one.
pub fn in_parallel<T: Send>(jobs: Option<u16>, work: impl FnOnce() -> T + Send) -> T {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut threads = jobs.map_or(processors, usize::from);
    let pool = loop {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = if threads == 1 { pool.use_current_thread() } else { pool };
        match pool.build() {
            Ok(pool) => break pool,
            // Only this thread is left, and the pool of all work already has it.
            Err(_) if threads == 1 => return work(),
            Err(_) => threads /= 2,
        }
    };
    pool.install(work)
}
