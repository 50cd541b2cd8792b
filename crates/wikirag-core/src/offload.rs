//! The one way off the async runtime.

/// Runs CPU-bound or blocking work on a thread of its own kind, so that no `async fn` ever blocks.
///
/// It needs no particular runtime: the threads are started when first needed and end when idle. Dropping the
/// future does not stop work that has begun; long work looks at its [`Context`](crate::Context).
pub async fn offload<T, F>(work: F) -> T
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    blocking::unblock(work).await
}
