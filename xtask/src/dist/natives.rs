//! Which crates of a binary need a C compiler.

use std::collections::BTreeSet;

use super::specification::Specification;
use crate::tool::{Result, Tool};

/// Crates that a build script uses to compile what is not Rust.
const COMPILERS: [&str; 3] = ["cc", "cmake", "bindgen"];

/// Fails where the binary has other native crates than the specification allows, or fewer: a list that allows what is
/// gone would let it come back unseen.
pub(super) fn check(specification: &Specification) -> Result<()> {
    let mut found = BTreeSet::new();
    for compiler in COMPILERS {
        let tree = Tool::cargo("tree --package wikirag-cli --edges normal,build --prefix depth --no-dedupe")
            .args(["--no-default-features".to_owned(), "--features".to_owned(), specification.features.join(",")])
            .args(["--invert", compiler]);
        // `cargo tree` fails where the package is not in the tree at all.
        if let Ok(said) = tree.quiet_output() {
            found.extend(users(&said));
        }
    }
    let allowed: BTreeSet<String> = specification.native.iter().cloned().collect();
    if found == allowed {
        return Ok(());
    }
    Err(format!("`{}` allows the native crates {allowed:?} and has {found:?}", specification.name).into())
}

/// The crates one step above the root of an inverted tree, whose lines begin with their depth.
fn users(tree: &str) -> impl Iterator<Item = String> {
    let first_step = tree.lines().filter_map(|line| line.strip_prefix('1'));
    first_step.filter_map(|line| line.split_whitespace().next().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_direct_users_count() {
        let tree = "0cc v1.2.0\n1libsqlite3-sys v0.40.0\n2rusqlite v0.43.0\n1ring v0.17.0\n10deep v1.0.0\n";
        let mut found: Vec<_> = users(tree).collect();
        found.retain(|name| !name.starts_with('0'));
        assert_eq!(found, ["libsqlite3-sys", "ring"]);
    }
}
