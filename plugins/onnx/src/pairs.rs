//! A question and a passage as the tokens of one text, for models that read both together.

use tokenizers::Tokenizer;
use wikirag_core::{Error, ErrorKind, Result};

use crate::tokens::{OPERATION, Typed, Window, cuts, failed, typed};

/// What stands before, between and after the two, and the types of their own tokens.
struct Frame {
    before: Vec<Typed>,
    question: i64,
    between: Vec<Typed>,
    passage: i64,
    after: Vec<Typed>,
}

/// The windows of a pair for a model that sees `max_tokens` at once: the passage is cut as a text is, and the question stands
/// in each window. Of a question that is longer than half of a window the beginning counts.
///
/// # Errors
/// [`ErrorKind::Unavailable`] where the tokenizer fails or knows no pairs.
pub(crate) fn windows(tokenizer: &Tokenizer, max_tokens: usize, question: &str, passage: &str) -> Result<Vec<Window>> {
    let frame = frame(tokenizer)?;
    let room = max_tokens.saturating_sub(frame.before.len() + frame.between.len() + frame.after.len());
    if room < 2 {
        let message = format!("no tokens of a question and a passage fit into {max_tokens} beside the special ones");
        return Err(Error::new(ErrorKind::Unavailable, OPERATION, message));
    }
    let question = tokenizer.encode_fast(question, false).map_err(failed)?;
    let question = &question.get_ids()[..question.len().min(room / 2)];
    let passage = tokenizer.encode(passage, false).map_err(failed)?;
    let mut ends = cuts(passage.get_word_ids(), room - question.len());
    if ends.is_empty() {
        ends.push(0);
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    Ok(starts.zip(&ends).map(|(start, end)| frame.window(question, &passage.get_ids()[start..*end])).collect())
}

impl Frame {
    fn window(&self, question: &[u32], passage: &[u32]) -> Window {
        let question = question.iter().map(|id| (i64::from(*id), self.question));
        let text = passage.iter().map(|id| (i64::from(*id), self.passage));
        let head = self.before.iter().copied().chain(question).chain(self.between.iter().copied());
        let (ids, types) = head.chain(text).chain(self.after.iter().copied()).unzip();
        Window { ids, types, weight: passage.len().max(1) }
    }
}

fn frame(tokenizer: &Tokenizer) -> Result<Frame> {
    for sample in ["a", "0", "の"] {
        let plain = tokenizer.encode_fast(sample, false).map_err(failed)?;
        let pair = tokenizer.encode_fast((sample, sample), true).map_err(failed)?;
        let (ids, all) = (plain.get_ids(), pair.get_ids());
        if ids.is_empty() {
            continue;
        }
        let find = |from: usize| all[from..].windows(ids.len()).position(|part| part == ids).map(|at| from + at);
        let Some((first, second)) = find(0).and_then(|first| Some((first, find(first + ids.len())?))) else { continue };
        let type_at = |at: usize| pair.get_type_ids().get(at).copied().unwrap_or_default().into();
        return Ok(Frame {
            before: typed(&pair, 0..first),
            question: type_at(first),
            between: typed(&pair, first + ids.len()..second),
            passage: type_at(second),
            after: typed(&pair, second + ids.len()..pair.len()),
        });
    }
    Err(Error::new(ErrorKind::Unavailable, OPERATION, "the tokenizer knows no pairs of texts"))
}

#[cfg(test)]
#[path = "pairs_tests.rs"]
mod tests;
