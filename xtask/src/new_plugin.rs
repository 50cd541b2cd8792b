//! `cargo xtask new-plugin NAME KIND`: a skeleton that builds, keeps the promises of its kind and is in the program.

use std::fs;
use std::path::Path;

use crate::tool::{Result, Tool, root};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Lower case, words joined by `-`: names the folder, the crate, the feature and the registry key
    name: String,
    /// What the plugin makes
    kind: Kind,
}

/// The kinds of plugins for which there is a skeleton.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Kind {
    Reader,
    Chunker,
    Retriever,
    Fuser,
    Reranker,
}

impl Kind {
    pub(crate) const ALL: [Self; 5] = [Self::Reader, Self::Chunker, Self::Retriever, Self::Fuser, Self::Reranker];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Chunker => "chunker",
            Self::Retriever => "retriever",
            Self::Fuser => "fuser",
            Self::Reranker => "reranker",
        }
    }

    fn source(self) -> &'static str {
        match self {
            Self::Reader => include_str!("../templates/reader.rs"),
            Self::Chunker => include_str!("../templates/chunker.rs"),
            Self::Retriever => include_str!("../templates/retriever.rs"),
            Self::Fuser => include_str!("../templates/fuser.rs"),
            Self::Reranker => include_str!("../templates/reranker.rs"),
        }
    }

    fn tests(self) -> &'static str {
        match self {
            Self::Reader => include_str!("../templates/reader_tests.rs"),
            Self::Chunker => include_str!("../templates/chunker_tests.rs"),
            Self::Retriever => include_str!("../templates/retriever_tests.rs"),
            Self::Fuser => include_str!("../templates/fuser_tests.rs"),
            Self::Reranker => include_str!("../templates/reranker_tests.rs"),
        }
    }

    /// Its `Cargo.toml`, from `[dependencies]` to the end.
    fn dependencies(self) -> &'static str {
        match self {
            Self::Reader | Self::Chunker | Self::Fuser => "serde.workspace = true\n",
            Self::Reranker => "async-trait.workspace = true\nserde.workspace = true\n",
            Self::Retriever => "async-trait.workspace = true\nserde.workspace = true\nserde_json.workspace = true\n",
        }
    }
}

const MANIFEST: &str = include_str!("../templates/manifest.toml");

/// The plugin beside whose lines those of a new one are written, and the files in which it has such lines.
const NEIGHBOUR: &str = "rrf";
const FILES: [&str; 4] =
    ["Cargo.toml", "crates/wikirag/Cargo.toml", "crates/wikirag-cli/Cargo.toml", "crates/wikirag/src/lib.rs"];

pub(crate) fn run(args: &Args) -> Result<()> {
    write(root(), &args.name, args.kind)?;
    println!("\nTry it: cargo test --package wikirag-{}", args.name);
    Ok(())
}

/// Writes the plugin into the workspace at `root`, and its name beside that of its neighbour.
pub(crate) fn write(root: &Path, name: &str, kind: Kind) -> Result<()> {
    check_name(name)?;
    let folder = root.join("plugins").join(name);
    if folder.exists() {
        return Err(format!("plugins/{name} is there already").into());
    }
    let fill = |template: &str| {
        let template = template.replace("__NAME__", name).replace("__KIND__", kind.word());
        template.replace("__IDENT__", &name.replace('-', "_"))
    };
    let tests = "\n[dev-dependencies]\nwikirag-testkit.workspace = true\n";
    for (path, text) in [
        ("Cargo.toml", fill(MANIFEST) + kind.dependencies() + tests),
        ("src/lib.rs", fill(kind.source())),
        ("tests/conformance.rs", fill(kind.tests())),
    ] {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap_or(&folder))?;
        fs::write(file, text)?;
        println!("written  plugins/{name}/{path}");
    }
    for path in FILES {
        let file = root.join(path);
        let text = fs::read_to_string(&file).map_err(|error| format!("{path}: {error}"))?;
        let (text, added) = beside_neighbour(&text, name);
        if added.is_empty() {
            return Err(format!("{path} does not name the plugin `{NEIGHBOUR}`: add `{name}` to it by hand").into());
        }
        fs::write(&file, text)?;
        println!("added to {path}:");
        for line in added {
            println!("    {}", line.trim());
        }
    }
    // Where lines break depends on the length of the name.
    Tool::cargo("fmt --package").args([format!("wikirag-{name}")]).dir(root).run()
}

/// The name becomes part of an identifier, a feature and a folder.
fn check_name(name: &str) -> Result<()> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.split('-').all(is_word) {
        Ok(())
    } else {
        Err(format!("`{name}` is no name for a plugin: lower-case words joined by `-`").into())
    }
}

/// `text` with a copy of each line that names the neighbouring crate, made to name the new one; and those copies.
/// The condition above such a line, `#[cfg(feature = "..")]`, is copied with it.
fn beside_neighbour(text: &str, name: &str) -> (String, Vec<String>) {
    let crates = [format!("wikirag-{NEIGHBOUR}"), format!("wikirag_{NEIGHBOUR}"), format!("wikirag/{NEIGHBOUR}")];
    let condition = format!("#[cfg(feature = \"{NEIGHBOUR}\")]");
    let rename = |line: &str| {
        let ident = format!("wikirag_{}", name.replace('-', "_"));
        line.replace(&crates[1], &ident).replace(NEIGHBOUR, name)
    };
    let mut lines = Vec::new();
    let mut added = Vec::new();
    let mut above = "";
    for line in text.lines() {
        lines.push(line.to_owned());
        // Not in comments, and not where only tests need it.
        if crates.iter().any(|word| line.contains(word)) && !line.trim_start().starts_with("//") {
            let copies = [above, line].into_iter().filter(|copied| *copied == line || copied.contains(&condition));
            let copies: Vec<_> = copies.map(rename).collect();
            lines.extend(copies.iter().cloned());
            added.extend(copies);
        }
        above = line;
    }
    (lines.join("\n") + "\n", added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_folders_features_and_identifiers() {
        for good in ["dense", "embed-api", "bm25"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "Dense", "embed_api", "-a", "a-", "a--b", "2d", "../x", "é"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_are_added_below_those_of_the_neighbour() {
        let manifest = "default = [\"rrf\"]\nwikirag-rrf = { path = \"plugins/rrf\" }\nrrf = [\"dep:wikirag-rrf\"]\n";
        let (text, added) = beside_neighbour(manifest, "graph-walk");
        assert_eq!(
            added,
            ["wikirag-graph-walk = { path = \"plugins/graph-walk\" }", "graph-walk = [\"dep:wikirag-graph-walk\"]"]
        );
        assert!(text.starts_with("default = [\"rrf\"]\nwikirag-rrf = "), "{text}");

        let source = "//! Names wikirag_rrf.\n    #[cfg(feature = \"rrf\")]\n    wikirag_rrf::PLUGIN,\n";
        let (text, _) = beside_neighbour(source, "graph-walk");
        let wanted = "    #[cfg(feature = \"graph-walk\")]\n    wikirag_graph_walk::PLUGIN,\n";
        assert_eq!(text, format!("{source}{wanted}"));
    }

    #[test]
    fn every_template_is_filled() {
        for kind in Kind::ALL {
            assert!(kind.source().contains("name: \"__NAME__\""), "{}", kind.word());
            assert!(kind.tests().contains("wikirag___IDENT__::PLUGIN"), "{}", kind.word());
        }
    }
}
