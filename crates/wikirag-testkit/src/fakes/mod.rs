//! Stand-ins for the engine's side of the seam, stricter than the real ones.

mod embedder;
pub mod embedding_service;
mod feed;
mod layer;
mod records;

pub use embedder::{EmbedderLog, HASHED_WORDS, Trouble};
pub use feed::MemoryFeed;
pub use layer::{TempLayer, temp_layer};
pub use records::{corpus, record};

pub(crate) use records::own_word;
