//! Who may depend on whom.

use super::Finding;
use super::tree::{Package, Tree};

/// Crates of ours that a crate may use; `plugins/*` stands for every plugin.
struct Layer {
    name: &'static str,
    uses: &'static [&'static str],
    /// In tests, beside those.
    uses_in_tests: &'static [&'static str],
}

const LAYERS: &[Layer] = &[
    Layer { name: "wikirag-core", uses: &[], uses_in_tests: &[] },
    Layer { name: "wikirag-text", uses: &[], uses_in_tests: &[] },
    Layer { name: "wikirag-sqlite", uses: &["wikirag-core"], uses_in_tests: &["wikirag-testkit"] },
    Layer { name: "wikirag-models", uses: &["wikirag-core"], uses_in_tests: &[] },
    Layer { name: "wikirag-vault", uses: &["wikirag-core", "wikirag-text"], uses_in_tests: &[] },
    Layer { name: "wikirag-remote", uses: &["wikirag-core"], uses_in_tests: &[] },
    Layer { name: "wikirag-testkit", uses: &["wikirag-core"], uses_in_tests: &[] },
    // A plugin never uses another one, not even in tests: it asks the registry.
    Layer {
        name: "plugins/*",
        uses: &["wikirag-core", "wikirag-text", "wikirag-vault", "wikirag-sqlite", "wikirag-models", "wikirag-remote"],
        uses_in_tests: &["wikirag-testkit"],
    },
    Layer {
        name: "wikirag-engine",
        uses: &["wikirag-core", "wikirag-text", "wikirag-vault", "wikirag-sqlite"],
        uses_in_tests: &["wikirag-testkit", "plugins/*"],
    },
    Layer { name: "wikirag-taps", uses: &["wikirag-core", "wikirag-engine"], uses_in_tests: &[] },
    Layer {
        name: "wikirag-server",
        uses: &["wikirag-core", "wikirag-engine", "wikirag-taps"],
        uses_in_tests: &["wikirag-testkit", "plugins/*"],
    },
    Layer {
        name: "wikirag",
        uses: &["wikirag-core", "wikirag-engine", "wikirag-models", "plugins/*"],
        uses_in_tests: &["wikirag-testkit"],
    },
    Layer { name: "wikirag-cli", uses: &["wikirag", "wikirag-server", "wikirag-taps"], uses_in_tests: &[] },
    Layer {
        name: "wikirag-tests",
        uses: &["wikirag", "wikirag-cli"],
        uses_in_tests: &["wikirag-testkit", "wikirag-text"],
    },
    Layer {
        name: "wikirag-bench",
        uses: &["wikirag", "wikirag-sqlite", "wikirag-text", "wikirag-vault"],
        uses_in_tests: &[],
    },
    Layer { name: "out-of-tree-plugin", uses: &["wikirag-core", "wikirag-cli"], uses_in_tests: &["wikirag-testkit"] },
    Layer { name: "xtask", uses: &[], uses_in_tests: &[] },
];

/// Libraries that few crates hide from all others.
const HOMES: &[(&str, &[&str])] = &[
    ("rusqlite", &["wikirag-sqlite"]),
    ("libsqlite3-sys", &["wikirag-sqlite"]),
    ("sqlite-vec", &["wikirag-sqlite"]),
    ("tantivy", &["wikirag-bm25"]),
    ("ort", &["wikirag-onnx"]),
    ("tokenizers", &["wikirag-onnx", "wikirag-tokenizer"]),
];

/// The package that measures libraries against each other and may use any of them.
const MEASURES: &str = "wikirag-bench";

pub(super) fn arrows(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &tree.packages {
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == place_of(package)) else {
            let what = format!("`{}` has no place among the layers", package.name);
            findings.push(Finding::new(&package.folder, what, "give it one in `LAYERS` of xtask/src/tidy/layers.rs"));
            continue;
        };
        for dependency in &package.dependencies {
            let Some(target) = tree.package(&dependency.name) else { continue };
            let allowed = |uses: &[&str]| uses.contains(&place_of(target));
            if allowed(layer.uses) || dependency.dev && allowed(layer.uses_in_tests) {
                continue;
            }
            let may = if layer.uses.is_empty() { "no crate of ours".into() } else { layer.uses.join(", ") };
            findings.push(Finding::new(
                package.manifest_path(),
                format!("`{}` must not depend on `{}`", package.name, dependency.name),
                format!("it may use {may}; move what both need down to one of these, or ask the registry for it"),
            ));
        }
    }
    findings
}

/// The name under which a package stands in [`LAYERS`].
fn place_of(package: &Package) -> &str {
    if package.plugin().is_some() { "plugins/*" } else { &package.name }
}

pub(super) fn homes(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in tree.packages.iter().filter(|package| package.name != MEASURES) {
        for dependency in &package.dependencies {
            let home = HOMES.iter().find(|(library, _)| *library == dependency.name);
            if let Some((library, homes)) = home.filter(|(_, homes)| !homes.contains(&package.name.as_str())) {
                let homes = homes.join("`, `");
                let what = format!("`{}` uses `{library}` past `{homes}`", package.name);
                let mend = format!("add what is missing to `{homes}` and call that");
                findings.push(Finding::new(package.manifest_path(), what, mend));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_upwards_is_found() {
        for (from, to) in [
            ("wikirag-core", "wikirag-engine"),
            ("wikirag-engine", "wikirag"),
            ("wikirag-engine", "wikirag-rrf"),
            ("wikirag-rrf", "wikirag-engine"),
            ("wikirag-cli", "wikirag-engine"),
            ("wikirag-cli", "wikirag-rrf"),
        ] {
            let mut tree = Tree::sample();
            tree.depend(from, to, false);
            let findings = arrows(&tree);
            assert_eq!(findings.len(), 1, "{from} -> {to}");
            assert!(findings[0].what.contains(to), "{findings:?}");
        }
    }

    #[test]
    fn only_tests_of_the_engine_use_plugins() {
        let mut tree = Tree::sample();
        tree.depend("wikirag-engine", "wikirag-rrf", true);
        assert_eq!(arrows(&tree), []);

        let mut other = tree.package("wikirag-rrf").unwrap().clone();
        other.name = "wikirag-bm25".into();
        other.folder = "plugins/bm25".into();
        tree.packages.push(other);
        tree.depend("wikirag-bm25", "wikirag-rrf", true);
        assert_eq!(arrows(&tree).len(), 1);
    }

    #[test]
    fn an_unknown_crate_is_found() {
        let mut tree = Tree::sample();
        tree.package_mut("wikirag-cli").name = "wikirag-extra".into();
        assert!(arrows(&tree)[0].what.contains("`wikirag-extra` has no place"));
    }

    #[test]
    fn a_library_away_from_home_is_found() {
        let mut tree = Tree::sample();
        tree.depend("wikirag-engine", "rusqlite", false);
        tree.depend("wikirag-core", "tantivy", true);
        let findings = homes(&tree);
        assert_eq!(findings.len(), 2);
        assert_eq!(findings[1].place, "crates/wikirag-engine/Cargo.toml");
    }
}
