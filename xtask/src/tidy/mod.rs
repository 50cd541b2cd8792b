//! `cargo xtask tidy`: the rules of the workspace that no compiler knows.
//!
//! Each rule is one function from the [`Tree`] to its findings, with a test that shows it fail.

mod documents;
mod layers;
mod manifests;
mod plugins;
#[cfg(test)]
mod sample;
mod sources;
mod tree;

use std::fmt;
use std::path::Path;

pub(crate) use plugins::registry_keys;
pub(crate) use tree::Tree;

use crate::tool::Result;

/// Something that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// File or folder below the root of the workspace, with the line where there is one.
    place: String,
    /// What is off.
    what: String,
    /// What to do about it.
    mend: String,
}

impl Finding {
    fn new(place: impl Into<String>, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into(), mend: mend.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n    {}", self.place, self.what, self.mend)
    }
}

type Rule = fn(&Tree) -> Vec<Finding>;

const RULES: &[(&str, Rule)] = &[
    ("arrows between crates point down only", layers::arrows),
    ("a library with a home is used at home only", layers::homes),
    ("folder, crate, feature and registry key of a plugin agree", plugins::names),
    ("the facade names each plugin", plugins::facade),
    ("the program passes on each feature of the facade", plugins::pass_through),
    ("each plugin runs its conformance suites", plugins::suites),
    ("each crate says what it is and under which licence", manifests::package_fields),
    ("each crate obeys the lints of the workspace", manifests::lints),
    ("versions of dependencies stand in one place", manifests::inherited),
    ("default features of dependencies are off", manifests::default_features),
    ("each crate is introduced by its documentation", sources::crate_docs),
    ("no source file is too long", sources::length),
    ("nothing is left unfinished", sources::unfinished),
    ("unsafe code has one home", sources::unsafe_home),
    ("no path of somebody's machine", sources::machine_paths),
    ("the list of dependencies in ARCHITECTURE.md is whole", documents::dependencies),
];

/// Checks the workspace at `root`.
pub(crate) fn run(root: &Path) -> Result<()> {
    let tree = Tree::read(root)?;
    let mut count = 0;
    for (name, rule) in RULES {
        let findings = rule(&tree);
        if !findings.is_empty() {
            println!("rule broken: {name}");
        }
        for finding in &findings {
            println!("  {}", finding.to_string().replace('\n', "\n  "));
        }
        count += findings.len();
    }
    if count == 0 {
        println!("tidy: {} rules hold in {} crates and {} files", RULES.len(), tree.packages.len(), tree.files.len());
        Ok(())
    } else {
        Err(format!("tidy has {count} finding(s)").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_breaks_no_rule() {
        for (name, rule) in RULES {
            assert_eq!(rule(&Tree::sample()), [], "{name}");
        }
    }

    #[test]
    fn a_finding_says_where_what_and_how_to_mend_it() {
        assert_eq!(Finding::new("a.rs:3", "is off", "mend it").to_string(), "a.rs:3: is off\n    mend it");
    }
}
