//! Plugin `llm-api`: a language model behind a service, over HTTP.
//!
//! It speaks the protocol of OpenAI (`POST {url}/chat/completions`), which Ollama, llama.cpp, vLLM, OpenRouter and many
//! others speak as well, and that of Anthropic (`POST {url}/messages`). Nothing is sent unless `url` and `model` are set:
//!
//! ```toml
#![doc = include_str!("../example.toml")]
//! ```
//!
//! * **What is sent.** The prompt, which holds passages of the wikis that were searched, to `url` and nowhere else: a
//!   redirection is an error. Plain `http` is for this machine; to others it needs `allow_http = true`, and a key never
//!   goes that way.
//! * **Pieces** are handed on as they come. What a model thinks before it answers is not part of the answer.
//! * **Trouble.** Time-outs, broken connections, 408, 429 and 5xx are tried again, after a pause that grows or as long as
//!   the service asks for, until the first piece was handed on. All else is an error at once, in the words of the service
//!   as far as they do not repeat the prompt.
//! * **Why an answer ended** is told: [`Ended::Cut`](wikirag_core::Ended::Cut) at the limit of tokens,
//!   [`Ended::Refused`](wikirag_core::Ended::Refused) by the model or a filter. A stream that ends without an end is an
//!   error.
//! * **Stopping** closes the connection at once, so that the service need not go on.
//!
//! All settings: [`Settings`].

mod events;
mod generator;
mod inbox;
mod protocol;
mod settings;
mod writing;

pub use protocol::Protocol;
pub use settings::{LimitName, Settings};
use wikirag_core::{Capability, Plugin, submit};

/// What this plugin does, in its errors.
const OPERATION: &str = "write an answer";

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "llm-api",
    version: env!("CARGO_PKG_VERSION"),
    summary: "a language model behind a service (OpenAI's protocol or Anthropic's)",
    personal: &["url", "key_env", "key_file", "allow_http", "headers"],
    provides: &[Capability::Generator { make: generator::make }],
};

submit!(PLUGIN);
