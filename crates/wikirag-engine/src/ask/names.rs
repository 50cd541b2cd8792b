//! Which document a citation means, by any of the names that it may be called.

use std::collections::HashMap;

use wikirag_text::caseless;

/// A document that may be cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) wiki: String,
    /// Below the root of the wiki, with `/`.
    pub(super) path: String,
    pub(super) title: String,
    pub(super) aliases: Vec<String>,
}

/// Documents by their names: whole paths first, then paths inside their wiki, then what they are called.
#[derive(Debug, Default)]
pub(super) struct Names {
    ranks: [HashMap<String, Vec<usize>>; 3],
}

impl Names {
    pub(super) fn new<'d>(documents: impl IntoIterator<Item = &'d Document>) -> Self {
        let mut names = Self::default();
        for (place, document) in documents.into_iter().enumerate() {
            let Document { wiki, path, title, aliases } = document;
            let stem = stem(path);
            let file = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
            names.add(0, format!("{wiki}/{path}"), place);
            names.add(0, format!("{wiki}/{stem}"), place);
            names.add(1, path.clone(), place);
            names.add(1, stem.to_owned(), place);
            names.add(2, file(path), place);
            names.add(2, file(stem), place);
            names.add(2, title.clone(), place);
            for alias in aliases.iter().filter(|alias| !alias.trim().is_empty()) {
                names.add(2, alias.clone(), place);
            }
        }
        names
    }

    fn add(&mut self, rank: usize, name: String, place: usize) {
        let places = self.ranks[rank].entry(caseless(name.trim()).into_owned()).or_default();
        if !places.contains(&place) {
            places.push(place);
        }
    }

    /// The documents that `target` may mean, by their places; none where it means nothing. It is several where a name is that of
    /// several.
    pub(super) fn find(&self, target: &str) -> &[usize] {
        let target = caseless(target.trim());
        let name = target.trim_start_matches("./").trim_matches('/');
        self.ranks.iter().find_map(|names| names.get(name)).map_or(&[], Vec::as_slice)
    }
}

/// The path without its ending.
fn stem(path: &str) -> &str {
    let file = path.rfind('/').map_or(0, |at| at + 1);
    path[file..].rfind('.').filter(|at| *at > 0).map_or(path, |at| &path[..file + at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fullest_name_counts() {
        let document = |wiki: &str, path: &str, title: &str, alias: &str| Document {
            wiki: wiki.into(),
            path: path.into(),
            title: title.into(),
            aliases: vec![alias.into()],
        };
        let documents = [
            document("garden", "herbs/basil.md", "Basil", "Ocimum"),
            document("kitchen", "basil.md", "Basil", "Pesto"),
            document("kitchen", "herbs/.md", "None", "garden/herbs"),
            document("kitchen", "a.b/c.tar.gz", "Archive", ""),
        ];
        let names = Names::new(&documents);
        for (target, places) in [
            ("garden/herbs/Basil", &[0][..]),
            ("herbs/basil.md", &[0]),
            ("/kitchen/basil", &[1]),
            ("basil", &[1]),
            ("Ocimum", &[0]),
            (" pesto ", &[1]),
            ("garden/herbs", &[2]),
            ("./a.b/c.tar", &[3]),
            ("parsley", &[]),
            ("", &[]),
        ] {
            assert_eq!(names.find(target), places, "{target:?}");
        }
    }
}
