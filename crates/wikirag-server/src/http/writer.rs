//! An answer that is written while somebody reads it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, stream};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;
use wikirag_engine::{AskEvent, Asked};

use super::desk::{Desk, StopOnDrop, Turn};
use super::failure::Failure;
use crate::service::{AskRequest, Caller};

/// What the log of questions calls this way in.
const SURFACE: &str = "http";

/// What is told of an answer on its way.
#[derive(Debug)]
pub(crate) enum Told {
    /// What the model will read, as JSON. First, and once.
    Context(Value),
    /// More of the answer.
    Piece(String),
    /// All of it. Last.
    Done(Box<Asked>),
    /// There will be no more. Last.
    Failed(Failure),
}

/// An answer on its way. When this is dropped the writing stops.
pub(crate) struct Writing {
    first: Option<Told>,
    // Without a bound: an answer has as many tokens as the model may write, and what waits here is less than that.
    rest: UnboundedReceiver<Told>,
    until: Instant,
    _wanted: StopOnDrop,
}

impl Writing {
    /// Begins an answer, and waits for what comes first.
    ///
    /// # Errors
    /// Where nothing came but an error.
    pub(crate) async fn begin(desk: &Arc<Desk>, caller: Caller, request: AskRequest) -> Result<Self, Failure> {
        let time = desk.limits.writing_time;
        let Turn { service, context, permit, wanted } = desk.turn(time).await?;
        let (tell, rest) = unbounded_channel();
        let desk = Arc::clone(desk);
        let write = async move {
            // Where nobody listens any more the writing is told to stop in another way.
            let mut on_event = |event: AskEvent<'_>| {
                let _ = tell.send(match event {
                    AskEvent::Context(packed) => Told::Context(json!(packed)),
                    AskEvent::Piece(text) => Told::Piece(text.to_owned()),
                });
            };
            let asked = service.ask(&caller, &request, SURFACE, &mut on_event, &context).await;
            drop(permit);
            let last = match asked {
                Ok(asked) => {
                    desk.saw(&asked.degraded);
                    Told::Done(Box::new(asked))
                }
                Err(error) => Told::Failed(error.into()),
            };
            let _ = tell.send(last);
        };
        tokio::spawn(write);
        let until = Instant::now() + time + Duration::from_secs(1);
        let mut writing = Self { first: None, rest, until, _wanted: wanted };
        match writing.next().await {
            Told::Failed(failure) => Err(failure),
            first => {
                writing.first = Some(first);
                Ok(writing)
            }
        }
    }

    /// What comes next.
    async fn next(&mut self) -> Told {
        if let Some(first) = self.first.take() {
            return first;
        }
        match tokio::time::timeout_at(self.until, self.rest.recv()).await {
            Ok(Some(told)) => told,
            // The task panicked.
            Ok(None) => Told::Failed(Failure::broken()),
            Err(_) => Told::Failed(Failure::too_slow()),
        }
    }

    /// All that comes, to the last.
    pub(crate) fn events(self) -> impl Stream<Item = Told> {
        stream::unfold(Some(self), |writing| async {
            let mut writing = writing?;
            let told = writing.next().await;
            let is_last = matches!(told, Told::Done(_) | Told::Failed(_));
            Some((told, (!is_last).then_some(writing)))
        })
    }

    /// Waits for the whole answer.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) async fn whole(mut self) -> Result<Asked, Failure> {
        loop {
            match self.next().await {
                Told::Done(asked) => return Ok(*asked),
                Told::Failed(failure) => return Err(failure),
                Told::Context(_) | Told::Piece(_) => {}
            }
        }
    }
}
