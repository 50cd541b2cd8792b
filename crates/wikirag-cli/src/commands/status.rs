//! `wikirag status`

use futures_lite::future::block_on;
use serde_json::json;
use wikirag::{FileState, Result, WikiStatus};

use super::composition;
use crate::args::Status;
use crate::exit::ExitStatus;
use crate::output::{clean, count, extraction, json_text, table};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Status) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = composition(&engine, &args.target)?;
    let (mut statuses, mut faults) = (Vec::new(), Vec::new());
    for wiki in &composition.wikis {
        // One wiki that cannot be looked at must not hide the others.
        match block_on(engine.status(&wiki.located)) {
            Ok(status) => statuses.push(status),
            Err(error) => faults.push(error),
        }
    }
    if args.json {
        let wikis = statuses.iter().map(|status| json_status(status, args)).collect::<Vec<_>>();
        session.print(&json_text(&json!({ "version": 1, "wikis": wikis }))?)?;
    } else {
        for status in &statuses {
            session.print(&if args.files { files(status, args) } else { summary(status) })?;
        }
    }
    let mut faults = faults.into_iter();
    if let Some(first) = faults.next() {
        for other in faults {
            session.warn(&other.to_string());
        }
        return Err(first);
    }
    Ok(if statuses.iter().all(WikiStatus::is_whole) { ExitStatus::Fine } else { ExitStatus::Partial })
}

fn state(state: FileState) -> &'static str {
    match state {
        FileState::Indexed => "indexed",
        FileState::Skipped => "skipped",
        FileState::Failed => "failed",
    }
}

/// The files that are asked for.
fn chosen<'a>(status: &'a WikiStatus, args: &'a Status) -> impl Iterator<Item = &'a wikirag::FileEntry> {
    let fits = |file: &&wikirag::FileEntry| match args.reason.as_deref() {
        None => true,
        Some(reason) => file.reason == reason || state(file.state) == reason,
    };
    status.files.iter().filter(fits)
}

fn json_status(status: &WikiStatus, args: &Status) -> serde_json::Value {
    let mut value = json!(status);
    // What an extractor found is for whoever runs it, and no part of what a server tells.
    if let Some(layers) = value["layers"].as_array_mut() {
        for (layer, status) in layers.iter_mut().zip(&status.layers) {
            if let Some(extraction) = &status.extraction {
                layer["extraction"] = json!(extraction);
            }
        }
    }
    if args.files
        && let Some(object) = value.as_object_mut()
    {
        let files: Vec<_> = chosen(status, args)
            .map(|file| {
                json!({
                    "path": file.path,
                    "state": state(file.state),
                    "reason": file.reason,
                    "detail": file.detail,
                    "characters": file.characters,
                    "chunks": file.chunks,
                    "warnings": file.warnings,
                })
            })
            .collect();
        object.insert("files".to_owned(), files.into());
    }
    value
}

fn files(status: &WikiStatus, args: &Status) -> String {
    let rows = chosen(status, args).map(|file| {
        let warnings = file.warnings.iter().map(|warning| format!("line {}: {}", warning.line, warning.message));
        let remarks: Vec<String> =
            std::iter::once(file.detail.clone()).filter(|d| !d.is_empty()).chain(warnings).collect();
        let passages = if file.state == FileState::Indexed { file.chunks.to_string() } else { String::new() };
        [state(file.state).to_owned(), file.reason.clone(), passages, file.path.clone(), remarks.join("; ")]
    });
    table(&["STATE", "REASON", "PASSAGES", "PATH", "REMARKS"], rows.collect())
}

fn summary(status: &WikiStatus) -> String {
    let layers: Vec<String> = status
        .layers
        .iter()
        .map(|layer| {
            let reasons: Vec<String> =
                layer.reasons.iter().map(|reason| format!("{}; {}", reason.sentence, reason.remedy)).collect();
            let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
            let mut text =
                format!("  {:<12}{} ({} of {}){reasons}\n", layer.layer, layer.readiness, layer.chunks, status.chunks);
            if let Some(report) = &layer.extraction {
                let lines = std::iter::once(extraction::numbers(report)).chain(extraction::failures(report));
                lines.for_each(|line| text.push_str(&format!("  {:<12}{}\n", "", clean(&line))));
            }
            text
        })
        .collect();
    format!(
        "{} ({})\n  {:<12}{}\n  {:<12}{}\n  {:<12}{}, {} for navigation, {}, {} left out, {} failed\n  {:<12}{}\n{}",
        status.wiki,
        status.sensitivity,
        "documents",
        status.root.display(),
        "index",
        status.index_dir.display(),
        "holds",
        count(status.documents, "document"),
        status.navigation,
        count(status.chunks, "passage"),
        status.skipped,
        status.failed,
        "changed",
        match status.changed {
            _ if !status.has_documents => "unknown: the documents are not here".to_owned(),
            0 => "nothing since the last build".to_owned(),
            changed => format!("{} since the last build", count(changed, "file")),
        },
        layers.concat(),
    )
}
