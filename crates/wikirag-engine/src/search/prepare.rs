//! Making a wiki ready for a question: built if it never was, a few changed files read, the rest told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wikirag_core::{Context, Error, ErrorKind, Result, ResultExt, offload};
use wikirag_sqlite::Catalog;

use super::answer::{Notes, QueryOptions, Refresh};
use crate::build::{Changes, Processor, changes_since};
use crate::layers;
use crate::looks::Seen;
use crate::open::{self, OpenWiki};
use crate::scan::scan;
use crate::seal::{Seal, folder_sum};
use crate::{BuildOptions, BuildReport, Engine, LocatedWiki};

/// How long a question waits for another process that builds the wiki for the first time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A build on the way to an answer: whoever asks waits for the words of all documents, and not for a model that runs over each.
const FOR_A_QUESTION: BuildOptions = BuildOptions { full: false, costly_layers_within: Some(Duration::from_secs(1)) };

/// Bytes that are read before an answer, at most.
const MOST_BYTES: u64 = 64 << 20;

/// Changes that a layer may be behind and still be brought up to date before an answer.
const CATCH_UP: u64 = 1_000;

impl Engine {
    /// Opens a wiki for a question, brought up to date. `None` where it has no documents and that is allowed.
    pub(super) async fn prepare(
        &self,
        wiki: &Arc<LocatedWiki>,
        options: &QueryOptions,
        notes: &mut Notes,
        context: &Context,
    ) -> Result<Option<OpenWiki>> {
        let mut folder = None;
        if !wiki.has_documents() {
            let text = format!(
                "{}: its documents are not here; nobody can tell whether they have changed",
                wiki.manifest.name
            );
            notes.hint("documents-absent", text);
        }
        match open::catalog_of(self, wiki).await {
            Ok(catalog) => {
                if options.refresh != Refresh::Never {
                    folder = self.refresh(wiki, &catalog, options.refresh, notes, context).await?;
                }
            }
            Err(error) if error.kind() == ErrorKind::IndexMissing && options.build => {
                self.first_build(wiki, options, notes, context).await?;
            }
            Err(error) => return Err(error),
        }
        // A folder in which there is nothing to index leaves no catalog that could be opened.
        let has_chunks = match open::catalog_of(self, wiki).await {
            Ok(catalog) => catalog.info()?.chunks > 0,
            Err(error) if error.kind() == ErrorKind::IndexMissing => false,
            Err(error) => return Err(error),
        };
        if has_chunks {
            let open = self.open_caught_up(wiki, options, context).await?;
            // A build that ran for this question has left its own.
            if let Some(folder) = folder.filter(|_| options.layers.is_none() && options.build) {
                self.seal(wiki, folder, &open).await;
            }
            return Ok(Some(open));
        }
        let message = "the wiki holds no documents that could be searched";
        if options.allow_missing {
            notes.hint("wiki-empty", format!("{}: {message}", wiki.manifest.name));
            return Ok(None);
        }
        Err(Error::new(ErrorKind::NotFound, "query", message)
            .with("wiki", &wiki.manifest.name)
            .with("path", wiki.root.display())
            .help("put documents into it, take it out of the composition, or allow it with --allow-missing"))
    }

    /// Spares later questions opening the wiki where they need not search it: see [`Seal`].
    async fn seal(&self, wiki: &Arc<LocatedWiki>, folder: String, open: &OpenWiki) {
        let (mut stood, mut left_out) = (Vec::new(), Vec::new());
        for name in layers::names(self, wiki) {
            let is_open = open.layers.iter().any(|layer| layer.name == name);
            let has_problem = open.problems.iter().any(|(layer, _)| *layer == name);
            match (is_open, has_problem) {
                (true, false) => stood.push(name),
                (false, true) if layers::is_left_out(self, wiki, &name) => left_out.push(name),
                // Behind, damaged or foreign: each question is to be told.
                _ => return,
            }
        }
        let index_dir = wiki.index_dir.clone();
        offload(move || Seal::new(folder, stood, left_out).write(&index_dir)).await;
    }

    /// Opens the layers; where one was never built or is a little behind, it follows the catalog first.
    async fn open_caught_up(
        &self,
        wiki: &Arc<LocatedWiki>,
        options: &QueryOptions,
        context: &Context,
    ) -> Result<OpenWiki> {
        let only = options.layers.as_deref();
        let opened = open::open_of(self, wiki, only).await;
        let behind = match &opened {
            Ok(open) => is_little_behind(open)?,
            Err(error) => matches!(error.kind(), ErrorKind::IndexMissing | ErrorKind::StaleIndex),
        };
        if !behind || !options.build || options.refresh == Refresh::Never {
            return opened;
        }
        let caught_up = match &opened {
            Ok(_) => self.build(wiki, FOR_A_QUESTION, context).await.map(|_| ()),
            Err(_) => self.build_or_wait(wiki, only, context).await.map(|_| ()),
        };
        match caught_up {
            Ok(()) => open::open_of(self, wiki, only).await,
            // What cannot be mended now is told by the problems of the layers.
            Err(error) if error.kind() != ErrorKind::Cancelled => opened,
            Err(error) => Err(error),
        }
    }

    async fn first_build(
        &self,
        wiki: &Arc<LocatedWiki>,
        options: &QueryOptions,
        notes: &mut Notes,
        context: &Context,
    ) -> Result<()> {
        // Who waited for another's build has nothing to tell.
        let Some(report) = self.build_or_wait(wiki, options.layers.as_deref(), context).await? else { return Ok(()) };
        let name = &wiki.manifest.name;
        notes.hint("built", format!("{name} was never built; built it now: documents: {}", report.documents));
        if report.is_partial() {
            let sentence = format!("{} files could not be indexed", report.failed.len());
            let remedy = "see `wikirag status --files`".to_owned();
            notes.degrade(wiki, "catalog", "partial", sentence, remedy);
        }
        Ok(())
    }

    /// Builds a wiki that cannot answer. Where another process does so already its index is as good as ours: `None` once all of
    /// its layers can serve.
    async fn build_or_wait(
        &self,
        wiki: &Arc<LocatedWiki>,
        only: Option<&[String]>,
        context: &Context,
    ) -> Result<Option<BuildReport>> {
        let started = Instant::now();
        loop {
            match self.build(wiki, FOR_A_QUESTION, context).await {
                Ok(report) => return Ok(Some(report)),
                Err(error) if error.kind() == ErrorKind::Busy && started.elapsed() < PATIENCE => {
                    context.check("wait for build")?;
                    offload(|| std::thread::sleep(Duration::from_millis(50))).await;
                    if open::open_of(self, wiki, only).await.is_ok_and(|open| open.problems.is_empty()) {
                        return Ok(None);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Looks at the folder, unless somebody did so a short time ago.
    async fn refresh(
        &self,
        wiki: &Arc<LocatedWiki>,
        catalog: &Arc<Catalog>,
        refresh: Refresh,
        notes: &mut Notes,
        context: &Context,
    ) -> Result<Option<String>> {
        let Refresh::Within(age) = refresh else { return self.look(wiki, catalog, notes, context).await };
        if let Some(seen) = self.looks().recent(&wiki.index_dir, age) {
            notes.take(seen.notes);
            return Ok(None);
        }
        let (started, mut found) = (Instant::now(), Notes::default());
        let folder = self.look(wiki, catalog, &mut found, context).await?;
        self.looks().saw(&wiki.index_dir, started, Seen { folder: folder.clone(), notes: found.clone() });
        notes.take(found);
        Ok(folder)
    }

    /// Reads the changed files if they are few. Whatever keeps it from that is told, and the answer comes from what
    /// is there. Gives the sum of the folder where nothing has changed.
    async fn look(
        &self,
        wiki: &Arc<LocatedWiki>,
        catalog: &Arc<Catalog>,
        notes: &mut Notes,
        context: &Context,
    ) -> Result<Option<String>> {
        let most = self.settings().refresh.max_files;
        let remedy = "run `wikirag build`";
        let outcome = match self.changes(wiki, catalog).await {
            Ok(changes) if changes.to_look_at() == 0 => return Ok(changes.folder),
            Ok(changes) if changes.sure() > most => {
                let name = &wiki.manifest.name;
                let text = format!("{name}: {} files changed since the last build; {remedy}", changes.sure());
                notes.hint("changed", text);
                return Ok(None);
            }
            // What differs in time alone is read and found to be the same, nearly always: that costs little, and once. Where
            // it would cost much, the content of the hits is compared all the same.
            Ok(changes) if most == 0 || changes.bytes_to_read() > MOST_BYTES => {
                let text = format!("{}: files were touched since the last build; {remedy}", wiki.manifest.name);
                notes.hint("touched", text);
                return Ok(None);
            }
            Ok(_) => self.build(wiki, FOR_A_QUESTION, context).await.map(|_| ()),
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => Ok(None),
            // A mistake in a manifest or a setting is not mended by answering from what was built before it.
            Err(error) if is_mistake(error.kind()) || error.kind() == ErrorKind::Cancelled => Err(error),
            Err(error) if error.kind() == ErrorKind::Busy => {
                notes.hint("building", format!("{}: {}", wiki.manifest.name, error.message()));
                Ok(None)
            }
            Err(error) => {
                let remedy = error.remedy().unwrap_or(remedy).to_owned();
                notes.degrade(wiki, "catalog", "refresh-failed", error.statement(), remedy);
                Ok(None)
            }
        }
    }

    /// What differs between the folder of a wiki and its catalog, as far as stamps tell.
    pub(crate) async fn changes(&self, wiki: &LocatedWiki, catalog: &Arc<Catalog>) -> Result<Changes> {
        let processor = Processor::new(&wiki.manifest, self.host())?;
        let (wiki, catalog) = (wiki.clone(), Arc::clone(catalog));
        let name = wiki.manifest.name.clone();
        offload(move || {
            let scan = scan(&wiki)?;
            let folder = folder_sum(&scan, &processor);
            let changes = changes_since(scan, catalog.stamps()?, &catalog.attempts()?, &processor, false);
            Ok(Changes { folder, ..changes })
        })
        .await
        .with("wiki", name)
    }
}

/// Whether some layer is behind the catalog, and none by much.
fn is_little_behind(open: &OpenWiki) -> Result<bool> {
    let mut behind = false;
    for layer in &open.layers {
        let pending = layers::pending(layer.retriever.as_ref(), &open.catalog)?;
        if pending > CATCH_UP {
            return Ok(false);
        }
        behind |= pending > 0;
    }
    Ok(behind)
}

/// Whether an error is one of the person's own words rather than of the state of things.
fn is_mistake(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Invalid | ErrorKind::Usage | ErrorKind::NotFound)
}
