//! A wiki as one file: exported here, imported on another machine.
//!
//! An archive holds the catalog and the layers in one form: equal documents, read and cut in the same way, give equal contents and
//! one digest, in whatever folder they lie and whatever was edited before. What is in it is described in `docs/portable.md`.
//!
//! * [`head`]: what stands at the beginning, and what is demanded of it;
//! * [`archive`]: the form of the file, written and read;
//! * `export`: an index beside the one of every day, in that one form, and then the archive;
//! * `import`: an archive into a folder beside the index, which then takes its place;
//! * `settings`: what of a manifest goes along;
//! * `target`: where an archive goes.

pub mod archive;
mod export;
pub mod head;
mod import;
mod scratch;
mod settings;
mod target;

pub use export::Exported;
pub use head::{CatalogPart, Contents, FilePart, Head, LayerPart};
pub use import::{ImportOptions, Imported, Place};
use serde::Serialize;
use wikirag_core::Reason;

/// A layer that is not in an archive, or cannot serve where it was imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerLeftOut {
    /// Name of its plugin.
    pub layer: String,
    /// Why.
    #[serde(flatten)]
    pub reason: Reason,
}
