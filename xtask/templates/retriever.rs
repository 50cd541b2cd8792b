//! Plugin `__NAME__`: a layer that reads every passage for every question. Right, and slow.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::ErrorKind as IoKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use wikirag_core::{
    Capability, CatalogId, Change, ChangeFeed, ChunkId, Context, Error, ErrorKind, FeedPosition, LayerSetup, Plugin,
    Query, Ranked, RankedList, Readiness, Reason, Result, Retriever, Score, SyncReport, offload, submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "__NAME__",
    version: env!("CARGO_PKG_VERSION"),
    summary: "finds passages by reading all of them",
    personal: &[],
    provides: &[Capability::Retriever { make }],
};
submit!(PLUGIN);

/// Raised whenever what the file holds changes its meaning.
const FORMAT: u32 = 1;

/// Changes that are committed together.
const BATCH: usize = 10_000;

/// What can be set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {}

fn make(setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
    let Settings {} = setup.plugin.settings.parse()?;
    Ok(Box::new(Scan { file: setup.dir.join("passages.json") }))
}

/// The index is one file, read anew for each question and replaced as a whole: whoever reads sees one state of it.
struct Scan {
    file: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Index {
    format: u32,
    catalog: CatalogId,
    position: FeedPosition,
    passages: BTreeMap<ChunkId, String>,
}

impl Index {
    fn read(file: &Path) -> Result<Option<Self>> {
        let bytes = match fs::read(file) {
            Err(error) if error.kind() == IoKind::NotFound => return Ok(None),
            read => read.map_err(|error| io("read index", file, error))?,
        };
        let index: Self = serde_json::from_slice(&bytes).map_err(|error| {
            let error = Error::new(ErrorKind::Damaged, "read index", "the file is not what was written").caused_by(error);
            error.with("path", file.display()).help("delete it and build again")
        })?;
        if index.format == FORMAT {
            Ok(Some(index))
        } else {
            let message = format!("its format is {}, this program knows {FORMAT}", index.format);
            Err(Error::new(ErrorKind::StaleIndex, "read index", message)
                .with("path", file.display())
                .help("delete it and build again"))
        }
    }

    fn write(&self, file: &Path) -> Result<()> {
        let bytes = serde_json::to_vec(self)
            .map_err(|error| Error::new(ErrorKind::Internal, "write index", "it cannot be written").caused_by(error))?;
        let beside = file.with_extension("new");
        file.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&beside, bytes))
            .and_then(|()| fs::rename(&beside, file))
            .map_err(|error| io("write index", file, error))
    }

    fn apply(&mut self, change: Change, report: &mut SyncReport) {
        match change {
            Change::Upsert(chunk) => {
                let words = [chunk.title, chunk.headings.join(" "), chunk.text].join("\n");
                self.passages.insert(chunk.id, words);
                report.upserted += 1;
            }
            Change::Delete(chunk) => report.deleted += u64::from(self.passages.remove(&chunk).is_some()),
        }
    }

    /// A passage scores one for each word of the question that it holds.
    fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        let wanted = words(&query.text);
        let mut hits = Vec::new();
        for (&chunk, passage) in &self.passages {
            context.check("search")?;
            let shared = words(passage).intersection(&wanted).count();
            if shared > 0 {
                hits.push(Ranked { chunk, score: Score::new(shared as f64)? });
            }
        }
        Ok(RankedList::from_unordered(hits, query.want))
    }
}

#[async_trait]
impl Retriever for Scan {
    fn readiness(&self) -> Readiness {
        if self.file.exists() {
            Readiness::Ready
        } else {
            let reason = Reason::new("index-missing", "there is no index yet", "run `wikirag build`");
            Readiness::Unavailable(vec![reason])
        }
    }

    fn chunks(&self) -> Result<u64> {
        Ok(Index::read(&self.file)?.map_or(0, |index| index.passages.len() as u64))
    }

    fn position(&self) -> Result<Option<(CatalogId, FeedPosition)>> {
        Ok(Index::read(&self.file)?.map(|index| (index.catalog, index.position)))
    }

    async fn sync(&self, feed: Arc<dyn ChangeFeed>, context: &Context) -> Result<SyncReport> {
        let (file, context) = (self.file.clone(), context.clone());
        offload(move || follow(&file, feed.as_ref(), &context)).await
    }

    async fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        let (file, query, context) = (self.file.clone(), query.clone(), context.clone());
        offload(move || {
            context.check("search")?;
            Index::read(&file)?.map_or_else(|| Ok(RankedList::default()), |index| index.search(&query, &context))
        })
        .await
    }

    async fn verify(&self) -> Result<()> {
        let file = self.file.clone();
        offload(move || Index::read(&file).map(drop)).await
    }
}

fn follow(file: &Path, feed: &dyn ChangeFeed, context: &Context) -> Result<SyncReport> {
    let mut report = SyncReport::default();
    let mut index = match Index::read(file)? {
        Some(index) if index.catalog == *feed.catalog() => index,
        _ => {
            let catalog = feed.catalog().clone();
            let index = Index { format: FORMAT, catalog, position: FeedPosition::default(), passages: BTreeMap::new() };
            index.write(file)?;
            index
        }
    };
    loop {
        context.check("sync")?;
        let batch = feed.after(index.position, BATCH)?;
        if batch.changes.is_empty() {
            return Ok(report);
        }
        for change in batch.changes {
            index.apply(change, &mut report);
        }
        index.position = batch.position;
        index.write(file)?;
        report.batches += 1;
    }
}

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn io(operation: &'static str, file: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, operation, "the file cannot be used").caused_by(error).with("path", file.display())
}
