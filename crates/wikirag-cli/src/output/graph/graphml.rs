//! <http://graphml.graphdrawing.org/specification.html>

use std::fmt::Write as _;

use wikirag::vault::{NodeKind, PageGraph};

use super::{flat, numbered};

/// Attributes: whose they are, their name, their type. `label` is the name that most programs show.
const KEYS: [(&str, &str, &str); 11] = [
    ("node", "label", "string"),
    ("node", "path", "string"),
    ("node", "kind", "string"),
    ("node", "summary", "string"),
    ("node", "distance", "int"),
    ("node", "degree", "int"),
    ("edge", "kind", "string"),
    ("edge", "place", "string"),
    ("edge", "anchor", "string"),
    ("edge", "text", "string"),
    ("edge", "times", "int"),
];

pub(crate) fn graphml(graph: &PageGraph) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (of, name, kind) in KEYS {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  <key id=\"{of}-{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    }
    let _ = writeln!(out, "  <graph id=\"{}\" edgedefault=\"directed\">", escaped(&graph.page));
    for (number, node) in graph.nodes.iter().enumerate() {
        let kind = if node.kind == NodeKind::Tag { "tag" } else { "page" };
        let _ = writeln!(out, "    <node id=\"n{number}\">");
        let (distance, degree) = (node.distance.to_string(), node.degree.to_string());
        for (name, value) in [
            ("label", node.title.as_str()),
            ("path", &node.id),
            ("kind", kind),
            ("summary", &node.summary),
            ("distance", &distance),
            ("degree", &degree),
        ] {
            data(&mut out, "node", name, value);
        }
        out.push_str("    </node>\n");
    }
    for (number, (from, to, edge)) in numbered(graph).into_iter().enumerate() {
        let _ = writeln!(out, "    <edge id=\"e{number}\" source=\"n{from}\" target=\"n{to}\">");
        let (place, times) = (format!("{}{}", edge.from, edge.at), edge.times.to_string());
        for (name, value) in [
            ("kind", edge.kind.as_str()),
            ("place", &place),
            ("anchor", edge.anchor.as_deref().unwrap_or_default()),
            ("text", edge.text.as_deref().unwrap_or_default()),
            ("times", &times),
        ] {
            data(&mut out, "edge", name, value);
        }
        out.push_str("    </edge>\n");
    }
    out.push_str("  </graph>\n");
    if graph.more > 0 {
        let _ = writeln!(out, "  <!-- {} more -->", graph.more);
    }
    out + "</graphml>\n"
}

fn data(out: &mut String, of: &str, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = writeln!(out, "      <data key=\"{of}-{name}\">{}</data>", escaped(value));
    }
}

/// For content and attributes. `flat` has taken out the control characters, which XML cannot hold at all.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in flat(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
