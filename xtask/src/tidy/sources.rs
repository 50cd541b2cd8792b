//! What must, and what must not, stand in source files.

use super::Finding;
use super::tree::{File, Tree};

/// One idea a file: whatever is longer holds two.
const MAX_LINES: usize = 500;

/// Put together here, so that this file does not find itself.
const UNFINISHED: [&str; 3] = [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("db", "g!")];
const MACHINE_PATHS: [&str; 5] = [
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!(":\\Us", "ers\\"),
];
const UNSAFE_LINT: &str = concat!("unsafe", "_code");
const UNSAFE_HOME: &str = "crates/wikirag-sqlite/";

pub(super) fn crate_docs(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for entry in tree.packages.iter().flat_map(|package| &package.entries) {
        let introduced = tree.file(entry).is_some_and(|file| {
            let mut lines = file.text.lines().map(str::trim);
            lines.find_map(|line| line.strip_prefix("//!")).is_some_and(|words| !words.trim().is_empty())
        });
        if !introduced {
            let mend = "begin it with `//!` and a sentence that says what the crate is for";
            findings.push(Finding::new(entry, "the crate has no documentation", mend));
        }
    }
    findings
}

pub(super) fn length(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust()) {
        let lines = file.text.lines().count();
        if lines > MAX_LINES {
            let what = format!("{lines} lines are more than {MAX_LINES}");
            findings.push(Finding::new(&file.path, what, "split it along its ideas"));
        }
    }
    findings
}

pub(super) fn unfinished(tree: &Tree) -> Vec<Finding> {
    let rust = tree.files.iter().filter(|file| file.is_rust());
    rust.flat_map(|file| hits(file, &UNFINISHED, "finish it, or take it out")).collect()
}

pub(super) fn unsafe_home(tree: &Tree) -> Vec<Finding> {
    let rust = tree.files.iter().filter(|file| file.is_rust() && !file.path.starts_with(UNSAFE_HOME));
    let mend = format!("only {UNSAFE_HOME} may lift this lint; move the unsafe part there, behind a safe function");
    rust.flat_map(|file| hits(file, &[UNSAFE_LINT], &mend)).collect()
}

pub(super) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    // Fixtures are documents of other people, with whatever stands in them.
    let ours = tree.files.iter().filter(|file| !file.path.split('/').any(|folder| folder == "fixtures"));
    let mend = "use a path below the workspace, a temporary folder, or `~`";
    ours.flat_map(|file| hits(file, &MACHINE_PATHS, mend)).collect()
}

/// One finding for each line that holds one of `words` as a word of its own.
fn hits(file: &File, words: &[&str], mend: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if let Some(word) = words.iter().find(|word| holds_word(line, word)) {
            findings.push(Finding::new(format!("{}:{}", file.path, index + 1), format!("`{word}` stands here"), mend));
        }
    }
    findings
}

/// Whether `word` occurs in `line`, not as the tail of a longer word or path.
fn holds_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        // The drive letter of a Windows path belongs to it.
        word.starts_with(':') || before.is_none_or(|c| !c.is_alphanumeric() && !"_-./~".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree_with(path: &str, text: &str) -> Tree {
        let mut tree = Tree::sample();
        tree.write(path, text);
        tree
    }

    #[test]
    fn a_crate_without_introduction_is_found() {
        for text in ["", "fn f() {}\n", "//!\nfn f() {}\n", "/// Of the function.\nfn f() {}\n"] {
            let findings = crate_docs(&tree_with("crates/wikirag-core/src/lib.rs", text));
            assert_eq!(findings.len(), 1, "{text:?}");
        }
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(length(&tree_with("tests/src/a.rs", &"\n".repeat(MAX_LINES))), []);
        assert_eq!(length(&tree_with("tests/src/a.rs", &"\n".repeat(MAX_LINES + 1))).len(), 1);
    }

    #[test]
    fn unfinished_places_are_found_with_their_line() {
        for word in UNFINISHED {
            let findings = unfinished(&tree_with("tests/src/a.rs", &format!("fn f() {{\n    {word}()\n}}\n")));
            assert_eq!(findings[0].place, "tests/src/a.rs:2", "{word}");
        }
        assert_eq!(unfinished(&tree_with("tests/src/a.rs", &format!("not_{}()", UNFINISHED[0]))), []);
    }

    #[test]
    fn a_lifted_unsafe_lint_is_found() {
        let text = format!("#![allow({UNSAFE_LINT})]\n");
        assert_eq!(unsafe_home(&tree_with("crates/wikirag-core/src/a.rs", &text)).len(), 1);
        assert_eq!(unsafe_home(&tree_with("crates/wikirag-sqlite/src/a.rs", &text)), []);
    }

    #[test]
    fn a_path_of_a_machine_is_found() {
        for path in MACHINE_PATHS {
            let text = format!("see C{path}me/notes and \"{path}me\"\n");
            assert_eq!(machine_paths(&tree_with("docs/a.md", &text)).len(), 1, "{path}");
        }
        let address = format!("https://example.org{}page", MACHINE_PATHS[0]);
        assert_eq!(machine_paths(&tree_with("docs/a.md", &address)), []);
    }
}
