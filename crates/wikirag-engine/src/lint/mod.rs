//! What is wrong with a wiki as people keep it: links, front matter, copies, secrets. Nothing is mended, and nothing written.
//!
//! One check is one file, and [`CHECKS`] is the table of all. They see a `Subject`: what the catalog knows of all pages,
//! and each text once.

mod check;
mod contradiction;
mod duplicate;
mod finding;
mod front_matter;
mod graph;
mod health;
mod hot;
mod links;
mod mask;
mod options;
mod personal;
mod place;
mod secret;
mod sink;
mod stale;
mod subject;

use std::sync::Arc;

use serde::Serialize;
use wikirag_core::{Context, Date, Error, Result, ResultExt, WikiName, offload};
use wikirag_sqlite::Catalog;

pub use check::{CHECKS, CheckKind};
pub use finding::{At, Finding, Severity};
pub use health::CheckTally;
pub use options::LintOptions;
pub(crate) use options::nearest;

use crate::current::Current;
use crate::{Composition, Engine, LocatedWiki};
use sink::Sink;
use subject::Subject;

/// What was found in one wiki.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LintReport {
    /// The wiki.
    pub wiki: WikiName,
    /// Its documents.
    pub pages: usize,
    /// Its health, from 0 to 100; 100 where nothing that counts was found.
    pub health: f64,
    /// What each check found that was made, by their codes.
    pub checks: Vec<CheckTally>,
    /// What was found, by path, place and check.
    pub findings: Vec<Finding>,
    /// Why the findings may be of an older state of the documents, if they may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

impl Engine {
    /// Looks for what is wrong in each wiki of a composition, in its order. Each report is the same as it is of the wiki alone.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`](wikirag_core::ErrorKind::Refused) where a wiki is above the clearance;
    /// [`ErrorKind::IndexMissing`](wikirag_core::ErrorKind::IndexMissing),
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) and
    /// [`ErrorKind::StaleIndex`](wikirag_core::ErrorKind::StaleIndex) where a catalog cannot be used; what a build that runs first
    /// fails with.
    pub async fn lint(
        &self,
        composition: &Composition,
        options: &LintOptions,
        context: &Context,
    ) -> Result<Vec<LintReport>> {
        composition.check()?;
        let mut reports = Vec::with_capacity(composition.wikis.len());
        for wiki in &composition.wikis {
            let wiki = &wiki.located;
            let Current { catalog, behind } = self.current(wiki, options.refresh, context).await?;
            let kinds = options.chosen(&wiki.manifest.lint);
            let (located, as_of) = (Arc::clone(wiki), options.as_of.unwrap_or_else(Date::today));
            let context = context.clone();
            let report = offload(move || run(&located, &catalog, &kinds, as_of, &context)).await;
            reports.push(LintReport { behind, ..report.with("wiki", &wiki.manifest.name)? });
        }
        Ok(reports)
    }
}

fn run(
    wiki: &LocatedWiki,
    catalog: &Catalog,
    kinds: &[&'static CheckKind],
    as_of: Date,
    context: &Context,
) -> Result<LintReport> {
    let subject = Subject::load(wiki, catalog, as_of)?;
    let mut sink = Sink::default();
    let mut checks: Vec<_> = kinds.iter().map(|kind| (*kind, (kind.make)())).collect();
    if kinds.iter().any(|kind| kind.reads) {
        let mut cancelled = None;
        catalog.each_text(|_, path, text| {
            cancelled = cancelled.take().or_else(|| context.check("lint").err());
            // A page that a build added in between is one for the next time.
            let Some(page) = subject.vault.page_at(path).filter(|_| cancelled.is_none()) else { return };
            for (kind, check) in checks.iter_mut().filter(|(kind, _)| kind.reads) {
                sink.begin(kind.code);
                check.page(&subject, page, text, &mut sink);
            }
        })?;
        cancelled.map_or(Ok(()), Err::<(), Error>)?;
    }
    for (kind, check) in &mut checks {
        sink.begin(kind.code);
        check.whole(&subject, &mut sink);
    }
    let (found, faulty) = sink.into_parts();
    let tally = |kind: &&'static CheckKind| {
        let pages = faulty.iter().filter(|(check, _)| *check == kind.code).count();
        let weight = subject.manifest.lint.weight(kind);
        CheckTally {
            check: kind.code,
            findings: found.iter().filter(|found| found.check == kind.code).count(),
            pages,
            weight,
            takes: health::takes(weight, pages, subject.vault.pages.len()),
        }
    };
    let tallies: Vec<CheckTally> = kinds.iter().map(tally).collect();
    Ok(LintReport {
        wiki: wiki.manifest.name.clone(),
        pages: subject.vault.pages.len(),
        health: health::score(&tallies),
        checks: tallies,
        findings: place::findings(&subject, catalog, found)?,
        behind: None,
    })
}
