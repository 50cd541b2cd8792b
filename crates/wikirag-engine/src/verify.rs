//! Whether an index is sound, and whether it is the index of its folder.

use std::fs;
use std::sync::Arc;

use wikirag_core::{Error, ErrorKind, Readiness, Result, ResultExt, offload};
use wikirag_sqlite::Catalog;

use crate::{Engine, LocatedWiki, layers, open};

/// How closely an index is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// What opening tells, how far each layer has followed the catalog, and which files have another size or time.
    #[default]
    Quick,
    /// Every byte that can be checked as well: each text of the catalog against its hash, each file of each layer, the content
    /// of each document against its file.
    Full,
}

/// One part of an index: the catalog, a layer, or the documents.
#[derive(Debug)]
pub struct Checked {
    /// `catalog.db`, the name of the layer, or `documents`.
    pub part: String,
    /// What is wrong with it. [`ErrorKind::Partial`] where the part is sound and behind.
    pub result: Result<()>,
}

impl Engine {
    /// Checks the catalog, the layers against it, and it against the documents.
    ///
    /// # Errors
    /// [`ErrorKind::IndexMissing`] where there is nothing to check.
    pub async fn verify(&self, wiki: &LocatedWiki, depth: Depth) -> Result<Vec<Checked>> {
        let mut parts = Vec::new();
        let mut add = |part: &str, result: Result<()>| {
            let result = result.with("wiki", &wiki.manifest.name);
            parts.push(Checked { part: part.to_owned(), result });
        };
        let opened = self.catalog_to_verify(wiki)?;
        let catalog = opened.as_ref().ok().map(Arc::clone);
        let whole = match opened {
            Ok(catalog) if depth == Depth::Full => offload(move || catalog.verify()).await,
            opened => opened.map(drop),
        };
        add(layers::CATALOG_FILE, whole);
        for name in layers::names(self, wiki) {
            let result = self.verify_layer(wiki, &name, catalog.as_deref(), depth).await;
            add(&name, result.with("layer", &name));
        }
        // Without a catalog nobody knows what was indexed, and of documents that are elsewhere nobody knows how they are.
        if let Some(catalog) = catalog.filter(|_| wiki.has_documents()) {
            add("documents", self.verify_documents(wiki, catalog, depth).await);
        }
        Ok(parts)
    }

    /// The catalog, or what is wrong with it.
    fn catalog_to_verify(&self, wiki: &LocatedWiki) -> Result<Result<Arc<Catalog>>> {
        let has_layer = layers::names(self, wiki).iter().any(|name| wiki.index_dir.join(name).exists());
        let has_catalog = wiki.index_dir.join(layers::CATALOG_FILE).exists();
        match open::catalog(self, wiki) {
            // Layers are made of a catalog: where there are some, there was one.
            Err(error) if error.kind() == ErrorKind::IndexMissing && has_layer && !has_catalog => {
                let message = "it is gone, and what was made of it is there";
                let lost = Error::new(ErrorKind::Damaged, "verify catalog", message);
                Ok(Err(lost.help("run `wikirag build --full`")))
            }
            Err(error) if error.kind() == ErrorKind::IndexMissing => Err(error),
            opened => Ok(opened),
        }
    }

    async fn verify_layer(
        &self,
        wiki: &LocatedWiki,
        name: &str,
        catalog: Option<&Catalog>,
        depth: Depth,
    ) -> Result<()> {
        let layer = layers::open_layer(self, wiki, name)?;
        if layers::left_out(self, wiki, layer.as_ref()).is_some() {
            return Ok(());
        }
        if depth == Depth::Full {
            layer.verify().await?;
        }
        let Some(catalog) = catalog else { return Ok(()) };
        match layers::readiness(layer.as_ref(), catalog)? {
            Readiness::Ready => Ok(()),
            Readiness::Degraded(reasons) => {
                let said: Vec<&str> = reasons.iter().map(|reason| reason.sentence.as_str()).collect();
                Err(Error::new(ErrorKind::Partial, "verify layer", said.join("; ")).help("run `wikirag build`"))
            }
            Readiness::Unavailable(reasons) => Err(open::unavailable(name, &reasons)),
        }
    }

    async fn verify_documents(&self, wiki: &LocatedWiki, catalog: Arc<Catalog>, depth: Depth) -> Result<()> {
        let changes = self.changes(wiki, &catalog).await?;
        let failed = changes.failed.len();
        let mut others = changes.sure();
        if depth == Depth::Full {
            let root = wiki.root.clone();
            let gone = changes.gone;
            others = offload(move || {
                let stamps = catalog.stamps()?;
                let differs = |path: &str, hash: &[u8; 32]| {
                    fs::read(root.join(path)).is_ok_and(|bytes| blake3::hash(&bytes).as_bytes() != hash)
                };
                let changed = stamps.iter().filter(|stamp| differs(&stamp.path, &stamp.content_hash)).count();
                let is_new = |path: &String| stamps.binary_search_by(|stamp| stamp.path.cmp(path)).is_err();
                let new = changes.read.iter().filter(|(file, _)| is_new(&file.path)).count();
                Ok::<_, Error>(changed + new + gone.len())
            })
            .await?;
        }
        if others + failed == 0 {
            return Ok(());
        }
        let message = format!("{others} files are not what was indexed, and {failed} could not be looked at");
        Err(Error::new(ErrorKind::Partial, "verify documents", message).help("run `wikirag build`"))
    }
}
