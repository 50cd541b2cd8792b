//! The pages and other files of a vault, found by paths and labels.

use std::borrow::Cow;

use wikirag_text::is_same_text;

use crate::hash;
use crate::paths::{Index, Tails, ending, ends_in, label_key, path_key, without_ending};

/// A page of the vault, as the resolver knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// Its path below the root, with `/`, as the file system spells it.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its other names, from its front matter.
    pub aliases: Vec<String>,
}

/// All pages, and the other files of the folder (attachments), by their names.
///
/// Beside the pages themselves it needs 8 bytes for each component of each path, and for each path, title and alias.
/// How links are resolved says [`resolve`](Self::resolve). That takes time in the number of pages that share the name
/// which is asked for, and none in that of the others.
#[derive(Debug, Default)]
pub struct Pages {
    pages: Vec<Page>,
    /// By their paths without endings.
    tails: Tails,
    aliases: Index,
    titles: Index,
    /// Sorted.
    files: Vec<String>,
    /// By their paths with endings.
    file_tails: Tails,
}

impl Pages {
    /// Knows `pages`, which keep their order, and `files`, the paths below the root of what is no page. A path that is
    /// among both is a page. Takes time linear in the length of all names, up to sorting.
    pub fn new(pages: Vec<Page>, files: impl IntoIterator<Item = String>) -> Self {
        let tails = Tails::new(pages.iter().map(|page| page_key(page)));
        let mut aliases = Index::default();
        let mut titles = Index::default();
        for (index, page) in pages.iter().enumerate() {
            titles.add(label_hash(&label_key(&page.title)), index);
            for alias in &page.aliases {
                aliases.add(label_hash(&label_key(alias)), index);
            }
        }
        let mut files: Vec<String> = files.into_iter().collect();
        files.sort_unstable();
        files.dedup();
        let file_tails = Tails::new(files.iter().map(|file| path_key(file)));
        Self { pages, tails, aliases: aliases.sorted(), titles: titles.sorted(), files, file_tails }
    }

    /// The page of this index.
    #[must_use]
    pub fn page(&self, index: usize) -> Option<&Page> {
        self.pages.get(index)
    }

    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there is no page.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The pages, by their indices.
    pub fn iter(&self) -> std::slice::Iter<'_, Page> {
        self.pages.iter()
    }

    /// The page at exactly this path, spelled as it is.
    pub(crate) fn at(&self, path: &str) -> Option<usize> {
        let tail = path_key(path);
        self.tails.candidates(&path_key(without_ending(&tail)), true).find(|index| self.pages[*index].path == path)
    }

    /// The pages that `path` means, seen from the root: those whose path it is with its ending, then those whose path
    /// it is without.
    pub(crate) fn whole(&self, path: &str) -> Vec<usize> {
        let found = self.by_tail(path, true, Ending::Written);
        let found = if found.is_empty() { self.by_tail(path, true, Ending::Markdown) } else { found };
        let found = if found.is_empty() { self.by_tail(path, true, Ending::Other) } else { found };
        self.spelled(found, path)
    }

    /// The pages that `path` means as in a wikilink: where there is one at exactly that path below the root it, else
    /// all whose paths end in it.
    ///
    /// A path without ending means a Markdown page where there is one, for in Obsidian it means no other.
    pub(crate) fn anywhere(&self, path: &str) -> Vec<usize> {
        for group in [&[Ending::Written, Ending::Markdown][..], &[Ending::Other]] {
            for whole in [true, false] {
                for ending in group {
                    let found = self.by_tail(path, whole, *ending);
                    if !found.is_empty() {
                        return if whole { self.spelled(found, path) } else { found };
                    }
                }
            }
        }
        Vec::new()
    }

    fn by_tail(&self, path: &str, whole: bool, by: Ending) -> Vec<usize> {
        let wanted = path_key(path);
        let stem = if matches!(by, Ending::Written) { without_ending(&wanted) } else { &wanted };
        let is_same = |key: &str, wanted: &str| if whole { key == wanted } else { ends_in(key, wanted) };
        let is_meant = |index: &usize| {
            let page = &self.pages[*index];
            match by {
                Ending::Written => is_same(&path_key(&page.path), &wanted),
                Ending::Markdown => is_markdown(&page.path) && is_same(&page_key(page), &wanted),
                Ending::Other => !is_markdown(&page.path) && is_same(&page_key(page), &wanted),
            }
        };
        self.tails.candidates(stem, whole).filter(is_meant).collect()
    }

    /// Of several pages whose paths differ in case or ending only, the one that is spelled as `path` is.
    fn spelled(&self, mut found: Vec<usize>, path: &str) -> Vec<usize> {
        if found.len() > 1 {
            let spelled = |exact: fn(&str, &str) -> bool| {
                let mut same = found.iter().filter(|index| {
                    let other = self.pages[**index].path.as_str();
                    exact(other, path) || exact(without_ending(other), path)
                });
                same.next().copied().filter(|_| same.next().is_none())
            };
            if let Some(one) = spelled(|one, other| one == other).or_else(|| spelled(is_same_text)) {
                found = vec![one];
            }
        }
        found
    }

    /// The file at exactly this path below the root, as far as case matters.
    pub(crate) fn file(&self, path: &str) -> Option<&str> {
        let found = self.files_by_tail(path, true);
        found.iter().find(|file| ***file == *path).or_else(|| found.first().filter(|_| found.len() == 1)).copied()
    }

    /// The files that `path` means as in a wikilink.
    pub(crate) fn files_anywhere(&self, path: &str) -> Vec<&str> {
        match self.file(path) {
            Some(file) => vec![file],
            None => self.files_by_tail(path, false),
        }
    }

    fn files_by_tail(&self, path: &str, whole: bool) -> Vec<&str> {
        let wanted = path_key(path);
        let files = self.file_tails.candidates(&wanted, whole).map(|index| self.files[index].as_str());
        let is_same = |file: &&str| {
            let key = path_key(file);
            if whole { key == wanted } else { ends_in(&key, &wanted) }
        };
        files.filter(is_same).collect()
    }

    /// The pages that have this alias.
    pub(crate) fn by_alias(&self, label: &str) -> Vec<usize> {
        let key = label_key(label);
        let is_meant = |index: &usize| self.pages[*index].aliases.iter().any(|alias| label_key(alias) == key);
        if key.is_empty() { Vec::new() } else { self.aliases.get(label_hash(&key)).filter(is_meant).collect() }
    }

    /// The pages that have this title.
    pub(crate) fn by_title(&self, label: &str) -> Vec<usize> {
        let key = label_key(label);
        let is_meant = |index: &usize| label_key(&self.pages[*index].title) == key;
        if key.is_empty() { Vec::new() } else { self.titles.get(label_hash(&key)).filter(is_meant).collect() }
    }
}

/// How a path is compared with that of a page.
#[derive(Debug, Clone, Copy)]
enum Ending {
    /// With the ending.
    Written,
    /// Without it, among Markdown pages.
    Markdown,
    /// Without it, among pages of other formats.
    Other,
}

/// Whether the page is Markdown: wikilinks are part of no other format.
pub(crate) fn is_markdown(path: &str) -> bool {
    ending(path).is_some_and(|ending| {
        ["md", "markdown", "mdown", "mkd", "mdx"].iter().any(|markdown| ending.eq_ignore_ascii_case(markdown))
    })
}

fn page_key(page: &Page) -> Cow<'_, str> {
    path_key(without_ending(&page.path))
}

fn label_hash(key: &str) -> u64 {
    hash::feed(hash::START, key.as_bytes())
}
