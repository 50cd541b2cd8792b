//! The whole of an entry, and the files that belong to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Serialize;
use wikirag_core::{Error, ErrorKind, Result, Sensitivity, WikiName};
use wikirag_sqlite::StoredDocument;

use super::{Entry, SkillKind};
use crate::get::Target;
use crate::locate::{Composition, LocatedWiki};
use crate::manifest::WikiKind;
use crate::pages::Belonging;
use crate::scan::is_hidden;
use crate::{Engine, Freshness, open, pack};

const OPERATION: &str = "get skill";

/// Resources that are listed, and folders that are looked into for them. A skill of more files is a program.
const MOST_RESOURCES: usize = 500;
const MOST_FOLDERS: usize = 1_000;

/// An entry as it was indexed. Serialised it is the envelope of `--json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FetchedSkill {
    /// Of this envelope.
    pub version: u32,
    /// `WIKI/PATH`.
    pub id: String,
    /// Name of the wiki: of a tap, its name.
    pub wiki: WikiName,
    /// Of the wiki.
    pub sensitivity: Sensitivity,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// What it is.
    pub kind: SkillKind,
    /// What it calls itself.
    pub name: String,
    /// What it is for, in one line.
    pub description: String,
    /// The whole file.
    pub text: String,
    /// How that stands to the file.
    pub freshness: Freshness,
    /// The files in and below the folder of a skill; of another entry, those beside it that it links to. Sorted by path.
    pub resources: Vec<Resource>,
    /// Whether there are more of them than are listed.
    pub more_resources: bool,
    /// Tokens of the text.
    pub tokens: usize,
}

/// A file that belongs to an entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resource {
    /// From the folder of the entry, with `/`.
    pub path: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Whether the entry links to it.
    pub linked: bool,
}

impl Engine {
    /// Reads the entry `id` (`wiki/path`, or the path alone where it is clear) of the wikis of skills in the composition. Its resources are
    /// listed and not read: no link is followed, nothing outside the folder of the entry is told, and nothing is run.
    ///
    /// # Errors
    /// As [`Engine::get`]; [`ErrorKind::NotFound`] in the same words for a document that is no entry.
    pub fn get_skill(&self, composition: &Composition, id: &str) -> Result<FetchedSkill> {
        let whole = Target::Document { path: id.to_owned(), part: None };
        let fetched = self.get(composition, &whole)?;
        let wiki = composition.wikis.iter().map(|wiki| &wiki.located).find(|wiki| wiki.manifest.name == fetched.wiki);
        let wiki = wiki.filter(|wiki| wiki.manifest.kind == WikiKind::Skills).ok_or_else(|| no_entry(id))?;
        let stored = open::catalog(self, wiki)?.document(&fetched.path)?.ok_or_else(|| no_entry(id))?;
        let (resources, more_resources) = resources(wiki, &stored);
        Ok(FetchedSkill {
            version: 1,
            id: format!("{}/{}", fetched.wiki, fetched.path),
            wiki: fetched.wiki,
            sensitivity: fetched.sensitivity,
            kind: SkillKind::known(&stored.role).unwrap_or(SkillKind::Skill),
            name: stored.title,
            description: Entry::description_of(&stored.meta, &stored.text),
            tokens: pack::counter(self)?.count(&fetched.text)?,
            path: fetched.path,
            text: fetched.text,
            freshness: fetched.freshness,
            resources,
            more_resources,
        })
    }
}

fn no_entry(id: &str) -> Error {
    let id: String = id.chars().take(80).collect();
    Error::new(ErrorKind::NotFound, OPERATION, format!("there is no skill `{id}` in this composition"))
        .help("results of `wikirag skills` name ids")
}

/// The files that belong to an entry, and whether there are more than are listed. What cannot be looked at is not listed.
fn resources(wiki: &LocatedWiki, entry: &StoredDocument) -> (Vec<Resource>, bool) {
    let folder = entry.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let linked = linked(&entry.text);
    if !wiki.has_documents() {
        return (Vec::new(), false);
    }
    let mut walk = Walk { wiki, belonging: Belonging::new(wiki), linked, found: BTreeSet::new(), folders: 0 };
    if SkillKind::makes_folder(&entry.path) {
        walk.folder(folder, "");
        let own = entry.path.rsplit('/').next().unwrap_or_default();
        walk.found.retain(|resource| resource.path != own);
    } else {
        // The other files beside it are entries themselves.
        let linked: Vec<String> = walk.linked.iter().cloned().collect();
        linked.iter().for_each(|path| walk.file(folder, path));
    }
    let is_cut = walk.found.len() > MOST_RESOURCES || walk.folders > MOST_FOLDERS;
    (walk.found.into_iter().take(MOST_RESOURCES).collect(), is_cut)
}

struct Walk<'a> {
    wiki: &'a LocatedWiki,
    belonging: Belonging<'a>,
    linked: BTreeSet<String>,
    found: BTreeSet<Resource>,
    folders: usize,
}

impl Walk<'_> {
    /// Takes what lies in the folder `inside` of the folder of the entry, which lies at `root`. A folder with a skill of its own is another
    /// entry.
    fn folder(&mut self, root: &str, inside: &str) {
        self.folders += 1;
        if self.folders > MOST_FOLDERS || self.found.len() > MOST_RESOURCES {
            return;
        }
        let Ok(entries) = fs::read_dir(self.wiki.root.join(root).join(inside)) else { return };
        let named = |entry: fs::DirEntry| Some((entry.file_name().to_str()?.to_owned(), entry.file_type().ok()?));
        let mut entries: Vec<_> = entries.filter_map(|entry| named(entry.ok()?)).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        if !inside.is_empty() && entries.iter().any(|(name, _)| SkillKind::makes_folder(name)) {
            return;
        }
        for (name, kind) in entries {
            if is_hidden(self.wiki.manifest.kind, &name, kind.is_dir()) {
                continue;
            }
            let path = in_folder(inside, &name);
            // What a symbolic link leads to is not looked at: it may lie anywhere.
            if kind.is_dir() {
                self.folder(root, &path);
            } else if kind.is_file() {
                self.file(root, &path);
            }
        }
    }

    /// Takes the file at `path` in the folder of the entry, if it is one, and if no manifest takes it out of the wiki.
    fn file(&mut self, root: &str, path: &str) {
        let below_wiki = in_folder(root, path);
        if !self.belonging.has(&below_wiki) || !self.is_without_links(root, path) {
            return;
        }
        let Ok(meta) = fs::symlink_metadata(self.wiki.root.join(&below_wiki)) else { return };
        if meta.is_file() {
            let linked = self.linked.contains(path);
            self.found.insert(Resource { path: path.to_owned(), bytes: meta.len(), linked });
        }
    }

    /// Whether no folder on the way from the folder of the entry is a symbolic link.
    fn is_without_links(&self, root: &str, path: &str) -> bool {
        let base = self.wiki.root.join(root);
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let is_folder = |folder: &str| fs::symlink_metadata(base.join(folder)).is_ok_and(|meta| meta.is_dir());
        folders.into_iter().all(is_folder)
    }
}

fn in_folder(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The relative paths below its own folder that a text links to: `[..](path)`, `![..](path)` and `` `path` ``, which is how skills name
/// their scripts.
fn linked(text: &str) -> BTreeSet<String> {
    let between = |open: &'static str, close: char| {
        text.match_indices(open).filter_map(move |(at, _)| {
            let rest = &text[at + open.len()..];
            rest.find([close, '\n']).filter(|end| rest[*end..].starts_with(close)).map(|end| &rest[..end])
        })
    };
    between("](", ')').chain(between("`", '`')).filter_map(below).collect()
}

/// A path as it is written in a link, from the folder of the text; `None` for an address, an absolute path, and one that leads outside.
fn below(link: &str) -> Option<String> {
    let path = link.split_whitespace().next()?.trim_start_matches('<').trim_end_matches('>');
    let path = path.split(['#', '?']).next()?.replace("%20", " ");
    if path.is_empty() || path.contains([':', '\\', '\0']) || Path::new(&path).is_absolute() {
        return None;
    }
    wikirag_vault::join("", &path).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn links_below_the_folder_are_found() {
        let text = "See [a](references/a.md#x \"title\"), ![b](<./b.png>), run `scripts/run.py --fast`, not [c](../c.md), \
                    [d](/etc/passwd), [e](https://example.org/e.md), [f](x/../../f.md), [g](x/../g.md).";
        let found: Vec<String> = linked(text).into_iter().collect();
        assert_eq!(found, ["b.png", "g.md", "references/a.md", "scripts/run.py"]);
    }

    proptest! {
        #[test]
        fn no_link_leads_outside(text in "([`\\[\\]()./a-c ]|\\PC){0,60}") {
            for path in linked(&text) {
                prop_assert!(path.split('/').all(|part| !part.is_empty() && part != ".." && part != "."));
            }
        }
    }
}
