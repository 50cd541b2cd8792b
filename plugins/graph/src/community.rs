//! Communities of pages: groups that link and name each other more than others.
//!
//! Label propagation (Raghavan, Albert and Kumara 2007): each page takes the label that weighs most among its neighbours, until
//! none changes. Pages are asked in the order of their paths and ties go to the smallest label, so the outcome is always the same.

use std::collections::HashMap;

use crate::csr::Csr;

/// Labels settle within a few rounds; two that swap for ever must not go on.
const ROUNDS: usize = 16;

/// The community of each of `pages` pages, as the number of one of its pages. A page without edges is one of its own.
pub(crate) fn of(out: &Csr, page_of: &[u32], pages: usize) -> Vec<u32> {
    let between = between(out, page_of, pages);
    let mut labels: Vec<u32> = (0u32..).take(pages).collect();
    let mut weights: HashMap<u32, f64> = HashMap::new();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for page in 0..pages {
            weights.clear();
            for edge in between.of(page) {
                if let Some(label) = labels.get(edge.to as usize) {
                    *weights.entry(*label).or_default() += f64::from(edge.weight);
                }
            }
            let best = weights.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
            if let (Some((best, _)), Some(label)) = (best, labels.get_mut(page))
                && best != label
            {
                *label = *best;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    labels
}

/// Edges between pages, without directions: the sum over the passages of each.
fn between(out: &Csr, page_of: &[u32], pages: usize) -> Csr {
    let mut sums: HashMap<(u32, u32), f32> = HashMap::new();
    for (chunk, page) in page_of.iter().enumerate() {
        for edge in out.of(chunk) {
            *sums.entry((*page, edge.to)).or_default() += edge.weight;
            *sums.entry((edge.to, *page)).or_default() += edge.weight;
        }
    }
    Csr::new(pages, sums.into_iter().map(|((from, to), weight)| (from, to, weight)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_circles_that_one_link_joins_are_two_communities() {
        let links = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
        let mut edges: Vec<(u32, u32, f32)> = links.map(|(from, to)| (from, to, 1.0)).to_vec();
        edges[6].2 = 0.1;
        let page_of: Vec<u32> = (0..7).collect();
        let labels = of(&Csr::new(7, edges), &page_of, 7);
        assert_eq!(labels[0], labels[1]);
        assert_eq!(labels[1], labels[2]);
        assert_eq!(labels[3], labels[4]);
        assert_eq!(labels[4], labels[5]);
        assert!(labels[0] != labels[3] && labels[6] == 6);
    }
}
