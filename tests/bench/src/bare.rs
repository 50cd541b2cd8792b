//! Bare tantivy fed the same passages: what a build costs at the least.

use std::path::Path;
use std::time::{Duration, Instant};

use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, TantivyDocument};
use wikirag::Result;
use wikirag::core::{Change, ChangeFeed, FeedPosition};
use wikirag_sqlite::Catalog;

use crate::failed;

/// The fields of a passage that a wiki is searched by.
const FIELDS: [&str; 5] = ["title", "headings", "names", "path", "body"];

/// How long bare tantivy needs for what a build indexes.
pub(crate) struct Bare {
    /// Every field of a passage, as a build gives them to its lexical layer.
    pub(crate) records: Duration,
    /// The text of the passages alone.
    pub(crate) bodies: Duration,
}

/// Feeds every passage of a catalog to tantivy, with frequencies and English stems, as the layer keeps them,, and takes the time from
/// the first document to the end of the merges. Reading the passages is not part of it.
pub(crate) fn index(catalog: &Path) -> Result<Bare> {
    let passages = passages(catalog)?;
    Ok(Bare { records: timed(&passages, &FIELDS)?, bodies: timed(&passages, &FIELDS[4..])? })
}

/// The texts of each passage in the order of [`FIELDS`].
fn passages(catalog: &Path) -> Result<Vec<[String; 5]>> {
    let catalog = Catalog::open(catalog)?;
    let mut passages = Vec::new();
    let mut position = FeedPosition::default();
    loop {
        let batch = catalog.after(position, 10_000)?;
        if batch.changes.is_empty() {
            return Ok(passages);
        }
        position = batch.position;
        passages.extend(batch.changes.into_iter().filter_map(|change| match change {
            Change::Upsert(record) => {
                let names = [record.aliases, record.tags, vec![record.summary]].concat().join(" ");
                Some([record.title, record.headings.join(" "), names, record.path, record.text])
            }
            Change::Delete(_) => None,
        }));
    }
}

fn timed(passages: &[[String; 5]], fields: &[&str]) -> Result<Duration> {
    let folder = tempfile::tempdir().map_err(|error| failed("make index folder", error))?;
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default().set_tokenizer("en_stem").set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let fields: Vec<_> = fields.iter().map(|name| schema.add_text_field(name, options.clone())).collect();
    let tantivy = |error: tantivy::TantivyError| failed("index with bare tantivy", error);
    let index = Index::create_in_dir(folder.path(), schema.build()).map_err(tantivy)?;
    let started = Instant::now();
    // As many threads and as much memory as a build takes by default.
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut writer = index.writer_with_num_threads::<TantivyDocument>(threads, 96 << 20).map_err(tantivy)?;
    for passage in passages {
        let mut document = TantivyDocument::new();
        for (field, text) in fields.iter().zip(&passage[passage.len() - fields.len()..]) {
            document.add_text(*field, text);
        }
        writer.add_document(document).map_err(tantivy)?;
    }
    writer.commit().map_err(tantivy)?;
    writer.wait_merging_threads().map_err(tantivy)?;
    Ok(started.elapsed())
}
