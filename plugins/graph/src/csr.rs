//! Rows of weighted edges in one piece of memory.

/// For each node the nodes that edges lead to, with their weights (compressed sparse rows).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Csr {
    /// Where the edges of each node begin, and at the end how many there are.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    /// The sum of the weights of each node.
    sums: Vec<f32>,
}

/// An edge to a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    /// Above 0.
    pub(crate) weight: f32,
}

impl Csr {
    /// From edges (from, to, weight) between `nodes` nodes. Of several edges between the same two nodes the heaviest counts: a passage that
    /// names a page three times and links it leads there once.
    pub(crate) fn new(nodes: usize, mut edges: Vec<(u32, u32, f32)>) -> Self {
        edges.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        edges.dedup_by_key(|edge| (edge.0, edge.1));
        let mut starts = vec![0u32; nodes + 1];
        for edge in &edges {
            if let Some(count) = starts.get_mut(edge.0 as usize + 1) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let edges: Vec<Edge> = edges.into_iter().map(|(_, to, weight)| Edge { to, weight }).collect();
        let mut csr = Self { starts, edges, sums: Vec::new() };
        csr.sums = (0..nodes).map(|node| csr.of(node).iter().map(|edge| edge.weight).sum()).collect();
        csr
    }

    /// The same edges the other way round, to `nodes` nodes.
    pub(crate) fn turned(&self, nodes: usize) -> Self {
        let from = (0u32..).zip(0..self.len());
        let edges = from.flat_map(|(from, node)| self.of(node).iter().map(move |edge| (edge.to, from, edge.weight)));
        Self::new(nodes, edges.collect())
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The edges of a node, by the nodes they lead to.
    pub(crate) fn of(&self, node: usize) -> &[Edge] {
        match (self.starts.get(node), self.starts.get(node + 1)) {
            (Some(start), Some(end)) => self.edges.get(*start as usize..*end as usize).unwrap_or_default(),
            _ => &[],
        }
    }

    /// The sum of the weights of the edges of a node.
    pub(crate) fn sum(&self, node: usize) -> f64 {
        self.sums.get(node).copied().unwrap_or(0.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_what_was_given() {
        let csr = Csr::new(3, vec![(2, 0, 0.5), (0, 2, 1.0), (0, 1, 0.25), (0, 2, 3.0)]);
        let row = |node| csr.of(node).iter().map(|edge| (edge.to, edge.weight)).collect::<Vec<_>>();
        assert_eq!((row(0), row(1), row(2), row(7)), (vec![(1, 0.25), (2, 3.0)], vec![], vec![(0, 0.5)], vec![]));
        assert_eq!((csr.len(), csr.sum(0), csr.sum(1)), (3, 3.25, 0.0));
        let turned = csr.turned(3);
        assert_eq!(turned.of(2), [Edge { to: 0, weight: 3.0 }]);
        assert_eq!(turned.turned(3), csr);
    }
}
