//! The order in which wikis are built.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::locate::LocatedWiki;
use crate::manifest::wiki::Role;

/// A page that no rule of a manifest names: what becomes of it is what the wiki is for.
const ANY_PAGE: &str = "any page";

/// Orders wikis so that what others are made from comes first. Two things tell:
///
/// 1. a wiki that lies in the folder of another comes before that one;
/// 2. otherwise a wiki of collected documents (`role: raw` for all that no other rule names) comes before those that people wrote from
///    them.
///
/// Among the rest the name decides, then the folder, so that a run that goes on finds the same order.
///
/// Each wiki carries how it was named.
pub(super) fn sources_first(wikis: Vec<(String, Arc<LocatedWiki>)>) -> Vec<(String, Arc<LocatedWiki>)> {
    let place = |wiki: &LocatedWiki| std::fs::canonicalize(&wiki.root).unwrap_or_else(|_| wiki.root.clone());
    let mut waiting: Vec<(PathBuf, (String, Arc<LocatedWiki>))> =
        wikis.into_iter().map(|(name, wiki)| (place(&wiki), (name, wiki))).collect();
    waiting.sort_by_cached_key(|(place, (_, wiki))| {
        let is_curated = wiki.manifest.role_of(ANY_PAGE).0 == Role::Curated;
        (is_curated, wiki.manifest.name.to_string(), place.clone())
    });
    let mut ordered = Vec::with_capacity(waiting.len());
    // Folders that lie in each other form a tree, so one of those that wait always holds no other.
    while !waiting.is_empty() {
        let holds_none = |place: &Path| waiting.iter().all(|(other, _)| other == place || !other.starts_with(place));
        let next = waiting.iter().position(|(place, _)| holds_none(place)).unwrap_or(0);
        ordered.push(waiting.remove(next).1);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::manifest::WikiManifest;

    const RAW: &str = "roles: [{paths: '*', role: raw}]";

    fn wiki(root: &str, manifest: &str) -> Arc<LocatedWiki> {
        let root = Path::new("/nowhere").join(root);
        let manifest = WikiManifest::from_text(manifest, &root).unwrap();
        Arc::new(LocatedWiki { manifest, index_dir: root.join(".index"), root, nested: BTreeSet::new() })
    }

    fn order(wikis: &[(&str, &str)]) -> Vec<String> {
        let mut wikis: Vec<_> = wikis.iter().map(|(root, text)| ((*root).to_owned(), wiki(root, text))).collect();
        let ordered = sources_first(wikis.clone());
        wikis.reverse();
        assert_eq!(sources_first(wikis), ordered, "the order of naming does not count");
        ordered.into_iter().map(|(root, _)| root).collect()
    }

    #[test]
    fn names_decide_among_equals() {
        assert_eq!(order(&[("c", "name: x"), ("b", ""), ("a", "name: z")]), ["b", "c", "a"]);
    }

    #[test]
    fn collected_documents_come_first() {
        let partly = "roles: [{paths: inbox, role: raw}]";
        assert_eq!(order(&[("a", ""), ("b", partly), ("z", RAW)]), ["z", "a", "b"]);
        let mostly = "roles: [{paths: notes, role: curated}, {paths: '**', role: raw}]";
        assert_eq!(order(&[("a", ""), ("z", mostly)]), ["z", "a"]);
    }

    #[test]
    fn what_lies_inside_comes_before_what_is_around_it() {
        let inner_first = order(&[("a", ""), ("a/b", ""), ("a/b/c", ""), ("ab", "")]);
        assert_eq!(inner_first, ["ab", "a/b/c", "a/b", "a"]);
        assert_eq!(order(&[("a", RAW), ("a/z", "")]), ["a/z", "a"], "the folder outweighs the role");
    }
}
