//! The promises of a [`Fuser`].

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use wikirag_core::{ChunkId, FusedHit, Fuser, HitKey, Result, Score, WeightedList, WikiSlot};

use crate::check::{Check, Outcome, ensure};

/// Expands to a module of tests, one for each promise of a [`Fuser`].
///
/// `fuser_suite!(module, make)`, where `make` is a `Fn() -> wikirag_core::Result<Box<dyn Fuser>>`.
#[macro_export]
macro_rules! fuser_suite {
    ($module:ident, $make:expr $(,)?) => {
        $crate::__fuser_checks! { __tests ($module, fuser, ($make)) }
    };
}

/// The one list of checks, handed to the macro `then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __fuser_checks {
    ($then:ident $args:tt) => {
        $crate::$then! { $args
            no_lists_give_no_hits
            one_list_keeps_its_order
            an_empty_list_changes_nothing
            a_list_of_weight_zero_changes_nothing
            the_order_of_the_lists_does_not_matter
            a_hit_that_leads_everywhere_leads
            weights_count
            more_weight_never_moves_a_list_down
            contributions_add_up_to_the_score
            contributions_tell_list_rank_and_score
            hits_come_best_first
            ties_come_by_key
            no_key_comes_twice
            no_key_is_lost
            want_is_a_limit
            extreme_weights_are_survived
            equal_fusers_answer_equally
        }
    };
}

/// All checks, in the order of the suite.
pub const CHECKS: &[Check<Subject>] = __fuser_checks! { __table () };

/// How many random inputs each check looks at.
const ROUNDS: u64 = 64;

/// The fuser under test.
pub struct Subject {
    make: Box<dyn Fn() -> Result<Box<dyn Fuser>>>,
}

impl Subject {
    /// The fuser that `make` makes, with the same settings each time.
    pub fn new(make: impl Fn() -> Result<Box<dyn Fuser>> + 'static) -> Self {
        Self { make: Box::new(make) }
    }

    fn make(&self) -> Outcome<Box<dyn Fuser>> {
        Ok((self.make)()?)
    }
}

/// A list that owns its hits.
#[derive(Debug, Clone)]
struct List {
    hits: Vec<(HitKey, Score)>,
    weight: f64,
}

fn key(wiki: u32, chunk: u64) -> HitKey {
    HitKey { wiki: WikiSlot(wiki), chunk: ChunkId(chunk) }
}

/// A list of these keys, best first, with strictly falling scores.
fn list(weight: f64, keys: impl IntoIterator<Item = HitKey>) -> Outcome<List> {
    let scored = |(place, key): (u32, HitKey)| Ok((key, Score::new(9.0 / (1.0 + f64::from(place)))?));
    Ok(List { hits: (0..).zip(keys).map(scored).collect::<Outcome<_>>()?, weight })
}

/// Two to six lists over at most 40 keys in two wikis, none empty, weights from 0.05 up and not round.
fn random_lists(seed: u64) -> Outcome<Vec<List>> {
    let mut random = Rng::with_seed(seed);
    (0..random.usize(2..=6))
        .map(|_| {
            let mut keys: Vec<_> = (0..40).map(|chunk| key(u32::from(chunk % 3 == 0), chunk)).collect();
            random.shuffle(&mut keys);
            keys.truncate(random.usize(1..=30));
            list(0.05 + random.f64() * 3.0, keys)
        })
        .collect()
}

fn fuse(fuser: &dyn Fuser, lists: &[List], want: usize) -> Vec<FusedHit> {
    let lists: Vec<_> = lists.iter().map(|list| WeightedList { hits: &list.hits, weight: list.weight }).collect();
    fuser.fuse(&lists, want)
}

/// Calls `look` with one fuser, random lists and what it makes of them.
fn each_round(subject: &Subject, look: impl Fn(&dyn Fuser, &[List], &[FusedHit]) -> Outcome) -> Outcome {
    let fuser = subject.make()?;
    for seed in 0..ROUNDS {
        let lists = random_lists(seed)?;
        let hits = fuse(&*fuser, &lists, usize::MAX);
        look(&*fuser, &lists, &hits).map_err(|broken| broken.at(format_args!("random lists {seed}")))?;
    }
    Ok(())
}

fn keys(hits: &[FusedHit]) -> Vec<HitKey> {
    hits.iter().map(|hit| hit.key).collect()
}

/// Keys and scores to the last bit: what must be equal where "nothing changes".
fn scored_keys(hits: &[FusedHit]) -> Vec<(HitKey, u64)> {
    hits.iter().map(|hit| (hit.key, hit.score.get().to_bits())).collect()
}

/// No list, and no list with a hit, gives an empty answer.
///
/// # Errors
/// Where the promise is broken.
pub fn no_lists_give_no_hits(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    for count in 0..4 {
        let hits = fuse(&*fuser, &vec![list(1.0, [])?; count], 10);
        ensure!(hits.is_empty(), "{count} lists without hits gave {hits:?}");
    }
    Ok(())
}

/// Fusing one list keeps its order, whatever its weight.
///
/// # Errors
/// Where the promise is broken.
pub fn one_list_keeps_its_order(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    for weight in [0.01, 1.0, 7.0] {
        // Descending keys, so that a fuser that loses the ranks and falls back to the key is seen.
        let only = list(weight, (0..200).rev().map(|chunk| key(0, chunk)))?;
        let expected: Vec<_> = only.hits.iter().map(|(key, _)| *key).collect();
        let hits = keys(&fuse(&*fuser, &[only], usize::MAX));
        ensure!(hits == expected, "a list of weight {weight} went in as {expected:?} and came out as {hits:?}");
    }
    Ok(())
}

/// An empty list, wherever it stands and whatever its weight, changes no key and no bit of a score.
///
/// # Errors
/// Where the promise is broken.
pub fn an_empty_list_changes_nothing(subject: &Subject) -> Outcome {
    idle_list_changes_nothing(subject, &list(2.0, [])?)
}

/// A list of weight 0, wherever it stands, changes no key and no bit of a score, and its own hits do not appear.
///
/// # Errors
/// Where the promise is broken.
pub fn a_list_of_weight_zero_changes_nothing(subject: &Subject) -> Outcome {
    // Chunk 5 is in most random lists, the others in none.
    idle_list_changes_nothing(subject, &list(0.0, [key(0, 900), key(0, 5), key(0, 901)])?)
}

fn idle_list_changes_nothing(subject: &Subject, idle: &List) -> Outcome {
    each_round(subject, |fuser, lists, hits| {
        for place in 0..=lists.len() {
            let mut more = lists.to_vec();
            more.insert(place, idle.clone());
            let with = fuse(fuser, &more, usize::MAX);
            ensure!(
                scored_keys(&with) == scored_keys(hits),
                "with an idle list at place {place} the answer is {with:?}, without it {hits:?}"
            );
        }
        Ok(())
    })
}

/// The lists in another order give the same keys and the same scores, to the last bit.
///
/// # Errors
/// Where the promise is broken.
pub fn the_order_of_the_lists_does_not_matter(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    let mut random = Rng::with_seed(1);
    for seed in 0..ROUNDS {
        let lists = random_lists(seed)?;
        let mut shuffled = lists.clone();
        random.shuffle(&mut shuffled);
        let (one, other) = (fuse(&*fuser, &lists, usize::MAX), fuse(&*fuser, &shuffled, usize::MAX));
        ensure!(
            scored_keys(&one) == scored_keys(&other),
            "random lists {seed}: in one order {one:?}, in another {other:?} (floating-point sums depend on the order \
             of their terms: add them in an order of your own)"
        );
    }
    Ok(())
}

/// Where every list puts `a` before `b`, so does the answer.
///
/// # Errors
/// Where the promise is broken.
pub fn a_hit_that_leads_everywhere_leads(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    let mut random = Rng::with_seed(2);
    for round in 0..ROUNDS {
        // The larger key leads, so that a tie broken by key does not pass for it.
        let (leader, follower) = (key(1, 99), key(0, 1));
        let mut lists = Vec::new();
        for _ in 0..random.usize(2..6) {
            let mut keys: Vec<_> = (10..30).map(|chunk| key(0, chunk)).collect();
            random.shuffle(&mut keys);
            let place = random.usize(0..keys.len());
            keys.insert(place, leader);
            keys.insert(random.usize(place + 1..=keys.len()), follower);
            lists.push(list(0.5 + random.f64(), keys)?);
        }
        let keys = keys(&fuse(&*fuser, &lists, usize::MAX));
        let place = |key| keys.iter().position(|known| *known == key);
        ensure!(
            place(leader) < place(follower),
            "round {round}: every list has {leader:?} before {follower:?}, the answer has not: {keys:?}"
        );
    }
    Ok(())
}

/// Of two lists without a common hit the heavier one has the first word.
///
/// # Errors
/// Where the promise is broken.
pub fn weights_count(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    let (light, heavy) = (key(0, 1), key(1, 9));
    let lists = [list(1.0, [light, key(0, 2)])?, list(4.0, [heavy, key(1, 10)])?];
    let hits = fuse(&*fuser, &lists, 1);
    ensure!(hits.first().map(|hit| hit.key) == Some(heavy), "weight 4 against weight 1, and the first is {hits:?}");
    Ok(())
}

/// Raising the weight of a list never moves one of its hits behind a hit that it does not hold.
///
/// # Errors
/// Where the promise is broken.
pub fn more_weight_never_moves_a_list_down(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    for seed in 0..ROUNDS / 4 {
        let lists = random_lists(seed)?;
        for raised in 0..lists.len() {
            let own: BTreeSet<_> = lists[raised].hits.iter().map(|(key, _)| *key).collect();
            let mut lists = lists.clone();
            // For each hit of the list: the foreign hits that come before it.
            let mut ahead: Option<BTreeMap<HitKey, BTreeSet<HitKey>>> = None;
            for _ in 0..6 {
                let mut foreign = BTreeSet::new();
                let mut now = BTreeMap::new();
                for hit in keys(&fuse(&*fuser, &lists, usize::MAX)) {
                    if own.contains(&hit) {
                        now.insert(hit, foreign.clone());
                    } else {
                        foreign.insert(hit);
                    }
                }
                for (hit, foreign) in &now {
                    let known = ahead.as_ref().and_then(|ahead| ahead.get(hit));
                    ensure!(
                        known.is_none_or(|known| foreign.is_subset(known)),
                        "random lists {seed}: with the weight of list {raised} raised to {}, its hit {hit:?} fell \
                         behind hits that the list does not hold",
                        lists[raised].weight
                    );
                }
                ahead = Some(now);
                lists[raised].weight *= 3.0;
            }
        }
    }
    Ok(())
}

/// The values of a hit's contributions, added in their order, give its score to the last bit.
///
/// # Errors
/// Where the promise is broken.
pub fn contributions_add_up_to_the_score(subject: &Subject) -> Outcome {
    each_round(subject, |_, _, hits| {
        for hit in hits {
            let sum: f64 = hit.contributions.iter().map(|contribution| contribution.value).sum();
            ensure!(sum + 0.0 == hit.score.get(), "the contributions add up to {sum}, not to the score: {hit:?}");
        }
        Ok(())
    })
}

/// Each contribution names a list that holds the hit, with the rank (from 1) and the score that it has there; a hit
/// has one contribution from each list that holds it.
///
/// # Errors
/// Where the promise is broken.
pub fn contributions_tell_list_rank_and_score(subject: &Subject) -> Outcome {
    each_round(subject, |_, lists, hits| {
        for hit in hits {
            let mut told = Vec::new();
            for part in &hit.contributions {
                told.push((part.list, part.rank, part.score));
            }
            told.sort_unstable();
            let place = |list: &List| list.hits.iter().position(|(key, _)| *key == hit.key);
            let true_ones = lists
                .iter()
                .enumerate()
                .filter_map(|(index, list)| place(list).map(|place| (index, place + 1, list.hits[place].1)));
            let true_ones: Vec<_> = true_ones.collect();
            ensure!(
                told == true_ones,
                "{:?} stands in the lists as (list, rank, score) {true_ones:?}, its contributions say {told:?}",
                hit.key
            );
        }
        Ok(())
    })
}

/// Scores never rise from one hit to the next.
///
/// # Errors
/// Where the promise is broken.
pub fn hits_come_best_first(subject: &Subject) -> Outcome {
    each_round(subject, |_, _, hits| {
        let rise = hits.windows(2).find(|pair| pair[0].score < pair[1].score);
        ensure!(rise.is_none(), "a better hit stands behind a worse one: {rise:?}");
        Ok(())
    })
}

/// Hits of equal score come by ascending key.
///
/// # Errors
/// Where the promise is broken.
pub fn ties_come_by_key(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    // Disjoint lists of equal weight: equal ranks tie in every fuser that knows ranks only, and equal scores in others.
    let lists =
        (0..5).map(|wiki| list(1.0, (0..9).map(|chunk| key(4 - wiki, 50 - chunk)))).collect::<Outcome<Vec<_>>>()?;
    let hits = fuse(&*fuser, &lists, usize::MAX);
    let pair = hits.windows(2).find(|pair| pair[0].score == pair[1].score && pair[0].key > pair[1].key);
    ensure!(pair.is_none(), "two hits of equal score are not in the order of their keys: {pair:?}");
    Ok(())
}

/// No key comes twice.
///
/// # Errors
/// Where the promise is broken.
pub fn no_key_comes_twice(subject: &Subject) -> Outcome {
    each_round(subject, |_, _, hits| {
        let mut seen = BTreeSet::new();
        let twice = hits.iter().find(|hit| !seen.insert(hit.key));
        ensure!(twice.is_none(), "this hit comes twice: {twice:?}");
        Ok(())
    })
}

/// Where all are wanted, every key of every list comes.
///
/// # Errors
/// Where the promise is broken.
pub fn no_key_is_lost(subject: &Subject) -> Outcome {
    each_round(subject, |_, lists, hits| {
        let mut missing: BTreeSet<_> = lists.iter().flat_map(|list| &list.hits).map(|(key, _)| *key).collect();
        for hit in hits {
            missing.remove(&hit.key);
        }
        ensure!(missing.is_empty(), "these keys went in and did not come out: {missing:?}");
        Ok(())
    })
}

/// At most `want` hits come, and they are the best ones. 0 and more than there are may be wanted.
///
/// # Errors
/// Where the promise is broken.
pub fn want_is_a_limit(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    for seed in 0..ROUNDS {
        let lists = random_lists(seed)?;
        let all = fuse(&*fuser, &lists, usize::MAX);
        for want in [0, 1, 2, 7, all.len(), all.len() + 1] {
            let hits = fuse(&*fuser, &lists, want);
            ensure!(
                hits == all[..want.min(all.len())],
                "random lists {seed}: with {want} wanted came {:?}, with all wanted {:?}",
                keys(&hits),
                keys(&all)
            );
        }
    }
    Ok(())
}

/// The largest and the smallest weights give an answer. (That its scores are finite is what [`Score`] is for.)
///
/// # Errors
/// Where the promise is broken.
pub fn extreme_weights_are_survived(subject: &Subject) -> Outcome {
    let fuser = subject.make()?;
    for weight in [f64::MAX, f64::MIN_POSITIVE, 5e-324] {
        let lists = vec![list(weight, [key(0, 1), key(0, 2)])?; 100];
        let hits = fuse(&*fuser, &lists, usize::MAX);
        ensure!(hits.len() == 2, "100 lists of weight {weight:e} over two keys gave {} hits", hits.len());
    }
    Ok(())
}

/// Two fusers of the same settings, and one asked twice, give the same answer, contributions and all.
///
/// # Errors
/// Where the promise is broken.
pub fn equal_fusers_answer_equally(subject: &Subject) -> Outcome {
    let other = subject.make()?;
    each_round(subject, |fuser, lists, hits| {
        for fuser in [fuser, &*other] {
            let again = fuse(fuser, lists, usize::MAX);
            ensure!(again == hits, "once the answer was {hits:?}, then {again:?}");
        }
        Ok(())
    })
}
