//! A retrieval engine for knowledge kept as many small wikis.
//!
//! This crate is what downstream programs use: it turns Cargo features into plugins, re-exports the engine, and has
//! nothing of its own beside. Each feature is one plugin of the same name:
//!
//! | feature | kind | what it is |
//! |---|---|---|
//! | `markdown` | reader, chunker | CommonMark, GFM, front matter, wikilinks; passages by structure |
//! | `rrf` | fuser | weighted reciprocal rank fusion |
//! | `combsum` | fuser | the weighted sum of normalised scores |
//! | `trust` | reranker | what documents declare of themselves: role, status, confidence, age |
//! | `bm25` | retriever | BM25 over an inverted index |
//! | `dense` | retriever | passages by meaning, from the vectors of an embedder |
//! | `graph` | retriever | passages by names and links: personalised PageRank over mentions |
//! | `onnx` | embedder | local models in ONNX format |
//! | `tokenizer` | token counter | tokens as the tokenizer of a model counts them |
//! | `embed-api` | embedder | services that speak the OpenAI or Voyage protocol |
//! | `llm-api` | generator | services that speak the OpenAI or Anthropic protocol |
//! | `rerank-llm` | reranker | the best passages in the order of a language model, with reasons |
//! | `extract-llm` | extractor | entities and relations by a language model; not among the defaults |
//!
//! ```no_run
//! use wikirag::settings::{LoadOptions, Settings};
//! use wikirag::{Context, Engine, QueryOptions, locate};
//! # fn main() -> wikirag::Result<()> {
//! let options = LoadOptions::from_process()?;
//! let engine = Engine::with_linked_plugins(Settings::load(&options)?)?;
//! let rag = locate::composition("food.rag.yaml", &options.cwd, engine.settings(), locate::Missing::Refuse)?;
//! let answer = futures_lite::future::block_on(engine.query(
//!     &rag,
//!     "when to sow basil",
//!     &QueryOptions::default(),
//!     &Context::new(),
//! ))?;
//! for result in &answer.results {
//!     println!("{} {}/{}{}", result.rank, result.wiki, result.path, result.place);
//! }
//! # Ok(())
//! # }
//! ```

pub use wikirag_core as core;
pub use wikirag_core::{
    CancelFlag, Context, Error, ErrorKind, Generation, Plugin, Progress, Registry, Result, ResultExt, Sensitivity,
    Step, WikiName,
};
pub use wikirag_engine::*;
pub use wikirag_models as models;

/// The plugins that the features of this crate bring. Naming each keeps the linker from leaving it out; the registry
/// finds them, and those of other crates, by itself.
pub static PLUGINS: &[&Plugin] = &[
    #[cfg(feature = "bm25")]
    &wikirag_bm25::PLUGIN,
    #[cfg(feature = "dense")]
    &wikirag_dense::PLUGIN,
    #[cfg(feature = "embed-api")]
    &wikirag_embed_api::PLUGIN,
    #[cfg(feature = "extract-llm")]
    &wikirag_extract_llm::PLUGIN,
    #[cfg(feature = "graph")]
    &wikirag_graph::PLUGIN,
    #[cfg(feature = "html")]
    &wikirag_html::PLUGIN,
    #[cfg(feature = "llm-api")]
    &wikirag_llm_api::PLUGIN,
    #[cfg(feature = "markdown")]
    &wikirag_markdown::PLUGIN,
    #[cfg(feature = "onnx")]
    &wikirag_onnx::PLUGIN,
    #[cfg(feature = "pdf")]
    &wikirag_pdf::PLUGIN,
    #[cfg(feature = "rerank-llm")]
    &wikirag_rerank_llm::PLUGIN,
    #[cfg(feature = "rrf")]
    &wikirag_rrf::PLUGIN,
    #[cfg(feature = "combsum")]
    &wikirag_combsum::PLUGIN,
    #[cfg(feature = "rst")]
    &wikirag_rst::PLUGIN,
    #[cfg(feature = "tokenizer")]
    &wikirag_tokenizer::PLUGIN,
    #[cfg(feature = "trust")]
    &wikirag_trust::PLUGIN,
    #[cfg(feature = "txt")]
    &wikirag_txt::PLUGIN,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_linked_and_found() {
        let registry = Registry::collect().unwrap();
        for plugin in PLUGINS {
            assert!(registry.plugins().iter().any(|known| known.name == plugin.name), "{}", plugin.name);
        }
    }
}
