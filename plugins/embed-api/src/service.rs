//! Vectors of texts: requests, and what becomes of those that fail.

use std::sync::Arc;
use std::time::Duration;

use wikirag_core::{Context, Error, ErrorKind, Reason, Result, Role};
use wikirag_text::estimate_tokens;

use crate::answer;
use crate::call::{self, Call, POLL};
use crate::client::Client;
use crate::failure::{Failure, unavailable};
use crate::key::Key;
use crate::limits;
use crate::pace::{Pace, affordable, pause};
use crate::pieces::{cut, halves, mean};
use crate::protocol;
use crate::refusal;
use crate::settings::Settings;

/// What is sent for a text of nothing but white space: services refuse an empty one.
const NOTHING: &str = ".";

/// One configured service.
pub(crate) struct Service {
    settings: Settings,
    client: Client,
    pace: Pace,
}

impl Service {
    pub(crate) fn new(settings: Settings, client: Client) -> Self {
        let pace = Pace::new(settings.parallel);
        Self { settings, client, pace }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where requests go.
    pub(crate) fn endpoint(&self) -> &str {
        self.client.address().endpoint()
    }

    /// The key, where one is configured.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn key(&self) -> Result<Option<Key>, Reason> {
        self.settings.key_env.as_deref().map(Key::from_environment).transpose()
    }

    /// The vectors of `texts`, one after the other. Long texts are cut.
    ///
    /// # Errors
    /// Those of the requests, and those of [`Context::check`].
    pub(crate) fn embed(self: &Arc<Self>, texts: &[String], role: Role, context: &Context) -> Result<Vec<f32>> {
        let most = self.settings.max_tokens - estimate_tokens(self.prefix(role));
        let pieces: Vec<Vec<&str>> = texts.iter().map(|text| cut(text, most)).collect();
        let all = pieces.iter().flatten().map(|&piece| piece.to_owned()).collect();
        let vectors = match role {
            Role::Passage => call::run(self, all, role, context)?,
            Role::Query => {
                let context = context.clone().with_time_limit(self.settings.question_limit());
                call::run(self, all, role, &context).map_err(|error| match error.kind() {
                    ErrorKind::TimedOut => error.help("`question_seconds` is how long a question may wait"),
                    _ => error,
                })?
            }
        };
        let mut vectors = vectors.iter();
        let mut flat = Vec::with_capacity(texts.len() * self.settings.dimensions);
        for pieces in pieces {
            let weighted = pieces.iter().zip(&mut vectors).map(|(piece, vector)| (vector.as_slice(), weight(piece)));
            flat.extend(mean(weighted));
        }
        Ok(flat)
    }

    /// The vectors of the texts of one batch. What the service refuses as too large is sent in halves.
    ///
    /// # Errors
    /// Those of the requests, and those of [`Call::check`].
    pub(crate) fn embed_batch(&self, call: &Call, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let error = match self.ask(call, texts) {
            Ok(vectors) => return Ok(vectors),
            Err(Failure::TooLarge(error)) => error,
            Err(failure) => return Err(failure.into_error()),
        };
        if let [text] = texts {
            let (left, right) = halves(text).ok_or(error)?;
            let mut vectors = self.embed_batch(call, &[left])?;
            vectors.extend(self.embed_batch(call, &[right])?);
            let weights = [weight(left), weight(right)];
            return Ok(vec![mean(vectors.iter().map(Vec::as_slice).zip(weights))]);
        }
        let (left, right) = texts.split_at(texts.len() / 2);
        let mut vectors = self.embed_batch(call, left)?;
        vectors.extend(self.embed_batch(call, right)?);
        Ok(vectors)
    }

    /// One request, sent again while that may help.
    fn ask(&self, call: &Call, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let input = self.input(call.role, texts);
        let body = protocol::request(&self.settings, call.role, &input)
            .map_err(|error| unavailable("the request cannot be written").caused_by(error))?;
        let mut failures = 0;
        loop {
            self.wait_while_held(call)?;
            let failure = match self.send(call, &body, texts.len()) {
                Ok(vectors) => return Ok(vectors),
                Err(failure) => failure,
            };
            // Where the caller has to stop, that is the reason, whatever else there is.
            call.check()?;
            let Failure::Passing { error, wait } = failure else { return Err(failure) };
            if let Some(wait) = wait {
                self.pace.hold(wait);
            }
            let own = pause(self.settings.first_pause(), failures);
            if failures == self.settings.retries || !affordable(own.max(wait.unwrap_or_default()), call) {
                let error = error.with("attempts", failures + 1);
                return Err(Failure::Passing { error, wait });
            }
            failures += 1;
            call.sleep(own)?;
        }
    }

    /// One request.
    fn send(&self, call: &Call, body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, Failure> {
        let key = self.key().map_err(not_ready)?;
        let _slot = self.pace.slot(call)?;
        let limit = self.settings.timeout();
        let limit = call.time_left().map_or(limit, |left| left.min(limit));
        // No time at all would be a second to ureq.
        let limit = limit.max(Duration::from_millis(1));
        let longest = answer::longest(count, self.settings.dimensions);
        let reply = self.client.post(body, key.as_ref(), limit, longest)?;
        if reply.status != 200 {
            return Err(refusal::understand(&reply, key.as_ref()));
        }
        if let Some(wait) = limits::drained(&reply.headers) {
            self.pace.hold(wait);
        }
        Ok(answer::read(&reply.body, count, self.settings.dimensions, key.as_ref())?)
    }

    /// Waits as long as the service asked for.
    fn wait_while_held(&self, call: &Call) -> Result<(), Failure> {
        loop {
            call.check()?;
            let held = self.pace.held();
            if held.is_zero() {
                return Ok(());
            }
            if !affordable(held, call) {
                let message = format!("the service asks to wait {:.0} s", held.as_secs_f64().ceil());
                return Err(Failure::Passing { error: unavailable(message), wait: None });
            }
            call.sleep(held.min(POLL))?;
        }
    }

    /// The texts as they are sent.
    fn input(&self, role: Role, texts: &[&str]) -> Vec<String> {
        let prefix = self.prefix(role);
        let whole = |text: &&str| match format!("{prefix}{text}") {
            nothing if nothing.trim().is_empty() => NOTHING.to_owned(),
            text => text,
        };
        texts.iter().map(whole).collect()
    }

    fn prefix(&self, role: Role) -> &str {
        match role {
            Role::Query => &self.settings.query_prefix,
            Role::Passage => &self.settings.passage_prefix,
        }
    }
}

/// How much a piece counts.
fn weight(piece: &str) -> usize {
    estimate_tokens(piece).max(1)
}

/// The error of a call that cannot be begun.
pub(crate) fn not_ready(reason: Reason) -> Error {
    unavailable(reason.sentence).help(reason.remedy)
}
