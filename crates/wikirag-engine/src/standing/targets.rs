//! Which wikis are kept up to date.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wikirag_core::{Error, ErrorKind, Result, Sensitivity};

use super::order;
use crate::locate::{LocatedWiki, Locator};
use crate::manifest::RagManifest;
use crate::manifest::rag::is_rag_path;
use crate::settings::Settings;

/// Which wikis are kept up to date, as somebody named them. Looked up anew for each run, since wikis come and go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets {
    /// Names or paths of wikis, and paths of compositions.
    pub references: Vec<String>,
    /// All wikis that are known without being named as well, see [`Locator::known`].
    pub all: bool,
    /// The folder from which relative paths are taken, absolute.
    pub base: PathBuf,
}

/// What became of looking up the wikis.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The wikis, each once and with how it was named, in the order in which they are built.
    pub(super) wikis: Vec<(String, Arc<LocatedWiki>)>,
    /// What was named and cannot be had: how it was named, and why.
    pub(super) missing: Vec<(String, Error)>,
}

impl Targets {
    /// Looks the wikis up. One that cannot be had does not keep the others from it; a composition that lists a wiki above its
    /// clearance is refused as a whole.
    pub(super) fn find(&self, settings: &Settings) -> Found {
        let mut found = Found::default();
        let mut seen = HashSet::new();
        let mut add = |reference: &str, wiki: Result<LocatedWiki>| match wiki {
            Ok(wiki) if seen.insert(wiki.index_dir.clone()) => found.wikis.push((reference.to_owned(), Arc::new(wiki))),
            Ok(_) => {}
            Err(error) => found.missing.push((reference.to_owned(), error)),
        };
        // Whoever can name a folder may index it; what is read out of an index is bound by the clearance.
        let locator = Locator::new(settings, &self.base, Sensitivity::Restricted);
        for reference in &self.references {
            let path = self.base.join(reference);
            if is_rag_path(&path) && !path.is_dir() {
                match composed(settings, &path) {
                    Ok(wikis) => wikis.into_iter().for_each(|(reference, wiki)| add(&reference, wiki)),
                    Err(error) => add(reference, Err(error)),
                }
            } else {
                add(reference, locator.wiki(reference));
            }
        }
        if self.all {
            match locator.known() {
                Ok(folders) => folders.iter().for_each(|folder| {
                    let reference = folder.to_string_lossy();
                    add(&reference, locator.wiki(&reference));
                }),
                Err(error) => add("--all", Err(error)),
            }
        }
        found.wikis = order::sources_first(found.wikis);
        found
    }
}

/// The wikis that a composition lists, by its own clearance.
fn composed(settings: &Settings, path: &Path) -> Result<Vec<(String, Result<LocatedWiki>)>> {
    let rag = RagManifest::load(path)?;
    let folder = rag.path.parent().unwrap_or(Path::new(""));
    let locator = Locator::new(settings, folder, rag.clearance).with_siblings();
    rag.wikis
        .iter()
        .map(|entry| match locator.wiki(&entry.reference) {
            Err(error) if error.kind() == ErrorKind::Refused => Err(error.with("in", path.display())),
            wiki => Ok((entry.reference.clone(), wiki)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::settings::LoadOptions;

    struct Place(tempfile::TempDir);

    impl Place {
        fn write(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn find(&self, references: &[&str], all: bool) -> Found {
            let mut settings = Settings::load(&LoadOptions::new(self.0.path())).unwrap();
            settings.wiki_path = vec![self.0.path().join("shelf")];
            let references = references.iter().map(|&reference| reference.to_owned()).collect();
            let targets = Targets { references, all, base: self.0.path().to_owned() };
            targets.find(&settings)
        }
    }

    fn names(found: &Found) -> Vec<&str> {
        found.wikis.iter().map(|(_, wiki)| wiki.manifest.name.as_str()).collect()
    }

    fn place() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("a/x.md", "x");
        place.write("b/x.md", "x");
        place.write("shelf/made/.wiki.yaml", "name: made\n");
        place.write("shelf/indexed/.index/log.jsonl", "");
        place.write("shelf/photos/cat.png", "");
        place.write(".wikirag/wikis/named/.wiki.yaml", &format!("source: {:?}\n", place.0.path().join("a")));
        place
    }

    #[test]
    fn all_are_those_made_by_name_and_those_on_the_path() {
        let place = place();
        let found = place.find(&[], true);
        assert_eq!(names(&found), ["indexed", "made", "named"]);
        assert!(found.missing.is_empty());
    }

    #[test]
    fn each_wiki_is_there_once_and_a_missing_one_hides_no_other() {
        let place = place();
        place.write("r.rag.yaml", "wikis: [b, nowhere, shelf/made]\n");
        let found = place.find(&["b", "absent", "b/.wiki.yaml", "r.rag.yaml", "./b"], true);
        assert_eq!(names(&found), ["b", "indexed", "made", "named"]);
        let missing: Vec<&str> = found.missing.iter().map(|(reference, _)| reference.as_str()).collect();
        assert_eq!(missing, ["absent", "b/.wiki.yaml", "nowhere"]);
    }

    #[test]
    fn a_composition_above_its_clearance_is_refused_as_a_whole() {
        let place = place();
        place.write("b/.wiki.yaml", "sensitivity: restricted\n");
        place.write("r.rag.yaml", "wikis: [a, b]\n");
        let found = place.find(&["r.rag.yaml"], false);
        assert!(found.wikis.is_empty());
        assert_eq!(found.missing[0].1.kind(), ErrorKind::Refused);
        assert_eq!(names(&place.find(&["b"], false)), ["b"], "its owner may index it");
    }
}
