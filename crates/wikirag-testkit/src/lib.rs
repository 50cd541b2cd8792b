//! Conformance suites and strict fakes for plugin authors.
//!
//! Each kind of plugin has one macro that expands to named `#[test]`s, one for each promise of its trait:
//!
//! ```ignore
//! use wikirag_testkit::{json, make};
//! wikirag_testkit::fuser_suite!(conformance, || make::fuser(wikirag_rrf::PLUGIN, json!({})));
//! ```
//!
//! * [`chunker_suite!`] — a [`Reader`](wikirag_core::Reader) and a [`Chunker`](wikirag_core::Chunker) as a pair
//! * [`embedder_suite!`] — an [`Embedder`](wikirag_core::Embedder)
//! * [`extractor_suite!`] — an [`Extractor`](wikirag_core::Extractor)
//! * [`fuser_suite!`] — a [`Fuser`](wikirag_core::Fuser)
//! * [`generator_suite!`] — a [`Generator`](wikirag_core::Generator)
//! * [`reader_suite!`] — a [`Reader`](wikirag_core::Reader) with sample files
//! * [`retriever_suite!`] — a [`Retriever`](wikirag_core::Retriever)
//!
//! The checks are plain functions, listed once for each kind (`fuser::CHECKS`). The crate's own tests run the lists
//! over plugins that are broken on purpose: each of those fails exactly its own check, and no check is without one.

mod check;
pub mod chunker;
pub mod document;
pub mod documents;
pub mod embedder;
pub mod extractor;
pub mod fakes;
pub mod fuser;
pub mod generator;
pub mod make;
pub mod passages;
pub mod questions;
pub mod reader;
pub mod retriever;
mod work;

pub use check::{Broken, Check, Outcome, failing};
pub use fakes::{MemoryFeed, TempLayer, record, temp_layer};
pub use futures_lite::future::block_on;
pub use serde_json::json;
