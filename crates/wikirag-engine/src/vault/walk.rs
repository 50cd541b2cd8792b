//! Which nodes lie around a page.

use super::edges::Edges;
use super::options::Direction;

/// A node that was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) node: usize,
    /// Steps from the page where the walk began.
    pub(super) distance: u32,
    /// Nodes that are joined with it by an edge of either direction, all over the vault.
    pub(super) degree: usize,
}

/// The nodes within `depth` steps, nearest first, then those with most neighbours, then in the order of the vault. The first is
/// `root`. So a cut anywhere leaves no node without one that leads to it.
pub(super) fn walk(edges: &Edges, root: usize, depth: u32, direction: Direction) -> Vec<Reached> {
    let mut is_known = vec![false; edges.nodes()];
    is_known[root] = true;
    let mut ring = vec![root];
    let mut reached = Vec::new();
    for distance in 0..=depth {
        let mut next = Vec::new();
        for &node in &ring {
            if distance < depth {
                next.extend(
                    neighbours(edges, node, direction).filter(|node| !std::mem::replace(&mut is_known[*node], true)),
                );
            }
            reached.push(Reached { node, distance, degree: degree(edges, node) });
        }
        ring = next;
        if ring.is_empty() {
            break;
        }
    }
    reached.sort_by_key(|reached| (reached.distance, std::cmp::Reverse(reached.degree), reached.node));
    reached
}

fn neighbours(edges: &Edges, node: usize, direction: Direction) -> impl Iterator<Item = usize> {
    let out = (direction != Direction::In).then(|| edges.from(node).iter().map(|edge| edge.to));
    let into = (direction != Direction::Out).then(|| edges.to(node).map(|edge| edge.from));
    out.into_iter().flatten().chain(into.into_iter().flatten())
}

fn degree(edges: &Edges, node: usize) -> usize {
    let mut others: Vec<usize> = neighbours(edges, node, Direction::Both).collect();
    others.sort_unstable();
    others.dedup();
    others.len()
}
