//! How a wiki stands: what is indexed, what each layer has, what changed since.

use std::path::PathBuf;

use serde::Serialize;
use wikirag_core::{ExtractionReport, Generation, Readiness, Reason, Result, Sensitivity, WikiName};
use wikirag_sqlite::{FileEntry, FileState};

use crate::{Engine, LocatedWiki, layers, open};

/// How one layer stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerStatus {
    /// Name of the layer.
    pub layer: String,
    /// `ready`, `degraded` or `unavailable`.
    pub readiness: &'static str,
    /// Why it is not ready.
    pub reasons: Vec<Reason>,
    /// Changes of the catalog that it has not followed.
    pub pending: u64,
    /// Chunks that it holds.
    pub chunks: u64,
    /// Whether the wiki must have it: nobody named its layers where not, and it does without those that are not ready.
    pub required: bool,
    /// What an extractor found for it, where one is set.
    #[serde(skip)]
    pub extraction: Option<ExtractionReport>,
}

/// How a wiki stands.
#[derive(Debug, Clone, Serialize)]
pub struct WikiStatus {
    /// Its name.
    pub wiki: WikiName,
    /// Its title.
    pub title: String,
    /// Its trust level.
    pub sensitivity: Sensitivity,
    /// Where its documents lie.
    pub root: PathBuf,
    /// Where its index lies.
    pub index_dir: PathBuf,
    /// Builds that changed something; 0: never built.
    pub generation: Generation,
    /// Documents that can be found.
    pub documents: u64,
    /// Index pages and other pages for navigation only.
    pub navigation: u64,
    /// Passages.
    pub chunks: u64,
    /// Characters of all documents.
    pub characters: u64,
    /// Files and folders left out.
    pub skipped: u64,
    /// Files that could not be read or understood.
    pub failed: u64,
    /// Files that differ from the index, as far as size and time tell.
    pub changed: u64,
    /// Whether the documents are on this machine. Where they are not nobody knows what has changed.
    pub has_documents: bool,
    /// The layers.
    pub layers: Vec<LayerStatus>,
    /// The ledger: every file.
    #[serde(skip)]
    pub files: Vec<FileEntry>,
}

impl WikiStatus {
    /// Whether everything that should be in the index is there and every layer can serve.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let fits =
            |layer: &LayerStatus| layer.readiness == "ready" || layer.readiness == "unavailable" && !layer.required;
        self.failed == 0 && self.layers.iter().all(fits)
    }
}

impl Engine {
    /// How a wiki stands. Looks at the folder, but reads no document.
    ///
    /// # Errors
    /// [`ErrorKind::IndexMissing`](wikirag_core::ErrorKind::IndexMissing) where it was never built;
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) or
    /// [`ErrorKind::StaleIndex`](wikirag_core::ErrorKind::StaleIndex) where the catalog cannot be used. A layer that cannot
    /// be opened is part of the status.
    pub async fn status(&self, wiki: &LocatedWiki) -> Result<WikiStatus> {
        let catalog = open::catalog(self, wiki)?;
        let info = catalog.info()?;
        let files = catalog.files()?;
        let mut statuses = Vec::new();
        for name in layers::names(self, wiki) {
            let opened = layers::open_layer(self, wiki, &name).and_then(|layer| {
                let readiness = layers::readiness(layer.as_ref(), &catalog)?;
                let left_out = layers::left_out(self, wiki, layer.as_ref());
                let required = left_out.is_none();
                let readiness = left_out.map_or(readiness, Readiness::Unavailable);
                let pending = layers::pending(layer.as_ref(), &catalog)?;
                Ok((readiness, pending, layer.chunks().unwrap_or(0), required, layer.extraction()?))
            });
            statuses.push(match opened {
                Ok((readiness, pending, chunks, required, extraction)) => LayerStatus {
                    layer: name,
                    readiness: match readiness {
                        Readiness::Ready => "ready",
                        Readiness::Degraded(_) => "degraded",
                        Readiness::Unavailable(_) => "unavailable",
                    },
                    reasons: readiness.reasons().to_vec(),
                    pending,
                    chunks,
                    required,
                    extraction,
                },
                Err(error) => {
                    let remedy = error.remedy().unwrap_or("run `wikirag build --full`").to_owned();
                    let reason = Reason::new(error.kind().code(), error.statement(), remedy);
                    LayerStatus {
                        layer: name,
                        readiness: "unavailable",
                        reasons: vec![reason],
                        pending: info.chunks,
                        chunks: 0,
                        required: true,
                        extraction: None,
                    }
                }
            });
        }
        let changes = self.changes(wiki, &catalog).await?;
        let count = |state| files.iter().filter(|file| file.state == state).count() as u64;
        Ok(WikiStatus {
            wiki: wiki.manifest.name.clone(),
            title: wiki.manifest.title.clone(),
            sensitivity: wiki.manifest.sensitivity,
            root: wiki.root.clone(),
            index_dir: wiki.index_dir.clone(),
            generation: info.generation,
            documents: info.documents - info.navigation,
            navigation: info.navigation,
            chunks: info.chunks,
            characters: info.characters,
            skipped: count(FileState::Skipped),
            failed: count(FileState::Failed),
            changed: changes.sure() as u64,
            has_documents: wiki.has_documents(),
            layers: statuses,
            files,
        })
    }
}
