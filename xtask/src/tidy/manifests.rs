//! What must stand in each `Cargo.toml`.

use toml::{Table, Value};

use super::Finding;
use super::tree::Tree;

const DEPENDENCY_TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

pub(super) fn package_fields(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &tree.packages {
        let is_blank = |field: &Option<String>| field.as_deref().is_none_or(|text| text.trim().is_empty());
        if is_blank(&package.description) {
            let mend = "write `description = \"..\"`, one line";
            findings.push(Finding::new(package.manifest_path(), "the crate does not say what it is", mend));
        }
        if is_blank(&package.license) {
            let mend = "write `license.workspace = true`";
            findings.push(Finding::new(package.manifest_path(), "the crate has no licence", mend));
        }
    }
    findings
}

pub(super) fn lints(tree: &Tree) -> Vec<Finding> {
    let inherits = |manifest: &Table| says(manifest.get("lints"), "workspace", true);
    let lax = tree.packages.iter().filter(|package| !inherits(&package.manifest));
    lax.map(|package| {
        let mend = "write `[lints]` with `workspace = true`";
        Finding::new(package.manifest_path(), "the crate does not obey the lints of the workspace", mend)
    })
    .collect()
}

pub(super) fn inherited(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &tree.packages {
        for (name, dependency) in dependencies(&package.manifest) {
            if !says(Some(dependency), "workspace", true) {
                let what = format!("the version of `{name}` stands here");
                let mend = "move it to [workspace.dependencies] of the root and write `workspace = true` here";
                findings.push(Finding::new(package.manifest_path(), what, mend));
            }
        }
    }
    findings
}

pub(super) fn default_features(tree: &Tree) -> Vec<Finding> {
    let table = tree.manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let mut findings = Vec::new();
    for (key, dependency) in table.and_then(Value::as_table).into_iter().flatten() {
        let name = dependency.get("package").and_then(Value::as_str).unwrap_or(key);
        if tree.with_defaults.contains(name) && !says(Some(dependency), "default-features", false) {
            let mend = "write `default-features = false` and list the features that are needed";
            findings.push(Finding::new("Cargo.toml", format!("`{key}` comes with its default features"), mend));
        }
    }
    findings
}

/// Every dependency of a manifest, those of single targets included.
fn dependencies(manifest: &Table) -> Vec<(&str, &Value)> {
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let targets = targets.filter_map(|(_, target)| target.as_table());
    std::iter::once(manifest)
        .chain(targets)
        .flat_map(|table| DEPENDENCY_TABLES.iter().filter_map(|key| table.get(*key)))
        .filter_map(Value::as_table)
        .flat_map(|table| table.iter().map(|(name, value)| (name.as_str(), value)))
        .collect()
}

fn says(value: Option<&Value>, key: &str, wanted: bool) -> bool {
    value.and_then(|value| value.get(key)).and_then(Value::as_bool) == Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_says_nothing_of_itself_is_found() {
        let mut tree = Tree::sample();
        tree.package_mut("wikirag-core").description = Some(" ".into());
        tree.package_mut("wikirag-core").license = None;
        assert_eq!(package_fields(&tree).len(), 2);
    }

    #[test]
    fn a_crate_with_lints_of_its_own_is_found() {
        for manifest in ["", "[lints]\nworkspace = false", "[lints.rust]\nunsafe_code = 'allow'"] {
            let mut tree = Tree::sample();
            tree.package_mut("wikirag-core").manifest = manifest.parse().unwrap();
            assert_eq!(lints(&tree)[0].place, "crates/wikirag-core/Cargo.toml", "{manifest}");
        }
    }

    #[test]
    fn a_version_outside_the_root_is_found() {
        for manifest in [
            "[dependencies]\nserde = '1'",
            "[dev-dependencies]\nserde = { version = '1' }",
            "[build-dependencies]\nserde = { path = '../serde' }",
            "[target.'cfg(unix)'.dependencies]\nlibc = '1'",
        ] {
            let mut tree = Tree::sample();
            tree.package_mut("wikirag-core").manifest = manifest.parse().unwrap();
            assert_eq!(inherited(&tree).len(), 1, "{manifest}");
        }
    }

    #[test]
    fn default_features_are_found() {
        for line in ["serde = '1'", "serde = { version = '1' }", "s = { package = 'serde', version = '1' }"] {
            let mut tree = Tree::sample();
            tree.manifest = format!("[workspace.dependencies]\n{line}").parse().unwrap();
            assert_eq!(default_features(&tree).len(), 1, "{line}");
        }
        let mut tree = Tree::sample();
        tree.manifest = "[workspace.dependencies]\ninventory = '1'".parse().unwrap();
        assert_eq!(default_features(&tree), []);
    }
}
