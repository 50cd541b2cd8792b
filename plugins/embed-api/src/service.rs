//! Vectors of texts: requests, and what becomes of those that fail.

use std::sync::Arc;

use wikirag_core::{Context, ErrorKind, Result, Role};
use wikirag_remote::{Address, Call, Failure, KeySource, Patience, Pauses, Remote, Request, Scheme, unavailable};
use wikirag_text::estimate_tokens;

use crate::pieces::{cut, halves, mean};
use crate::settings::Settings;
use crate::{OPERATION, answer, call, protocol};

/// What is sent for a text of nothing but white space: services refuse an empty one.
const NOTHING: &str = ".";

/// One configured service.
pub(crate) struct Service {
    settings: Settings,
    remote: Remote,
}

impl Service {
    pub(crate) fn new(settings: Settings, address: Address, key: Option<KeySource>) -> Self {
        let pauses = Pauses { retries: settings.retries, first: settings.first_pause() };
        let remote = Remote::new(OPERATION, address, Scheme::Bearer, key, settings.parallel, pauses);
        Self { settings, remote }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The other end.
    pub(crate) fn remote(&self) -> &Remote {
        &self.remote
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
    pub(crate) fn embed_batch(&self, call: &Call, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let error = match self.ask(call, role, texts) {
            Ok(vectors) => return Ok(vectors),
            Err(Failure::TooLarge(error)) => error.help("lower `batch` or `max_tokens`"),
            Err(failure) => return Err(failure.into_error()),
        };
        if let [text] = texts {
            let (left, right) = halves(text).ok_or(error)?;
            let mut vectors = self.embed_batch(call, role, &[left])?;
            vectors.extend(self.embed_batch(call, role, &[right])?);
            let weights = [weight(left), weight(right)];
            return Ok(vec![mean(vectors.iter().map(Vec::as_slice).zip(weights))]);
        }
        let (left, right) = texts.split_at(texts.len() / 2);
        let mut vectors = self.embed_batch(call, role, left)?;
        vectors.extend(self.embed_batch(call, role, right)?);
        Ok(vectors)
    }

    /// One request, sent again while that may help.
    fn ask(&self, call: &Call, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let input = self.input(role, texts);
        let body = protocol::request(&self.settings, role, &input)
            .map_err(|error| unavailable(OPERATION, "the request cannot be written").caused_by(error))?;
        let patience = Patience { whole: Some(self.settings.timeout()), ..Patience::default() };
        let request = Request { body: &body, accept: "application/json", headers: &[], texts, patience };
        let (count, dimensions) = (texts.len(), self.settings.dimensions);
        self.remote.exchange(call, &request, |answer| {
            let private = answer.private;
            let body = answer.whole(answer::longest(count, dimensions))?;
            Ok(answer::read(&body, count, dimensions, private)?)
        })
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
