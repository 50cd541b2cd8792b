//! `wikirag build`

use std::path::Path;

use futures_lite::future::block_on;
use wikirag::core::ExtractionReport;
use wikirag::locate::{self, NewWiki};
use wikirag::manifest::WikiKind;
use wikirag::{BuildOptions, BuildReport, Engine, Error, ErrorKind, LocatedWiki, Result, WikiName};

use super::owned;
use crate::args::Build;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, extraction, json_line};
use crate::runner::Session;

/// Warnings and failures that are printed one by one; the rest is summed.
const SHOWN: usize = 20;

pub(super) fn run(session: &Session, args: &Build) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let wikis: Vec<LocatedWiki> = match &args.source {
        Some(source) => vec![register(&engine, args, source)?],
        None => owned(&engine, &args.target)?,
    };
    let (mut status, mut faults, mut printed) = (ExitStatus::Fine, Vec::new(), String::new());
    for wiki in &wikis {
        // One wiki that cannot be built must not keep the others from it.
        match build(session, &engine, wiki, args) {
            Ok(report) => {
                tell(session, &report);
                printed.push_str(&if args.json { json_line(&Versioned::first(&report))? } else { summary(&report) });
                if report.is_partial() {
                    status = ExitStatus::Partial;
                }
            }
            Err(error) => faults.push(error),
        }
    }
    let mut faults = faults.into_iter();
    let first = faults.next();
    for other in faults {
        session.warn(&other.to_string());
    }
    // A reader that went away is no reason to hide a fault.
    let told = session.print(&printed);
    match first {
        Some(error) => Err(error),
        None => told.map(|()| status),
    }
}

fn build(session: &Session, engine: &Engine, wiki: &LocatedWiki, args: &Build) -> Result<BuildReport> {
    let context = session.context(wiki.manifest.name.as_str());
    let report = block_on(engine.build(wiki, BuildOptions { full: args.full, ..BuildOptions::default() }, &context))?;
    if report.documents == 0 && report.failed.is_empty() && !args.target.allow_missing {
        return Err(Error::new(ErrorKind::NotFound, "build", "no document was found")
            .with("wiki", &wiki.manifest.name)
            .with("path", wiki.root.display())
            .help("`wikirag status --files` tells what was left out and why"));
    }
    Ok(report)
}

/// Makes a wiki of the name given first over documents that lie elsewhere.
fn register(engine: &Engine, args: &Build, source: &Path) -> Result<LocatedWiki> {
    let name = WikiName::new(&args.target.target)?;
    let new = NewWiki { name, source, kind: WikiKind::default(), tags: &args.tags, sensitivity: None };
    locate::register(engine.settings(), &new)
}

/// Failures and oddities, on stderr.
pub(super) fn tell(session: &Session, report: &BuildReport) {
    let wiki = &report.wiki;
    for problem in report.failed.iter().take(SHOWN) {
        // What was indexed of a file stays when it cannot be opened, and goes when it cannot be understood.
        let fate = if problem.reason == "unreadable" { "not read" } else { "not indexed" };
        session.warn(&clean(&format!("{wiki}/{}: {fate}: {} [{}]", problem.path, problem.detail, problem.reason)));
    }
    for warning in report.warnings.iter().take(SHOWN) {
        session.warn(&clean(&format!("{wiki}/{}:{}: {}", warning.path, warning.line, warning.message)));
    }
    for layer in &report.layers {
        if let Some(reason) = &layer.left_out {
            session.tell(&clean(&format!(
                "{wiki}: without the layer {}: {}; {}",
                layer.layer, reason.sentence, reason.remedy
            )));
        }
        if let Some(extraction) = &layer.extraction {
            tell_extraction(session, &format!("{wiki}: {}", layer.layer), extraction);
        }
    }
    let more = report.failed.len().saturating_sub(SHOWN) + report.warnings.len().saturating_sub(SHOWN);
    if more > 0 {
        session.warn(&format!("{more} more; `wikirag status --files` lists all"));
    }
}

/// What an extractor could not do for the layer `of`.
fn tell_extraction(session: &Session, of: &str, report: &ExtractionReport) {
    for failure in extraction::failures(report).take(SHOWN) {
        session.warn(&clean(&format!("{of}: {failure}")));
    }
    let more = report.failed.len().saturating_sub(SHOWN);
    if more > 0 {
        session.warn(&format!("{of}: {more} more files; `wikirag status` lists all"));
    }
    if let Some(reason) = &report.reason {
        let text = clean(&format!("{of}: texts that wait: {}: {}; {}", report.pending, reason.sentence, reason.remedy));
        if report.is_held_up() { session.warn(&text) } else { session.tell(&text) }
    }
}

pub(super) fn summary(report: &BuildReport) -> String {
    let skipped: u64 = report.skipped.values().sum();
    let mut parts = vec![format!("{} indexed", report.indexed), format!("{} unchanged", report.unchanged)];
    if report.removed > 0 {
        parts.push(format!("{} removed", report.removed));
    }
    if skipped > 0 {
        let reasons: Vec<String> = report.skipped.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        parts.push(format!("{skipped} skipped ({})", reasons.join(", ")));
    }
    if !report.failed.is_empty() {
        parts.push(format!("{} failed", report.failed.len()));
    }
    if !report.warnings.is_empty() {
        parts.push(count(report.warnings.len() as u64, "warning"));
    }
    let layers: Vec<String> = report
        .layers
        .iter()
        .map(|layer| {
            if let Some(reason) = &layer.left_out {
                return format!("{} left out ({})", layer.layer, reason.code);
            }
            let done = report.chunks.total.saturating_sub(layer.pending);
            let found = layer.extraction.as_ref().map(|found| format!(" ({})", extraction::numbers(found)));
            format!("{} {done} of {}{}", layer.layer, report.chunks.total, found.unwrap_or_default())
        })
        .collect();
    format!(
        "{}: {}; {} in {}; {}; {:.1} s\n",
        report.wiki,
        parts.join(", "),
        count(report.chunks.total, "passage"),
        count(report.documents, "document"),
        layers.join(", "),
        std::time::Duration::from_millis(u64::try_from(report.took_ms).unwrap_or(u64::MAX)).as_secs_f64(),
    )
}
