//! How many requests are worked on at a time. More of them at once would make each slower and none faster.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::failure::Failure;

/// A gate behind which work is done, and the line before it.
#[derive(Debug)]
pub(crate) struct Gate {
    running: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Gate {
    pub(crate) fn new(running: usize, waiting: usize) -> Self {
        let most = |number: usize| number.clamp(1, Semaphore::MAX_PERMITS);
        Self { running: Arc::new(Semaphore::new(most(running))), waiting: Semaphore::new(most(waiting)) }
    }

    /// Waits for its turn, first come, first served. Dropping what comes back lets the next one in.
    ///
    /// # Errors
    /// Where the line is full.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, Failure> {
        if let Ok(turn) = Arc::clone(&self.running).try_acquire_owned() {
            return Ok(turn);
        }
        let _place = self.waiting.try_acquire().map_err(|_| Failure::crowded())?;
        // Neither is ever closed.
        Arc::clone(&self.running).acquire_owned().await.map_err(|_| Failure::crowded())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn who_comes_when_the_line_is_full_is_sent_away() {
        let gate = Gate::new(1, 1);
        let turn = gate.enter().await.unwrap();
        let mut next = Box::pin(gate.enter());
        assert!(next.as_mut().now_or_never().is_none());
        assert_eq!(gate.enter().await.unwrap_err().status, StatusCode::SERVICE_UNAVAILABLE);
        drop(turn);
        let turn = next.await.unwrap();
        let gone = Box::pin(gate.enter());
        drop(gone);
        drop(turn);
        assert!(gate.enter().await.is_ok());
    }
}
