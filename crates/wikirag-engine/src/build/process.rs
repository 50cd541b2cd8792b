//! One file: bytes to text, text to passages. Pure but for reading the file; runs on any thread.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use wikirag_core::{
    Block, BlockKind, ChunkSpan, Chunker, DocumentText, Error, ErrorKind, Host, Metadata, PluginSetup, Reader,
    Registry, Result, Section, Source, Span,
};
use wikirag_sqlite::NewChunk;
use wikirag_text::{Language, detect_language};

use super::navigation::is_mostly_links;
use crate::manifest::{IndexPages, PluginChoice, WikiKind, WikiManifest};
use crate::skills::{self, Entry, SkillFolders};

/// Raised when this module makes something else of the same file.
const PROCESS_FORMAT: u32 = 1;

/// Everything that the catalog keeps of one document.
pub(crate) struct Processed {
    pub(crate) text: DocumentText,
    pub(crate) title: String,
    pub(crate) language: &'static str,
    pub(crate) role: &'static str,
    pub(crate) navigation: bool,
    pub(crate) aliases: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) summary: String,
    pub(crate) chunks: Vec<NewChunk>,
}

impl Processed {
    /// The document as an entry of a wiki of skills: named as it calls itself, and of the kind that it is.
    fn into_entry(self, path: &str) -> Self {
        let Entry { name, description, kind } = Entry::of(path, &self.text);
        Self { title: name, summary: description, role: kind.as_str(), ..self }
    }
}

/// A chunker made with the settings of a choice.
struct ChunkerOf {
    choice: PluginChoice,
    chunker: Box<dyn Chunker>,
    fingerprint: String,
}

/// Turns the files of one wiki into documents.
pub(crate) struct Processor {
    manifest: WikiManifest,
    readers: Vec<(Box<dyn Reader>, String)>,
    by_extension: HashMap<&'static str, usize>,
    /// That of the wiki first, then those of its roles.
    chunkers: Vec<ChunkerOf>,
}

impl Processor {
    /// Makes the readers and chunkers that the manifest asks for.
    ///
    /// # Errors
    /// Where a plugin is missing or refuses its settings.
    pub(crate) fn new(manifest: &WikiManifest, host: &Arc<Host>) -> Result<Self> {
        let registry = host.registry();
        let mut readers = Vec::new();
        let mut by_extension = HashMap::new();
        for name in registry.names_of("reader") {
            let settings = host.section(name);
            let fingerprint = fingerprint(registry, name, "reader", &settings)?;
            let reader = registry.reader(name, &PluginSetup { settings, host: Arc::clone(host) })?;
            for extension in reader.extensions() {
                // The first by name keeps an ending that two readers claim: the same choice on every machine.
                by_extension.entry(*extension).or_insert(readers.len());
            }
            readers.push((reader, fingerprint));
        }
        let of_roles = manifest.roles.iter().filter_map(|rule| rule.chunker.as_ref());
        let chunkers = std::iter::once(&manifest.chunker).chain(of_roles).map(|choice| {
            let fingerprint = fingerprint(registry, &choice.name, "chunker", &choice.settings)?;
            let setup = PluginSetup { settings: choice.settings.clone(), host: Arc::clone(host) };
            let chunker = registry.chunker(&choice.name, &setup)?;
            Ok(ChunkerOf { choice: choice.clone(), chunker, fingerprint })
        });
        let chunkers = chunkers.collect::<Result<Vec<_>>>()?;
        Ok(Self { manifest: manifest.clone(), readers, by_extension, chunkers })
    }

    /// Whether some reader takes files of this name.
    pub(crate) fn reads(&self, path: &str) -> bool {
        self.reader_of(path).is_some()
    }

    /// Which of these files, given by their paths, are documents of the wiki at all. `None`: all of them.
    pub(crate) fn entries<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Option<SkillFolders<'a>> {
        (self.manifest.kind == WikiKind::Skills).then(|| SkillFolders::among(paths))
    }

    fn reader_of(&self, path: &str) -> Option<&(Box<dyn Reader>, String)> {
        let extension = Path::new(path).extension()?.to_str()?.to_lowercase();
        self.by_extension.get(extension.as_str()).map(|index| &self.readers[*index])
    }

    fn role_of(&self, path: &str) -> (&'static str, &ChunkerOf) {
        let (role, choice) = self.manifest.role_of(path);
        let chunker = self.chunkers.iter().find(|chunker| chunker.choice == *choice);
        (role.as_str(), chunker.unwrap_or(&self.chunkers[0]))
    }

    /// An entry that is mostly links is one all the same.
    fn keeps_index_pages_back(&self) -> bool {
        self.manifest.index_pages == IndexPages::Navigation && self.manifest.kind == WikiKind::Notes
    }

    fn is_meta(&self, path: &str) -> bool {
        self.manifest.meta.matches(path)
    }

    /// Names everything but the bytes that decides what becomes of the file `path`. Another fingerprint means that
    /// the file must be read again.
    pub(crate) fn fingerprint_of(&self, path: &str) -> String {
        blake3::hash(self.recipe_of(path).as_bytes()).to_hex()[..16].to_owned()
    }

    /// What [`fingerprint_of`](Self::fingerprint_of) is the sum of.
    pub(crate) fn recipe_of(&self, path: &str) -> String {
        let reader = self.reader_of(path).map_or("", |(_, fingerprint)| fingerprint);
        let (role, chunker) = self.role_of(path);
        let language = self.manifest.language.map_or("auto", Language::code);
        let (meta, pages) = (self.is_meta(path), self.manifest.index_pages);
        let kind = match self.manifest.kind {
            WikiKind::Notes => String::new(),
            WikiKind::Skills => format!("|skills/{}", skills::FORMAT),
        };
        format!("{PROCESS_FORMAT}|{reader}|{}|{role}|{language}|{meta}|{pages:?}{kind}", chunker.fingerprint)
    }

    /// Reads and cuts one file.
    ///
    /// # Errors
    /// What the reader says, or [`ErrorKind::Internal`] where a plugin panics or breaks its promises. Either way it is the
    /// fate of this file alone.
    pub(crate) fn process(&self, path: &str, bytes: &[u8]) -> Result<Processed> {
        let Some((reader, _)) = self.reader_of(path) else {
            return Err(Error::new(ErrorKind::Internal, "read file", "no reader takes it"));
        };
        let text = guarded("read file", || reader.read(Source { path, bytes }))?;
        check_document(&text)?;
        let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path);
        let title = text.title(stem).to_owned();
        let body = text.text.get(text.body_start()..).unwrap_or("");
        let language = self.manifest.language.or_else(|| detect_language(body)).map_or("", Language::code);
        let navigation = self.is_meta(path) || (self.keeps_index_pages_back() && is_mostly_links(&text));
        let aliases = strings(&text.meta, &["aliases", "alias"]);
        let tags = strings(&text.meta, &["tags", "tag"]);
        let summary = strings(&text.meta, &["summary", "description"]).join(" ");
        let chunks = if navigation { Vec::new() } else { self.chunks(path, &text)? };
        let role = self.role_of(path).0;
        let processed = Processed { text, title, language, role, navigation, aliases, tags, summary, chunks };
        Ok(match self.manifest.kind {
            WikiKind::Notes => processed,
            WikiKind::Skills => processed.into_entry(path),
        })
    }

    fn chunks(&self, path: &str, document: &DocumentText) -> Result<Vec<NewChunk>> {
        let mut spans = guarded("cut document", || self.role_of(path).1.chunker.chunk(document))?;
        // Before anything is added: a body of nothing but signs is in no passage, with front matter as without.
        check_chunks(document, &spans)?;
        if spans.is_empty()
            && let Some(Block { span, kind: BlockKind::FrontMatter, .. }) = document.blocks.first()
        {
            // A note of nothing but front matter has a title and a summary that can be asked for.
            spans.push(ChunkSpan { span: *span, heading: None });
        }
        let places = document.places.index(&document.text);
        let mut headings = document.headings();
        Ok(spans
            .into_iter()
            .map(|chunk| NewChunk {
                span: chunk.span,
                place: places.of(chunk.span),
                headings: headings.path(chunk.heading).into_iter().map(str::to_owned).collect(),
            })
            .collect())
    }
}

fn fingerprint(registry: &Registry, name: &str, kind: &'static str, settings: &Section) -> Result<String> {
    Ok(format!("{name}/{}/{}", registry.format_of(name, kind)?, settings.value()))
}

/// A plugin that panics on one file must not end the build of the others.
fn guarded<T>(operation: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    // Plugins are pure here: what a panic leaves behind is dropped with the call.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        Err(Error::new(ErrorKind::Internal, operation, format!("the plugin panicked: {said}"))
            .help("this is a bug; please report it with the file"))
    })
}

fn broken(operation: &'static str, message: String) -> Error {
    Error::new(ErrorKind::Internal, operation, message)
        .help("this is a bug of the plugin; please report it with the file")
}

/// The promises of [`Reader`] that later code relies on for slicing.
fn check_document(document: &DocumentText) -> Result<()> {
    let mut end = 0;
    for block in &document.blocks {
        if block.span.slice(&document.text).is_none() || block.span.start < end || block.span.is_empty() {
            return Err(broken("read file", format!("the block {:?} is out of bounds or order", block.span)));
        }
        end = block.span.end;
    }
    Ok(())
}

/// The promises of [`Chunker`]: bounds, order, coverage.
fn check_chunks(document: &DocumentText, chunks: &[ChunkSpan]) -> Result<()> {
    let mut last: Option<Span> = None;
    let mut covered = if chunks.is_empty() { document.text.len() } else { document.body_start() };
    for ChunkSpan { span, .. } in chunks {
        let ordered = last.is_none_or(|last| last.start < span.start && last.end < span.end);
        if span.slice(&document.text).is_none() || span.is_empty() || !ordered {
            return Err(broken("cut document", format!("the passage {span:?} is out of bounds or order")));
        }
        if span.start > covered {
            lost_between(document, covered, span.start)?;
        }
        covered = covered.max(span.end);
        last = Some(*span);
    }
    if covered < document.text.len() {
        lost_between(document, covered, document.text.len())?;
    }
    Ok(())
}

fn lost_between(document: &DocumentText, start: usize, end: usize) -> Result<()> {
    let gap = document.text.get(start..end).unwrap_or("");
    // A byte order mark is no text.
    match gap.find(|c: char| !c.is_whitespace() && c != '\u{feff}') {
        None => Ok(()),
        Some(offset) => Err(broken("cut document", format!("no passage holds the text at byte {}", start + offset))),
    }
}

/// The text or texts under the first of `keys` that is there: a string, a list of strings, or words parted by commas.
fn strings(meta: &Metadata, keys: &[&str]) -> Vec<String> {
    let found = keys.iter().find_map(|key| meta.get(*key));
    let clean = |text: &str| Some(text.trim().trim_start_matches('#').to_owned()).filter(|text| !text.is_empty());
    match found {
        Some(Value::String(text)) if keys.contains(&"tags") => text.split([',', ' ']).filter_map(clean).collect(),
        Some(Value::String(text)) => clean(text).into_iter().collect(),
        Some(Value::Array(values)) => values
            .iter()
            .filter_map(|value| match value {
                Value::String(text) => clean(text),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_lists_take_the_common_forms() {
        let meta: Metadata =
            serde_json::from_str(r##"{"tags": "a, #b c", "aliases": ["x y", 7, null], "summary": "  one  "}"##)
                .unwrap();
        assert_eq!(strings(&meta, &["tags", "tag"]), ["a", "b", "c"]);
        assert_eq!(strings(&meta, &["aliases"]), ["x y", "7"]);
        assert_eq!(strings(&meta, &["summary", "description"]), ["one"]);
    }

    #[test]
    fn a_chunker_that_loses_text_is_found_out() {
        let document = DocumentText { text: "one two".into(), ..DocumentText::default() };
        let chunk = |start, end| ChunkSpan { span: Span::new(start, end), heading: None };
        assert!(check_chunks(&document, &[chunk(0, 3), chunk(4, 7)]).is_ok());
        for bad in [vec![chunk(0, 3)], vec![chunk(4, 7)], vec![chunk(4, 7), chunk(0, 3)], vec![chunk(0, 8)]] {
            assert_eq!(check_chunks(&document, &bad).unwrap_err().kind(), ErrorKind::Internal);
        }
    }

    #[test]
    fn a_panic_is_an_error_of_one_file() {
        let error = guarded("read file", || -> Result<()> { panic!("at byte {}", 7) }).unwrap_err();
        assert!(error.message().contains("at byte 7"));
    }
}
