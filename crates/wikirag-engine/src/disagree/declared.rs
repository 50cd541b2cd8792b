//! What the front matter of documents says of other documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use wikirag_core::Span;

use super::{Disagreement, Kind, Passage};

/// The keys, and what they say.
const KEYS: [(&str, Kind); 2] = [("contradicts", Kind::Declared), ("superseded_by", Kind::Superseded)];
/// `[[Page]]` without quotes is a list in a list in YAML. Nobody nests deeper.
const MAX_DEPTH: usize = 4;

/// A document that another one names under `contradicts:` or `superseded_by:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The first passage of the document that declares it.
    pub passage: usize,
    /// [`Kind::Declared`] or [`Kind::Superseded`].
    pub kind: Kind,
    /// The document as it is named: a path, a title, or the target of a wikilink.
    pub target: String,
}

impl Declaration {
    /// As it would stand in front matter: key, colon, target.
    #[must_use]
    pub fn line(&self) -> String {
        line(self.kind, &self.target)
    }
}

fn line(kind: Kind, target: &str) -> String {
    let key = KEYS.iter().find(|(_, known)| *known == kind).map_or("", |(key, _)| key);
    format!("{key}: {target}")
}

/// What the documents of the passages declare of documents of which no passage is there, so that an answer can name them.
/// A name that fits several of the documents is among these: none is guessed.
#[must_use]
pub fn declared_elsewhere(passages: &[Passage<'_>]) -> Vec<Declaration> {
    let documents = Documents::of(passages);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (passage, one) in passages.iter().enumerate() {
        if !seen.insert(one.document()) {
            continue;
        }
        let mut named = BTreeSet::new();
        for (kind, target) in declarations(one) {
            if documents.resolve(one, &target).is_none() && named.insert((kind, target.clone())) {
                found.push(Declaration { passage, kind, target });
            }
        }
    }
    found
}

/// The declared disagreements between passages.
pub(crate) fn between(passages: &[Passage<'_>]) -> Vec<Disagreement> {
    let documents = Documents::of(passages);
    let mut declared = BTreeSet::new();
    let mut found = BTreeMap::<(usize, usize, Kind), [String; 2]>::new();
    for (at, one) in passages.iter().enumerate() {
        for (kind, target) in declarations(one) {
            let Some(document) = documents.resolve(one, &target) else { continue };
            let named = |(_, other): &(usize, &Passage<'_>)| other.document() == document;
            for (other, _) in passages.iter().enumerate().filter(named) {
                let (first, second) = (at.min(other), at.max(other));
                let side = usize::from(at > other);
                let what = found
                    .entry((first, second, kind))
                    .or_insert_with(|| [passages[first].title, passages[second].title].map(str::to_owned));
                // Both may declare it. One may do so under two names, of which the first stays.
                if declared.insert((at, other, kind)) {
                    what[side] = line(kind, &target);
                }
            }
        }
    }
    let whole = |at: usize| Span::new(0, passages[at].text.len());
    let found = found.into_iter().map(|((first, second, kind), what)| Disagreement {
        first,
        second,
        kind,
        at: [whole(first), whole(second)],
        what,
    });
    found.collect()
}

/// What the document of a passage declares, in the order of its front matter.
fn declarations(passage: &Passage<'_>) -> Vec<(Kind, String)> {
    let mut found = Vec::new();
    for (key, kind) in KEYS {
        if let Some(value) = passage.meta.get(key) {
            targets(value, MAX_DEPTH, &mut |target| found.push((kind, target)));
        }
    }
    found
}

fn targets(value: &Value, depth: usize, sink: &mut impl FnMut(String)) {
    match value {
        Value::String(text) => {
            let name = text.trim().trim_start_matches("[[").trim_end_matches("]]");
            // Neither the alias nor the heading belongs to the name.
            let name = name.split(['|', '#']).next().unwrap_or("").trim_end_matches('\\').trim();
            if !name.is_empty() {
                sink(name.to_owned());
            }
        }
        Value::Array(values) if depth > 0 => values.iter().for_each(|value| targets(value, depth - 1, sink)),
        _ => {}
    }
}

/// Wiki and path.
type Document<'p> = (&'p str, &'p str);

/// The documents of the passages, by what they may be called.
struct Documents<'p> {
    /// By path, with and without its ending.
    paths: HashMap<&'p str, BTreeSet<Document<'p>>>,
    /// By file name, with and without its ending, and by title, in lower case.
    names: HashMap<String, BTreeSet<Document<'p>>>,
}

impl<'p> Documents<'p> {
    fn of(passages: &[Passage<'p>]) -> Self {
        let (mut paths, mut names) = (HashMap::<_, BTreeSet<_>>::new(), HashMap::<_, BTreeSet<_>>::new());
        for one in passages {
            let file = one.path.rsplit('/').next().unwrap_or(one.path);
            for path in [one.path, without_ending(one.path)] {
                paths.entry(path).or_default().insert(one.document());
            }
            for name in [file, without_ending(file), one.title.trim()] {
                names.entry(name.to_lowercase()).or_default().insert(one.document());
            }
        }
        Self { paths, names }
    }

    /// The one document that `target` names in the document of `from`, if it is another one.
    ///
    /// Its own wiki goes before others, and a path before a name: the first of these that fits any document decides, and
    /// where it fits several nothing is named.
    fn resolve(&self, from: &Passage<'p>, target: &str) -> Option<Document<'p>> {
        let folder = from.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = self.paths.get(normal(&format!("{folder}/{target}")).as_str());
        let path = normal(target);
        let from_root = self.paths.get(path.as_str());
        let (wiki, below) = path.split_once('/').unwrap_or(("", ""));
        let by_name = self.names.get(&target.to_lowercase());
        let own = Some(from.wiki);
        let ways = [
            (beside, own),
            (from_root, own),
            (self.paths.get(below), Some(wiki)),
            (by_name, own),
            (from_root, None),
            (by_name, None),
        ];
        for (documents, wiki) in ways {
            let fits = documents.into_iter().flatten().filter(|document| wiki.is_none_or(|wiki| document.0 == wiki));
            let mut fits = fits.filter(|document| **document != from.document());
            if let Some(first) = fits.next() {
                return fits.next().is_none().then_some(*first);
            }
        }
        None
    }
}

/// `path` without `.`, `..` and leading slashes.
fn normal(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn without_ending(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && !ending.contains('/') => stem,
        _ => path,
    }
}
