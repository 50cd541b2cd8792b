//! What is said to the services, and what they say.

mod anthropic;
mod openai;

use serde::Deserialize;
use serde_json::Value;
use wikirag_core::{Ended, Prompt};
use wikirag_remote::Scheme;

use crate::Settings;

/// The language of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// That of OpenAI, which most others speak as well.
    #[default]
    Openai,
    /// That of Anthropic.
    Anthropic,
}

/// What a service told of an answer beside its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Account {
    /// Tokens read.
    pub(crate) tokens_in: Option<u64>,
    /// Tokens written.
    pub(crate) tokens_out: Option<u64>,
    /// Why the model stopped, once it did.
    pub(crate) ended: Option<Ended>,
}

/// What an event, or an answer in one piece, comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// More of the answer, which may be none.
    Text(String),
    /// The model is at work on what is not part of the answer.
    Thinking,
    /// Nothing more will come.
    Over,
}

/// Why an event could not be used.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It is not of the protocol.
    Unreadable,
    /// It is an error of the service, which stands for this status, if for any.
    Error(Option<u16>),
}

impl From<serde_json::Error> for Trouble {
    fn from(_: serde_json::Error) -> Self {
        // Its words may be those of the answer.
        Self::Unreadable
    }
}

impl Protocol {
    /// What requests are sent to, beneath the address of the service.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Openai => "/chat/completions",
            Self::Anthropic => "/messages",
        }
    }

    /// Where the key stands.
    pub(crate) const fn scheme(self) -> Scheme {
        match self {
            Self::Openai => Scheme::Bearer,
            Self::Anthropic => Scheme::ApiKey,
        }
    }

    /// Headers of every request: those of the settings, and those of the protocol.
    pub(crate) fn headers(self, settings: &Settings) -> Vec<(String, String)> {
        let of_protocol = match self {
            Self::Openai => None,
            Self::Anthropic => Some(("anthropic-version".to_owned(), anthropic::VERSION.to_owned())),
        };
        of_protocol.into_iter().chain(settings.headers.clone()).collect()
    }

    /// The body of a request.
    pub(crate) fn request(self, settings: &Settings, prompt: &Prompt) -> Vec<u8> {
        let body: Value = match self {
            Self::Openai => openai::request(settings, prompt),
            Self::Anthropic => anthropic::request(settings, prompt),
        };
        body.to_string().into_bytes()
    }

    /// Reads the data of one event, or an answer that came in one piece.
    ///
    /// # Errors
    /// Where it is not of the protocol, or an error.
    pub(crate) fn read(self, data: &[u8], account: &mut Account) -> Result<Step, Trouble> {
        match self {
            Self::Openai => openai::read(data, account),
            Self::Anthropic => anthropic::read(data, account),
        }
    }
}
