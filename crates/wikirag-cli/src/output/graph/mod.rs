//! The graph around a page in each of its formats.

mod dot;
mod graphml;
mod mermaid;
mod text;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use wikirag::vault::{Edge, PageGraph};

pub(crate) use dot::dot;
pub(crate) use graphml::graphml;
pub(crate) use mermaid::mermaid;
pub(crate) use text::text;

use super::clean;

/// Text of a document as one line that is safe to print.
fn flat(text: &str) -> String {
    clean(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The edges with the numbers of their nodes, which programs take for names better than paths.
fn numbered(graph: &PageGraph) -> Vec<(usize, usize, &Edge)> {
    let numbers: HashMap<&str, usize> =
        graph.nodes.iter().enumerate().map(|(number, node)| (node.id.as_str(), number)).collect();
    let number = |id: &str| numbers.get(id).copied();
    graph.edges.iter().filter_map(|edge| Some((number(&edge.from)?, number(&edge.to)?, edge))).collect()
}
