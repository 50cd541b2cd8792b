use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;
use wikirag_core::WikiName;

use super::*;
use crate::manifest::WikiKind;
use crate::settings::LoadOptions;

mod registered;

/// A folder `notes` for wikis and compositions, beside the data folder of the user.
struct Place {
    folder: TempDir,
    settings: Settings,
}

impl Place {
    fn new() -> Self {
        Self::with_flags(&[])
    }

    fn with_flags(flags: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("notes")).unwrap();
        let mut options = LoadOptions::new(folder.path());
        options.data_dir = Some(folder.path().join("data"));
        options.flags = flags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let settings = Settings::load(&options).unwrap();
        Self { folder, settings }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Makes the folder and, if `manifest` is not empty, a manifest in it.
    fn wiki(&self, below: &str, manifest: &str) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(&path).unwrap();
        if !manifest.is_empty() {
            fs::write(path.join(wiki::FILE_NAME), manifest).unwrap();
        }
        path
    }

    fn register(&self, name: &str, source: &Path, sensitivity: Option<Sensitivity>) -> Result<LocatedWiki> {
        let name = WikiName::new(name).unwrap();
        register(&self.settings, &NewWiki { name, source, kind: WikiKind::default(), tags: &[], sensitivity })
    }

    fn find(&self, reference: &str) -> Result<LocatedWiki> {
        Locator::new(&self.settings, &self.path("notes"), Sensitivity::Internal).with_siblings().wiki(reference)
    }

    fn compose(&self, text: &str) -> Result<Composition> {
        self.compose_with(text, Missing::Refuse)
    }

    fn compose_with(&self, text: &str, missing: Missing) -> Result<Composition> {
        fs::write(self.path("notes/all.rag.yaml"), text).unwrap();
        composition("notes/all.rag.yaml", self.folder.path(), &self.settings, missing)
    }
}

fn kind<T: std::fmt::Debug>(result: Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

#[test]
fn a_wiki_is_found_by_path_by_its_manifest_and_by_name() {
    let place = Place::new();
    let folder = place.wiki("notes/f1", "name: food");
    for reference in ["f1", "./f1/", "food", " food ", "f1/.wiki.yaml", "../notes/f1", folder.to_str().unwrap()] {
        let wiki = place.find(reference).unwrap();
        assert_eq!(wiki.manifest.name.as_str(), "food", "{reference}");
        assert_eq!(canonical(&wiki.root), canonical(&folder), "{reference}");
        assert_eq!(wiki.index_dir, wiki.root.join(".index"));
    }
    let plain = place.wiki("notes/plain", "");
    assert_eq!(place.find("plain").unwrap().root, plain);
    assert_eq!(kind(place.find("")), ErrorKind::Usage);
    fs::write(place.path("notes/a.md"), "x").unwrap();
    let long = "x".repeat(5_000);
    for absent in ["fooood/x", "*", "**", "__all__", "a.md", "a.md/b", "~", "no/such", long.as_str()] {
        assert_eq!(kind(place.find(absent)), ErrorKind::NotFound, "{absent}");
    }
}

#[test]
fn wiki_path_is_one_level_deep() {
    let place = Place::with_flags(&[("wiki_path", "shelf")]);
    place.wiki("shelf/a/deep", "");
    place.wiki("shelf/.hidden", "name: h");
    place.wiki("shelf/b", "name: bee");
    let locator = Locator::new(&place.settings, Path::new("/"), Sensitivity::Internal);
    assert_eq!(locator.wiki("bee").unwrap().root, place.path("shelf/b"));
    assert_eq!(locator.wiki("b").unwrap().root, place.path("shelf/b"));
    assert_eq!(locator.wiki("a").unwrap().root, place.path("shelf/a"));
    for absent in ["deep", "h", ".hidden"] {
        assert_eq!(kind(locator.wiki(absent)), ErrorKind::NotFound);
    }
}

#[test]
fn two_wikis_of_one_name_are_both_listed() {
    let place = Place::with_flags(&[("wiki_path", "shelf")]);
    place.wiki("shelf/x", "name: food");
    place.wiki("notes/y", "name: food");
    let error = place.find("food").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.message().contains("shelf/x") && error.message().contains("notes/y"), "{error}");
    // Unless one of them is not for this reader, who then learns nothing of either.
    place.wiki("notes/y", "name: food\nsensitivity: restricted");
    let error = place.find("food").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(!error.to_string().contains("notes/y") && !error.to_string().contains("shelf/x"), "{error}");
}

#[test]
fn documents_that_are_found_in_two_places_are_one_wiki() {
    let place = Place::with_flags(&[("wiki_path", "shelf")]);
    let source = place.wiki("shelf/food", "");
    place.register("food", &source, None).unwrap();
    let wiki = place.find("food").unwrap();
    assert_eq!((wiki.root, wiki.manifest.source.is_some()), (source, true));
}

#[test]
fn near_names_are_suggested_but_never_those_of_a_refused_wiki() {
    let place = Place::new();
    place.wiki("notes/f", "name: food");
    place.wiki("notes/s", "name: foods\nsensitivity: confidential");
    let error = place.find("foode").unwrap_err();
    assert_eq!(error.remedy(), Some("did you mean `food`?"));
    assert!(!error.to_string().contains("foods"), "{error}");
}

#[test]
fn a_broken_neighbour_does_not_matter_unless_it_is_meant() {
    let place = Place::new();
    place.wiki("notes/f", "name: food");
    place.wiki("notes/broken", "nam: x");
    assert!(place.find("food").is_ok());
    assert_eq!(kind(place.find("broken")), ErrorKind::Invalid);
    assert_eq!(kind(place.find("other")), ErrorKind::NotFound);
}

#[test]
fn indexes_go_where_the_settings_say() {
    let place = Place::with_flags(&[("index_dir", "indexes")]);
    place.wiki("notes/a", "name: food");
    place.wiki("notes/b", "name: food");
    let dirs: BTreeSet<PathBuf> = ["a", "b", "./a"].map(|path| place.find(path).unwrap().index_dir).into();
    assert_eq!(dirs.len(), 2, "{dirs:?}");
    assert!(dirs.iter().all(|dir| dir.parent() == Some(&place.path("indexes"))), "{dirs:?}");
    assert!(!place.path("indexes").exists());
}

#[test]
fn no_way_leads_around_the_sensitivity_of_documents() {
    let place = Place::new();
    let secret = place.wiki("notes/secret", "name: s\nsensitivity: confidential");
    place.wiki("notes/secret/deep/deeper", "");
    place.wiki("notes/secret/named", "name: named");
    place.wiki("notes/secret/open", "name: open\nsensitivity: public");
    place.wiki("notes/other", "");
    let docs = place.wiki("docs/below", "");
    place.register("labelled", &place.path("docs"), Some(Sensitivity::Restricted)).unwrap();
    place.register("alias", &secret, Some(Sensitivity::Public)).unwrap();
    let docs = docs.to_str().unwrap();
    for reference in [
        "s",
        "secret",
        "other/../secret",
        "secret/.wiki.yaml",
        "secret/deep",
        "secret/deep/deeper",
        "secret/named",
        "alias",
        "labelled",
        docs,
        "../docs",
    ] {
        let error = place.find(reference).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{reference}");
        assert!(!error.to_string().contains("confidential") && !error.to_string().contains("restricted"), "{error}");
    }
    assert_eq!(place.find("secret/open").unwrap().manifest.sensitivity, Sensitivity::Public);
    // What cannot be read cannot be ruled out.
    place.wiki("notes/other", "sensitivity: secret");
    place.wiki("notes/other/below", "");
    assert_eq!(kind(place.find("other/below")), ErrorKind::Invalid);
}

#[cfg(unix)]
#[test]
fn no_link_leads_around_a_manifest() {
    let place = Place::new();
    place.wiki("vault/secret/below", "");
    fs::write(place.path("vault/secret/.wiki.yaml"), "sensitivity: confidential").unwrap();
    std::os::unix::fs::symlink(place.path("vault/secret/below"), place.path("notes/harmless")).unwrap();
    assert_eq!(kind(place.find("harmless")), ErrorKind::Refused);
}

#[test]
fn one_wiki_is_a_composition_at_the_clearance_of_the_settings() {
    let place = Place::new();
    place.wiki("notes/a", "name: a\nsensitivity: confidential");
    let load = |settings: &Settings| composition("notes/a", place.folder.path(), settings, Missing::Refuse);
    assert_eq!(kind(load(&place.settings)), ErrorKind::Refused);
    let mut settings = place.settings.clone();
    settings.clearance = Sensitivity::Confidential;
    let composed = load(&settings).unwrap();
    assert_eq!((composed.name.as_str(), composed.wikis.len(), composed.path.as_ref()), ("a", 1, None));
    assert!(composed.check().is_ok());
    let error = Composition { clearance: Sensitivity::Internal, ..composed }.check().unwrap_err();
    assert!(error.kind() == ErrorKind::Refused && error.message().contains("`notes/a`"), "{error}");
    fs::write(place.path("notes/a/x.md"), "x").unwrap();
    let error = composition("notes/a/x.md", place.folder.path(), &settings, Missing::Refuse).unwrap_err();
    assert!(error.message().contains("neither a wiki nor a composition"), "{error}");
    let absent = composition("notes/x.rag.yaml", place.folder.path(), &settings, Missing::Refuse);
    assert_eq!(kind(absent), ErrorKind::NotFound);
}

#[test]
fn a_composition_lists_each_wiki_once() {
    let place = Place::new();
    place.wiki("notes/a", "name: ay");
    place.wiki("notes/b", "name: bee");
    place.wiki("shelf/c", "name: bee");
    let composed = place.compose("wikis: [b, {wiki: ay, weight: 2}]\nroute: top 1\nlimit: 3").unwrap();
    let wikis: Vec<_> = composed.wikis.iter().map(|wiki| (wiki.located.manifest.name.as_str(), wiki.weight)).collect();
    assert_eq!(wikis, [("bee", 1.0), ("ay", 2.0)]);
    assert_eq!((composed.name.as_str(), composed.limit), ("all", Some(3)));
    let error = place.compose("wikis: [a, b, ay]").unwrap_err();
    assert!(error.message().contains("`a` and `ay` are the same wiki"), "{error}");
    let error = place.compose("wikis: [b, ../shelf/c]").unwrap_err();
    assert!(error.message().contains("both called `bee`"), "{error}");
    assert_eq!(kind(place.compose("wikis: [a, all.rag.yaml]")), ErrorKind::Invalid);
}

#[test]
fn missing_wikis_are_an_error_or_a_list_but_never_silent() {
    let place = Place::new();
    place.wiki("notes/a", "");
    place.wiki("notes/s", "sensitivity: restricted");
    let error = place.compose("wikis: [a, gone, lost]").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.message().contains("`gone`") && error.context("also missing") == Some("`lost`"), "{error}");
    let composed = place.compose_with("wikis: [a, gone]", Missing::Report).unwrap();
    assert_eq!((composed.wikis.len(), composed.missing), (1, vec!["gone".to_owned()]));
    assert_eq!(kind(place.compose_with("wikis: [gone]", Missing::Report)), ErrorKind::NotFound);
    assert_eq!(kind(place.compose_with("wikis: [gone, a, s]", Missing::Report)), ErrorKind::Refused);
}

/// Every path below `folder`, with what files hold.
fn everything(folder: &Path, found: &mut BTreeSet<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            everything(&path, found);
            found.insert((path, Vec::new()));
        } else {
            let content = fs::read(&path).unwrap();
            found.insert((path, content));
        }
    }
}

/// A wiki of every kind there is: each level and none stated, made by name or not, with an index or without.
struct Kind {
    sensitivity: Option<Sensitivity>,
    registered: bool,
    number: usize,
}

impl Kind {
    fn all() -> Vec<Self> {
        let levels = || [None].into_iter().chain(Sensitivity::ALL.map(Some));
        let kinds = levels().flat_map(|level| [(level, false), (level, true)]);
        // Each twice: an even number has an index.
        kinds
            .flat_map(|kind| [kind, kind])
            .enumerate()
            .map(|(number, (sensitivity, registered))| Self { sensitivity, registered, number })
            .collect()
    }

    fn make(&self, place: &Place) {
        let Self { number, .. } = self;
        let level = self.sensitivity.map_or_else(String::new, |level| format!("sensitivity: {level}\n"));
        let manifest = format!("name: called{number:02}\ntitle: TITLE{number:02}\n{level}");
        let folder = if self.registered {
            let source = place.wiki(&format!("docs/FOLDER{number:02}"), "");
            let manifest = format!("{manifest}source: {}\n", source.display());
            place.wiki(&format!("data/wikis/called{number:02}"), &manifest)
        } else {
            place.wiki(&format!("notes/FOLDER{number:02}"), &manifest)
        };
        if number % 2 == 0 {
            fs::create_dir(folder.join(INDEX_FOLDER)).unwrap();
            // Whoever opened this would fail.
            fs::write(folder.join(INDEX_FOLDER).join("catalog.db"), "no database").unwrap();
        }
    }

    fn reference(&self, by_name: bool) -> String {
        match (by_name, self.registered) {
            (true, _) => format!("called{:02}", self.number),
            (false, true) => format!("../data/wikis/called{:02}", self.number),
            (false, false) => format!("FOLDER{:02}", self.number),
        }
    }

    fn is_above(&self, clearance: Sensitivity) -> bool {
        self.sensitivity.unwrap_or(Sensitivity::Internal) > clearance
    }
}

/// A composition is refused exactly when it lists a wiki above its clearance, in whatever order and way, and whatever
/// else is off with it; loading makes no index and opens none, and a refusal tells nothing.
#[test]
fn a_composition_is_refused_exactly_when_a_wiki_is_above_it() {
    let place = Place::new();
    let kinds = Kind::all();
    kinds.iter().for_each(|kind| kind.make(&place));
    fs::write(place.path("notes/all.rag.yaml"), "").unwrap();
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    everything(place.folder.path(), &mut before);

    let numbers: Vec<usize> = (0..kinds.len()).collect();
    let manifests = (
        proptest::sample::subsequence(numbers, 1..6).prop_shuffle(),
        proptest::collection::vec(any::<bool>(), 6),
        proptest::option::of(proptest::sample::select(&Sensitivity::ALL[..])),
        proptest::option::of(0..6_usize),
        any::<bool>(),
    );
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(1_000));
    let check = |(listed, by_name, stated, absent, report): (
        Vec<usize>,
        Vec<bool>,
        Option<Sensitivity>,
        Option<usize>,
        bool,
    )| {
        let references: Vec<(&Kind, String)> = listed
            .iter()
            .zip(by_name)
            .map(|(number, by_name)| (&kinds[*number], kinds[*number].reference(by_name)))
            .collect();
        let mut lines: Vec<&str> = references.iter().map(|(_, reference)| reference.as_str()).collect();
        if let Some(at) = absent {
            lines.insert(at.min(lines.len()), "gone");
        }
        let level = stated.map_or_else(String::new, |level| format!("clearance: {level}\n"));
        let missing = if report { Missing::Report } else { Missing::Refuse };

        let result = place.compose_with(&format!("{level}wikis: [{}]", lines.join(", ")), missing);

        let clearance = stated.unwrap_or(Sensitivity::Internal);
        let refused = references.iter().any(|(kind, _)| kind.is_above(clearance));
        match result {
            Ok(composed) => {
                prop_assert!(!refused && (absent.is_none() || report));
                prop_assert_eq!(composed.wikis.len(), references.len());
                prop_assert_eq!(composed.missing.len(), usize::from(absent.is_some()));
            }
            Err(error) if refused => {
                prop_assert_eq!(error.kind(), ErrorKind::Refused);
                let told = error.to_string();
                prop_assert!(!told.contains("TITLE") && !told.contains("docs"), "{}", told);
                for (kind, reference) in &references {
                    // Named exactly where it is above, and only as it was written.
                    prop_assert_eq!(told.contains(&format!("`{reference}`")), kind.is_above(clearance), "{}", told);
                    let other = kind.reference(reference.contains("FOLDER"));
                    prop_assert!(reference.contains(&other) || !told.contains(&other), "{}", told);
                }
                for level in Sensitivity::ALL.into_iter().filter(|level| *level != clearance) {
                    prop_assert!(!told.contains(level.as_str()), "{}", told);
                }
            }
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::NotFound);
                prop_assert!(absent.is_some() && !report);
            }
        }
        Ok(())
    };
    runner.run(&manifests, check).unwrap();

    fs::write(place.path("notes/all.rag.yaml"), "").unwrap();
    everything(place.folder.path(), &mut after);
    assert_eq!(before, after);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_a_reference(reference in "(\\.|/|~|[a-z*]|\\PC){0,20}") {
        let place = Place::new();
        let _ = place.find(&reference);
    }

    #[test]
    fn what_is_written_is_read_back(name in "[^/\\\\:*?\"<>|\\p{Cc}]{1,20}", tags in proptest::collection::vec("\\PC{1,12}", 0..3)) {
        prop_assume!(WikiName::new(&name).is_ok() && tags.iter().all(|tag| !tag.trim().is_empty()));
        let place = Place::new();
        let source = place.wiki(&format!("docs/{}", name.trim()), "");
        let new = NewWiki { name: WikiName::new(&name).unwrap(), source: &source, kind: WikiKind::Skills, tags: &tags, sensitivity: None };
        let made = register(&place.settings, &new).unwrap();
        prop_assert_eq!(&made.manifest.name, &new.name);
        prop_assert_eq!(&made.root, &source);
        prop_assert!(tags.iter().all(|tag| made.manifest.tags.iter().any(|known| known == tag.trim())));
    }
}
