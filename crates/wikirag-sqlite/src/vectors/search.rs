//! The nearest chunks of a question, exactly.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

use rusqlite::Connection;
use wikirag_core::{ChunkId, Context, Ranked, RankedList, Score};

use super::block::Question;
use super::coarse::Coarse;
use super::vector::{bytes, vector_checksum};
use crate::error::Fault;

/// Exact comparisons between two looks at whether somebody wants to stop.
const SCORES_PER_CHECK: usize = 256;

/// The `want` chunks with the highest cosine to `question`, which has unit length.
///
/// All chunks are bounded from above by their compact forms, and scored exactly in the order of their bounds until no
/// bound reaches the worst of the best. So nothing is lost, and little more than what is wanted is scored.
pub(super) fn nearest(
    connection: &Connection,
    coarse: &Coarse,
    question: &[f32],
    want: usize,
    context: &Context,
) -> Result<RankedList, Fault> {
    let mut bounds = coarse.bounds(&Question::new(question), context)?;
    let want = want.min(bounds.len());
    let mut exact = Exact { connection, question: bytes(question), scores: HashMap::new() };
    // The worst of the best on top.
    let mut best: BinaryHeap<(Reverse<Score>, ChunkId)> = BinaryHeap::with_capacity(want);
    let mut scored = 0;
    // Sorting all bounds would cost more than making them: the highest ones first, and more where they do not suffice.
    let mut sorted = 0;
    while want > 0 && sorted < bounds.len() {
        let rest = &mut bounds[sorted..];
        let part = rest.len().min(want.max(sorted).saturating_mul(2));
        if part < rest.len() {
            rest.select_nth_unstable_by(part, highest_first);
        }
        rest[..part].sort_unstable_by(highest_first);
        for (bound, slot) in &rest[..part] {
            if best.len() == want
                && let Some((Reverse(worst), _)) = best.peek()
                && f64::from(*bound) < worst.get()
            {
                return Ok(list(best));
            }
            if scored % SCORES_PER_CHECK == 0 {
                context.check("search vectors")?;
            }
            scored += 1;
            let Some((chunk, vector)) = coarse.ids(*slot) else { continue };
            let found = (Reverse(exact.score(vector)?), ChunkId(chunk));
            if best.len() < want {
                best.push(found);
            } else if let Some(mut worst) = best.peek_mut()
                && found < *worst
            {
                *worst = found;
            }
        }
        sorted += part;
    }
    Ok(list(best))
}

fn highest_first(a: &(f32, u64), b: &(f32, u64)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

fn list(best: BinaryHeap<(Reverse<Score>, ChunkId)>) -> RankedList {
    let hits = best.into_sorted_vec().into_iter().map(|(Reverse(score), chunk)| Ranked { chunk, score });
    RankedList { hits: hits.collect() }
}

/// Exact cosines to one question, by sqlite-vec.
struct Exact<'a> {
    connection: &'a Connection,
    question: Vec<u8>,
    /// By vector: equal texts share one.
    scores: HashMap<u64, Score>,
}

impl Exact<'_> {
    fn score(&mut self, vector: u64) -> Result<Score, Fault> {
        const SELECT: &str =
            "SELECT text_hash, vector, checksum, vec_distance_cosine(vector, ?2) FROM vectors WHERE id = ?1";
        if let Some(score) = self.scores.get(&vector) {
            return Ok(*score);
        }
        let mut statement = self.connection.prepare_cached(SELECT)?;
        let (whole, distance): (bool, f64) = statement.query_row((vector, &self.question), |row| {
            let (text, bytes) = (row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?);
            Ok((vector_checksum(vector, text, bytes) == row.get::<_, [u8; 16]>(2)?, row.get(3)?))
        })?;
        if !whole {
            return Err(Fault::damaged(format!("vector {vector} is not what was written")));
        }
        let score = Score::new(1.0 - distance)?;
        self.scores.insert(vector, score);
        Ok(score)
    }
}
