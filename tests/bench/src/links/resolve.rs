//! What a link means, as `docs/vault.md` says it, by tables of whole paths.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Meaning;
use super::scan;

/// The pages and files of a folder, by every ending of their paths.
pub(crate) struct Vault {
    /// Paths without ending, and all that follows each slash of them, to the pages.
    stems: HashMap<String, BTreeSet<String>>,
    /// The same with the ending, to pages and files.
    tails: HashMap<String, BTreeSet<String>>,
    aliases: HashMap<String, BTreeSet<String>>,
    titles: HashMap<String, BTreeSet<String>>,
}

fn key(text: &str) -> String {
    text.to_lowercase().replace(['\u{a0}', '\u{202f}'], " ")
}

fn label(text: &str) -> String {
    key(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A path and what follows each of its slashes.
fn endings(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.match_indices('/').map(|(at, _)| &path[at + 1..]))
}

impl Vault {
    pub(crate) fn new(texts: &BTreeMap<String, String>, others: Vec<String>) -> Self {
        let mut vault =
            Self { stems: HashMap::new(), tails: HashMap::new(), aliases: HashMap::new(), titles: HashMap::new() };
        for (path, text) in texts {
            let lower = key(path);
            for ending in endings(&lower) {
                vault.tails.entry(ending.to_owned()).or_default().insert(path.clone());
                let stem = ending.strip_suffix(".md").unwrap_or(ending);
                vault.stems.entry(stem.to_owned()).or_default().insert(path.clone());
            }
            let head = scan::head(text, path);
            vault.titles.entry(label(&head.title)).or_default().insert(path.clone());
            for alias in head.aliases {
                vault.aliases.entry(label(&alias)).or_default().insert(path.clone());
            }
        }
        for path in others {
            for ending in endings(&key(&path)) {
                vault.tails.entry(ending.to_owned()).or_default().insert(path.clone());
            }
        }
        vault
    }

    pub(crate) fn resolve(&self, from: &str, kind: &str, target: &str) -> Meaning {
        match kind {
            "wiki" => self.wikilink(from, target, true),
            "inline" => self.inline(from, target),
            _ => match self.wikilink(from, target, true) {
                found @ Meaning::One(_) => found,
                several @ Meaning::Several(_) => several,
                Meaning::Nothing => self.inline(from, target),
            },
        }
    }

    fn wikilink(&self, from: &str, target: &str, with_labels: bool) -> Meaning {
        let written = target.split('#').next().unwrap_or(target).trim();
        if written.is_empty() {
            return Meaning::One(from.to_owned());
        }
        if written.ends_with('/') {
            return Meaning::Nothing;
        }
        let is_relative = written.starts_with("./") || written.starts_with("../");
        let is_fixed = is_relative || written.starts_with('/');
        let base = if is_relative { from.rsplit_once('/').map_or("", |(folder, _)| folder) } else { "" };
        let Some(path) = join(base, written).map(|path| key(&path)) else { return Meaning::Nothing };
        for table in [&self.tails, &self.stems] {
            let found = table.get(&path).cloned().unwrap_or_default();
            let whole: BTreeSet<String> = found
                .iter()
                .filter(|one| [key(one).as_str(), key(one).trim_end_matches(".md")].contains(&path.as_str()))
                .cloned()
                .collect();
            let found = if whole.is_empty() && !is_fixed { found } else { whole };
            if !found.is_empty() {
                return meaning(found);
            }
        }
        if !with_labels {
            return Meaning::Nothing;
        }
        let name = label(written);
        let found = self.aliases.get(&name).or_else(|| self.titles.get(&name)).cloned().unwrap_or_default();
        meaning(found)
    }

    fn inline(&self, from: &str, target: &str) -> Meaning {
        let written = target.split('#').next().unwrap_or(target);
        if written.is_empty() {
            return Meaning::One(from.to_owned());
        }
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        for written in [written, written.split('?').next().unwrap_or(written)] {
            let path = percent_decoded(written);
            let base = if path.starts_with('/') { "" } else { folder };
            let joined = join(base, &path).map(|path| key(&path));
            for seen in joined.iter().flat_map(|path| {
                let page = path.trim_end_matches(".html").to_owned();
                [path.clone(), page, format!("{path}/index"), format!("{path}/readme"), format!("{path}/_index")]
            }) {
                let seen = seen.trim_start_matches('/');
                let tables = [&self.tails, &self.stems].into_iter();
                let found: BTreeSet<String> = tables
                    .flat_map(|table| table.get(seen).into_iter().flatten())
                    .filter(|one| [key(one).as_str(), key(one).trim_end_matches(".md")].contains(&seen))
                    .cloned()
                    .collect();
                if !found.is_empty() {
                    return meaning(found);
                }
            }
            let found = self.wikilink(from, &path.replace('#', "\u{0}"), false);
            if found != Meaning::Nothing {
                return found;
            }
        }
        Meaning::Nothing
    }
}

fn meaning(found: BTreeSet<String>) -> Meaning {
    let mut found: Vec<String> = found.into_iter().collect();
    match found.len() {
        0 => Meaning::Nothing,
        1 => Meaning::One(found.remove(0)),
        _ => Meaning::Several(found),
    }
}

/// `path` seen from `base`; nothing where it leads out of the folder.
fn join(base: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}
