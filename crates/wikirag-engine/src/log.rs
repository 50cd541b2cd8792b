//! `log.jsonl`: what was ever done to an index, one JSON object a line. Append only, for people and audits.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result};

use crate::build::{BuildReport, ChunkCounts, LayerReport};

const LOG_FILE: &str = "log.jsonl";

/// Bytes at the end of a log in which its last line is looked for. Lines have some hundred.
const TAIL: u64 = 64 << 10;

/// What led to a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Somebody built, or asked a question that did. Logged where it changed something.
    Build,
    /// A refresh of many wikis. Always logged: that a wiki was looked at is what its reader wants to know.
    Refresh,
    /// A folder that is watched changed. Logged where the change was one of the index.
    #[cfg(feature = "watch")]
    Watch,
}

impl Event {
    const fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Refresh => "index-rebuild",
            #[cfg(feature = "watch")]
            Self::Watch => "index-rebuild",
        }
    }

    /// Whether a build that left the index as it was makes a line.
    pub(crate) const fn is_told_when_idle(self) -> bool {
        matches!(self, Self::Refresh)
    }
}

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
pub(crate) fn append(index_dir: &Path, report: &BuildReport, event: Event) -> Result<()> {
    let entry = Entry {
        time: jiff::Timestamp::now().to_string(),
        event: event.name(),
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

/// When the index was last built or refreshed, as its log tells; `None` where there is no line that does.
pub(crate) fn last_time(index_dir: &Path) -> Option<jiff::Timestamp> {
    #[derive(Deserialize)]
    struct Line {
        time: String,
    }
    let time = |line: &[u8]| serde_json::from_slice::<Line>(line).ok()?.time.parse().ok();
    let tail = tail(&index_dir.join(LOG_FILE)).ok()?;
    // What begins in the middle of a line, or was cut by a full disk, is no JSON.
    tail.rsplit(|byte| *byte == b'\n').find_map(time)
}

fn tail(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_last_whole_line_tells_the_time() {
        let dir = tempfile::tempdir().unwrap();
        let last = |text: &str| {
            fs::write(dir.path().join(LOG_FILE), text).unwrap();
            last_time(dir.path()).map(|time| time.to_string())
        };
        assert_eq!(last_time(dir.path()), None);
        assert_eq!(last(""), None);
        assert_eq!(last("no line of ours\n"), None);
        let (old, new) = ("{\"time\":\"2026-01-02T03:04:05Z\"}\n", "{\"time\":\"2026-02-03T04:05:06Z\"}\n");
        assert_eq!(last(&[old, new].concat()).as_deref(), Some("2026-02-03T04:05:06Z"));
        assert_eq!(last(&[old, &new[..20]].concat()).as_deref(), Some("2026-01-02T03:04:05Z"));
        let long = format!("{{\"x\":\"{}\"}}\n", "y".repeat(TAIL as usize));
        assert_eq!(last(&[&long, new].concat()).as_deref(), Some("2026-02-03T04:05:06Z"));
    }
}
