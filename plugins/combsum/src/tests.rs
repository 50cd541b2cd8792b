use std::collections::BTreeMap;

use proptest::prelude::*;
use wikirag_core::{ChunkId, ErrorKind, HitKey, Score, WikiSlot};
use wikirag_testkit::{json, make};

use super::normalise::LEAST;
use super::*;

const ALL: [Normalise; 3] = [Normalise::MinMax, Normalise::Max, Normalise::Distribution];

type Hits = Vec<(HitKey, Score)>;

fn key(chunk: u64) -> HitKey {
    HitKey { wiki: WikiSlot(0), chunk: ChunkId(chunk) }
}

fn hits(scored: &[(u64, f64)]) -> Hits {
    scored.iter().map(|(chunk, score)| (key(*chunk), Score::new(*score).expect("finite"))).collect()
}

fn fuse(normalise: Normalise, lists: &[(&Hits, f64)]) -> Vec<FusedHit> {
    let lists: Vec<_> = lists.iter().map(|(hits, weight)| WeightedList { hits, weight: *weight }).collect();
    CombSum { normalise }.fuse(&lists, usize::MAX)
}

fn scores(fused: &[FusedHit]) -> Vec<(u64, f64)> {
    fused.iter().map(|hit| (hit.key.chunk.0, hit.score.get())).collect()
}

#[test]
fn scores_are_those_of_the_formula() {
    let (words, meaning) = (hits(&[(1, 8.0), (2, 6.0), (3, 4.0)]), hits(&[(2, 0.5), (4, 0.25)]));
    let lists = [(&words, 1.0), (&meaning, 0.5)];
    assert_eq!(scores(&fuse(Normalise::MinMax, &lists)), [(1, 1.0), (2, 1.0), (3, LEAST), (4, 0.5 * LEAST)]);
    assert_eq!(scores(&fuse(Normalise::Max, &lists)), [(2, 1.25), (1, 1.0), (3, 0.5), (4, 0.25)]);

    // The deviations of the words are sqrt(8/3) and those of the meaning 1/8; a score one deviation above the mean counts 2/3.
    let above = 0.5 + 2.0 / (6.0 * (8.0_f64 / 3.0).sqrt());
    let wanted = [(2, 0.5 + 0.5 * (2.0 / 3.0)), (1, above), (3, 1.0 - above), (4, 0.5 * (1.0 / 3.0))];
    let found = scores(&fuse(Normalise::Distribution, &lists));
    assert!(
        found.iter().zip(wanted).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12),
        "{found:?}, not {wanted:?}"
    );
}

#[test]
fn one_hit_and_equal_scores_count_the_same() {
    for (normalise, wanted) in [(Normalise::MinMax, 1.0), (Normalise::Max, 1.0), (Normalise::Distribution, 0.5)] {
        for score in [7.0, 0.0, -3.0, f64::MAX, f64::MIN, 5e-324] {
            for list in [hits(&[(9, score)]), hits(&[(9, score), (3, score), (5, score)])] {
                let fused = fuse(normalise, &[(&list, 2.0)]);
                let keys: Vec<_> = fused.iter().map(|hit| hit.key).collect();
                assert!(keys.iter().eq(list.iter().map(|(key, _)| key)), "{normalise:?} of {score}: {fused:?}");
                let is_near = |hit: &FusedHit| (hit.score.get() - 2.0 * wanted).abs() < 1e-12;
                assert!(fused.iter().all(is_near), "{normalise:?} of {score}: {fused:?}");
            }
        }
    }
}

#[test]
fn an_outlier_below_everything_else_counts_least() {
    let mut scored: Vec<_> = (0..100).map(|chunk| (chunk, 1.0)).collect();
    scored.push((100, -1000.0));
    for normalise in ALL {
        let fused = fuse(normalise, &[(&hits(&scored), 1.0)]);
        assert_eq!(scores(&fused).last(), Some(&(100, LEAST)), "{normalise:?}");
    }
}

#[test]
fn settings_are_checked() {
    for good in ["min-max", "max", "distribution"] {
        assert!(make::fuser(PLUGIN, json!({ "normalise": good })).is_ok(), "{good}");
    }
    assert!(make::fuser(PLUGIN, json!(null)).is_ok());
    for bad in [json!({ "normalise": "z" }), json!({ "normalise": 1 }), json!({ "normalize": "max" })] {
        assert_eq!(make::fuser(PLUGIN, bad.clone()).err().expect("refused").kind(), ErrorKind::Invalid, "{bad}");
    }
}

/// Any finite score, and many that are equal, close or far apart.
fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1.0..20.0,
        2 => (0..4).prop_map(f64::from),
        1 => (0..4).prop_map(|ulps| 1.0 + f64::from(ulps) * f64::EPSILON),
        1 => any::<f64>().prop_filter("finite", |score| score.is_finite()),
        1 => prop::sample::select(vec![f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -5e-324]),
    ]
}

/// Best first, some of 40 chunks; equal scores in any order of keys.
fn list() -> impl Strategy<Value = Hits> {
    let chunks = prop::sample::subsequence((0..40).collect::<Vec<u64>>(), 0..30).prop_shuffle();
    (chunks, prop::collection::vec(score(), 30)).prop_map(|(chunks, mut scores)| {
        scores.sort_by(|a, b| b.total_cmp(a));
        hits(&chunks.into_iter().zip(scores).collect::<Vec<_>>())
    })
}

fn lists() -> impl Strategy<Value = Vec<(Hits, f64)>> {
    prop::collection::vec((list(), prop_oneof![Just(0.0), 0.01..10.0]), 0..5)
}

fn borrowed(lists: &[(Hits, f64)]) -> Vec<(&Hits, f64)> {
    lists.iter().map(|(hits, weight)| (hits, *weight)).collect()
}

fn normalise() -> impl Strategy<Value = Normalise> {
    prop::sample::select(ALL.to_vec())
}

proptest! {
    #[test]
    fn one_list_keeps_its_order(how in normalise(), list in list(), weight in prop_oneof![0.01..10.0, Just(5e-324), Just(1e300)]) {
        let fused = fuse(how, &[(&list, weight)]);
        prop_assert!(fused.iter().map(|hit| hit.key).eq(list.iter().map(|(key, _)| *key)), "{:?}", fused);
    }

    #[test]
    fn contributions_are_above_zero_and_add_up(how in normalise(), lists in lists()) {
        for hit in fuse(how, &borrowed(&lists)) {
            prop_assert!(hit.contributions.iter().all(|part| part.value > 0.0), "{:?}", hit);
            let sum: f64 = hit.contributions.iter().map(|part| part.value).sum();
            prop_assert_eq!(sum.to_bits(), hit.score.get().to_bits());
        }
    }

    #[test]
    fn the_order_of_the_lists_does_not_matter(how in normalise(), lists in lists(), seed in any::<prop::sample::Index>()) {
        let mut turned = lists.clone();
        if !turned.is_empty() {
            let by = seed.index(turned.len());
            turned.rotate_left(by);
        }
        let bits = |fused: Vec<FusedHit>| -> Vec<_> { fused.iter().map(|hit| (hit.key, hit.score.get().to_bits())).collect() };
        prop_assert_eq!(bits(fuse(how, &borrowed(&lists))), bits(fuse(how, &borrowed(&turned))));
    }

    /// What the list holds gains, what it does not hold stays: so nothing that it holds falls behind.
    #[test]
    fn more_weight_moves_only_up(how in normalise(), raised in list(), other in list(), weight in 0.01..10.0, times in 1.0..100.0) {
        let by_key = |weight| -> BTreeMap<_, _> {
            fuse(how, &[(&raised, weight), (&other, 1.0)]).into_iter().map(|hit| (hit.key, hit.score)).collect()
        };
        let (before, after) = (by_key(weight), by_key(weight * times));
        for (key, score) in &before {
            let is_held = raised.iter().any(|(held, _)| held == key);
            prop_assert!(if is_held { after[key] >= *score } else { after[key] == *score }, "{:?} {:?}", key, after);
        }
    }

    /// Powers of two, so that scaling itself rounds nothing.
    #[test]
    fn the_unit_of_the_scores_does_not_matter(how in normalise(), scores in prop::collection::vec(-1.0..20.0, 0..30), power in -20..20) {
        let scaled: Vec<f64> = scores.iter().map(|score: &f64| score * 2.0_f64.powi(power)).collect();
        prop_assert_eq!(how.apply(&scores), how.apply(&scaled));
    }

    #[test]
    fn the_zero_of_the_scores_matters_for_max_alone(scores in prop::collection::vec(0.0..20.0, 2..30), shift in -100.0..100.0) {
        let moved: Vec<f64> = scores.iter().map(|score: &f64| score + shift).collect();
        let widest = scores.iter().fold(0.0, |widest: f64, score| widest.max((score - scores[0]).abs()));
        prop_assume!(widest > 1e-3);
        for how in [Normalise::MinMax, Normalise::Distribution] {
            let pairs = how.apply(&scores).into_iter().zip(how.apply(&moved));
            prop_assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-6), "{:?}", pairs.collect::<Vec<_>>());
        }
    }

    #[test]
    fn normalised_scores_are_finite_and_bounded(how in normalise(), scores in prop::collection::vec(score(), 0..60)) {
        let most = match how {
            Normalise::MinMax | Normalise::Max => 1.0,
            // No score of n lies further than sqrt(n - 1) standard deviations from their mean.
            Normalise::Distribution => 0.5 + (scores.len() as f64).sqrt() / 6.0,
        };
        for value in how.apply(&scores) {
            prop_assert!((LEAST..=most + 1e-9).contains(&value), "{} of {:?}", value, how);
        }
    }
}
