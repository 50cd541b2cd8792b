//! From reports of the engine to notifications of the protocol.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::watch;
use wikirag_core::{Progress, Step};

/// The shortest time between two notifications. The engine reports often and from several threads, and a client shows one line.
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps the newest report.
pub(super) struct Reporter(watch::Sender<String>);

impl Progress for Reporter {
    fn report(&self, step: Step<'_>) {
        let Step { stage, done, total } = step;
        // Where nobody asked for progress nobody hears of it.
        let _ = self.0.send(match total {
            Some(total) => format!("{stage}: {done} of {total}"),
            None => format!("{stage}: {done}"),
        });
    }
}

/// Where reports go, and where they come from.
pub(super) fn channel() -> (Arc<Reporter>, watch::Receiver<String>) {
    let (sender, receiver) = watch::channel(String::new());
    (Arc::new(Reporter(sender)), receiver)
}

/// Sends the newest report, again and again, to a client that asked for them. Ends with the client.
pub(super) async fn forward(
    mut reports: watch::Receiver<String>,
    peer: &Peer<RoleServer>,
    token: Option<ProgressToken>,
) {
    let Some(token) = token else { return };
    // Stages begin at zero again, and what the protocol counts must grow.
    let mut sent = 0.0;
    while reports.changed().await.is_ok() {
        let message = reports.borrow_and_update().clone();
        sent += 1.0;
        let report = ProgressNotificationParam::new(token.clone(), sent).with_message(message);
        if peer.notify_progress(report).await.is_err() {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}
