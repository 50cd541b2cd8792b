//! `log.jsonl`: what was ever done to an index, one JSON object a line. Append only, for people and audits.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use wikirag_core::{Error, ErrorKind, Result};

use crate::build::{BuildReport, ChunkCounts, LayerReport};

const LOG_FILE: &str = "log.jsonl";

#[derive(Serialize)]
struct Entry<'a> {
    /// RFC 3339, UTC.
    time: String,
    event: &'static str,
    version: &'static str,
    wiki: &'a str,
    generation: u64,
    indexed: u64,
    unchanged: u64,
    removed: u64,
    skipped: &'a BTreeMap<String, u64>,
    failed: usize,
    warnings: usize,
    chunks: ChunkCounts,
    layers: &'a [LayerReport],
    took_ms: u128,
}

/// Adds one build to the log.
pub(crate) fn append(index_dir: &Path, report: &BuildReport) -> Result<()> {
    let entry = Entry {
        time: jiff::Timestamp::now().to_string(),
        event: "build",
        version: env!("CARGO_PKG_VERSION"),
        wiki: report.wiki.as_str(),
        generation: report.generation.0,
        indexed: report.indexed,
        unchanged: report.unchanged,
        removed: report.removed,
        skipped: &report.skipped,
        failed: report.failed.len(),
        warnings: report.warnings.len(),
        chunks: report.chunks,
        layers: &report.layers,
        took_ms: report.took_ms,
    };
    let path = index_dir.join(LOG_FILE);
    let failed = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Io, "write log", error.to_string()).with("path", path.display())
    };
    let mut line = serde_json::to_string(&entry).map_err(|error| failed(&error))?;
    line.push('\n');
    // One write of one line in append mode: lines never mix.
    let file = OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| failed(&error))
}
