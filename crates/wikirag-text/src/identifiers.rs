//! Identifiers: `DEC-0054`, `atomic_write_json`, `HTTPServer2`, `src/main.rs`, `user@host`, `v1.0.21`, `2026-03-31`.
//!
//! They are indexed whole and in parts. The whole is what somebody pastes, the parts are what somebody remembers. The
//! stem form of the whole leaves the joints out, so `DEC-0054`, `dec0054` and `Dec_0054` meet, as do `e-mail` and
//! `email`. A joint between two digits stays, since `1.0.21` and `10.21` are two things.

use std::ops::Range;

use crate::classes::{Class, alphabet, class};
use crate::fold;

/// A word without joints that falls into more parts than this is kept whole: it is a hash or the like, and its
/// parts mean nothing.
const MAX_PARTS_OF_A_WORD: usize = 6;

/// Finds the end of the chain that starts at `start` (a character for which `Class::begins_word` holds), and its parts,
/// which are put into `parts`. With `elides`, an apostrophe is a joint (`l'homme`) and no part of the word (`don't`).
pub(crate) fn split(text: &str, start: usize, elides: bool, parts: &mut Vec<Range<usize>>) -> usize {
    parts.clear();
    let mut chain = Chain { parts, word_begins: 0, part: start };
    let mut before = Class::Other; // the class before the last one, marks not counted
    let mut last = Class::Other;
    let mut last_at = start;
    let mut last_letter = '\0';
    let mut rest = text[start..].char_indices().map(|(offset, c)| (start + offset, c)).peekable();
    let mut end = text.len();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, c)| *c);
        let now = class(c);
        match now {
            Class::Lower | Class::Upper | Class::Digit => {
                if chain.part < at {
                    match (last, now) {
                        (Class::Lower, Class::Upper) => chain.cut(at, at),
                        _ if last.is_letter() && now.is_letter() && is_other_alphabet(last_letter, c) => {
                            chain.cut(at, at);
                        }
                        (Class::Digit, Class::Lower | Class::Upper) | (Class::Lower | Class::Upper, Class::Digit) => {
                            chain.cut(at, at);
                        }
                        // `HTTPServer`: the last capital belongs to what follows. `PDFs` is one word.
                        (Class::Upper, Class::Lower) if before == Class::Upper => {
                            let plural = c == 's' && !next.is_some_and(|next| class(next).is_letter());
                            if !plural {
                                chain.cut(last_at, last_at);
                            }
                        }
                        _ => {}
                    }
                }
                before = last;
                last = now;
                last_at = at;
                last_letter = c;
            }
            Class::Mark => {}
            Class::Apostrophe | Class::Joint if joins(c, now, last, next, elides) => {
                if now == Class::Joint || elides {
                    chain.cut(at, at + c.len_utf8());
                    chain.close_word();
                    (before, last) = (Class::Other, Class::Other);
                }
            }
            _ => {
                end = at;
                break;
            }
        }
    }
    chain.cut(end, end);
    chain.close_word();
    end
}

/// Whether two letters side by side are of different alphabets.
fn is_other_alphabet(one: char, other: char) -> bool {
    !(one.is_ascii() && other.is_ascii())
        && matches!((alphabet(one), alphabet(other)), (Some(one), Some(other)) if one != other)
}

/// The numbers of a chain that has more than these (`v1.0.21`, `python3.12`, `2019-07-04T12:30`): ranges of `parts`, each of
/// two or more numbers with joints between them.
pub(crate) fn numbers(text: &str, parts: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> {
    let is_number = |part: &Range<usize>| text[part.clone()].starts_with(char::is_numeric);
    let mut from = 0;
    std::iter::from_fn(move || {
        while from < parts.len() {
            let start = from;
            let mut end = start + 1;
            if is_number(&parts[start]) {
                while end < parts.len() && is_number(&parts[end]) && parts[end - 1].end < parts[end].start {
                    end += 1;
                }
            }
            from = end;
            if end - start >= 2 && end - start < parts.len() {
                return Some(start..end);
            }
        }
        None
    })
}

/// Whether the apostrophe or joint `c` holds together what stands before and after it.
fn joins(c: char, class_of_c: Class, last: Class, next: Option<char>, elides: bool) -> bool {
    let Some(next) = next.map(class) else { return false };
    match class_of_c {
        Class::Apostrophe if !elides => last.is_letter() && next.is_letter(),
        _ if c == ',' => last == Class::Digit && next == Class::Digit,
        _ => next.begins_word(),
    }
}

struct Chain<'p> {
    parts: &'p mut Vec<Range<usize>>,
    /// Index of the first part since the last joint.
    word_begins: usize,
    /// Where the part that is being read began.
    part: usize,
}

impl Chain<'_> {
    /// Ends a part at `end`; the next one begins at `next`.
    fn cut(&mut self, end: usize, next: usize) {
        if self.part < end {
            self.parts.push(self.part..end);
        }
        self.part = next;
    }

    /// Ends a word without joints.
    fn close_word(&mut self) {
        if self.parts.len() - self.word_begins > MAX_PARTS_OF_A_WORD
            && let Some(last) = self.parts.last().cloned()
        {
            self.parts.truncate(self.word_begins + 1);
            self.parts[self.word_begins].end = last.end;
        }
        self.word_begins = self.parts.len();
    }
}

/// Whether nothing but apostrophes joins the parts: two words written together (`l'homme`), which have no whole.
pub(crate) fn is_elision(text: &str, parts: &[Range<usize>]) -> bool {
    parts.windows(2).all(|pair| text[pair[0].end..pair[1].start].starts_with(|c| class(c) == Class::Apostrophe))
}

/// Appends the joined form of a chain of several parts: exact forms of the parts without the joints between them, save
/// those between two digits.
pub(crate) fn join(text: &str, parts: &[Range<usize>], out: &mut String) {
    let mut end = None;
    for part in parts {
        if let Some(end) = end
            && end < part.start
            && out.ends_with(char::is_numeric)
            && text[part.start..].starts_with(char::is_numeric)
        {
            fold::exact(&text[end..part.start], out);
        }
        fold::exact(&text[part.clone()], out);
        end = Some(part.end);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts_of(text: &str, elides: bool) -> (Vec<&str>, String, &str) {
        let mut parts = Vec::new();
        let end = split(text, 0, elides, &mut parts);
        let mut joined = String::new();
        join(text, &parts, &mut joined);
        (parts.into_iter().map(|part| &text[part]).collect(), joined, &text[end..])
    }

    #[test]
    fn identifiers_fall_into_their_parts() {
        for (text, parts, joined) in [
            ("DEC-0054", vec!["DEC", "0054"], "dec0054"),
            ("dec0054", vec!["dec", "0054"], "dec0054"),
            ("atomic_write_json", vec!["atomic", "write", "json"], "atomicwritejson"),
            ("HTTPServer2", vec!["HTTP", "Server", "2"], "httpserver2"),
            ("src/main.rs", vec!["src", "main", "rs"], "srcmainrs"),
            ("user@host", vec!["user", "host"], "userhost"),
            ("v1.0.21", vec!["v", "1", "0", "21"], "v1.0.21"),
            ("2026-03-31", vec!["2026", "03", "31"], "2026-03-31"),
            ("1,000", vec!["1", "000"], "1,000"),
            ("don't", vec!["don't"], "don't"),
            ("PDFs", vec!["PDFs"], "pdfs"),
            ("ÉcoleNormale", vec!["École", "Normale"], "écolenormale"),
            ("3f2a9c01bd77e", vec!["3f2a9c01bd77e"], "3f2a9c01bd77e"),
            ("a:b", vec!["a", "b"], "ab"),
            ("בGit", vec!["ב", "Git"], "בgit"),
        ] {
            assert_eq!(parts_of(text, false), (parts, joined.to_owned(), ""), "{text}");
        }
        assert_eq!(parts_of("l'homme", true).0, ["l", "homme"]);
    }

    #[test]
    fn numbers_are_told_from_what_stands_around_them() {
        let numbers_of = |text: &'static str| {
            let mut parts = Vec::new();
            split(text, 0, false, &mut parts);
            numbers(text, &parts).map(|run| &text[parts[run.start].start..parts[run.end - 1].end]).collect::<Vec<_>>()
        };
        assert_eq!(numbers_of("v1.0.21"), ["1.0.21"]);
        assert_eq!(numbers_of("python3.12-slim"), ["3.12"]);
        assert_eq!(numbers_of("2019-07-04T12:30:00Z"), ["2019-07-04", "12:30:00"]);
        // The whole says it.
        assert!(numbers_of("1.0.21").is_empty());
        assert!(numbers_of("DEC-0054").is_empty());
    }

    #[test]
    fn chains_end_where_nothing_is_joined() {
        assert_eq!(parts_of("main.rs.", false).2, ".");
        assert_eq!(parts_of("word, next", false).2, ", next");
        assert_eq!(parts_of("dogs' tails", false).2, "' tails");
        assert_eq!(parts_of("BBDown視頻", false).2, "視頻");
        assert_eq!(parts_of("a--b", false).2, "--b");
    }

    proptest! {
        #[test]
        fn parts_are_ordered_and_cut_no_character(text in "[a-zA-Z0-9é][\\PC]{0,40}") {
            let mut parts = Vec::new();
            let end = split(&text, 0, false, &mut parts);
            prop_assert!(end > 0 && text.is_char_boundary(end));
            prop_assert!(!parts.is_empty());
            let mut at = 0;
            for part in &parts {
                prop_assert!(at <= part.start && part.start < part.end && part.end <= end);
                prop_assert!(text.get(part.clone()).is_some());
                at = part.end;
            }
        }
    }
}
