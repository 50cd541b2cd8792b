//! Plugin `embed-api`: vectors from a service, over HTTP.
//!
//! It speaks the protocol of OpenAI (`POST {url}/embeddings`), which Ollama, vLLM, text-embeddings-inference and many others
//! speak as well, and that of Voyage. Nothing is sent unless `url`, `model` and `dimensions` are set:
//!
//! ```toml
#![doc = include_str!("../example.toml")]
//! ```
//!
//! * **What is sent.** The texts that are indexed and the questions, in full, to `url` and nowhere else: a redirection is an
//!   error. Plain `http` is for this machine; to others it needs `allow_http = true`, and a key never goes that way.
//! * **Long texts** are embedded in pieces of `max_tokens`, cut between words, and their vectors averaged by length. Tokens
//!   are estimated, so a value some 15 % below what the model takes is safe. Where a service refuses something as too large,
//!   halves of it are sent; where it silently cuts (Ollama does), only `max_tokens` helps.
//! * **Trouble.** Time-outs, broken connections, 408, 429 and 5xx are tried again, after a pause that grows or as long as
//!   the service asks for. What still fails is marked temporary, so that the layer asks again in the next build. All else
//!   (a refused key, an unknown model, an answer that is none) is an error at once, in the words of the service.
//! * **Answers are checked**: one vector for each text, put in order by `index`, of the width that was configured, finite,
//!   not zero. Then they are scaled to unit length.
//!
//! All settings: [`Settings`].

mod answer;
mod call;
mod embedder;
mod pieces;
mod protocol;
mod service;
mod settings;

pub use protocol::Protocol;
pub use settings::Settings;
use wikirag_core::{Capability, Plugin, submit};

/// What this plugin does, in its errors.
const OPERATION: &str = "embed";

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "embed-api",
    version: env!("CARGO_PKG_VERSION"),
    summary: "vectors from a service (OpenAI's protocol or Voyage's)",
    personal: &["url", "key_env", "key_file", "allow_http"],
    provides: &[Capability::Embedder { make: embedder::make }],
};

submit!(PLUGIN);
