//! Which of the possible cuts are taken.

/// How well two pieces may be parted, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seam {
    /// They belong together: a heading and its text, the header of a table and its rows.
    Bound,
    /// Between two graphemes of a word.
    Grapheme,
    /// Between two words.
    Word,
    /// Between two lines of a sentence that is longer than a passage may be.
    Wrap,
    /// Between a sentence that ends with a colon and what it announces.
    Announced,
    /// Between two sentences.
    Sentence,
    /// Between two lines.
    Line,
    /// Between two list items, two paragraphs of a quotation, or over an empty line.
    Part,
    /// Between two blocks.
    Block,
    /// Before a heading.
    Section,
}

/// A stretch of text that is not cut any more; it ends where the next one begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// First byte.
    pub start: usize,
    /// Tokens, counted for this piece alone.
    pub tokens: usize,
    /// How well it may be parted from the piece before it.
    pub seam: Seam,
}

/// Puts `pieces` together into stretches of at most `limit` tokens and returns how many pieces each stretch takes. A piece
/// that is over the limit makes a stretch of its own.
///
/// From where a stretch begins, of all cuts within the limit one is taken at the strongest seam; not in the first
/// quarter, nor so that almost nothing remains, if that can be had. Among equal seams those of the second
/// half are looked at, and there the text behind the seam decides. So two versions of a document are cut at
/// the same places again soon after the words in which they differ (content-defined chunking, as in Muthitacharoen, Chen
/// and Mazières: A low-bandwidth network file system, 2001).
pub(super) fn pack(text: &str, pieces: &[Piece], limit: usize) -> Vec<usize> {
    let mut remaining: usize = pieces.iter().map(|piece| piece.tokens).sum();
    let mut counts = Vec::new();
    let mut rest = pieces;
    while remaining > limit && !rest.is_empty() {
        let count = next_cut(text, rest, limit, remaining);
        remaining -= rest[..count].iter().map(|piece| piece.tokens).sum::<usize>();
        counts.push(count);
        rest = &rest[count..];
    }
    if !rest.is_empty() {
        counts.push(rest.len());
    }
    counts
}

/// A place where the stretch may end.
#[derive(Clone, Copy)]
struct Cut {
    count: usize,
    tokens: usize,
    seam: Seam,
}

/// How many of `pieces`, at least one, the next stretch takes.
fn next_cut(text: &str, pieces: &[Piece], limit: usize, remaining: usize) -> usize {
    let mut tokens = 0;
    let mut cuts = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            cuts.push(Cut { count: index, tokens, seam: piece.seam });
        }
        tokens += piece.tokens;
        if tokens > limit {
            break;
        }
    }
    // A heading is not parted from its text only for what little would remain behind the text.
    keep_if_any(&mut cuts, |cut| cut.seam > Seam::Bound && remaining - cut.tokens >= limit / 8);
    let has_late = cuts.iter().any(|cut| cut.tokens >= limit / 4);
    if !has_late {
        // What is here is little, and what follows is large: all of it goes together.
        let last = cuts.iter().rfind(|cut| cut.seam > Seam::Bound).or(cuts.last());
        return last.map_or(1, |cut| cut.count);
    }
    keep_if_any(&mut cuts, |cut| cut.tokens >= limit / 4 && cut.seam > Seam::Bound);
    keep_if_any(&mut cuts, |cut| cut.tokens >= limit / 4);
    let strongest = cuts.iter().map(|cut| cut.seam).max();
    cuts.retain(|cut| Some(cut.seam) == strongest);
    keep_if_any(&mut cuts, |cut| cut.tokens >= limit / 2);
    let chosen = cuts.iter().min_by_key(|cut| (fingerprint(text, pieces[cut.count].start), usize::MAX - cut.count));
    chosen.map_or(1, |cut| cut.count)
}

fn keep_if_any(cuts: &mut Vec<Cut>, keep: impl Fn(&Cut) -> bool) {
    if cuts.iter().any(&keep) {
        cuts.retain(keep);
    }
}

/// Bytes behind a seam that decide about it, white space not counted: so line ends of either kind give the same cuts.
const FINGERPRINT_BYTES: usize = 32;

/// Bytes that are looked at for these, so that a megabyte of blanks costs no more than other text.
const FINGERPRINT_REACH: usize = 256;

/// FNV-1a (Fowler, Noll, Vo) of the text that begins at `start`: the same in every version of this program.
fn fingerprint(text: &str, start: usize) -> u64 {
    let words = text.as_bytes()[start..].iter().take(FINGERPRINT_REACH).filter(|byte| !byte.is_ascii_whitespace());
    words
        .take(FINGERPRINT_BYTES)
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces of one byte each.
    fn pieces(parts: &[(usize, Seam)]) -> Vec<Piece> {
        parts.iter().enumerate().map(|(start, &(tokens, seam))| Piece { start, tokens, seam }).collect()
    }

    #[test]
    fn all_fits() {
        assert_eq!(pack("ab", &pieces(&[(5, Seam::Block), (5, Seam::Block)]), 10), [2]);
        assert!(pack("", &[], 10).is_empty());
    }

    #[test]
    fn the_strongest_seam_wins() {
        let row =
            pieces(&[(4, Seam::Block), (4, Seam::Section), (4, Seam::Block), (4, Seam::Sentence), (4, Seam::Block)]);
        assert_eq!(pack("abcde", &row, 16), [1, 4]);
    }

    #[test]
    fn what_belongs_together_stays_together() {
        let row = pieces(&[(6, Seam::Block), (1, Seam::Word), (6, Seam::Bound), (2, Seam::Word)]);
        assert_eq!(pack("abcd", &row, 10), [1, 3]);
    }

    #[test]
    fn a_heading_is_not_cut_off_for_what_little_is_left() {
        let row = pieces(&[(45, Seam::Block), (45, Seam::Bound), (11, Seam::Block)]);
        assert_eq!(pack("abc", &row, 100), [2, 1]);
    }

    proptest! {
        #[test]
        fn no_piece_is_lost_and_no_stretch_too_large(
            parts in prop::collection::vec((0usize..30, 0usize..10), 0..200),
            limit in 1usize..50,
        ) {
            use Seam::*;
            let seams = [Bound, Grapheme, Word, Wrap, Announced, Sentence, Line, Part, Block, Section];
            let row = pieces(&parts.iter().map(|&(tokens, seam)| (tokens, seams[seam])).collect::<Vec<_>>());
            let text = "x".repeat(row.len());
            let counts = pack(&text, &row, limit);
            prop_assert_eq!(counts.iter().sum::<usize>(), row.len());
            let mut from = 0;
            for count in counts {
                prop_assert!(count > 0);
                let tokens: usize = row[from..from + count].iter().map(|piece| piece.tokens).sum();
                prop_assert!(tokens <= limit || count == 1 || row[from..from + count].iter().filter(|p| p.tokens > 0).count() == 1);
                from += count;
            }
        }
    }
}
