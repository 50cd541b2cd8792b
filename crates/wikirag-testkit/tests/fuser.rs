//! The suite for fusers over fusers that are broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test may end where something is not as it must be")]

mod broken;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use wikirag_core::{Contribution, FusedHit, Fuser, HitKey, Score, WeightedList};
use wikirag_testkit::fuser::{CHECKS, Subject};
use wikirag_testkit::fuser_suite;

fuser_suite!(the_reference, || Ok(Box::new(Reference::new(None))));

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    NeedsAList,
    LoneListReversed,
    CountsEmptyLists,
    CountsIdleLists,
    NaiveSum,
    FirstListFavoured,
    MiddleRanksDamped,
    IgnoresWeights,
    CapsWeights,
    RoundsScores,
    RanksFromZero,
    LeavesOutAContribution,
    SwapsNeighbours,
    TiesByFallingKey,
    RepeatsAHit,
    LosesAHit,
    WantsOneMore,
    WantsAtLeastOne,
    PanicsOnOverflow,
    DependsOnTheInstance,
}

const FAULTS: &[(Fault, &str)] = &[
    (Fault::NeedsAList, "no_lists_give_no_hits"),
    (Fault::LoneListReversed, "one_list_keeps_its_order"),
    (Fault::CountsEmptyLists, "an_empty_list_changes_nothing"),
    (Fault::CountsIdleLists, "a_list_of_weight_zero_changes_nothing"),
    (Fault::NaiveSum, "the_order_of_the_lists_does_not_matter"),
    (Fault::FirstListFavoured, "the_order_of_the_lists_does_not_matter"),
    (Fault::MiddleRanksDamped, "a_hit_that_leads_everywhere_leads"),
    (Fault::IgnoresWeights, "weights_count"),
    (Fault::CapsWeights, "more_weight_never_moves_a_list_down"),
    (Fault::RoundsScores, "contributions_add_up_to_the_score"),
    (Fault::RanksFromZero, "contributions_tell_list_rank_and_score"),
    (Fault::LeavesOutAContribution, "contributions_tell_list_rank_and_score"),
    (Fault::SwapsNeighbours, "hits_come_best_first"),
    (Fault::TiesByFallingKey, "ties_come_by_key"),
    (Fault::RepeatsAHit, "no_key_comes_twice"),
    (Fault::LosesAHit, "no_key_is_lost"),
    (Fault::WantsOneMore, "want_is_a_limit"),
    (Fault::WantsAtLeastOne, "want_is_a_limit"),
    (Fault::PanicsOnOverflow, "extreme_weights_are_survived"),
    (Fault::DependsOnTheInstance, "equal_fusers_answer_equally"),
];

#[test]
fn each_fault_fails_its_own_check() {
    broken::each_fault_fails_its_own_check(CHECKS, FAULTS, |fault| {
        Subject::new(move || Ok(Box::new(Reference::new(fault))))
    });
}

/// Reciprocal rank fusion, or something near it.
struct Reference {
    fault: Option<Fault>,
    instance: u32,
}

impl Reference {
    fn new(fault: Option<Fault>) -> Self {
        static INSTANCES: AtomicU32 = AtomicU32::new(0);
        Self { fault, instance: INSTANCES.fetch_add(1, Ordering::Relaxed) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// What the list number `place` among those that count weighs.
    fn weight(&self, place: usize, weight: f64) -> f64 {
        match self.fault {
            Some(Fault::FirstListFavoured) if place == 0 => weight * 1.001,
            Some(Fault::IgnoresWeights) => 1.0,
            Some(Fault::CapsWeights) if weight > 30.0 && weight < 1e9 => 0.1,
            _ => weight,
        }
    }
}

impl Fuser for Reference {
    fn fuse(&self, lists: &[WeightedList<'_>], want: usize) -> Vec<FusedHit> {
        let counts = |list: &WeightedList<'_>| list.weight > 0.0 && !list.hits.is_empty();
        let real = lists.iter().filter(|list| counts(list)).count();
        assert!(real > 0 || !self.has(Fault::NeedsAList), "no list to begin with");
        let k = 60.0
            + match self.fault {
                Some(Fault::CountsEmptyLists) => lists.iter().filter(|list| list.hits.is_empty()).count() as f64,
                Some(Fault::DependsOnTheInstance) => f64::from(self.instance % 2),
                _ => 0.0,
            };
        let mut found: BTreeMap<HitKey, Vec<Contribution>> = BTreeMap::new();
        for (index, list) in lists.iter().enumerate() {
            let weight = self.weight(lists[..index].iter().filter(|list| counts(list)).count(), list.weight);
            if list.weight <= 0.0 && !self.has(Fault::CountsIdleLists) {
                continue;
            }
            for (place, (key, score)) in list.hits.iter().enumerate() {
                let rank = match self.fault {
                    Some(Fault::MiddleRanksDamped) if (2..5).contains(&place) && real > 1 => 500,
                    Some(Fault::LoneListReversed) if real == 1 => 1 + place.abs_diff(1),
                    _ => place + 1,
                };
                let value = weight / (k + rank as f64);
                let rank = place + usize::from(!self.has(Fault::RanksFromZero));
                found.entry(*key).or_default().push(Contribution { list: index, rank, score: *score, value });
            }
        }
        let mut fused: Vec<_> = found.into_iter().map(|(key, contributions)| self.sum(key, contributions)).collect();
        if self.has(Fault::TiesByFallingKey) {
            fused.reverse();
        }
        fused.sort_by_key(|hit| Reverse(hit.score));
        self.spoil(&mut fused, real);
        fused.truncate(match self.fault {
            Some(Fault::WantsOneMore) if want > 0 => want.saturating_add(1),
            Some(Fault::WantsAtLeastOne) => want.max(1),
            _ => want,
        });
        fused
    }
}

impl Reference {
    fn sum(&self, key: HitKey, mut contributions: Vec<Contribution>) -> FusedHit {
        if !self.has(Fault::NaiveSum) {
            contributions.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.list.cmp(&b.list)));
        }
        if self.has(Fault::LeavesOutAContribution) && contributions.len() > 2 {
            contributions.pop();
        }
        let mut sum: f64 = contributions.iter().map(|contribution| contribution.value).sum();
        if self.has(Fault::RoundsScores) {
            sum = f64::from(sum as f32);
        }
        let score = Score::new(sum);
        let score = if self.has(Fault::PanicsOnOverflow) { score.unwrap() } else { score.unwrap_or_default() };
        FusedHit { key, score, contributions }
    }

    /// Faults of the finished list, at hits that one list of three or more holds.
    fn spoil(&self, fused: &mut Vec<FusedHit>, real: usize) {
        if real < 3 {
            return;
        }
        let lone = |hit: &FusedHit| hit.contributions.len() == 1;
        let place = fused.iter().position(lone);
        let pair = fused
            .windows(2)
            .position(|pair| pair.iter().all(lone) && pair[0].contributions[0].list == pair[1].contributions[0].list);
        match (self.fault, place, pair) {
            (Some(Fault::SwapsNeighbours), _, Some(place)) => fused.swap(place, place + 1),
            (Some(Fault::RepeatsAHit), Some(place), _) => fused.insert(place, fused[place].clone()),
            (Some(Fault::LosesAHit), Some(place), _) => drop(fused.remove(place)),
            _ => {}
        }
    }
}
