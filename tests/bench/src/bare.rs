//! Bare tantivy fed the same passages: what a build costs at the least.

use std::path::Path;
use std::time::{Duration, Instant};

use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, TantivyDocument};
use wikirag::Result;
use wikirag::core::{Change, ChangeFeed, FeedPosition};
use wikirag_sqlite::Catalog;

use crate::failed;

/// Indexes every passage of a catalog into one English text field with frequencies and positions, and returns the time from
/// the first document to the end of the merges. Reading the passages is not part of it.
pub(crate) fn index(catalog: &Path) -> Result<Duration> {
    let catalog = Catalog::open(catalog)?;
    let mut texts = Vec::new();
    let mut position = FeedPosition::default();
    loop {
        let batch = catalog.after(position, 10_000)?;
        if batch.changes.is_empty() {
            break;
        }
        position = batch.position;
        texts.extend(batch.changes.into_iter().filter_map(|change| match change {
            Change::Upsert(record) => Some(record.text),
            Change::Delete(_) => None,
        }));
    }
    let folder = tempfile::tempdir().map_err(|error| failed("make index folder", error))?;
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("en_stem")
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let body = schema.add_text_field("body", TextOptions::default().set_indexing_options(indexing));
    let tantivy = |error: tantivy::TantivyError| failed("index with bare tantivy", error);
    let index = Index::create_in_dir(folder.path(), schema.build()).map_err(tantivy)?;
    let started = Instant::now();
    // As many threads and as much memory as a build takes by default.
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut writer = index.writer_with_num_threads::<TantivyDocument>(threads, 96 << 20).map_err(tantivy)?;
    for text in texts {
        let mut document = TantivyDocument::new();
        document.add_text(body, text);
        writer.add_document(document).map_err(tantivy)?;
    }
    writer.commit().map_err(tantivy)?;
    writer.wait_merging_threads().map_err(tantivy)?;
    Ok(started.elapsed())
}
