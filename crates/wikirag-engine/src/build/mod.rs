//! Bringing the index of a wiki up to its folder: scan, read what changed, one transaction of the catalog, then each
//! layer follows the change feed.

mod navigation;
mod plan;
mod process;
mod report;
mod workers;
mod write;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wikirag_core::{Context, Error, ErrorKind, Result, ResultExt, offload};
use wikirag_sqlite::Catalog;

pub(crate) use plan::{Changes, changes_since};
pub(crate) use process::Processor;
pub use report::{BuildReport, ChunkCounts, FileProblem, FileWarning, LayerReport};

use crate::Engine;
use crate::layers::{self, CATALOG_FILE};
use crate::locate::LocatedWiki;
use crate::lock::WriteLock;
use crate::log::{self, Event};
use crate::seal::Seal;

use workers::Bounds;

/// Bytes of files that are read or wait to be written. What is made of them takes several times this memory.
const IN_WORK: u64 = 32 << 20;

/// How to build.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuildOptions {
    /// Read every file again and make every layer anew, whatever is there. Mends a damaged index.
    pub full: bool,
    /// For a question: how long layers that cost much may take. A layer that is not done then, or fails, is no error of the
    /// build, since whoever opens it to ask is told how it stands. `None`: as long as it takes.
    pub costly_layers_within: Option<Duration>,
}

/// A build that ended well.
pub(crate) struct Built {
    pub(crate) report: BuildReport,
    /// Whether the index is what it was before.
    #[cfg_attr(not(feature = "watch"), expect(dead_code, reason = "only a watch says nothing of such a build"))]
    pub(crate) is_idle: bool,
}

impl Engine {
    /// Builds the index of a wiki, or brings it up to date.
    ///
    /// Every file of the folder is accounted for in the report and in the ledger of the catalog. The catalog moves on
    /// in one transaction; a layer in batches. Killed at any moment, the next call goes on from there.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`] while another process builds, [`ErrorKind::Io`] where the folder cannot be scanned or holds
    /// nothing that once was there, [`ErrorKind::Damaged`] and [`ErrorKind::StaleIndex`] where only a full build helps.
    /// Single files that fail are no error but part of the report.
    pub async fn build(&self, wiki: &LocatedWiki, options: BuildOptions, context: &Context) -> Result<BuildReport> {
        self.build_for(Event::Build, wiki, options, context).await.map(|built| built.report)
    }

    /// [`Engine::build`] for a reason that the log names.
    pub(crate) async fn build_for(
        &self,
        event: Event,
        wiki: &LocatedWiki,
        options: BuildOptions,
        context: &Context,
    ) -> Result<Built> {
        let started = Instant::now();
        let name = &wiki.manifest.name;
        let processor = Processor::new(&wiki.manifest, self.host()).with("wiki", name)?;
        let job = write::Job {
            wiki: wiki.clone(),
            processor,
            full: options.full,
            bounds: Bounds {
                threads: self.threads(),
                bytes: IN_WORK,
                time: Duration::from_secs(self.settings().build.file_seconds),
            },
            context: context.clone(),
        };
        let job = Arc::new(job);
        // The lock is held to the end of the build, the layers included.
        let (_lock, catalog, before, mut report, folder) = offload(move || {
            let lock = lock_index(&job.wiki.index_dir)?;
            let catalog = Arc::new(open_for_build(&job.wiki.index_dir, job.full)?);
            let before = catalog.info()?.generation;
            let (report, folder) = job.run(&catalog)?;
            Ok::<_, Error>((lock, catalog, before, report, folder))
        })
        .await
        .with("wiki", name)?;
        report.layers = layers::sync_all(self, wiki, &catalog, options, context).await?;
        report.took_ms = started.elapsed().as_millis();
        if let Some(seal) = folder.and_then(|folder| self.seal_of(wiki, folder, &report)) {
            seal.write(&wiki.index_dir);
        }
        let is_idle = report.generation == before && report.layers.iter().all(LayerReport::is_idle);
        if !is_idle || event.is_told_when_idle() {
            log::append(&wiki.index_dir, &report, event)?;
        }
        Ok(Built { report, is_idle })
    }
}

impl Engine {
    /// What a question may trust after this build; `None` while some layer has not followed to the end.
    fn seal_of(&self, wiki: &LocatedWiki, folder: String, report: &BuildReport) -> Option<Seal> {
        let (left_out, stood): (Vec<_>, Vec<_>) = report.layers.iter().partition(|layer| layer.left_out.is_some());
        let is_whole = report.chunks.total > 0
            && stood.iter().all(|layer| layer.pending == 0)
            && report.layers.len() == layers::names(self, wiki).len();
        let names = |layers: Vec<&LayerReport>| layers.into_iter().map(|layer| layer.layer.clone()).collect();
        is_whole.then(|| Seal::new(folder, names(stood), names(left_out)))
    }
}

fn lock_index(index_dir: &Path) -> Result<WriteLock> {
    fs::create_dir_all(index_dir).map_err(|error| {
        Error::new(ErrorKind::Io, "make index folder", error.to_string())
            .with("path", index_dir.display())
            .help("set `index_dir` in wikirag.toml if the folder of the wiki cannot be written to")
    })?;
    WriteLock::acquire(index_dir)
}

/// Opens the catalog for writing. Where it is damaged or of another version, a full build begins a new one.
fn open_for_build(index_dir: &Path, full: bool) -> Result<Catalog> {
    let path = index_dir.join(CATALOG_FILE);
    let opened = Catalog::open_or_create(&path).and_then(|catalog| {
        if full {
            catalog.verify()?;
        }
        Ok(catalog)
    });
    match opened {
        Err(error) if full && matches!(error.kind(), ErrorKind::Damaged | ErrorKind::StaleIndex) => {
            Catalog::remove(&path)?;
            Catalog::open_or_create(&path)
        }
        opened => opened,
    }
}
