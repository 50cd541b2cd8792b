//! The two manifests that people write: `.wiki.yaml` of a wiki and `*.rag.yaml` of a composition.
//!
//! A manifest is data and nothing else: no command is run from it, and neither variables nor `~` in it are expanded.

mod documents;
mod kind;
mod lint;
mod patterns;
mod plugin_choice;
pub mod rag;
mod shapes;
pub mod text_file;
pub mod wiki;
pub mod yaml;

#[cfg(test)]
mod page_tests;

pub use documents::Documents;
pub use kind::WikiKind;
pub use lint::LintManifest;
pub use patterns::Patterns;
pub use plugin_choice::PluginChoice;
pub use rag::{DEFAULT_FUSER, DEFAULT_RERANK, RANK_FUSER, RagEntry, RagManifest, Route};
pub use wiki::{IndexPages, Layers, Role, RoleRule, WikiManifest};
