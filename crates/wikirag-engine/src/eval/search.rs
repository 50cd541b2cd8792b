//! Which combinations of values are tried.
//!
//! A point says for each key which of its values it takes, counted from 1; 0 is the default.

use serde::Serialize;
use wikirag_core::Result;

/// Up to so many points are all tried.
const MAX_GRID: usize = 50;

/// How the points were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// Every combination of values, of which there are at most 50.
    Grid,
    /// One key after the other, the others held at the best that is known, until a round over all keys changes nothing.
    Coordinate,
}

impl Search {
    /// The search for keys of so many values each, the default not counted.
    pub(super) fn over(sizes: &[usize]) -> Self {
        let points = sizes.iter().try_fold(1_usize, |points, size| points.checked_mul(size + 1));
        if points.is_some_and(|points| points <= MAX_GRID) { Self::Grid } else { Self::Coordinate }
    }

    /// Asks for what is to be known of each point, the defaults first and no point twice. `score` tells how good it is.
    pub(super) async fn run<T>(
        self,
        sizes: &[usize],
        mut ask: impl AsyncFnMut(&[usize]) -> Result<T>,
        score: impl Fn(&T) -> f64,
    ) -> Result<Vec<(Vec<usize>, T)>> {
        let mut best = vec![0; sizes.len()];
        let mut tried = vec![(best.clone(), ask(&best).await?)];
        if self == Self::Grid {
            while advance(&mut best, sizes) {
                tried.push((best.clone(), ask(&best).await?));
            }
            return Ok(tried);
        }
        let mut best_score = score(&tried[0].1);
        loop {
            let before = best.clone();
            for (key, size) in sizes.iter().enumerate() {
                for value in 0..=*size {
                    let mut point = best.clone();
                    point[key] = value;
                    if tried.iter().any(|(known, _)| *known == point) {
                        continue;
                    }
                    let found = ask(&point).await?;
                    if score(&found) > best_score {
                        best_score = score(&found);
                        best.clone_from(&point);
                    }
                    tried.push((point, found));
                }
            }
            if best == before {
                return Ok(tried);
            }
        }
    }
}

/// The next point of the grid; `false` after the last one.
fn advance(point: &mut [usize], sizes: &[usize]) -> bool {
    for (value, size) in point.iter_mut().zip(sizes).rev() {
        if *value < *size {
            *value += 1;
            return true;
        }
        *value = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use futures_lite::future::block_on;

    use super::*;

    fn run(search: Search, sizes: &[usize], score: impl Fn(&[usize]) -> f64) -> Vec<Vec<usize>> {
        let tried = block_on(search.run(sizes, async |point: &[usize]| Ok(score(point)), |score| *score)).unwrap();
        tried.into_iter().map(|(point, _)| point).collect()
    }

    #[test]
    fn a_grid_is_tried_whole() {
        assert_eq!(Search::over(&[2, 1]), Search::Grid);
        let tried = run(Search::Grid, &[2, 1], |_| 0.0);
        assert_eq!(tried, [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]);
    }

    #[test]
    fn what_would_be_too_many_is_searched_key_by_key() {
        assert_eq!(Search::over(&[6, 6]), Search::Grid);
        assert_eq!(Search::over(&[6, 7]), Search::Coordinate);
        assert_eq!(Search::over(&[usize::MAX - 1, 2]), Search::Coordinate);
        // The best is (2, 3); from the defaults the first key is moved, then the second.
        let score = |point: &[usize]| -(point[0].abs_diff(2) as f64) - point[1].abs_diff(3) as f64;
        let tried = run(Search::Coordinate, &[3, 4], score);
        assert_eq!(tried[..5], [[0, 0], [1, 0], [2, 0], [3, 0], [2, 1]]);
        assert!(tried.contains(&vec![2, 3]), "{tried:?}");
        let distinct: std::collections::BTreeSet<_> = tried.iter().collect();
        assert_eq!(distinct.len(), tried.len());
    }

    #[test]
    fn where_nothing_is_better_the_defaults_are_left_by_one_key_alone() {
        let tried = run(Search::Coordinate, &[2, 2], |_| 0.5);
        assert_eq!(tried, [[0, 0], [1, 0], [2, 0], [0, 1], [0, 2]]);
    }
}
