//! The catalog's part of a build: files are read on several threads and written by one, in one transaction.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::Arc;
use std::time::SystemTime;

use wikirag_core::{Context, Error, ErrorKind, Result, Step};
use wikirag_sqlite::{Catalog, DocumentStamp, FileEntry, FileStamp, FileState, NewDocument, ReadAttempt, Update};

use super::plan::{Changes, changes_since};
use super::process::{Processed, Processor};
use super::report::{BuildReport, ChunkCounts, FileProblem, FileWarning};
use super::workers::{self, Bounds};
use crate::locate::LocatedWiki;
use crate::scan::{FoundFile, LeftOut, scan, stamp_of};
use crate::seal::folder_sum;

/// The largest file that is read, in bytes. Reading and cutting takes several times this memory.
const MAX_FILE: u64 = 256 << 20;

/// The reason of a file that is there and could not be read.
const UNREADABLE: &str = "unreadable";

/// A build of one catalog, with all it needs to run on another thread.
pub(super) struct Job {
    pub(super) wiki: LocatedWiki,
    pub(super) processor: Processor,
    pub(super) full: bool,
    pub(super) bounds: Bounds,
    pub(super) context: Context,
}

/// What became of one file.
enum Outcome {
    /// The content is what the catalog holds; only the stamp moved.
    Same(FileStamp),
    New(Box<Document>),
    /// It could not be opened or read: what was known of it stays.
    Unreadable(Error),
    /// It was read and cannot be understood: what was known of it is wrong now.
    Refused(Error),
}

struct Document {
    stamp: FileStamp,
    content_hash: [u8; 32],
    fingerprint: String,
    processed: Processed,
}

impl Job {
    /// Also gives the sum of the folder, where it is one that a seal may carry.
    pub(super) fn run(self: &Arc<Self>, catalog: &Catalog) -> Result<(BuildReport, Option<String>)> {
        self.context.progress.report(Step { stage: "scan", done: 0, total: None });
        let scan = scan(&self.wiki)?;
        let folder = folder_sum(&scan, &self.processor);
        let stored = catalog.stamps()?;
        let had = stored.len();
        if had == 0 && !self.wiki.has_documents() {
            let message = "the wiki was imported without its documents, and its index holds nothing";
            return Err(Error::new(ErrorKind::IndexMissing, "build", message).help("import it again, with --replace"));
        }
        let changes = changes_since(scan, stored, &catalog.attempts()?, &self.processor, self.full);
        let is_empty = changes.read.is_empty() && changes.unchanged == 0 && changes.refused.is_empty();
        if is_empty && changes.failed.is_empty() && !changes.gone.is_empty() && !self.full {
            let message = format!("no document is left in the folder, and the index holds {had}; they were kept");
            return Err(Error::new(ErrorKind::Io, "scan wiki", message)
                .with("path", self.wiki.root.display())
                .help("is the folder mounted? If it was emptied on purpose, run `wikirag build --full`"));
        }
        let left_out = catalog.files()?.into_iter().filter(|entry| entry.state != FileState::Indexed);
        let mut write = Write {
            left_out: left_out.map(|entry| (entry.path.clone(), entry)).collect(),
            update: catalog.update()?,
            report: self.empty_report(),
            ledger: BTreeMap::new(),
        };
        write.report.unchanged = changes.unchanged;
        write.report.kept = changes.kept;
        let Changes { read, gone, skipped, failed, refused, .. } = changes;
        self.read_and_write(read, &mut write)?;
        for path in &gone {
            write.report.chunks.removed += write.update.remove_document(path)?;
            write.report.removed += 1;
        }
        for left in skipped {
            *write.report.skipped.entry(left.reason.to_owned()).or_default() += 1;
            write.note(FileState::Skipped, left, None);
        }
        for left in failed {
            write.failed(left, None);
        }
        for entry in refused {
            write.still_failed(entry);
        }
        let report = write.finish(catalog)?;
        // What could not be read is tried again next time.
        let is_settled = !report.failed.iter().any(|file| file.reason == UNREADABLE);
        Ok((report, folder.filter(|_| is_settled)))
    }

    fn empty_report(&self) -> BuildReport {
        BuildReport {
            wiki: self.wiki.manifest.name.clone(),
            generation: wikirag_core::Generation::default(),
            indexed: 0,
            unchanged: 0,
            removed: 0,
            kept: 0,
            skipped: BTreeMap::new(),
            failed: Vec::new(),
            warnings: Vec::new(),
            documents: 0,
            characters: 0,
            chunks: ChunkCounts::default(),
            layers: Vec::new(),
            took_ms: 0,
        }
    }

    fn read_and_write(
        self: &Arc<Self>,
        files: Vec<(FoundFile, Option<DocumentStamp>)>,
        write: &mut Write<'_>,
    ) -> Result<()> {
        let total = files.len() as u64;
        let sizes = files.iter().map(|(file, _)| file.stamp.size).collect();
        let files = Arc::new(files);
        let (job, read) = (Arc::clone(self), Arc::clone(&files));
        let look = move |index: usize| job.look_at(&read[index].0, read[index].1.as_ref());
        let seconds = self.bounds.time.as_secs();
        let late = |_| {
            let message = format!("it took longer than {seconds} s to read, and was given up");
            let error = Error::new(ErrorKind::TimedOut, "read file", message);
            Outcome::Refused(error.help("exclude it, or set `build.file_seconds` to more"))
        };
        let mut done = 0;
        workers::each(sizes, self.bounds, look, late, |index, outcome| {
            self.context.check("build")?;
            write.take(&files[index].0, outcome, |path| self.processor.fingerprint_of(path))?;
            done += 1;
            self.context.progress.report(Step { stage: "read", done, total: Some(total) });
            Ok(())
        })
    }

    /// Reads one file, and makes a document of it unless the content is what the catalog holds.
    fn look_at(&self, file: &FoundFile, known: Option<&DocumentStamp>) -> Outcome {
        let unreadable =
            |error: &std::io::Error| Outcome::Unreadable(Error::new(ErrorKind::Io, "read file", error.to_string()));
        // The stamp is taken before the bytes: a change in between is seen as a newer stamp next time.
        let stamp = match fs::metadata(&file.file) {
            Ok(meta) => stamp_of(&meta, SystemTime::now()),
            Err(error) => return unreadable(&error),
        };
        if stamp.size > MAX_FILE {
            let message = format!("the file has {} MiB, {} are read", stamp.size >> 20, MAX_FILE >> 20);
            let error = Error::new(ErrorKind::Invalid, "read file", message);
            return Outcome::Refused(error.help("split it, or exclude it"));
        }
        let bytes = match fs::read(&file.file) {
            Ok(bytes) => bytes,
            Err(error) => return unreadable(&error),
        };
        let content_hash = *blake3::hash(&bytes).as_bytes();
        let fingerprint = self.processor.fingerprint_of(&file.path);
        if !self.full
            && known.is_some_and(|known| known.content_hash == content_hash && known.fingerprint == fingerprint)
        {
            return Outcome::Same(stamp);
        }
        match self.processor.process(&file.path, &bytes) {
            Ok(processed) => Outcome::New(Box::new(Document { stamp, content_hash, fingerprint, processed })),
            Err(error) => Outcome::Refused(error),
        }
    }
}

/// The transaction and the account that grows with it.
struct Write<'a> {
    update: Update<'a>,
    report: BuildReport,
    /// The rows of the ledger for files that are no documents.
    ledger: BTreeMap<String, FileEntry>,
    /// Those rows as the last build left them.
    left_out: HashMap<String, FileEntry>,
}

impl Write<'_> {
    fn take(&mut self, file: &FoundFile, outcome: Outcome, fingerprint_of: impl Fn(&str) -> String) -> Result<()> {
        let path = &file.path;
        // The stamp of the scan: what was changed after it is read again.
        let read = || ReadAttempt { stamp: file.stamp, fingerprint: fingerprint_of(path) };
        match outcome {
            Outcome::Same(stamp) => {
                self.update.touch(path, stamp)?;
                self.report.unchanged += 1;
            }
            Outcome::New(document) => match self.put(path, &document) {
                // The catalog looks before it writes: what it cannot keep is the fate of this file alone.
                Err(error) if error.kind() == ErrorKind::Invalid => self.refuse(path, &error, read())?,
                put => put?,
            },
            Outcome::Unreadable(error) => {
                let detail = error.message().to_owned();
                self.failed(LeftOut { path: path.clone(), reason: UNREADABLE, detail }, None);
            }
            Outcome::Refused(error) => self.refuse(path, &error, read())?,
        }
        Ok(())
    }

    fn put(&mut self, path: &str, document: &Document) -> Result<()> {
        let Document { stamp, content_hash, fingerprint, processed } = document;
        let put = self.update.put_document(&NewDocument {
            path,
            stamp: *stamp,
            content_hash: *content_hash,
            fingerprint,
            title: &processed.title,
            language: processed.language,
            role: processed.role,
            navigation: processed.navigation,
            meta: &processed.text.meta,
            aliases: &processed.aliases,
            tags: &processed.tags,
            summary: &processed.summary,
            warnings: &processed.text.warnings,
            text: &processed.text.text,
            places: &processed.text.places,
            links: &processed.text.links,
            chunks: &processed.chunks,
        })?;
        self.report.indexed += 1;
        self.report.characters += processed.text.text.chars().count() as u64;
        self.report.chunks.changed += put.added + put.changed;
        self.report.chunks.removed += put.removed;
        let warnings = processed.text.warnings.iter().map(|warning| FileWarning {
            path: path.to_owned(),
            line: warning.line,
            message: warning.message.clone(),
        });
        self.report.warnings.extend(warnings);
        Ok(())
    }

    fn refuse(&mut self, path: &str, error: &Error, read: ReadAttempt) -> Result<()> {
        self.report.chunks.removed += self.update.remove_document(path)?;
        let detail = match error.remedy() {
            Some(remedy) => format!("{}; {remedy}", error.message()),
            None => error.message().to_owned(),
        };
        self.failed(LeftOut { path: path.to_owned(), reason: error.kind().code(), detail }, Some(read));
        Ok(())
    }

    /// What failed before and was not read again.
    fn still_failed(&mut self, entry: FileEntry) {
        let FileEntry { path, reason, detail, .. } = entry.clone();
        self.report.failed.push(FileProblem { path, reason, detail });
        self.ledger.insert(entry.path.clone(), entry);
    }

    fn failed(&mut self, left: LeftOut, read: Option<ReadAttempt>) {
        let LeftOut { path, reason, detail } = left.clone();
        self.report.failed.push(FileProblem { path, reason: reason.to_owned(), detail });
        self.note(FileState::Failed, left, read);
    }

    fn note(&mut self, state: FileState, left: LeftOut, read: Option<ReadAttempt>) {
        let LeftOut { path, reason, detail } = left;
        let reason = reason.to_owned();
        let warnings = Vec::new();
        let entry = FileEntry { path: path.clone(), state, reason, detail, characters: 0, chunks: 0, warnings, read };
        self.ledger.insert(path, entry);
    }

    /// Writes the ledger, commits and counts.
    fn finish(mut self, catalog: &Catalog) -> Result<BuildReport> {
        for (path, entry) in &self.ledger {
            if self.left_out.remove(path).as_ref() != Some(entry) {
                self.update.put_file(entry)?;
            }
        }
        for path in self.left_out.keys() {
            self.update.remove_file(path)?;
        }
        self.report.generation = self.update.commit()?;
        let info = catalog.info()?;
        self.report.documents = info.documents;
        self.report.chunks.total = info.chunks;
        // Files were written as they came from the threads; the report has one order.
        self.report.failed.sort_by(|a, b| a.path.cmp(&b.path));
        self.report.warnings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        Ok(self.report)
    }
}
