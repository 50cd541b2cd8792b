//! A small workspace in which every rule holds, to be spoilt by tests.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Dependency, File, Package, Tree};

const MANIFEST: &str = "
[workspace.dependencies]
serde = { version = '1', default-features = false }
wikirag-rrf = { path = 'plugins/rrf' }
";

const MEMBER: &str = "
[lints]
workspace = true

[dependencies]
serde.workspace = true
";

const PLUGIN: &str = "//! Fuses.
pub const PLUGIN: Plugin = Plugin {
    name: \"rrf\",
    provides: &[Capability::Fuser { make }],
};
";

impl Tree {
    pub(crate) fn sample() -> Self {
        Self {
            packages: vec![
                package("wikirag", "crates/wikirag", &["wikirag-engine", "wikirag-rrf"], Some("dep:wikirag-rrf")),
                package("wikirag-cli", "crates/wikirag-cli", &["wikirag"], Some("wikirag/rrf")),
                package("wikirag-core", "crates/wikirag-core", &["serde"], None),
                package("wikirag-engine", "crates/wikirag-engine", &["wikirag-core", "wikirag-sqlite"], None),
                package("wikirag-sqlite", "crates/wikirag-sqlite", &["wikirag-core", "rusqlite"], None),
                package("wikirag-rrf", "plugins/rrf", &["wikirag-core"], None),
            ],
            files: vec![
                file("ARCHITECTURE.md", "# Architecture\n\n## Dependencies\n\n`serde`\n"),
                file("crates/wikirag/src/lib.rs", "//! The facade.\nuse wikirag_rrf as _;\n"),
                file("crates/wikirag-cli/src/lib.rs", "//! The program.\n"),
                file("crates/wikirag-core/src/lib.rs", "//! The words.\n"),
                file("crates/wikirag-engine/src/lib.rs", "//! The engine.\n"),
                file("crates/wikirag-sqlite/src/lib.rs", "//! The catalog.\n"),
                file("crates/wikirag-testkit/src/fuser.rs", "macro_rules! fuser_suite {\n    () => {};\n}\n"),
                file("plugins/rrf/src/lib.rs", PLUGIN),
                file("plugins/rrf/tests/conformance.rs", "//! Promises.\nwikirag_testkit::fuser_suite!(rrf);\n"),
            ],
            manifest: MANIFEST.parse().unwrap(),
            with_defaults: BTreeSet::from(["serde".to_owned()]),
        }
    }

    /// The package `name`, to be spoilt.
    pub(crate) fn package_mut(&mut self, name: &str) -> &mut Package {
        self.packages.iter_mut().find(|package| package.name == name).unwrap()
    }

    /// Adds a dependency to the package `name`.
    pub(crate) fn depend(&mut self, name: &str, on: &str, dev: bool) {
        self.package_mut(name).dependencies.push(Dependency { name: on.into(), dev });
    }

    /// Writes a file, over an older one of that path.
    pub(crate) fn write(&mut self, path: &str, text: &str) {
        self.files.retain(|file| file.path != path);
        self.files.push(file(path, text));
    }
}

/// A package; `rrf` is what its feature `rrf`, on by default, brings.
fn package(name: &str, folder: &str, uses: &[&str], rrf: Option<&str>) -> Package {
    let mut features = BTreeMap::new();
    if let Some(brings) = rrf {
        features.insert("default".to_owned(), vec!["rrf".to_owned()]);
        features.insert("rrf".to_owned(), vec![brings.to_owned()]);
    }
    Package {
        name: name.into(),
        folder: folder.into(),
        dependencies: uses.iter().map(|name| Dependency { name: (*name).into(), dev: false }).collect(),
        features,
        entries: vec![format!("{folder}/src/lib.rs")],
        description: Some("A crate".into()),
        license: Some("MIT OR Apache-2.0".into()),
        manifest: MEMBER.parse().unwrap(),
    }
}

fn file(path: &str, text: &str) -> File {
    File { path: path.into(), text: text.into() }
}
