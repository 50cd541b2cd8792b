//! <https://mermaid.js.org/syntax/flowchart.html>

use std::fmt::Write as _;

use wikirag::vault::{NodeKind, PageGraph};

use super::{flat, numbered};

pub(crate) fn mermaid(graph: &PageGraph) -> String {
    let mut out = String::from("graph LR\n");
    for (number, node) in graph.nodes.iter().enumerate() {
        let (open, close) = if node.kind == NodeKind::Tag { ("([", "])") } else { ("[", "]") };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  n{number}{open}\"{}\"{close}", escaped(&node.title));
    }
    for (from, to, edge) in numbered(graph) {
        let _ = writeln!(out, "  n{from} -->|\"{}\"| n{to}", edge.kind.as_str());
    }
    if graph.more > 0 {
        let _ = writeln!(out, "%% {} more", graph.more);
    }
    out
}

/// For a text in double quotes: what Mermaid or the HTML that it makes would read as markup is written as a code.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in flat(text).chars() {
        match c {
            '"' | '#' | '&' | '<' | '>' | '`' | '\\' | ';' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    // A label must not be empty.
    if out.is_empty() { " ".to_owned() } else { out }
}
