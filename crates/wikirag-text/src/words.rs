//! Where the words of a text lie.
//!
//! The rules follow UAX 29 in spirit (letters, digits and marks stick together, apostrophes stand inside words) and
//! leave it where search wants more: chains such as `src/main.rs` are kept whole for `identifiers.rs` to cut, and runs
//! of scripts without spaces are kept for `cjk.rs`. One pass, no look-ahead beyond the next character.

use std::ops::Range;

use crate::classes::{ASCII, Class, class};

/// A stretch of text that holds one or more words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
}

/// What has to be done with a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One word of ASCII letters in lower case, or of ASCII digits: its own exact form.
    Plain,
    /// One word of ASCII letters, some in upper case, that is not written in camel case.
    Cased,
    /// Anything else that starts like a word. Its end is not known yet: the span is empty and
    /// [`split`](crate::identifiers::split) tells where it ends.
    Chain,
    /// A run of one script without spaces between words.
    Unspaced,
}

/// The next piece at or after byte `from`, which must be a character boundary.
pub(crate) fn next_piece(text: &str, from: usize) -> Option<Piece> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let byte = *bytes.get(at)?;
        if byte < 128 {
            if ASCII[byte as usize].begins_word() {
                return Some(ascii_word(bytes, at));
            }
            at += 1;
        } else {
            let c = text[at..].chars().next()?;
            match class(c) {
                found if found.begins_word() => return Some(Piece { span: at..at, kind: Kind::Chain }),
                found @ Class::Unspaced(_) => {
                    let run = text[at..].char_indices().find(|(_, c)| class(*c) != found && class(*c) != Class::Mark);
                    let end = run.map_or(text.len(), |(length, _)| at + length);
                    return Some(Piece { span: at..end, kind: Kind::Unspaced });
                }
                _ => at += c.len_utf8(),
            }
        }
    }
}

/// The class of a byte; a byte of a longer character counts as [`Class::Mark`], which no fast path accepts.
fn byte_class(bytes: &[u8], at: usize) -> Class {
    match bytes.get(at) {
        None => Class::Other,
        Some(byte) if *byte < 128 => ASCII[*byte as usize],
        Some(_) => Class::Mark,
    }
}

/// The fast path: nearly all words of English prose end here.
fn ascii_word(bytes: &[u8], start: usize) -> Piece {
    let mut at = start;
    let first = byte_class(bytes, at);
    at = run(bytes, at, first);
    let mut kind = Kind::Plain;
    if first == Class::Upper {
        kind = Kind::Cased;
        // `Word`, but not `HTTPServer`, where the lower-case run begins inside.
        if at == start + 1 {
            at = run(bytes, at, Class::Lower);
        }
    }
    let ends_here = match byte_class(bytes, at) {
        Class::Other => true,
        // A full stop at the end of a sentence, a closing quotation mark.
        Class::Joint | Class::Apostrophe => matches!(byte_class(bytes, at + 1), Class::Other),
        _ => false,
    };
    if ends_here { Piece { span: start..at, kind } } else { Piece { span: start..start, kind: Kind::Chain } }
}

fn run(bytes: &[u8], mut at: usize, of: Class) -> usize {
    while byte_class(bytes, at) == of {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(&str, Kind)> {
        let mut at = 0;
        let mut found = Vec::new();
        while let Some(piece) = next_piece(text, at) {
            // Chains end at white space in these tests.
            let end = match piece.kind {
                Kind::Chain => text[piece.span.start..].find(' ').map_or(text.len(), |n| piece.span.start + n),
                _ => piece.span.end,
            };
            found.push((&text[piece.span.start..end], piece.kind));
            at = end;
        }
        found
    }

    #[test]
    fn prose_takes_the_fast_path() {
        assert_eq!(
            pieces("The end. 'Quoted' (42) USA, \"x\"..."),
            [
                ("The", Kind::Cased),
                ("end", Kind::Plain),
                ("Quoted", Kind::Cased),
                ("42", Kind::Plain),
                ("USA", Kind::Cased),
                ("x", Kind::Plain),
            ]
        );
    }

    #[test]
    fn the_rest_is_told_apart() {
        assert_eq!(
            pieces("don't src/main.rs camelCase naïve 視頻 กขค abc"),
            [
                ("don't", Kind::Chain),
                ("src/main.rs", Kind::Chain),
                ("camelCase", Kind::Chain),
                ("naïve", Kind::Chain),
                ("視頻", Kind::Unspaced),
                ("กขค", Kind::Unspaced),
                ("abc", Kind::Plain),
            ]
        );
        assert!(pieces("😀 👨‍👩‍👧 --- \u{301} !").is_empty());
    }
}
