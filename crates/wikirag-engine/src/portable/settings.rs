//! What of a manifest goes along with an archive: how documents are chosen and read, so that whoever has them finds them unchanged.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use wikirag_core::{Result, Sensitivity, WikiName};

use super::head::invalid;
use crate::locate::LocatedWiki;
use crate::manifest::yaml::quoted;
use crate::manifest::{WikiManifest, text_file, wiki, yaml};

/// Keys that say what a wiki is on one machine: they are written by the import, and no archive may bring them.
const OWN: [&str; 4] = ["name", "sensitivity", "source", "documents"];

/// By key, so that neither order nor comments of the files are in what is carried.
type Keys = BTreeMap<String, Value>;

/// The keys of the manifests of a wiki that go along, one a line.
pub(super) fn carried(wiki: &LocatedWiki) -> Result<String> {
    const OPERATION: &str = "read wiki manifest";
    let mut keys = Keys::new();
    // What a wiki made by name says itself wins over what stands beside its documents.
    for folder in [&wiki.root, &wiki.manifest.root] {
        let path = folder.join(wiki::FILE_NAME);
        if let Some(text) = text_file::read(&path, OPERATION)? {
            keys.extend(yaml::parse::<Keys>(&text, &path, OPERATION)?);
        }
    }
    // A key without a value is one that was not given.
    keys.retain(|key, value| !OWN.contains(&key.as_str()) && !value.is_null());
    Ok(keys.iter().map(|(key, value)| format!("{key}: {}\n", flow(value))).collect())
}

/// A value as YAML in one line.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(values) => format!("[{}]", values.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(values) => {
            let pairs: Vec<String> =
                values.iter().map(|(key, value)| format!("{}: {}", quoted(key), flow(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        plain => plain.to_string(),
    }
}

/// Looks whether what an archive carries is what [`carried`] gives.
pub(super) fn check(text: &str) -> Result<()> {
    let named = |error: wikirag_core::Error| invalid(format!("its manifest: {}", error.message()));
    let keys: Keys = yaml::parse(text, Path::new(wiki::FILE_NAME), "read archive").map_err(named)?;
    if let Some(key) = keys.keys().find(|key| OWN.contains(&key.as_str())) {
        return Err(invalid(format!("its manifest gives `{key}`")));
    }
    // The name is that of the folder where none is given, and any will do here.
    WikiManifest::from_text(text, Path::new("/wiki")).map(|_| ()).map_err(named)
}

/// The manifest of an imported wiki.
pub(super) fn manifest(name: &WikiName, sensitivity: Sensitivity, has_documents: bool, carried: &str) -> String {
    let documents = if has_documents { "" } else { "documents: absent\n" };
    format!("name: {}\nsensitivity: {sensitivity}\n{documents}{carried}", quoted(name.as_str()))
}
