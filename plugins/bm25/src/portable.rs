//! An index in one form: equal chunks give equal bytes.
//!
//! The index of every day depends on what was edited when: its segments have random names, and how many there are and in which
//! order they hold their chunks follows from threads and merges. For an archive the feed is written by one thread into one
//! segment, which gets its name from the catalog. The words of all chunks lie in memory meanwhile, about as much as their text.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tantivy::{Index, SingleSegmentIndexWriter, TantivyDocument};
use wikirag_core::{Change, ChangeFeed, Context, Error, ErrorKind, FeedPosition, PortableIndex, Result, Step};

use crate::damage::{damaged, io_error, translate};
use crate::directory::IndexDirectory;
use crate::document::Writer;
use crate::schema::{FIELDS, VERSION, tokenizers};
use crate::store::{Payload, Store};
use crate::summary;

const OPERATION: &str = "write portable index";

/// Changes asked of the feed at a time.
const PAGE: usize = 512;

/// What tantivy sizes its tables by, and no bound.
const MEMORY: usize = 64 << 20;

/// The list of files that tantivy may remove.
const MANAGED: &str = ".managed.json";

const META: &str = "meta.json";

/// Writes the index of all chunks of `feed` into the folder `root`, in which nothing lies.
pub(crate) fn write(root: &Path, feed: &dyn ChangeFeed, context: &Context) -> Result<PortableIndex> {
    let store = Store::new(root.to_owned());
    let dir = store.dir();
    fs::create_dir_all(dir).map_err(|error| io_error(OPERATION, error, dir))?;
    let failed = |error| translate(OPERATION, error, dir);
    let directory = IndexDirectory::open(dir).map_err(|error| failed(error.into()))?;
    let builder = Index::builder().schema(FIELDS.schema.clone()).tokenizers(tokenizers());
    let mut writer: SingleSegmentIndexWriter<TantivyDocument> =
        builder.single_segment_index_writer(directory, MEMORY).map_err(failed)?;
    let (mut documents, mut position, mut done) = (Writer::default(), FeedPosition::default(), 0);
    let total = feed.pending(position)?;
    loop {
        context.check("export")?;
        let page = feed.after(position, PAGE)?;
        if page.changes.is_empty() {
            break;
        }
        position = page.position;
        for change in &page.changes {
            // A feed that is followed from its beginning tells of no deletions.
            if let Change::Upsert(record) = change {
                writer.add_document(documents.document(record)).map_err(failed)?;
                done += 1;
            }
        }
        context.progress.report(Step { stage: crate::PLUGIN.name, done, total: Some(total) });
    }
    let index = writer.finalize().map_err(failed)?;
    let segments = index.searchable_segment_ids().map_err(failed)?;
    drop(index);
    let [segment] = segments.as_slice() else { return Err(damaged(OPERATION, "there is not one segment alone")) };
    let payload = Payload { catalog: feed.catalog().clone(), position: feed.head()? };
    summary::write(&store)?;
    name(dir, &segment.uuid_string(), &payload)?;
    Ok(PortableIndex { format: VERSION.to_string(), model: None })
}

/// Gives the files of the segment `old` the name of the catalog, and the commit what each commit of ours carries.
fn name(dir: &Path, old: &str, payload: &Payload) -> Result<()> {
    let failed = |error| io_error(OPERATION, error, dir);
    let new = &payload.catalog.0;
    let Some(uuid) = hyphenated(new) else {
        return Err(Error::new(ErrorKind::Internal, OPERATION, "the catalog is none of an archive").with("id", new));
    };
    let mut managed = vec![META.to_owned()];
    for entry in fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.strip_prefix(old) {
            Some(kind) => {
                let renamed = format!("{new}{kind}");
                fs::rename(entry.path(), dir.join(&renamed)).map_err(failed)?;
                managed.push(renamed);
            }
            // Locks, which whoever needs one makes, and the list of the old names.
            None if name != META => fs::remove_file(entry.path()).map_err(failed)?,
            None => {}
        }
    }
    managed.sort();
    let path = dir.join(META);
    let broken = |error: serde_json::Error| damaged(OPERATION, error.to_string()).with("path", path.display());
    let mut meta: Value = serde_json::from_slice(&fs::read(&path).map_err(failed)?).map_err(broken)?;
    meta["segments"][0]["segment_id"] = json!(uuid);
    meta["payload"] = json!(json!(payload).to_string());
    let texts = [(META, meta.to_string()), (MANAGED, json!(managed).to_string())];
    texts.into_iter().try_for_each(|(name, text)| fs::write(dir.join(name), text)).map_err(failed)
}

/// 32 digits as tantivy writes the name of a segment in its list.
fn hyphenated(id: &str) -> Option<String> {
    let is_hex = id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hex.then(|| [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &id[part]).join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_tantivy() {
        let id = "2e24419590784637b0bf96cf20a28368";
        assert_eq!(hyphenated(id).as_deref(), Some("2e244195-9078-4637-b0bf-96cf20a28368"));
        for other in
            ["", "2e24419590784637b0bf96cf20a2836", "2E24419590784637B0BF96CF20A28368", "ü".repeat(16).as_str()]
        {
            assert_eq!(hyphenated(other), None);
        }
    }
}
