//! What a binary is to hold: the files of `xtask/dist`.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::tool::Result;

/// One binary and its archive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Specification {
    /// Of the archive.
    pub(crate) name: String,
    /// One line for people.
    pub(crate) summary: String,
    /// Of the package `wikirag-cli`; all others are off.
    pub(crate) features: Vec<String>,
    /// What the finished binary must list, no more and no less.
    pub(crate) plugins: Vec<String>,
    /// Crates whose build may run a C compiler, no more and no less.
    pub(crate) native: Vec<String>,
    /// Recipe of the model that lies beside the binary, with the library that runs it.
    pub(crate) model: Option<String>,
    /// Layers by which the unpacked archive must answer.
    pub(crate) served_by: Vec<String>,
    /// The most that the archive may weigh, in MiB.
    pub(crate) most_mb: u64,
}

impl Specification {
    /// All of a folder, by name.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = fs::read_to_string(&path)?;
                let one: Self = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
                all.push(one);
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::root;

    #[test]
    fn the_specifications_can_be_read() {
        let all = Specification::all(&root().join(super::super::SPECIFICATIONS)).unwrap();
        let lite = all.iter().find(|one| one.name == "wikirag-lite").unwrap();
        assert_eq!(lite.native, ["libsqlite3-sys"]);
        assert!(lite.model.is_none() && all.iter().any(|one| one.model.is_some()));
    }
}
