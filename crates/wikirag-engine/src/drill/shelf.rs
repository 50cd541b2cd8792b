//! One wiki as a load sees it: its pages by folder, and their texts once they are asked for.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use wikirag_core::{PlaceIndex, Result, ResultExt, Span};
use wikirag_sqlite::{Catalog, StoredPage};

use crate::pages::pages_of;
use crate::{LocatedWiki, brief, head};

/// The page of what is on people's minds, at the root of a wiki.
pub(crate) const HOT_PAGE: &str = "hot.md";

/// Names of pages that tell what a folder holds, without their ending, the best first.
const INDEX_PAGES: [&str; 3] = ["index", "_index", "readme"];

/// A wiki.
pub(super) struct Shelf {
    pub(super) name: String,
    catalog: Arc<Catalog>,
    /// Those that are part of the wiki by what its manifests say now, sorted by path.
    pub(super) pages: Vec<StoredPage>,
    read: HashMap<String, Option<Rc<Text>>>,
}

/// The text of a page.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) places: PlaceIndex,
    /// Behind the front matter.
    pub(super) body: Span,
}

impl Shelf {
    pub(super) fn new(wiki: &LocatedWiki, catalog: Arc<Catalog>) -> Result<Self> {
        let pages = pages_of(wiki, &catalog)?;
        Ok(Self { name: wiki.manifest.name.to_string(), catalog, pages, read: HashMap::new() })
    }

    pub(super) fn page(&self, path: &str) -> Option<&StoredPage> {
        let place = self.pages.binary_search_by(|page| page.path.as_str().cmp(path)).ok()?;
        self.pages.get(place)
    }

    /// The text of a page, or `None` where it is gone.
    pub(super) fn text(&mut self, path: &str) -> Result<Option<Rc<Text>>> {
        if let Some(known) = self.read.get(path) {
            return Ok(known.clone());
        }
        let stored =
            if self.page(path).is_some() { self.catalog.document(path).with("wiki", &self.name)? } else { None };
        let text = stored.map(|stored| {
            // Passages begin behind the front matter; a page without passages has nothing behind it, unless it is one for navigation.
            let start = match stored.chunks.first() {
                Some(first) => first.span.start,
                None if stored.meta.is_empty() => 0,
                None => head::end(&stored.text),
            };
            let body = Span::new(start, stored.text.len());
            Rc::new(Text { places: stored.places.index(&stored.text), body, text: stored.text })
        });
        self.read.insert(path.to_owned(), text.clone());
        Ok(text)
    }

    /// The page `hot.md`.
    pub(super) fn hot(&self) -> Option<String> {
        self.pages.iter().find(|page| page.path.eq_ignore_ascii_case(HOT_PAGE)).map(|page| page.path.clone())
    }

    /// The pages that tell what a folder holds, the best first: those called so, that called as the folder is, and others kept
    /// for navigation.
    pub(super) fn indexes(&self, folder: &str) -> Vec<String> {
        let own_name = folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_lowercase();
        let rank = |page: &StoredPage| {
            let name = page.path.rsplit('/').next().unwrap_or_default().to_lowercase();
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            let called = INDEX_PAGES.iter().position(|index| *index == stem);
            let own = (!own_name.is_empty() && stem == own_name).then_some(INDEX_PAGES.len());
            called.or(own).or_else(|| page.navigation.then_some(INDEX_PAGES.len() + 1))
        };
        let hot = self.hot();
        let inside = self.inside(folder).filter(|page| Some(&page.path) != hot.as_ref());
        let mut ranked: Vec<_> = inside.filter_map(|page| Some((rank(page)?, page.path.clone()))).collect();
        ranked.sort();
        ranked.into_iter().map(|(_, path)| path).collect()
    }

    /// The pages right in a folder, by path. The root is the empty text; any other folder ends in `/`.
    pub(super) fn inside(&self, folder: &str) -> impl Iterator<Item = &StoredPage> {
        self.pages.iter().filter(move |page| folder_of(&page.path) == folder)
    }

    /// The folders right in the root, with the number of pages below each, by name.
    pub(super) fn folders(&self) -> Vec<(String, usize)> {
        let mut folders: Vec<(String, usize)> = Vec::new();
        for page in &self.pages {
            let Some((folder, _)) = page.path.split_once('/') else { continue };
            match folders.last_mut() {
                Some((last, count)) if last == folder => *count += 1,
                _ => folders.push((folder.to_owned(), 1)),
            }
        }
        folders
    }

    /// What a page is about: what it says of itself, else its first sentence.
    pub(super) fn about(&mut self, path: &str) -> Result<String> {
        if let Some(stated) = self.page(path).and_then(|page| brief::stated(&page.meta)) {
            return Ok(stated);
        }
        let text = self.text(path)?;
        Ok(text.map_or_else(String::new, |text| brief::first_sentence(text.body.slice(&text.text).unwrap_or_default())))
    }
}

/// With a `/` at the end; empty for the root.
pub(super) fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}
