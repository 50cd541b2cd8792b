//! As a tree: under each page those that were reached by it.

use std::collections::HashSet;
use std::fmt::Write as _;

use wikirag::vault::{Direction, Edge, Node, NodeKind, PageGraph};

use super::{flat, numbered};
use crate::output::{clean, count};
use crate::terminal::{paint, style};

/// Proofs of one step that are shown.
const PROOFS: usize = 3;

/// Ambiguous links that are shown.
const AMBIGUOUS: usize = 20;

pub(crate) fn text(graph: &PageGraph, color: bool) -> String {
    let mut tree = Tree::of(graph, color);
    if let Some(root) = graph.nodes.first() {
        let place = format!("{}/{}", graph.wiki, clean(&root.id));
        let _ = writeln!(
            tree.out,
            "{}  {}",
            paint(color, style::PATH, &place),
            paint(color, style::BOLD, &flat(&root.title))
        );
        tree.summary(root, 0);
        tree.below(0, 1);
    }
    tree.rest();
    tree.unresolved();
    tree.out
}

struct Tree<'g> {
    graph: &'g PageGraph,
    edges: Vec<(usize, usize, &'g Edge)>,
    /// By node, the nodes that were reached by it.
    children: Vec<Vec<usize>>,
    /// By node, its edges of either direction, as places in `edges`.
    touching: Vec<Vec<usize>>,
    /// Edges that the tree shows, as places in `edges`.
    shown: HashSet<usize>,
    color: bool,
    out: String,
}

impl<'g> Tree<'g> {
    fn of(graph: &'g PageGraph, color: bool) -> Self {
        let edges = numbered(graph);
        let mut touching = vec![Vec::new(); graph.nodes.len()];
        for (at, (from, to, _)) in edges.iter().enumerate() {
            touching[*from].push(at);
            touching[*to].push(at);
        }
        let mut children = vec![Vec::new(); graph.nodes.len()];
        for (node, known) in graph.nodes.iter().enumerate() {
            let others = touching[node].iter().filter_map(|at| match edges[*at] {
                (from, to, _) if to == node && graph.direction != Direction::In => Some(from),
                (from, to, _) if from == node && graph.direction != Direction::Out => Some(to),
                _ => None,
            });
            // Of several that lead here the tree takes the one with most neighbours.
            if let Some(parent) = others.filter(|other| graph.nodes[*other].distance + 1 == known.distance).min() {
                children[parent].push(node);
            }
        }
        Self { graph, edges, children, touching, shown: HashSet::new(), color, out: String::new() }
    }

    fn below(&mut self, node: usize, depth: usize) {
        // At most ten deep, as the walk is.
        for child in self.children[node].clone() {
            let between: Vec<usize> = self.touching[child]
                .iter()
                .copied()
                .filter(|at| [self.edges[*at].0, self.edges[*at].1].contains(&node))
                .collect();
            let is_out = between.iter().any(|at| self.edges[*at].0 == node);
            let is_in = between.iter().any(|at| self.edges[*at].1 == node);
            let arrow = match (is_out, is_in) {
                (true, true) => "<->",
                (true, false) => "->",
                _ => "<-",
            };
            let mut proofs: Vec<String> = between.iter().take(PROOFS).map(|at| proof(self.edges[*at].2)).collect();
            if between.len() > PROOFS {
                proofs.push(format!("{} more", between.len() - PROOFS));
            }
            let known = &self.graph.nodes[child];
            let title = if known.kind == NodeKind::Tag { String::new() } else { format!("  {}", flat(&known.title)) };
            let _ = writeln!(
                self.out,
                "{}{arrow} {}{}  {}",
                "  ".repeat(depth),
                paint(self.color, style::PATH, &clean(&known.id)),
                paint(self.color, style::BOLD, &title),
                paint(self.color, style::DIM, &format!("[{}]", proofs.join(", "))),
            );
            self.summary(known, depth + 1);
            self.shown.extend(between);
            self.below(child, depth + 1);
        }
    }

    fn summary(&mut self, node: &Node, depth: usize) {
        if !node.summary.is_empty() {
            let _ = writeln!(self.out, "{}  {}", "  ".repeat(depth), flat(&node.summary));
        }
    }

    /// The edges that do not lie along the tree.
    fn rest(&mut self) {
        let rest: Vec<&Edge> =
            (0..self.edges.len()).filter(|at| !self.shown.contains(at)).map(|at| self.edges[at].2).collect();
        if rest.is_empty() {
            return;
        }
        self.out.push_str("\nalso joined:\n");
        for edge in rest {
            let (from, to) = (clean(&edge.from), clean(&edge.to));
            let _ = writeln!(
                self.out,
                "  {from} -> {to}  {}",
                paint(self.color, style::DIM, &format!("[{}]", proof(edge)))
            );
        }
    }

    fn unresolved(&mut self) {
        let (ambiguous, broken): (Vec<_>, Vec<_>) =
            self.graph.unresolved.iter().partition(|link| !link.candidates.is_empty());
        if !ambiguous.is_empty() {
            self.out.push_str("\nlinks that several pages fit:\n");
        }
        for link in ambiguous.iter().take(AMBIGUOUS) {
            let place = clean(&format!("{}{}", link.path, link.at));
            let _ =
                writeln!(self.out, "  {place}: {} may be {}", flat(&link.target), clean(&link.candidates.join(", ")));
        }
        if ambiguous.len() > AMBIGUOUS {
            let _ = writeln!(self.out, "  {} more", ambiguous.len() - AMBIGUOUS);
        }
        if !broken.is_empty() {
            let broken = count(broken.len() as u64, "link");
            let _ = writeln!(
                self.out,
                "\n{broken} of these pages lead nowhere; `wikirag lint --check broken-link` lists them"
            );
        }
    }
}

/// Kind, place and particulars of an edge.
fn proof(edge: &Edge) -> String {
    let mut proof = format!("{} {}{}", edge.kind.as_str(), edge.from, edge.at);
    if let Some(anchor) = &edge.anchor {
        let _ = write!(proof, " {anchor}");
    }
    if let Some(text) = &edge.text {
        let _ = write!(proof, " \"{text}\"");
    }
    if edge.times > 1 {
        let _ = write!(proof, " x{}", edge.times);
    }
    clean(&proof)
}
