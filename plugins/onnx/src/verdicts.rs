//! What came of trials, remembered over runs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::trial::{Trial, Verdict};

/// The last verdict for one recipe, in a file of its own.
#[derive(Debug)]
pub(crate) struct Verdicts {
    path: PathBuf,
}

/// A verdict with everything it depends on: it counts for as long as nothing of that changes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    program: String,
    trial: Trial,
    library: Stamp,
    model: Stamp,
    verdict: Verdict,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    bytes: u64,
    /// Nanoseconds since 1970, as text: JSON has no integers of that size.
    modified: String,
}

impl Verdicts {
    /// Those about `recipe`, in the folder `probes`, which need not exist.
    pub(crate) fn new(probes: &Path, recipe: &str) -> Self {
        Self { path: probes.join(format!("{}-{recipe}.json", crate::PLUGIN.name)) }
    }

    /// Where it is kept.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What is remembered of this trial. Whatever cannot be read or was made of other files is nothing.
    pub(crate) fn get(&self, trial: &Trial) -> Option<Verdict> {
        let known: Entry = serde_json::from_slice(&fs::read(&self.path).ok()?).ok()?;
        let verdict = known.verdict.clone();
        (known == entry(trial, verdict.clone())?).then_some(verdict)
    }

    /// Remembers. Where the folder cannot be written to, the trial is made again at the next start: that is no error.
    pub(crate) fn put(&self, trial: &Trial, verdict: &Verdict) {
        if let Some(entry) = entry(trial, verdict.clone()) {
            let _ = self.write(&entry);
        }
    }

    fn write(&self, entry: &Entry) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(entry)?)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

fn entry(trial: &Trial, verdict: Verdict) -> Option<Entry> {
    Some(Entry {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        trial: trial.clone(),
        library: stamp(&trial.library)?,
        model: stamp(&trial.model)?,
        verdict,
    })
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(Stamp { bytes: metadata.len(), modified: modified.as_nanos().to_string() })
}

#[cfg(test)]
#[path = "verdicts_tests.rs"]
mod tests;
