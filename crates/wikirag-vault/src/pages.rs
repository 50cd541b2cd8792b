//! The pages and other files of a vault, found by paths and labels.

use std::borrow::Cow;

use wikirag_text::is_same_text;

use crate::hash;
use crate::paths::{Index, Tails, ends_in, is_markdown, label_key, path_key, without_ending};
use crate::resolution::Several;
use crate::shared::{Ending, Lookup, Shared};

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
/// Beside the pages themselves it needs 8 bytes for each component of each path, and for each path, title and alias; and as much
/// again at most, where names that very many pages share are asked for. How links are resolved says
/// [`resolve`](Self::resolve). The first time that takes time in the number of pages that share the name which is asked for, and
/// none in that of the others; where very many share it, it takes hardly any from then on.
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
    shared: Shared,
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
        Self {
            pages,
            tails,
            aliases: aliases.sorted(),
            titles: titles.sorted(),
            files,
            file_tails,
            shared: Shared::default(),
        }
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
    pub(crate) fn whole(&self, path: &str) -> Several {
        let found = self.by_tail(path, true, Ending::Written);
        let found = if found.is_empty() { self.by_tail(path, true, Ending::Markdown) } else { found };
        let found = if found.is_empty() { self.by_tail(path, true, Ending::Other) } else { found };
        self.spelled(found, path)
    }

    /// The pages that `path` means as in a wikilink: where there is one at exactly that path below the root it, else
    /// all whose paths end in it.
    ///
    /// A path without ending means a Markdown page where there is one, for in Obsidian it means no other.
    pub(crate) fn anywhere(&self, path: &str) -> Several {
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
        Several::default()
    }

    fn by_tail(&self, path: &str, whole: bool, by: Ending) -> Several {
        let wanted = path_key(path);
        let stem = if matches!(by, Ending::Written) { without_ending(&wanted) } else { &wanted };
        let is_same = |key: &str| if whole { *key == *wanted } else { ends_in(key, &wanted) };
        let is_meant = |page: &Page| match by {
            Ending::Written => is_same(&path_key(&page.path)),
            Ending::Markdown => is_markdown(&page.path) && is_same(&page_key(page)),
            Ending::Other => !is_markdown(&page.path) && is_same(&page_key(page)),
        };
        self.several(Lookup::Path { whole, by }, &wanted, self.tails.candidates(stem, whole), is_meant)
    }

    /// The pages among `candidates` that are meant, by their paths.
    fn several(
        &self,
        lookup: Lookup,
        key: &str,
        candidates: impl Iterator<Item = usize> + Clone,
        is_meant: impl Fn(&Page) -> bool,
    ) -> Several {
        self.shared.several(lookup, key, candidates, |candidates| {
            let mut found: Vec<usize> = candidates.filter(|index| is_meant(&self.pages[*index])).collect();
            found.sort_unstable_by_key(|index| self.pages[*index].path.as_str());
            Several::from(found)
        })
    }

    /// Of several pages whose paths differ in case or ending only, the one that is spelled as `path` is.
    fn spelled(&self, found: Several, path: &str) -> Several {
        if found.len() < 2 {
            return found;
        }
        let spelled = |exact: fn(&str, &str) -> bool| {
            let mut same = found.iter().filter(|index| {
                let other = self.pages[**index].path.as_str();
                exact(other, path) || exact(without_ending(other), path)
            });
            same.next().copied().filter(|_| same.next().is_none())
        };
        let one = spelled(|one, other| one == other).or_else(|| spelled(is_same_text));
        one.map_or(found, |one| Several::from(vec![one]))
    }

    /// The file at exactly this path below the root, as far as case matters.
    pub(crate) fn file(&self, path: &str) -> Option<&str> {
        let found = self.files_by_tail(path, true);
        let mut files = found.iter().map(|index| self.files[*index].as_str());
        let one = files.clone().next().filter(|_| found.len() == 1);
        files.find(|file| *file == path).or(one)
    }

    /// The files that `path` means as in a wikilink.
    pub(crate) fn files_anywhere(&self, path: &str) -> Vec<&str> {
        match self.file(path) {
            Some(file) => vec![file],
            None => self.files_by_tail(path, false).iter().map(|index| self.files[*index].as_str()).collect(),
        }
    }

    fn files_by_tail(&self, path: &str, whole: bool) -> Several {
        let wanted = path_key(path);
        let is_same = |index: &usize| {
            let key = path_key(&self.files[*index]);
            if whole { key == wanted } else { ends_in(&key, &wanted) }
        };
        let candidates = self.file_tails.candidates(&wanted, whole);
        // They are sorted, and so are candidates.
        let find = |candidates: _| Several::from(Iterator::filter(candidates, is_same).collect::<Vec<_>>());
        self.shared.several(Lookup::File { whole }, &wanted, candidates, find)
    }

    /// The pages that have this alias.
    pub(crate) fn by_alias(&self, label: &str) -> Several {
        let is_meant = |page: &Page, key: &str| page.aliases.iter().any(|alias| label_key(alias) == key);
        self.by_label(Lookup::Alias, label, &self.aliases, is_meant)
    }

    /// The pages that have this title.
    pub(crate) fn by_title(&self, label: &str) -> Several {
        self.by_label(Lookup::Title, label, &self.titles, |page, key| label_key(&page.title) == key)
    }

    fn by_label(&self, lookup: Lookup, label: &str, index: &Index, is_meant: fn(&Page, &str) -> bool) -> Several {
        let key = label_key(label);
        if key.is_empty() {
            return Several::default();
        }
        self.several(lookup, &key, index.get(label_hash(&key)), |page| is_meant(page, &key))
    }
}

fn page_key(page: &Page) -> Cow<'_, str> {
    path_key(without_ending(&page.path))
}

fn label_hash(key: &str) -> u64 {
    hash::feed(hash::START, key.as_bytes())
}
