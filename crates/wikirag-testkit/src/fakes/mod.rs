//! Stand-ins for the engine's side of the seam, stricter than the real ones.

pub mod chat_service;
mod embedder;
pub mod embedding_service;
mod feed;
mod generator;
mod http;
mod layer;
mod records;

pub use embedder::{EmbedderLog, HASHED_WORDS, Trouble};
pub use feed::MemoryFeed;
pub use generator::{Answer, GeneratorLog, SCRIPT};
pub use layer::{TempLayer, temp_layer};
pub use records::{corpus, record};

pub(crate) use records::own_word;
