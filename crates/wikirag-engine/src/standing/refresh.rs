//! One run over many wikis: each is built, and none keeps the others from it.

use std::sync::Arc;

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result, offload};

use super::run::Run;
use super::{Moment, Targets};
use crate::log::{self, Event};
use crate::{BuildOptions, BuildReport, Engine, LocatedWiki};

/// How a run is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RefreshOptions {
    /// Read every file again and make every layer anew, as [`BuildOptions::full`] does.
    pub full: bool,
    /// Only wikis whose log tells of no build or refresh since then; a wiki that was never built is always one of them.
    pub since: Option<Moment>,
    /// Begin anew, also where a run was interrupted.
    pub restart: bool,
}

/// What became of one wiki.
#[derive(Debug)]
pub enum Outcome {
    /// It was built. Files may have failed, see [`BuildReport::is_partial`].
    Refreshed(Box<BuildReport>),
    /// It could not be found or built.
    Failed(Error),
    /// The run that was interrupted had done it.
    DoneBefore,
    /// It was built or refreshed at this moment, which is not long enough ago.
    Recent(Moment),
}

/// One wiki of a run.
#[derive(Debug)]
pub struct RefreshedWiki {
    /// The name of the wiki, or how it was named where nobody could find it.
    pub wiki: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// Takes what became of each wiki as soon as it is known. An error ends the run, which is then one that was interrupted.
pub type OnWiki<'f> = dyn FnMut(&RefreshedWiki) -> Result<()> + Send + 'f;

/// What became of all of them: how many wikis of each [`Outcome`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RefreshSummary {
    /// Built, and nothing is missing.
    pub refreshed: u64,
    /// Built, and something of the folder or a layer is missing that should not be.
    pub partial: u64,
    /// Not built.
    pub failed: u64,
    /// Done by the run that was interrupted.
    pub done_before: u64,
    /// Refreshed lately.
    pub recent: u64,
    /// When the run began that this one went on with.
    pub resumed_from: Option<Moment>,
    /// The kind of the first failure.
    #[serde(skip)]
    pub first_failure: Option<ErrorKind>,
}

impl RefreshSummary {
    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Refreshed(report) if report.is_partial() => self.partial += 1,
            Outcome::Refreshed(_) => self.refreshed += 1,
            Outcome::DoneBefore => self.done_before += 1,
            Outcome::Recent(_) => self.recent += 1,
            Outcome::Failed(error) => {
                self.failed += 1;
                self.first_failure.get_or_insert(error.kind());
            }
        }
    }
}

impl Engine {
    /// Builds the wikis that `targets` name, one after the other: sources before what is made from them, otherwise by name. Each leaves
    /// the line `index-rebuild` in its log. One that another process builds at this moment is tried once more at the end.
    ///
    /// A run that is interrupted in whatever way is gone on with by the next one of the same targets, if that comes within twelve hours:
    /// wikis that were done are not looked at again, and the one that was being built goes on from its last batch.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`] while there is another run over this data folder; [`ErrorKind::Cancelled`] or [`ErrorKind::TimedOut`] by
    /// `context`; [`ErrorKind::Io`] where the data folder cannot be written to; what `on_wiki` gives. A wiki that fails is no
    /// error but an outcome.
    pub async fn refresh_all(
        &self,
        targets: &Targets,
        options: RefreshOptions,
        on_wiki: &mut OnWiki<'_>,
        context: &Context,
    ) -> Result<RefreshSummary> {
        let (engine, asked) = (self.clone(), targets.clone());
        let (run, found) = offload(move || {
            let run = Run::begin(&engine.settings().data_dir, &asked, options.full, options.restart)?;
            Ok::<_, Error>((Arc::new(run), asked.find(engine.settings())))
        })
        .await?;
        let resumed_from = run.resumed_from().map(Moment);
        let mut summary = RefreshSummary { resumed_from, ..RefreshSummary::default() };
        let mut tell = |wiki: String, outcome: Outcome| {
            summary.count(&outcome);
            on_wiki(&RefreshedWiki { wiki, outcome })
        };
        for (reference, error) in found.missing {
            tell(reference, Outcome::Failed(error))?;
        }
        let mut busy = Vec::new();
        for (_, wiki) in found.wikis {
            match self.refresh_one(&wiki, &run, options, context).await? {
                Outcome::Failed(error) if error.kind() == ErrorKind::Busy => busy.push(wiki),
                outcome => tell(wiki.manifest.name.to_string(), outcome)?,
            }
        }
        for wiki in busy {
            let outcome = self.refresh_one(&wiki, &run, options, context).await?;
            tell(wiki.manifest.name.to_string(), outcome)?;
        }
        offload(move || run.finish()).await?;
        Ok(summary)
    }

    /// # Errors
    /// Those that end the run.
    async fn refresh_one(
        &self,
        wiki: &Arc<LocatedWiki>,
        run: &Arc<Run>,
        options: RefreshOptions,
        context: &Context,
    ) -> Result<Outcome> {
        context.check("refresh")?;
        if run.is_done(&wiki.index_dir) {
            return Ok(Outcome::DoneBefore);
        }
        if let Some(since) = options.since
            && let Some(last) = last_time(wiki).await
            && last >= since
        {
            return Ok(Outcome::Recent(last));
        }
        let build = BuildOptions { full: options.full, ..BuildOptions::default() };
        match self.build_for(Event::Refresh, wiki, build, context).await {
            Ok(built) if built.report.documents == 0 && built.report.failed.is_empty() => {
                Ok(Outcome::Failed(nothing_found(wiki)))
            }
            Ok(built) => {
                let (run, index_dir) = (Arc::clone(run), wiki.index_dir.clone());
                offload(move || run.add(&index_dir)).await?;
                Ok(Outcome::Refreshed(Box::new(built.report)))
            }
            Err(error) => {
                // What stopped the build on request stops the run.
                context.check("refresh")?;
                Ok(Outcome::Failed(error))
            }
        }
    }
}

async fn last_time(wiki: &Arc<LocatedWiki>) -> Option<Moment> {
    let wiki = Arc::clone(wiki);
    offload(move || log::last_time(&wiki.index_dir)).await.map(Moment)
}

/// What `wikirag build` says too: the folder may be an empty place where a disk is mounted otherwise.
fn nothing_found(wiki: &LocatedWiki) -> Error {
    Error::new(ErrorKind::NotFound, "refresh", "no document was found")
        .with("wiki", &wiki.manifest.name)
        .with("path", wiki.root.display())
        .help("`wikirag status --files` tells what was left out and why")
}
