//! What the documents must tell.

use toml::Value;

use super::Finding;
use super::tree::Tree;

const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// Where `ARCHITECTURE.md` has a section about dependencies, that section names each: half a list misleads.
pub(super) fn dependencies(tree: &Tree) -> Vec<Finding> {
    let Some(section) = tree.file(ARCHITECTURE).and_then(|file| dependency_section(&file.text)) else {
        return Vec::new();
    };
    let table = tree.manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let mut findings = Vec::new();
    for (name, dependency) in table.and_then(Value::as_table).into_iter().flatten() {
        if dependency.get("path").is_none() && !section.contains(&format!("`{name}`")) {
            let mend = "say in its section about dependencies what it is for, or do without it";
            findings.push(Finding::new(ARCHITECTURE, format!("`{name}` is not named"), mend));
        }
    }
    findings
}

/// From the heading about dependencies to the next one.
fn dependency_section(text: &str) -> Option<&str> {
    let mut sections = text.split("\n#");
    sections.find(|section| section.lines().next().is_some_and(|heading| heading.to_lowercase().contains("dependenc")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_that_is_not_named_is_found() {
        let mut tree = Tree::sample();
        tree.write(ARCHITECTURE, "# Architecture\n\n## Dependencies\n\nserde_json.\n\n## Other\n\n`serde`\n");
        assert!(dependencies(&tree)[0].what.contains("`serde`"));
    }

    #[test]
    fn nothing_is_asked_of_a_document_without_a_list() {
        let mut tree = Tree::sample();
        tree.write(ARCHITECTURE, "# Architecture\n\nIt depends.\n");
        assert_eq!(dependencies(&tree), []);
        tree.files.retain(|file| file.path != ARCHITECTURE);
        assert_eq!(dependencies(&tree), []);
    }
}
