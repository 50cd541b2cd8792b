//! Texts to tokens, in windows that the model sees whole.

use std::ops::Range;
use std::path::Path;

use tokenizers::{Encoding, Tokenizer};
use wikirag_core::{Error, ErrorKind, Result};

use crate::pairs;

/// What the model sees at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// Numbers of the tokens, special ones included. Never empty.
    pub(crate) ids: Vec<i64>,
    /// To which of two texts each belongs, for models that ask.
    pub(crate) types: Vec<i64>,
    /// Tokens of the text itself: what this window weighs among those of its text. At least 1.
    pub(crate) weight: usize,
}

/// The tokenizer of a model.
pub(crate) struct Splitter {
    tokenizer: Tokenizer,
    /// Special tokens before and after the text, each with its type, and the type of the text between.
    before: Vec<Typed>,
    after: Vec<Typed>,
    text_type: i64,
    /// Tokens of text that fit between them.
    room: usize,
}

pub(crate) const OPERATION: &str = "tokenise";

pub(crate) fn failed(error: tokenizers::Error) -> Error {
    Error::new(ErrorKind::Unavailable, OPERATION, "the tokenizer fails").caused_by(error)
}

impl Splitter {
    /// Reads the tokenizer at `path` of a model that sees `max_tokens` at once.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where the file is no tokenizer, or one whose special tokens leave no room for a text.
    pub(crate) fn open(path: &Path, max_tokens: usize) -> Result<Self> {
        Self::read(path, max_tokens).map_err(|error| error.with("path", path.display()))
    }

    fn read(path: &Path, max_tokens: usize) -> Result<Self> {
        let mut tokenizer = Tokenizer::from_file(path).map_err(failed)?;
        // Both are set in files of models that were tried in batches. Cutting would be silent, and padding is waste.
        tokenizer.with_truncation(None).map_err(failed)?;
        tokenizer.with_padding(None);
        let (before, after, text_type) = frame(&tokenizer)?;
        let room = max_tokens.saturating_sub(before.len() + after.len());
        if room == 0 {
            let message = format!("no token of a text fits into {max_tokens} beside the special ones");
            return Err(Error::new(ErrorKind::Unavailable, OPERATION, message));
        }
        Ok(Self { tokenizer, before, after, text_type, room })
    }

    /// The windows of a question and a passage for a model that reads both together: the question stands in each of them. See
    /// [`pairs::windows`].
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where the tokenizer fails or knows no pairs.
    pub(crate) fn pairs(&self, question: &str, passage: &str) -> Result<Vec<Window>> {
        pairs::windows(&self.tokenizer, self.room + self.before.len() + self.after.len(), question, passage)
    }

    /// The windows of a text, at least one. A text that fits is one window; a longer one is cut into windows of about
    /// equal length, between words where there are any. `prefix` stands before the text, and so before each window.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where the tokenizer fails.
    pub(crate) fn windows(&self, prefix: &str, text: &str) -> Result<Vec<Window>> {
        let whole = [prefix, text].concat();
        let encoding = self.tokenizer.encode(whole.as_str(), false).map_err(failed)?;
        if encoding.len() <= self.room {
            return Ok(vec![self.window(&[], encoding.get_ids())]);
        }
        let lead = self.lead(prefix, encoding.get_ids())?;
        let (lead_ids, ids) = encoding.get_ids().split_at(lead);
        let words = &encoding.get_word_ids()[lead..];
        let ends = cuts(words, self.room - lead);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        Ok(starts.zip(&ends).map(|(start, end)| self.window(lead_ids, &ids[start..*end])).collect())
    }

    /// How many of the tokens are those of the prefix, to be repeated before each window. None where the tokenizer melts
    /// the two together, or the prefix takes most of a window.
    fn lead(&self, prefix: &str, ids: &[u32]) -> Result<usize> {
        let lead = self.tokenizer.encode_fast(prefix.trim_end(), false).map_err(failed)?;
        let repeats = ids.starts_with(lead.get_ids()) && lead.len() <= self.room / 2;
        Ok(if repeats { lead.len() } else { 0 })
    }

    fn window(&self, lead: &[u32], ids: &[u32]) -> Window {
        let text = lead.iter().chain(ids).map(|id| (i64::from(*id), self.text_type));
        let all = self.before.iter().copied().chain(text).chain(self.after.iter().copied());
        let (mut ids_out, mut types): (Vec<_>, Vec<_>) = all.unzip();
        if ids_out.is_empty() {
            // An empty text of a tokenizer without special tokens: no model takes a tensor without a token.
            (ids_out, types) = (vec![0], vec![self.text_type]);
        }
        Window { ids: ids_out, types, weight: ids.len().max(1) }
    }
}

/// A token, and its type.
pub(crate) type Typed = (i64, i64);

/// Some of the tokens of an encoding, with their types.
pub(crate) fn typed(encoding: &Encoding, range: Range<usize>) -> Vec<Typed> {
    let types = &encoding.get_type_ids()[range.clone()];
    encoding.get_ids()[range].iter().zip(types).map(|(id, kind)| (i64::from(*id), i64::from(*kind))).collect()
}

/// What the tokenizer puts before and after a text, and the type of the text.
fn frame(tokenizer: &Tokenizer) -> Result<(Vec<Typed>, Vec<Typed>, i64)> {
    let encode = |text, special| tokenizer.encode_fast(text, special).map_err(failed);
    // One of these is a token of any model.
    for sample in ["a", "0", "の"] {
        let (plain, framed) = (encode(sample, false)?, encode(sample, true)?);
        let ids = plain.get_ids();
        if ids.is_empty() {
            continue;
        }
        let Some(start) = framed.get_ids().windows(ids.len()).position(|part| part == ids) else { continue };
        let end = start + ids.len();
        let text_type = framed.get_type_ids().get(start).copied().unwrap_or_default();
        return Ok((typed(&framed, 0..start), typed(&framed, end..framed.len()), text_type.into()));
    }
    Err(Error::new(ErrorKind::Unavailable, OPERATION, "the tokenizer makes no tokens of plain letters"))
}

/// Where the windows of a text end whose tokens belong to these words: as few windows as can be, of about equal length, each
/// at most `room` long, cut between two words unless there is none in the last quarter of a window.
pub(crate) fn cuts(words: &[Option<u32>], room: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    while start < words.len() {
        let rest = words.len() - start;
        let wanted = start + rest.div_ceil(rest.div_ceil(room));
        let earliest = wanted - ((wanted - start).div_ceil(4)).min(wanted - start - 1);
        let begins_word = |at: &usize| *at == words.len() || words[*at].is_none() || words[*at] != words[*at - 1];
        start = (earliest..=wanted).rev().find(begins_word).unwrap_or(wanted);
        ends.push(start);
    }
    ends
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
