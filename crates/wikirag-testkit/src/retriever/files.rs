//! What a layer does with its folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wikirag_core::{ChunkId, ErrorKind, Result, Retriever};

use super::{Indexed, Subject, answers, ask, compare, ids, probes};
use crate::check::{Broken, Outcome, ensure};
use crate::fakes::corpus;
use crate::{MemoryFeed, TempLayer, block_on, temp_layer};

const COUNT: u64 = 40;

/// Making a layer, asking how it stands and searching it creates nothing: only `sync` does. Without an index a search
/// says that there is none, or gives no hits.
///
/// # Errors
/// Where the promise is broken.
pub fn only_sync_writes(subject: &Subject) -> Outcome {
    let layer = temp_layer()?;
    let retriever = subject.open(&layer)?;
    let _ = retriever.readiness();
    retriever.position()?;
    match ask(&*retriever, "river", 5) {
        Ok(list) => ensure!(list.hits.is_empty(), "an index that is not there gave {:?}", list.hits),
        Err(error) => ensure!(
            matches!(error.kind(), ErrorKind::IndexMissing | ErrorKind::Unavailable),
            "an index that is not there gave an error of the kind {}: {error}",
            error.kind().code()
        ),
    }
    ensure!(!layer.dir().exists(), "something besides sync made {}", layer.dir().display());
    Ok(())
}

/// An index that was closed and opened again stands where it stood, answers as it did, and goes on from there.
///
/// # Errors
/// Where the promise is broken.
pub fn reopening_keeps_everything(subject: &Subject) -> Outcome {
    let records = corpus(31, COUNT);
    let feed = Arc::new(MemoryFeed::of("a", records.clone()));
    let Indexed { retriever, layer } = subject.index(&feed)?;
    let questions = probes(&records);
    let (position, before) = (retriever.position()?, answers(&*retriever, &questions)?);
    drop(retriever);

    let retriever = subject.open(&layer)?;
    let after = retriever.position()?;
    ensure!(after == position, "the index stood at {position:?} when closed and at {after:?} when opened");
    let again = answers(&*retriever, &questions)?;
    compare(&questions, ("before it was closed the index", &before), ("opened again", &again))?;
    feed.put(records[0].clone());
    super::sync(&*retriever, &feed)?;
    subject.compare_with_fresh(&*retriever, &feed)
}

/// `verify` finds nothing wrong with an index that is whole.
///
/// # Errors
/// Where the promise is broken.
pub fn verify_accepts_a_good_index(subject: &Subject) -> Outcome {
    for count in [0, COUNT] {
        let index = subject.fresh(&corpus(32, count))?;
        block_on(index.retriever.verify())?;
        drop(index.retriever);
        block_on(subject.open(&index.layer)?.verify())?;
    }
    Ok(())
}

/// Where any one file was cut to half or to nothing, opening or searching fails with a kind that tells of damage, or the
/// answers are right. Never a panic, never a wrong answer.
///
/// # Errors
/// Where the promise is broken.
pub fn truncated_files_are_noticed(subject: &Subject) -> Outcome {
    for part in [2, u64::MAX] {
        with_each_file_damaged(
            subject,
            |path| {
                let file = fs::OpenOptions::new().write(true).open(path)?;
                file.set_len(file.metadata()?.len() / part)
            },
            |_| Ok(()),
        )?;
    }
    Ok(())
}

/// Where some bytes inside any one file were changed, `verify` (or opening) tells of damage, or the answers
/// are right.
///
/// # Errors
/// Where the promise is broken.
pub fn verify_notices_changed_bytes(subject: &Subject) -> Outcome {
    for quarter in 1..4 {
        with_each_file_damaged(
            subject,
            |path| {
                let mut bytes = fs::read(path)?;
                let start = bytes.len() * quarter / 4;
                bytes.iter_mut().skip(start).take(4).for_each(|byte| *byte = !*byte);
                fs::write(path, bytes)
            },
            |retriever| block_on(retriever.verify()),
        )?;
    }
    Ok(())
}

/// Damages a copy of the index at each of its files in turn, opens it, and calls `first` and then asks all questions:
/// each step may fail as long as it tells of damage, and if none fails the answers must be right.
fn with_each_file_damaged(
    subject: &Subject,
    damage: impl Fn(&Path) -> io::Result<()>,
    first: impl Fn(&dyn Retriever) -> Result<()>,
) -> Outcome {
    let records = corpus(33, COUNT);
    let Indexed { retriever, layer } = subject.fresh(&records)?;
    // Each text, and each word by itself: the loss of one word in one chunk must show.
    let words: BTreeSet<&str> = records.iter().flat_map(|record| record.text.split_whitespace()).collect();
    let texts = records.iter().map(|record| record.text.as_str());
    let questions: Vec<String> = texts.chain(words).map(str::to_owned).collect();
    let expected = answers(&*retriever, &questions)?;
    drop(retriever);
    for name in files_below(layer.dir())? {
        if fs::metadata(layer.dir().join(&name))?.len() == 0 {
            continue;
        }
        let damaged = layer.copy()?;
        damage(&damaged.dir().join(&name))?;
        let at = |broken: Broken| broken.at(format_args!("after damage to {}", name.display()));
        let Ok(result) = catch_unwind(AssertUnwindSafe(|| use_damaged(subject, &damaged, &questions, &first))) else {
            return Err(at(Broken::new("the layer panicked")));
        };
        match result {
            Ok(found) => compare(&questions, ("the index", &found), ("the undamaged one", &expected)).map_err(at)?,
            Err(error) => ensure!(
                matches!(error.kind(), ErrorKind::Damaged | ErrorKind::StaleIndex | ErrorKind::Io),
                "after damage to {} came an error of the kind {}: {error}",
                name.display(),
                error.kind().code()
            ),
        }
    }
    Ok(())
}

fn use_damaged(
    subject: &Subject,
    layer: &TempLayer,
    questions: &[String],
    first: impl Fn(&dyn Retriever) -> Result<()>,
) -> Result<Vec<Vec<ChunkId>>> {
    let retriever = (subject.make)(layer.setup())?;
    let _ = retriever.readiness();
    retriever.position()?;
    first(&*retriever)?;
    questions.iter().map(|question| Ok(ids(&ask(&*retriever, question, 20)?))).collect()
}

/// All files below `folder`, by their paths from there, sorted.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.file_type()?.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}
