//! What all requests share, and how each is worked on.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::OwnedSemaphorePermit;
use wikirag_core::{CancelFlag, Context, Result, Sensitivity};
use wikirag_engine::Degradation;

use super::config::{Config, Limits};
use super::failure::Failure;
use super::gate::Gate;
use super::journal::Id;
use super::metrics::Metrics;
use crate::access::{Door, Sites};
use crate::service::{Caller, Scope, Service};

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) service: Service,
    pub(crate) door: Door,
    pub(crate) sites: Sites,
    pub(crate) limits: Limits,
    pub(crate) logs_questions: bool,
    pub(crate) metrics: Metrics,
    gate: Gate,
}

/// Asks what runs to stop when nobody waits for it any more.
pub(crate) struct StopOnDrop(CancelFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A piece of work that may begin.
pub(crate) struct Turn {
    pub(crate) service: Service,
    pub(crate) context: Context,
    /// Held for as long as the work is done.
    pub(crate) permit: OwnedSemaphorePermit,
    /// Held for as long as somebody waits for it.
    pub(crate) wanted: StopOnDrop,
}

impl Desk {
    pub(crate) fn new(service: Service, config: &Config) -> Result<Self> {
        let limits = config.limits.clone();
        Ok(Self {
            door: config.door()?,
            sites: config.sites(),
            gate: Gate::new(limits.running, limits.waiting),
            logs_questions: config.logs_questions,
            metrics: Metrics::default(),
            limits,
            service,
        })
    }

    /// Takes a question in: it is no longer than one may be, and goes to the log where that is wanted and nothing that the question
    /// is asked of is above `internal`.
    pub(crate) async fn hear(&self, id: Id, caller: &Caller, scope: &Scope, question: &str) -> Result<(), Failure> {
        let most = self.limits.question;
        if question.chars().nth(most).is_some() {
            let message = format!("the question is longer than {most} characters");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message));
        }
        if self.logs_questions
            && let Ok(composition) = self.service.composition(caller, scope).await
            && composition.clearance <= Sensitivity::Internal
        {
            tracing::info!(id = id.0, question, "question");
        }
        Ok(())
    }

    /// Counts why an answer is less than it could be.
    pub(crate) fn saw(&self, degraded: &[Degradation]) {
        for one in degraded {
            self.metrics.degraded(&one.code);
        }
    }

    /// Waits until the work of a request may begin. From then on it has `time`.
    pub(crate) async fn turn(&self, time: Duration) -> Result<Turn, Failure> {
        let permit = tokio::time::timeout(time, self.gate.enter()).await.map_err(|_| Failure::crowded())??;
        let context = Context::new().with_time_limit(time);
        let wanted = StopOnDrop(context.cancel.clone());
        Ok(Turn { service: self.service.clone(), context, permit, wanted })
    }

    /// Does the work of a request when its turn comes.
    ///
    /// The work goes on in a task of its own, which is told to stop when the caller went away or the time is up, and is never cut off:
    /// it may hold the lock of an index.
    pub(crate) async fn work<T, F>(&self, work: impl FnOnce(Service, Context) -> F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        let time = self.limits.request_time;
        let Turn { service, context, permit, wanted } = self.turn(time).await?;
        let work = work(service, context);
        let task = tokio::spawn(async move {
            let done = work.await;
            drop(permit);
            done
        });
        // What looks at its deadline now and then ends by itself, a little later than that.
        let done = tokio::time::timeout(time + Duration::from_secs(1), task).await;
        drop(wanted);
        match done {
            Err(_) => Err(Failure::too_slow()),
            Ok(Ok(done)) => done.map_err(Failure::from),
            // A panic: the message is in the log, as the program writes it for each.
            Ok(Err(_)) => Err(Failure::broken()),
        }
    }
}

impl Failure {
    /// A promise of ours was broken.
    pub(crate) fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "this cannot be answered at the moment")
    }
}

/// How handlers hold the desk.
pub(crate) type Shared = Arc<Desk>;
