//! What each folder of `plugins/` must be called, and where it must be named.

use super::Finding;
use super::tree::{File, Tree};

const FACADE: &str = "wikirag";
const PROGRAM: &str = "wikirag-cli";
const TESTKIT: &str = "crates/wikirag-testkit";

/// The names that `Plugin` descriptors in these files give themselves.
pub(crate) fn registry_keys<'a>(files: impl IntoIterator<Item = &'a File>) -> Vec<&'a str> {
    let mut keys = Vec::new();
    for file in files {
        for (_, after) in file.text.match_indices("Plugin = Plugin {").map(|(at, _)| file.text.split_at(at)) {
            let name = after.split_once("name: \"").and_then(|(_, rest)| rest.split_once('"'));
            keys.extend(name.map(|(name, _)| name));
        }
    }
    keys
}

pub(super) fn names(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (plugin, package) in tree.plugins() {
        let expected = format!("wikirag-{plugin}");
        if package.name != expected {
            let what = format!("the crate is named `{}`", package.name);
            findings.push(Finding::new(
                package.manifest_path(),
                what,
                format!("name it `{expected}`, after its folder"),
            ));
        }
        let keys = registry_keys(tree.rust_files(&format!("{}/src", package.folder)));
        if keys != [plugin] {
            let what = format!("its descriptors name themselves {keys:?}");
            let mend =
                format!("write one `const PLUGIN: Plugin = Plugin {{ name: \"{plugin}\", .. }}`, after its folder");
            findings.push(Finding::new(format!("{}/src", package.folder), what, mend));
        }
    }
    findings
}

pub(super) fn facade(tree: &Tree) -> Vec<Finding> {
    let Some(facade) = tree.package(FACADE) else { return Vec::new() };
    let mut findings = Vec::new();
    for (plugin, package) in tree.plugins() {
        let wanted = format!("dep:{}", package.name);
        if !facade.features.get(plugin).is_some_and(|brings| brings.contains(&wanted)) {
            let mend = format!("add `{plugin} = [\"{wanted}\"]` to its [features]");
            findings.push(Finding::new(
                facade.manifest_path(),
                format!("no feature brings the plugin `{plugin}`"),
                mend,
            ));
        }
        let ident = package.name.replace('-', "_");
        if !tree.rust_files(&format!("{}/src", facade.folder)).any(|file| file.text.contains(&ident)) {
            let what = format!("no line names `{ident}`: the linker leaves the plugin out without a word");
            let place = format!("{}/src", facade.folder);
            findings.push(Finding::new(place, what, "name it in the table of plugins, behind its feature"));
        }
    }
    findings
}

/// Features of the program that bring no plugin: other programs have servers, and ways to git, of their own.
const OF_THE_PROGRAM: [&str; 2] = ["server", "taps"];

pub(super) fn pass_through(tree: &Tree) -> Vec<Finding> {
    let (Some(facade), Some(program)) = (tree.package(FACADE), tree.package(PROGRAM)) else { return Vec::new() };
    let mut findings = Vec::new();
    for feature in facade.features.keys().filter(|feature| *feature != "default") {
        let wanted = format!("{FACADE}/{feature}");
        if !program.features.get(feature).is_some_and(|brings| brings.contains(&wanted)) {
            let mend = format!("add `{feature} = [\"{wanted}\"]` to its [features]");
            let what = format!("the feature `{feature}` of the facade is not passed on");
            findings.push(Finding::new(program.manifest_path(), what, mend));
        }
    }
    let default = |features: &std::collections::BTreeMap<String, Vec<String>>| {
        let mut names = features.get("default").cloned().unwrap_or_default();
        names.retain(|name| !OF_THE_PROGRAM.contains(&name.as_str()));
        names.sort_unstable();
        names
    };
    if default(&facade.features) != default(&program.features) {
        let what = "its default features differ from those of the facade";
        findings.push(Finding::new(program.manifest_path(), what, "make both lists the same"));
    }
    findings
}

pub(super) fn suites(tree: &Tree) -> Vec<Finding> {
    let kinds = kinds_with_suite(tree);
    if kinds.is_empty() {
        let mend = "export `macro_rules! <kind>_suite` for each kind of plugin";
        return vec![Finding::new(TESTKIT, "there is no conformance suite", mend)];
    }
    let mut findings = Vec::new();
    for (_, package) in tree.plugins() {
        let provided = |kind: &str| {
            let capability = format!("Capability::{}{}", kind[..1].to_uppercase(), &kind[1..]);
            tree.rust_files(&format!("{}/src", package.folder)).any(|file| file.text.contains(&capability))
        };
        let tests = format!("{}/tests", package.folder);
        for kind in kinds.iter().filter(|kind| provided(kind)) {
            let call = format!("{kind}_suite!");
            if !tree.rust_files(&tests).any(|file| file.text.contains(&call)) {
                let mend = format!("call `wikirag_testkit::{call}` in {tests}/conformance.rs");
                findings.push(Finding::new(&tests, format!("the {kind} does not run its conformance suite"), mend));
            }
        }
    }
    findings
}

/// The kinds for which the testkit has a suite: `fuser` for `macro_rules! fuser_suite`.
fn kinds_with_suite(tree: &Tree) -> Vec<&str> {
    let mut kinds = Vec::new();
    for file in tree.rust_files(TESTKIT) {
        for piece in file.text.split("macro_rules! ").skip(1) {
            let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(piece.len());
            kinds.extend(piece[..end].strip_suffix("_suite").filter(|kind| !kind.is_empty()));
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_or_key_that_is_not_the_folder_is_found() {
        let mut tree = Tree::sample();
        tree.package_mut("wikirag-rrf").folder = "plugins/fuse".into();
        let findings = names(&tree);
        assert_eq!(findings.len(), 2);
        assert!(findings[0].mend.contains("`wikirag-fuse`"), "{findings:?}");

        let mut tree = Tree::sample();
        tree.write("plugins/rrf/src/lib.rs", "//! x\nconst PLUGIN: Plugin = Plugin { name: \"rff\" };");
        assert!(names(&tree)[0].what.contains("rff"));
        tree.write("plugins/rrf/src/lib.rs", "//! x");
        assert_eq!(names(&tree).len(), 1);
    }

    #[test]
    fn a_plugin_that_the_facade_forgot_is_found() {
        let mut tree = Tree::sample();
        tree.package_mut("wikirag").features.clear();
        tree.write("crates/wikirag/src/lib.rs", "//! The facade.\n");
        let findings = facade(&tree);
        assert_eq!(findings.len(), 2);
        assert!(findings[0].mend.contains("rrf = [\"dep:wikirag-rrf\"]"), "{findings:?}");
    }

    #[test]
    fn a_feature_that_the_program_forgot_is_found() {
        let mut tree = Tree::sample();
        tree.package_mut("wikirag").features.insert("llm".into(), vec!["rrf".into()]);
        assert!(pass_through(&tree)[0].what.contains("`llm`"));

        let mut tree = Tree::sample();
        tree.package_mut("wikirag-cli").features.insert("default".into(), Vec::new());
        assert!(pass_through(&tree)[0].what.contains("default"));
    }

    #[test]
    fn a_plugin_without_its_suite_is_found() {
        let mut tree = Tree::sample();
        tree.write("plugins/rrf/tests/conformance.rs", "//! Promises.\n");
        assert!(suites(&tree)[0].mend.contains("fuser_suite!"));

        let mut tree = Tree::sample();
        tree.write("crates/wikirag-testkit/src/fuser.rs", "//! Nothing.\n");
        assert_eq!(suites(&tree)[0].place, TESTKIT);
    }

    #[test]
    fn keys_are_read_from_descriptors_only() {
        let text =
            "struct Row { name: \"no\" }\npub const PLUGIN: Plugin = Plugin {\n    version: V,\n    name: \"yes\",\n};";
        let file = File { path: "a.rs".into(), text: text.into() };
        assert_eq!(registry_keys([&file]), ["yes"]);
    }
}
