//! A curated list of taps to be added at once.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::manifest::{text_file, yaml};

use crate::NewTap;
use crate::source::Source;

const OPERATION: &str = "read catalog";

/// What the list says of one entry.
#[derive(Debug)]
pub enum Choice {
    /// It is to be added.
    Take(NewTap),
    /// As many of its category as its `limit` says stand before it.
    Leave {
        /// The limit.
        limit: usize,
    },
    /// It is none, for a reason. The others are not concerned.
    Fault(Error),
}

/// One entry of a catalog, in the order of the file.
#[derive(Debug)]
pub struct CatalogEntry {
    /// How to call it in a message: its name, or else its address or path.
    pub label: String,
    /// What it says.
    pub choice: Choice,
}

/// An entry as it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    branch: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
}

/// Reads a catalog: a YAML list of entries with the keys
///
/// * `url` or `path`: where the tap comes from; a path is taken from the folder of the catalog;
/// * `name`, `branch`: as for a tap that is added by itself;
/// * `type`, `category`: words by which its wiki is tagged;
/// * `limit`: the entry is taken if fewer than so many of its category stand before it. Entries without a category are one.
///   What stands before counts, not what could be added, so a list means the same everywhere.
///
/// # Errors
/// [`ErrorKind::NotFound`] where there is no such file; [`ErrorKind::Invalid`] with the line where it is no list of such
/// entries; [`ErrorKind::Io`] where it cannot be read.
pub fn catalog(path: &Path) -> Result<Vec<CatalogEntry>> {
    let text = text_file::read(path, OPERATION)?.ok_or_else(|| {
        Error::new(ErrorKind::NotFound, OPERATION, "there is no such file").with("path", path.display())
    })?;
    let entries: Vec<Text> = yaml::parse(&text, path, OPERATION)?;
    if entries.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, OPERATION, "it lists nothing")
            .with("path", path.display())
            .help("list at least one entry with a `url` or a `path`"));
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let base = path.parent().unwrap_or(Path::new("."));
    let mut before: BTreeMap<Option<String>, usize> = BTreeMap::new();
    Ok(entries
        .into_iter()
        .map(|entry| {
            let count = before.entry(entry.category.clone()).or_default();
            let choice = match entry.limit {
                Some(limit) if *count >= limit => Choice::Leave { limit },
                _ => {
                    *count += 1;
                    new_tap(&entry, base).map_or_else(Choice::Fault, Choice::Take)
                }
            };
            CatalogEntry { label: entry.name.or(entry.url).or(entry.path).unwrap_or_default(), choice }
        })
        .collect())
}

fn new_tap(entry: &Text, base: &Path) -> Result<NewTap> {
    let source = match (&entry.url, &entry.path) {
        (Some(url), None) => Source::of_url(url.trim())?,
        (None, Some(path)) => Source::of_path(path.trim(), base)?,
        _ => {
            return Err(Error::new(ErrorKind::Invalid, OPERATION, "an entry has either a `url` or a `path`"));
        }
    };
    let words = [&entry.kind, &entry.category].into_iter().flatten().map(|word| word.trim().to_owned());
    let mut tags: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    tags.dedup();
    Ok(NewTap { tags, ..NewTap::new(source, entry.name.as_deref(), entry.branch.as_deref())? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<Vec<CatalogEntry>> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("here")).unwrap();
        let path = folder.path().join("catalog.yaml");
        std::fs::write(&path, text).unwrap();
        catalog(&path)
    }

    fn taken(text: &str) -> Vec<String> {
        let entries = read(text).unwrap();
        let taken = entries.into_iter().filter_map(|entry| match entry.choice {
            Choice::Take(tap) => Some(tap.name.to_string()),
            Choice::Leave { .. } | Choice::Fault(_) => None,
        });
        taken.collect()
    }

    #[test]
    fn every_key_is_read() {
        let entries = read(
            "- url: https://example.org/acme/skills\n  name: acme\n  type: skills\n  category: testing\n  branch: next\n  limit: 3\n- path: here\n",
        )
        .unwrap();
        let Choice::Take(tap) = &entries[0].choice else { panic!("{entries:?}") };
        assert_eq!(
            (tap.name.as_str(), tap.branch.as_deref(), tap.source.to_string().as_str()),
            ("acme", Some("next"), "https://example.org/acme/skills")
        );
        assert_eq!(tap.tags, ["skills", "testing"]);
        let Choice::Take(tap) = &entries[1].choice else { panic!("{entries:?}") };
        assert!(tap.name.as_str() == "here" && matches!(tap.source, Source::Folder(_)));
        assert_eq!((entries[0].label.as_str(), entries[1].label.as_str()), ("acme", "here"));
    }

    #[test]
    fn a_limit_counts_what_stands_before_of_the_same_category() {
        let entry = |name: &str, rest: &str| format!("- {{url: 'https://example.org/x/{name}', name: {name}{rest}}}\n");
        let a = |name| entry(name, ", category: a, limit: 2");
        assert_eq!(
            taken(&[a("a1"), entry("b1", ", category: b, limit: 1"), a("a2"), a("a3")].concat()),
            ["a1", "b1", "a2"]
        );
        assert_eq!(taken(&[entry("x", ""), entry("y", ", limit: 1"), entry("z", "")].concat()), ["x", "z"]);
        assert_eq!(taken(&entry("x", ", limit: 0")), Vec::<String>::new());
    }

    #[test]
    fn an_entry_that_is_none_leaves_the_others_alone() {
        let text = "- url: ext::sh\n- {url: 'https://example.org/a', path: here}\n- name: x\n- path: absent\n- path: here\n  branch: x\n- path: here\n  name: ../x\n- path: here\n- path: https://example.org/a/b\n";
        assert_eq!(taken(text), ["here"]);
        assert_eq!(read(text).unwrap().iter().filter(|entry| matches!(entry.choice, Choice::Fault(_))).count(), 7);
    }

    #[test]
    fn what_is_no_catalog_is_refused_with_its_line() {
        let error = read("- url: https://example.org/a\n- url: https://example.org/b\n  categroy: x\n").unwrap_err();
        assert_eq!((error.context("line"), error.remedy()), (Some("3"), Some("did you mean `category`?")));
        for text in [
            "",
            "[]",
            "url: x",
            "- x",
            "- url: [x]",
            "- {url: x, limit: -1}",
            "- {url: x, limit: many}",
            "- {url: x, url: y}",
        ] {
            assert_eq!(read(text).unwrap_err().kind(), ErrorKind::Invalid, "{text}");
        }
        assert_eq!(catalog(Path::new("no-such-file")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in any::<String>()) {
            let _ = read(&text);
        }
    }
}
