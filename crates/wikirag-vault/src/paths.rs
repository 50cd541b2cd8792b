//! Paths below the root, and finding them by their last parts.

use std::borrow::Cow;

use wikirag_text::caseless;

use crate::hash;

/// The form in which paths are compared: without case, composed, and with plain spaces (Obsidian reads `U+00A0` and
/// `U+202F` as spaces).
pub(crate) fn path_key(path: &str) -> Cow<'_, str> {
    let key = caseless(path);
    if key.contains(['\u{a0}', '\u{202f}']) { Cow::Owned(key.replace(['\u{a0}', '\u{202f}'], " ")) } else { key }
}

/// The form in which titles and aliases are compared: as paths are, and with one space for white space of any length.
pub(crate) fn label_key(label: &str) -> String {
    caseless(label).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The folder of a path, without the slash at its end; empty for the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last component of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether a file is Markdown, by the ending of its name in any case: `md`, `markdown`, `mdown`, `mkd`, `mdx`, `mdc`. No other format has
/// wikilinks.
#[must_use]
pub fn is_markdown(path: &str) -> bool {
    let markdown = ["md", "markdown", "mdown", "mkd", "mdx", "mdc"];
    ending(path).is_some_and(|ending| markdown.iter().any(|markdown| ending.eq_ignore_ascii_case(markdown)))
}

/// The ending of a file's name, without the dot: what follows the last one, unless the name begins with it. May be
/// empty (`a.`).
pub(crate) fn ending(path: &str) -> Option<&str> {
    file_name(path).rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending)
}

/// A path without the ending of its file.
pub(crate) fn without_ending(path: &str) -> &str {
    ending(path).map_or(path, |ending| &path[..path.len() - ending.len() - 1])
}

/// `target`, seen from `folder`, with `.` and `..` walked. `None` where it leads out of the root.
#[must_use]
pub fn join(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether `path` is `tail`, or ends in it on the border of a component. Both are keys.
pub(crate) fn ends_in(path: &str, tail: &str) -> bool {
    path.strip_suffix(tail).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Finds paths by their last components.
///
/// Eight bytes for each component of each path: a hash of the path from there on, and whose path it is. Equal hashes do
/// not make equal paths, so whoever asks compares.
#[derive(Debug, Default)]
pub(crate) struct Tails(Index);

impl Tails {
    /// Knows the keys of paths by their order. Linear in their length, up to sorting.
    pub(crate) fn new<'a>(keys: impl Iterator<Item = Cow<'a, str>>) -> Self {
        let mut index = Index::default();
        for (owner, key) in keys.enumerate() {
            let whole = hash_from_the_end(&key, |tail| index.add(tail, owner));
            index.add(rooted(whole), owner);
        }
        Self(index.sorted())
    }

    /// The paths that may end in `tail`, or with `whole` those that may be `tail`. Ascending.
    pub(crate) fn candidates(&self, tail: &str, whole: bool) -> impl Iterator<Item = usize> + Clone {
        let hash = hash_from_the_end(tail, |_| {});
        self.0.get(if whole { rooted(hash) } else { hash })
    }
}

/// Hashes the components of `path` from the last to the first, and tells each state.
fn hash_from_the_end(path: &str, mut sink: impl FnMut(u64)) -> u64 {
    let mut state = hash::START;
    for component in path.rsplit('/') {
        state = hash::feed(hash::feed(state, component.as_bytes()), b"/");
        sink(state);
    }
    state
}

/// The hash of a whole path, by what cannot be a component.
fn rooted(hash: u64) -> u64 {
    hash::feed(hash, b"//")
}

/// Numbers by a hash: half of its bits and the number side by side, sorted.
#[derive(Debug, Default)]
pub(crate) struct Index(Vec<u64>);

impl Index {
    /// Adds a number; those from 2^32 on are left out, which no vault has.
    pub(crate) fn add(&mut self, hash: u64, number: usize) {
        if let Ok(number) = u32::try_from(number) {
            self.0.push(high_half(hash) | u64::from(number));
        }
    }

    pub(crate) fn sorted(mut self) -> Self {
        self.0.sort_unstable();
        self.0.dedup();
        self.0.shrink_to_fit();
        self
    }

    /// The numbers that were added under `hash`, and perhaps others. Ascending, each once.
    pub(crate) fn get(&self, hash: u64) -> impl Iterator<Item = usize> + Clone {
        let high = high_half(hash);
        let from = self.0.partition_point(|entry| *entry < high);
        self.0[from..].iter().take_while(move |entry| *entry & HIGH == high).map(|entry| (*entry & !HIGH) as usize)
    }
}

const HIGH: u64 = !0 << 32;

const fn high_half(hash: u64) -> u64 {
    hash::spread(hash) & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn endings() {
        for (path, stem, end) in [
            ("a/b.md", "a/b", Some("md")),
            ("dendron.topic.md", "dendron.topic", Some("md")),
            ("a.b/c", "a.b/c", None),
            (".hidden", ".hidden", None),
            ("a/.hidden.md", "a/.hidden", Some("md")),
            ("a.", "a", Some("")),
            ("", "", None),
        ] {
            assert_eq!((without_ending(path), ending(path)), (stem, end), "{path:?}");
        }
    }

    #[test]
    fn joined_paths_stay_below_the_root() {
        for (base, target, path) in [
            ("a/b", "../c.md", Some("a/c.md")),
            ("a/b", "./c", Some("a/b/c")),
            ("a", "../../c", None),
            ("", "..", None),
            ("a", "..", Some("")),
            ("a", "b//c/./d/", Some("a/b/c/d")),
        ] {
            assert_eq!(join(base, target).as_deref(), path, "{base:?} {target:?}");
        }
    }

    #[test]
    fn tails_end_at_borders() {
        assert!(ends_in("a/b/c", "b/c"));
        assert!(ends_in("b/c", "b/c"));
        assert!(!ends_in("a/xb/c", "b/c"));
        assert!(!ends_in("c", "b/c"));
    }

    proptest! {
        #[test]
        fn every_tail_is_found(paths in prop::collection::vec("[ab/.]{0,8}", 0..12), asked in "[ab/]{0,5}") {
            let tails = Tails::new(paths.iter().map(|path| Cow::from(path.as_str())));
            for (index, path) in paths.iter().enumerate() {
                let found: Vec<_> = tails.candidates(&asked, false).collect();
                let must = ends_in(path, &asked) && !asked.starts_with('/') && !asked.is_empty();
                prop_assert!(!must || found.contains(&index), "{path:?} in {found:?}");
                prop_assert!(tails.candidates(path, true).any(|other| other == index));
                prop_assert!(found.is_sorted());
            }
        }
    }
}
