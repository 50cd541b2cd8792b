//! <https://graphviz.org/doc/info/lang.html>

use std::fmt::Write as _;

use wikirag::vault::{NodeKind, PageGraph};

use super::{flat, numbered};

pub(crate) fn dot(graph: &PageGraph) -> String {
    let mut out = format!("digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=box];\n", escaped(&graph.page));
    for (number, node) in graph.nodes.iter().enumerate() {
        let shape = if node.kind == NodeKind::Tag { ", shape=ellipse" } else { "" };
        let (label, id, tooltip) = (escaped(&node.title), escaped(&node.id), escaped(&node.summary));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  n{number} [label=\"{label}\", id=\"{id}\", tooltip=\"{tooltip}\"{shape}];");
    }
    for (from, to, edge) in numbered(graph) {
        let place = escaped(&format!("{}{}", edge.from, edge.at));
        let _ = writeln!(out, "  n{from} -> n{to} [label=\"{}\", tooltip=\"{place}\"];", edge.kind.as_str());
    }
    if graph.more > 0 {
        let _ = writeln!(out, "  // {} more", graph.more);
    }
    out + "}\n"
}

/// For a text in double quotes, in which Graphviz reads backslashes and the entities of HTML.
fn escaped(text: &str) -> String {
    flat(text).replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
}
