//! The licences of all that is in a binary.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cargo_metadata::{MetadataCommand, Package};

use super::specification::Specification;
use crate::model;
use crate::tool::{Result, Tool, root};

/// What files with licences are called.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];

/// Copies the licence files of every crate in the binary into `to`, and writes a list of all that is in
/// the archive with its terms.
pub(super) fn collect(specification: &Specification, to: &Path) -> Result<()> {
    let tree = Tool::cargo("tree --package wikirag-cli --edges normal --prefix none --no-default-features --features")
        .args([specification.features.join(",")])
        .args(["--format", "{p}"])
        .quiet_output()?;
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).exec()?;
    let by_name: BTreeMap<String, &Package> =
        metadata.packages.iter().map(|package| (format!("{} v{}", package.name, package.version), package)).collect();
    let mut list = String::from("What is in this binary, and its terms.\n\n");
    let mut crates: Vec<&str> = tree.lines().filter_map(|line| line.split(" (").next()).map(str::trim).collect();
    crates.sort_unstable();
    crates.dedup();
    for name in crates.into_iter().filter(|name| !name.is_empty()) {
        let package = by_name.get(name).ok_or_else(|| format!("`{name}` is in the tree and not in the metadata"))?;
        let terms = package.license.clone().unwrap_or_else(|| "see its files".to_owned());
        list.push_str(&format!("{name}: {terms}\n"));
        // Ours lie at the top.
        if package.source.is_some() {
            copy_of(package, &to.join(format!("{}-{}", package.name, package.version)))?;
        }
    }
    if let Some(model) = &specification.model {
        list.push_str(&model::terms(model)?);
    }
    fs::create_dir_all(to)?;
    fs::write(to.join("TERMS.txt"), list)?;
    Ok(())
}

fn copy_of(package: &Package, to: &Path) -> Result<()> {
    let Some(folder) = package.manifest_path.parent() else { return Ok(()) };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if entry.file_type()?.is_file() && NAMES.iter().any(|known| name.starts_with(known)) {
            fs::create_dir_all(to)?;
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
