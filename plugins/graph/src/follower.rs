//! Following the change feed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use wikirag_core::{
    Change, ChangeFeed, ChunkRecord, Context, DocId, Error, ErrorKind, FeedPosition, Result, Step, SyncReport,
};
use wikirag_sqlite::{GraphDraft, GraphPage, GraphPassage, GraphStore, GraphWriter, PassageWords};

use crate::facts::{Reader, Written};
use crate::spotter::Spotter;

/// Changes that are committed together.
const BATCH: usize = 2048;

/// A sync of fewer changes than this looks the names up that its passages may hold, a larger one reads all of them first.
const FEW: u64 = 256;

/// How facts are found. Raised whenever the same passages give other facts: those found in another way are not mixed with them.
pub(crate) const RECIPE: &str = "1";

/// Brings the store to the end of `feed`.
///
/// # Errors
/// The first failure. All that was committed before stays.
pub(crate) fn follow(
    dir: &Path,
    store: &GraphStore,
    feed: &Arc<dyn ChangeFeed>,
    context: &Context,
) -> Result<SyncReport> {
    let state = store.state()?;
    let head = feed.head()?;
    // A position beyond the head is from a catalog that was put back to an older state.
    let known = state.as_ref().filter(|state| state.catalog == *feed.catalog() && state.position <= head);
    if known.is_some_and(|state| state.position == head) {
        return Ok(SyncReport::default());
    }
    let start = known.map_or(FeedPosition(0), |state| state.position);
    let pending = feed.pending(start)?;
    fs::create_dir_all(dir).map_err(|error| {
        Error::new(ErrorKind::Io, "make index folder", error.to_string()).with("path", dir.display())
    })?;
    let writer = GraphWriter::open(store.path(), feed.catalog(), RECIPE)?;
    let names = if pending < FEW { Known::None } else { Known::NotRead };
    // An index that stands at the beginning of the feed hears of no deletions.
    let anew = start.0 == 0;
    let mut follower =
        Follower { writer, reader: Reader::default(), names, anew, report: SyncReport::default(), pending };
    let mut position = start;
    loop {
        context.check("sync")?;
        context.progress.report(Step {
            stage: crate::PLUGIN.name,
            done: follower.report.upserted + follower.report.deleted,
            total: Some(follower.pending),
        });
        let batch = feed.after(position, BATCH)?;
        if batch.changes.is_empty() && !follower.anew && batch.position == position {
            return Ok(follower.report);
        }
        position = batch.position;
        let is_last = batch.changes.is_empty();
        follower.commit(batch.changes, position)?;
        if is_last {
            return Ok(follower.report);
        }
    }
}

/// The names that are looked for in new passages.
enum Known {
    /// Looked up for each passage, by its words.
    None,
    /// To be read before the first passage.
    NotRead,
    /// All there are.
    All(Spotter),
}

struct Follower {
    writer: GraphWriter,
    reader: Reader,
    names: Known,
    /// Whether what is there is to be forgotten first.
    anew: bool,
    report: SyncReport,
    pending: u64,
}

impl Follower {
    fn commit(&mut self, changes: Vec<Change>, position: FeedPosition) -> Result<()> {
        let mut report = self.report;
        report.batches += 1;
        let (reader, names, anew) = (&self.reader, &mut self.names, self.anew);
        self.writer.commit(|draft| {
            if anew {
                draft.clear()?;
            }
            let mut batch = Batch { draft, reader, pages: HashMap::new(), new_names: BTreeMap::new() };
            for change in changes {
                match change {
                    Change::Delete(chunk) => {
                        batch.draft.remove_passage(chunk)?;
                        report.deleted += 1;
                    }
                    Change::Upsert(record) => {
                        batch.put(&record, names)?;
                        report.upserted += 1;
                    }
                }
            }
            batch.find_new_names()?;
            Ok(position)
        })?;
        (self.report, self.anew) = (report, false);
        Ok(())
    }
}

/// The changes of one commit.
struct Batch<'a, 'b> {
    draft: &'a mut GraphDraft<'b>,
    reader: &'a Reader,
    /// The pages of this batch as they were written.
    pages: HashMap<DocId, GraphPage>,
    /// Names that came with this batch: passages of other pages may hold them.
    new_names: BTreeMap<u32, Written>,
}

impl Batch<'_, '_> {
    fn put(&mut self, record: &ChunkRecord, names: &mut Known) -> Result<()> {
        if matches!(names, Known::NotRead) {
            let mut all = Spotter::default();
            self.draft.names(None, |id, name| add(&mut all, name, id))?;
            *names = Known::All(all);
        }
        self.put_page(record, names)?;
        let words = self.reader.words(&record.text);
        let found = match names {
            Known::All(names) => found_in(names, &words),
            _ => found_in(&self.names_for(&words)?, &words),
        };
        let passage = GraphPassage {
            names: found.into_iter().collect(),
            links: record.links.iter().map(|link| (link.kind, link.target.clone())).collect(),
            terms: self.reader.terms(&record.text),
        };
        let all = words.tokens().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ");
        let words = PassageWords { all, order: words.to_bytes() };
        self.draft.put_passage(record.id, record.document, &passage, &words)
    }

    /// Writes the page of a record, if it is not known as it is.
    fn put_page(&mut self, record: &ChunkRecord, names: &mut Known) -> Result<()> {
        let is_same = |page: &GraphPage| {
            (&page.path, &page.title, &page.aliases, &page.tags)
                == (&record.path, &record.title, &record.aliases, &record.tags)
        };
        if self.pages.get(&record.document).is_some_and(is_same) {
            return Ok(());
        }
        let known = self.draft.page(record.document)?;
        let page = match known {
            Some(page) if is_same(&page) => page,
            _ => {
                let mut page = GraphPage {
                    path: record.path.clone(),
                    title: record.title.clone(),
                    aliases: record.aliases.clone(),
                    tags: record.tags.clone(),
                    names: Vec::new(),
                };
                for name in self.reader.names(record) {
                    let first = name.tokens().next().unwrap_or_default();
                    let (id, is_new) = self.draft.name(&name.to_text(), &first)?;
                    page.names.push(id);
                    if is_new {
                        if let Known::All(names) = names {
                            names.insert(name.clone(), id);
                        }
                        self.new_names.insert(id, name);
                    }
                }
                self.draft.put_page(record.document, &page)?;
                page
            }
        };
        self.pages.insert(record.document, page);
        Ok(())
    }

    /// The names that a passage of these words may hold: those whose first word is among them.
    fn names_for(&self, words: &Written) -> Result<Spotter> {
        let mut names = Spotter::default();
        for first in words.tokens().collect::<BTreeSet<_>>() {
            self.draft.names(Some(&first), |id, name| add(&mut names, name, id))?;
        }
        Ok(names)
    }

    /// Notes the new names in the passages that have held them all along.
    fn find_new_names(&mut self) -> Result<()> {
        for (id, name) in std::mem::take(&mut self.new_names) {
            for (passage, order) in self.draft.passages_with(name.tokens())? {
                if name.is_in(&order) {
                    self.draft.add_name(passage, id)?;
                }
            }
        }
        Ok(())
    }
}

/// Adds a name as it is stored. One that is not ours was written by nobody: the checksum of its row was right.
fn add(names: &mut Spotter, name: &str, id: u32) {
    if let Some(name) = Written::from_text(name) {
        names.insert(name, id);
    }
}

/// All names in a passage.
fn found_in(names: &Spotter, words: &Written) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    names.find(words, |id, _| _ = found.insert(id));
    found
}
