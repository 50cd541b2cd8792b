use std::fs;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn load(text: &str) -> Result<WikiManifest> {
    let folder = tempfile::Builder::new().prefix("food").tempdir().unwrap();
    fs::write(folder.path().join(FILE_NAME), text).unwrap();
    WikiManifest::load(folder.path())
}

fn error(text: &str) -> Error {
    let error = load(text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{text}");
    assert!(error.context("path").is_some(), "{error}");
    error
}

#[test]
fn a_folder_without_a_manifest_is_a_wiki_all_the_same() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("Food notes");
    fs::create_dir(&folder).unwrap();
    let manifest = WikiManifest::load(&folder).unwrap();
    assert_eq!((manifest.name.as_str(), manifest.title.as_str()), ("Food notes", "Food notes"));
    assert_eq!((manifest.sensitivity, manifest.language), (Sensitivity::Internal, None));
    assert_eq!((manifest.path, manifest.layers, manifest.kind), (None, Layers::Auto, WikiKind::Notes));
    assert!(manifest.meta.matches("a/_index.md") && manifest.include.is_empty() && manifest.exclude.is_empty());
    fs::write(folder.join(FILE_NAME), "# nothing but a comment\n").unwrap();
    let manifest = WikiManifest::load(&folder).unwrap();
    assert_eq!((manifest.name.as_str(), manifest.path), ("Food notes", Some(folder.join(FILE_NAME))));
}

#[test]
fn every_key_is_read() {
    let manifest = load(
        "name: food\ntitle: Food\nkind: skills\ntags: [a, b, a]\nsensitivity: confidential\nlanguage: de\ninclude: ['*.md']\n\
         exclude: drafts/\nmeta: []\nindex_pages: content\nlayers: [bm25]\n\
         chunker: {name: words, max: 9, min: 1}\n\
         roles:\n- paths: [log/**]\n  role: raw\n  chunker: {max: 3}\n- paths: '*.txt'\n  role: curated\n  chunker: other\n",
    )
    .unwrap();
    assert_eq!((manifest.name.as_str(), manifest.title.as_str()), ("food", "Food"));
    assert_eq!((manifest.kind, manifest.tags.as_slice()), (WikiKind::Skills, &["a".to_owned(), "b".to_owned()][..]));
    assert_eq!((manifest.sensitivity, manifest.index_pages), (Sensitivity::Confidential, IndexPages::Content));
    assert_eq!(manifest.language.map(Language::code), Some("deu"));
    assert_eq!(manifest.layers, Layers::Named(vec!["bm25".into()]));
    assert!(manifest.includes("a/b.md") && !manifest.includes("b.txt") && !manifest.includes("drafts/b.md"));
    assert!(manifest.meta.is_empty());
    let (role, chunker) = manifest.role_of("log/a/b.txt");
    assert_eq!((role, chunker.name.as_str()), (Role::Raw, "words"));
    assert_eq!(*chunker.settings.value(), json!({"max": 3, "min": 1}));
    assert!(chunker.settings.origin().ends_with(".wiki.yaml: roles[0].chunker"), "{chunker:?}");
    let (role, chunker) = manifest.role_of("b.txt");
    assert_eq!((role, chunker.name.as_str()), (Role::Curated, "other"));
    assert_eq!(*chunker.settings.value(), json!({}));
    assert_eq!(*manifest.role_of("b.md").1.settings.value(), json!({"max": 9, "min": 1}));
}

#[test]
fn what_lint_demands_is_read() {
    let lint = load("lint:\n  weights: {orphan: 0, secret: 99.5}\n  require: [title, status]\n  off: personal\n")
        .unwrap()
        .lint;
    assert_eq!((lint.weights.get("orphan"), lint.weights.get("secret")), (Some(&0.0), Some(&99.5)));
    assert_eq!(
        (lint.require.as_slice(), lint.off.as_slice()),
        (&["title".to_owned(), "status".to_owned()][..], &["personal"][..])
    );
    assert_eq!(load("name: a\n").unwrap().lint, crate::manifest::LintManifest::default());
    for (text, remedy) in [
        ("lint: {weights: {orphn: 1}}", "did you mean `orphan`?"),
        ("lint: {weights: {orphan: 101}}", "give a number from 0 to 100"),
        ("lint: {weights: {orphan: -1}}", "give a number from 0 to 100"),
        ("lint: {weights: {orphan: .nan}}", "give a number from 0 to 100"),
        ("lint: {off: [secrets]}", "did you mean `secret`?"),
        ("lint: {wieghts: {}}", "did you mean `weights`?"),
    ] {
        assert_eq!(error(text).remedy(), Some(remedy), "{text}");
    }
    assert!(error("lint: {require: ['']}").message().contains("`lint.require`"));
}

#[test]
fn an_unknown_key_is_named_with_line_and_suggestion() {
    let error = error("name: food\ntitel: x\n");
    assert!(error.message().contains("`titel`"), "{error}");
    assert_eq!((error.context("line"), error.remedy()), (Some("2"), Some("did you mean `title`?")));
    let error = load("roles:\n- paths: a\n  rolle: raw\n").unwrap_err();
    assert_eq!((error.context("line"), error.remedy()), (Some("3"), Some("did you mean `role`?")));
}

#[test]
fn a_sensitivity_is_one_of_four_or_the_manifest_is_refused() {
    for (text, near) in [("secret", false), ("Confidential", true), ("publik", true), ("'public '", true), ("7", false)]
    {
        let error = error(&format!("name: a\nsensitivity: {text}\n"));
        for level in Sensitivity::ALL {
            assert!(error.to_string().contains(level.as_str()), "{error}");
        }
        assert_eq!(error.context("line"), Some("2"));
        assert_eq!(error.remedy().is_some(), near, "{error}");
    }
    for text in ["", "~", "null", "''", "[public]", "[]", "true", "{}"] {
        error(&format!("sensitivity: {text}\n"));
    }
    error("sensitivity: restricted\nsensitivity: public\n");
}

#[test]
fn a_kind_that_is_not_known_is_refused_with_its_line() {
    let error = error("name: a\nkind: skill\n");
    assert!(error.message().contains("notes, skills"), "{error}");
    assert_eq!((error.context("line"), error.remedy()), (Some("2"), Some("did you mean `skills`?")));
}

#[test]
fn values_that_say_nothing_or_too_much_are_refused() {
    for text in [
        "name: a/b",
        "name: ..",
        "name: ''",
        "language: klingon",
        "layers: []",
        "layers: [auto, bm25]",
        "layers: ['']",
        "tags: ['']",
        "tags: {a: b}",
        "exclude: ['[']",
        "include: [../x]",
        "chunker: {name: 7}",
        "chunker: [a]",
        "chunker: ''",
        "roles: [{paths: [], role: raw}]",
        "roles: [{paths: a}]",
        "roles: [{paths: a, role: cooked}]",
        "index_pages: maybe",
        "source: relative/path",
        "- a list",
        "just a word",
        "name: [",
        "name: a\n\tb: c",
        "name: a\n---\nname: b",
    ] {
        error(text);
    }
}

#[test]
fn nothing_in_a_manifest_is_expanded_or_run() {
    let manifest = load("name: $HOME\ntitle: ${HOME} `id` $(id) ~\ntags: ['~', '!include x']\n").unwrap();
    assert_eq!((manifest.name.as_str(), manifest.title.as_str()), ("$HOME", "${HOME} `id` $(id) ~"));
    assert_eq!(manifest.tags, ["~", "!include x"]);
}

#[test]
fn a_manifest_that_would_cost_much_is_refused() {
    let mut bomb = "chunker:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let below = format!("*a{}", level - 1);
        bomb.push_str(&format!("  a{level}: &a{level} [{}]\n", [below.as_str(); 10].join(", ")));
    }
    error(&bomb);
    error(&format!("tags: {}", "[".repeat(100_000)));
    error(&format!("{}: 1", "k".repeat(500_000)));
    let error = error(&"#".repeat(2 << 20));
    assert!(error.message().contains("1 MiB"), "{error}");
    assert!(load(&"{a: 1}\n".repeat(10)).unwrap_err().to_string().len() < 1_000);
}

proptest! {
    #[test]
    fn no_manifest_panics(text in "(name|tags|layers|roles|chunker|sensitivity|[a-z]{1,8}|[\\[\\]{}:,&*!|>'\"# \n-]|\\PC){0,40}") {
        let _ = load(&text);
    }
}
