//! The page `docs/manifests.md` says what the code does.

use std::fs;

use super::wiki::FILE_NAME;
use super::{RagManifest, WikiManifest, yaml};
use crate::settings::{LoadOptions, Settings};

const PAGE: &str = include_str!("../../../../docs/manifests.md");

fn section(title: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("## `{title}`\n")).unwrap();
    rest.split("\n## ").next().unwrap()
}

fn block(section: &str, language: &str) -> String {
    let (_, rest) = section.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

fn keys(section: &'static str) -> Vec<&'static str> {
    section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// The keys that the code lists when it is given one that does not exist.
fn known<T: serde::de::DeserializeOwned + std::fmt::Debug>() -> Vec<String> {
    let error = yaml::parse::<T>("zzzzzzzzzz: 1", "x".as_ref(), "read").unwrap_err();
    let list = error.remedy().unwrap().strip_prefix("the keys are: ").unwrap();
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn every_key_is_on_the_page() {
    assert_eq!(keys(section(FILE_NAME)), known::<super::wiki::WikiFile>());
    assert_eq!(keys(section("*.rag.yaml")), known::<super::rag::RagFile>());
    let settings = Settings::load(&LoadOptions::new("/")).unwrap();
    let known = settings.origins().iter().map(|setting| setting.key.as_str()).chain(["plugins.NAME"]);
    assert_eq!(keys(section("wikirag.toml")), known.collect::<Vec<_>>());
}

#[test]
fn the_examples_of_the_page_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path(FILE_NAME), block(section(FILE_NAME), "yaml")).unwrap();
    assert_eq!(WikiManifest::load(folder.path()).unwrap().name.as_str(), "food");
    fs::write(path("all.rag.yaml"), block(section("*.rag.yaml"), "yaml")).unwrap();
    assert_eq!(RagManifest::load(&path("all.rag.yaml")).unwrap().wikis.len(), 3);
    fs::write(path("wikirag.toml"), block(section("wikirag.toml"), "toml")).unwrap();
    let options = LoadOptions { home: Some("/home".into()), ..LoadOptions::new(folder.path()) };
    assert_eq!(Settings::load(&options).unwrap().limit, 20);
}
