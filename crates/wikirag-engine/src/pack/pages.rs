//! The documents of the results, each read once.

use std::collections::BTreeMap;
use std::sync::Arc;

use wikirag_core::{PlaceIndex, Result, ResultExt, Span, WikiName};
use wikirag_sqlite::{Catalog, StoredSpan};

use crate::locate::Composition;
use crate::search::SearchResult;
use crate::{Engine, open};

/// A document and its passages.
pub(super) struct Page {
    pub(super) wiki: WikiName,
    pub(super) path: String,
    /// What tells it from all others of the composition: the path, after the name of the wiki where there are several.
    pub(super) label: String,
    pub(super) title: String,
    pub(super) role: String,
    pub(super) text: String,
    pub(super) places: PlaceIndex,
    /// Its passages, in the order of the text.
    chunks: Vec<StoredSpan>,
}

impl Page {
    /// The passages of the section in which the passage at `place` stands.
    fn section(&self, place: usize) -> Option<&[StoredSpan]> {
        let headings = &self.chunks.get(place)?.headings;
        let is_other = |chunk: &StoredSpan| chunk.headings != *headings;
        let first = self.chunks[..place].iter().rposition(is_other).map_or(0, |other| other + 1);
        let last = self.chunks[place..].iter().position(is_other).map_or(self.chunks.len(), |other| place + other);
        self.chunks.get(first..last)
    }

    fn place_of(&self, byte: usize) -> Option<usize> {
        self.chunks.partition_point(|chunk| chunk.span.start <= byte).checked_sub(1)
    }

    /// From the beginning of the section in which `span` begins to the end of that in which it ends.
    pub(super) fn sections_around(&self, span: Span) -> Span {
        let at = |byte| self.place_of(byte).and_then(|place| self.section(place));
        let start = at(span.start).and_then(<[_]>::first).map_or(span.start, |first| first.span.start);
        let end = at(span.end.saturating_sub(1)).and_then(<[_]>::last).map_or(span.end, |last| last.span.end);
        Span::new(start.min(span.start), end.max(span.end))
    }

    /// With the passage before it, and with that behind it, where there are such.
    pub(super) fn neighbours(&self, span: Span) -> [Option<Span>; 2] {
        let first = self.place_of(span.start);
        let before = first.and_then(|place| place.checked_sub(1)).and_then(|place| self.chunks.get(place));
        let after = self.chunks.iter().find(|chunk| chunk.span.end > span.end);
        [
            after.map(|chunk| Span::new(span.start, chunk.span.end)),
            before.map(|chunk| Span::new(chunk.span.start.min(span.start), span.end)),
        ]
    }

    /// Headings above the place, outermost first, without the title.
    pub(super) fn headings(&self, byte: usize) -> Vec<String> {
        let chunk = self.place_of(byte).and_then(|place| self.chunks.get(place));
        let headings = chunk.map(|chunk| chunk.headings.as_slice()).unwrap_or_default();
        headings.iter().filter(|heading| **heading != self.title).cloned().collect()
    }
}

/// Wiki and path.
pub(super) type PageKey = (WikiName, String);

/// All documents of which something may be packed.
pub(super) struct Pages<'e> {
    engine: &'e Engine,
    composition: &'e Composition,
    catalogs: BTreeMap<WikiName, Arc<Catalog>>,
    read: BTreeMap<PageKey, Option<Arc<Page>>>,
}

impl<'e> Pages<'e> {
    pub(super) const fn new(engine: &'e Engine, composition: &'e Composition) -> Self {
        Self { engine, composition, catalogs: BTreeMap::new(), read: BTreeMap::new() }
    }

    /// The document of a result; `None` where it is not what it was when the question was answered.
    pub(super) fn of(&mut self, result: &SearchResult) -> Result<Option<Arc<Page>>> {
        let key = (result.wiki.clone(), result.path.clone());
        let page = match self.read.get(&key) {
            Some(known) => known.clone(),
            None => {
                let page = self.page(&key, &result.role)?.map(Arc::new);
                self.read.insert(key, page.clone());
                page
            }
        };
        let span = Span::new(result.bytes[0], result.bytes[1]);
        Ok(page.filter(|page| span.slice(&page.text) == Some(result.text.as_str())))
    }

    fn page(&mut self, (wiki, path): &PageKey, role: &str) -> Result<Option<Page>> {
        let Some(catalog) = self.catalog(wiki)? else { return Ok(None) };
        let stored = catalog.document(path).with("wiki", wiki)?;
        Ok(stored.map(|stored| Page {
            wiki: wiki.clone(),
            path: path.clone(),
            label: if self.composition.wikis.len() > 1 { format!("{wiki}/{path}") } else { path.clone() },
            title: stored.title,
            role: role.to_owned(),
            places: stored.places.index(&stored.text),
            text: stored.text,
            chunks: stored.chunks,
        }))
    }

    fn catalog(&mut self, name: &WikiName) -> Result<Option<Arc<Catalog>>> {
        if let Some(catalog) = self.catalogs.get(name) {
            return Ok(Some(Arc::clone(catalog)));
        }
        let wiki = self.composition.wikis.iter().find(|wiki| wiki.located.manifest.name == *name);
        let Some(wiki) = wiki else { return Ok(None) };
        let catalog = open::catalog(self.engine, &wiki.located)?;
        self.catalogs.insert(name.clone(), Arc::clone(&catalog));
        Ok(Some(catalog))
    }
}
