use std::fs;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn load(text: &str) -> Result<RagManifest> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Food.rag.yaml");
    fs::write(&path, text).unwrap();
    RagManifest::load(&path)
}

fn error(text: &str) -> Error {
    let error = load(text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{text}");
    assert!(error.context("path").is_some(), "{error}");
    error
}

#[test]
fn a_list_of_wikis_is_enough() {
    let rag = load("wikis: [food, ../wine]").unwrap();
    assert_eq!((rag.name.as_str(), rag.clearance, rag.route), ("Food", Sensitivity::Internal, Route::Auto));
    let entries: Vec<_> = rag.wikis.iter().map(|entry| (entry.reference.as_str(), entry.weight)).collect();
    assert_eq!(entries, [("food", 1.0), ("../wine", 1.0)]);
    assert_eq!((rag.fuse, rag.rerank, rag.limit), (None, None, None));
}

#[test]
fn every_key_is_read() {
    let rag = load(
        "name: all\nclearance: public\nwikis:\n- food\n- wiki: wine\n  weight: 0.5\nroute: top:3\n\
         fuse: {normalise: max}\nrerank: {name: cross, depth: 50}\nlimit: 7\nper_document: 3\n",
    )
    .unwrap();
    assert_eq!((rag.name.as_str(), rag.clearance, rag.route), ("all", Sensitivity::Public, Route::Top(3)));
    assert_eq!(rag.wikis[1], RagEntry { reference: "wine".into(), weight: 0.5 });
    let fuse = rag.fuse.unwrap();
    assert_eq!((fuse.name.as_str(), fuse.settings.value()), ("combsum", &json!({"normalise": "max"})));
    let rerank = rag.rerank.unwrap();
    assert_eq!(rerank.len(), 1);
    assert_eq!((rerank[0].name.as_str(), rerank[0].settings.value()), ("cross", &json!({"depth": 50})));
    assert_eq!((rag.limit, rag.per_document), (Some(7), Some(3)));
    for (text, route) in [("all", Route::All), ("top 2", Route::Top(2)), ("{top: 2}", Route::Top(2))] {
        assert_eq!(load(&format!("wikis: [a]\nroute: {text}")).unwrap().route, route);
    }
}

#[test]
fn stages_of_reranking_stand_alone_or_in_a_list() {
    let names = |text: &str| {
        let rag = load(&format!("wikis: [a]\n{text}")).unwrap();
        rag.rerank.map(|stages| stages.into_iter().map(|stage| stage.name).collect::<Vec<_>>())
    };
    assert_eq!(names(""), None);
    assert_eq!(names("rerank: none"), Some(Vec::new()));
    assert_eq!(names("rerank: []"), Some(Vec::new()));
    assert_eq!(names("rerank: trust"), Some(vec!["trust".to_owned()]));
    assert_eq!(names("rerank: [{name: cross, depth: 50}, trust]"), Some(vec!["cross".to_owned(), "trust".to_owned()]));
    assert_eq!(names("rerank:\n- trust\n- name: cross\n"), Some(vec!["trust".to_owned(), "cross".to_owned()]));
}

#[test]
fn faults_name_the_line_and_the_remedy() {
    let error = error("wikis: [a]\nclearence: public");
    assert_eq!((error.context("line"), error.remedy()), (Some("2"), Some("did you mean `clearance`?")));
    let error = load("wikis:\n- a\n- wiki: b\n  wieght: 2\n").unwrap_err();
    assert_eq!((error.context("line"), error.remedy()), (Some("4"), Some("did you mean `weight`?")));
    let error = load("wikis: [a]\nroute: top:0").unwrap_err();
    assert!(error.message().contains("top:N") && error.context("line") == Some("2"), "{error}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for text in [
        "",
        "name: a",
        "wikis: []",
        "wikis:",
        "wikis: food",
        "wikis: ['']",
        "wikis: [2024]",
        "wikis: [{weight: 1}]",
        "wikis: [{wiki: a, weight: 0}]",
        "wikis: [{wiki: a, weight: -1}]",
        "wikis: [{wiki: a, weight: .nan}]",
        "wikis: [{wiki: a, weight: .inf}]",
        "wikis: [{wiki: a, weight: 1e999}]",
        "wikis: [a]\nclearance: secret",
        "wikis: [a]\nclearance:",
        "wikis: [a]\nclearance: ''",
        "wikis: [a]\nclearance: public\nclearance: restricted",
        "wikis: [a]\nlimit: 0",
        "wikis: [a]\nlimit: -1",
        "wikis: [a]\nroute: best",
        "wikis: [a]\nroute: top",
        "wikis: [a]\nroute: top -1",
        "wikis: [a]\nroute: {top: 0}",
        "wikis: [a]\nroute: {topp: 1}",
        "wikis: [a]\nroute: topaz",
        "wikis: [a]\nrerank: {depth: 1}",
        "wikis: [a]\nrerank: [trust, {depth: 1}]",
        "wikis: [a]\nrerank: [trust, none]",
        "wikis: [a]\nrerank: [[trust]]",
        "wikis: [a]\nrerank: ['']",
        "wikis: [a]\nper_document: 0",
        "wikis: [a]\nfuse: {name: ''}",
        "wikis: [a]\nname: ''",
    ] {
        error(text);
    }
    let path = tempfile::tempdir().unwrap().path().join("x.rag.yaml");
    assert_eq!(RagManifest::load(&path).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn composition_files_are_told_by_their_names() {
    assert!(is_rag_path(Path::new("a/b.rag.yaml")) && is_rag_path(Path::new("B.RAG.YML")));
    assert!(!is_rag_path(Path::new("b.yaml")) && !is_rag_path(Path::new("rag.yaml")) && !is_rag_path(Path::new("/")));
    assert_eq!(stem(Path::new("a/İ.Rag.Yaml")).as_deref(), Some("İ"));
}

proptest! {
    #[test]
    fn no_composition_panics(text in "(wikis|wiki|weight|route|fuse|top|[a-z]{1,8}|[\\[\\]{}:,&*!|>'\"# \n-]|\\PC){0,40}") {
        let _ = load(&text);
    }
}
