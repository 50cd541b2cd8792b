//! Two sentences side by side: whether they say the same but for a value or a negation.

use std::ops::Range;

use super::Kind;
use super::statement::{Part, Sort, Statement};
use super::values::Likeness;

/// Fewer words in common are a phrase, not a statement.
pub(super) const MIN_WORDS: usize = 3;
/// One word of a sentence in so many may be missing from the other.
pub(super) const WORDS_PER_EXTRA: usize = 5;

/// What two sentences are to each other.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// About different things, or in different words.
    Apart,
    /// The same.
    Same,
    /// The same but for the two stretches, in the texts of their passages.
    Differ { kind: Kind, at: [Range<usize>; 2] },
}

/// Compares two sentences as de Marneffe, Rafferty and Manning do for their classes *numeric* and *negation* ("Finding
/// Contradictions in Text", ACL 2008): align, ask whether both speak of one event, and look at what differs in the aligned
/// places. Instead of a parse it asks that nearly all content words are the same, in the same order:
///
/// * a word that only one of them has must not be a name, and no word may stand where the other has a different one;
/// * all but one value must be the same: the others say which event it is (`In 2019 it sold 5`, `In 2020 it sold 6`).
pub(super) fn compare(one: &Statement, other: &Statement) -> Verdict {
    let Some(pairs) = align(&one.parts, &other.parts) else { return Verdict::Apart };
    let mut words = 0;
    let mut differ: Option<(Kind, [Range<usize>; 2])> = None;
    let mut negated: Option<[Range<usize>; 2]> = None;
    for &(i, j) in &pairs {
        let (left, right) = (&one.parts[i], &other.parts[j]);
        match (&left.sort, &right.sort) {
            (Sort::Word { negation: first, .. }, Sort::Word { negation: second, .. }) => {
                words += 1;
                match (first, second) {
                    (Some(no), None) => {
                        negated = negated.or_else(|| Some([*no as usize..left.span().end, right.span()]));
                    }
                    (None, Some(no)) => {
                        negated = negated.or_else(|| Some([left.span(), *no as usize..right.span().end]));
                    }
                    _ => {}
                }
            }
            (Sort::Value(first), Sort::Value(second)) if first.compare(second) == Likeness::Differs => {
                if differ.is_some() {
                    return Verdict::Apart;
                }
                differ = Some((first.kind(), [left.span(), right.span()]));
            }
            _ => {}
        }
    }
    if words < MIN_WORDS {
        return Verdict::Apart;
    }
    let is_whole = pairs.len() == one.parts.len() && pairs.len() == other.parts.len();
    match (differ, negated) {
        (None, None) => Verdict::Same,
        (Some((kind, at)), None) if one.negations == other.negations => Verdict::Differ { kind, at },
        // A negation that moved within its sentence is none that was added.
        (None, Some(at)) if is_whole && one.negations != other.negations => {
            Verdict::Differ { kind: Kind::Negation, at }
        }
        _ => Verdict::Apart,
    }
}

/// The longest common subsequence, as places in both; `None` where what is left over makes them two statements.
fn align(one: &[Part], other: &[Part]) -> Option<Vec<(usize, usize)>> {
    let width = other.len() + 1;
    // At most 65 x 65 (`MAX_PARTS`): lengths of the best alignment of the ends of both.
    let mut best = vec![0_u8; (one.len() + 1) * width];
    for i in (0..one.len()).rev() {
        for j in (0..other.len()).rev() {
            best[i * width + j] = if matches(&one[i], &other[j]) {
                best[(i + 1) * width + j + 1] + 1
            } else {
                best[(i + 1) * width + j].max(best[i * width + j + 1])
            };
        }
    }
    let allowed = one.len().max(other.len()) / WORDS_PER_EXTRA;
    if one.len() + other.len() > 2 * usize::from(best[0]) + allowed {
        return None;
    }
    let mut pairs = Vec::with_capacity(usize::from(best[0]));
    let (mut i, mut j) = (0, 0);
    let (mut only_one, mut only_other) = (false, false);
    while i < one.len() || j < other.len() {
        if i < one.len() && j < other.len() && matches(&one[i], &other[j]) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
            (only_one, only_other) = (false, false);
            continue;
        }
        let extra = if j == other.len() || i < one.len() && best[(i + 1) * width + j] >= best[i * width + j + 1] {
            only_one = true;
            i += 1;
            &one[i - 1]
        } else {
            only_other = true;
            j += 1;
            &other[j - 1]
        };
        let is_subject = matches!(extra.sort, Sort::Word { is_name: true, .. } | Sort::Value(_));
        if is_subject || only_one && only_other {
            return None;
        }
    }
    Some(pairs)
}

/// Whether two parts may stand in one place: the same word, or values of one sort.
fn matches(one: &Part, other: &Part) -> bool {
    match (&one.sort, &other.sort) {
        (Sort::Word { id: first, .. }, Sort::Word { id: second, .. }) => first == second,
        (Sort::Value(first), Sort::Value(second)) => first.compare(second) != Likeness::Unlike,
        _ => false,
    }
}
