//! Text into tokens.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Range;

use crate::cjk;
use crate::fold;
use crate::identifiers;
use crate::language::Language;
use crate::stem::Stems;
use crate::words::{Kind, next_piece};

/// The longest term, in bytes. Longer words are cut into several terms.
pub const MAX_TERM_BYTES: usize = 255;

/// The most parts that a chain may have to be given as a whole too. Whoever knows more parts finds it by them, and the
/// wholes of addresses and deep paths, each of them in one place only, would make up most of an index.
const MAX_PARTS_OF_A_WHOLE: usize = 4;

/// A word, a part of a word, or a pair of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The exact form: NFKC, lower case, accents kept. 1 to [`MAX_TERM_BYTES`] bytes.
    pub text: Cow<'a, str>,
    /// The form in which inflections and spellings meet: stemmed, without accents. Not empty.
    pub stem: Cow<'a, str>,
    /// Where it stands, in bytes of the text that was analysed. Never cuts a character.
    pub span: Range<usize>,
    /// What it is.
    pub form: Form,
    /// Counts the words of the text from 0. An identifier stands at the position of its first part.
    pub position: u32,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A word, or a part of an identifier.
    Word,
    /// An identifier as a whole; its parts follow.
    Whole,
    /// Two neighbours of a run of a script without spaces, or the one character of which the run consists.
    Pair,
    /// One East Asian character of the run whose pairs it stands among. It is there for questions of one character; a
    /// longer question has pairs, which say more.
    Single,
    /// The word before it once more, without the marks which are letters of its language (`ma` for `mã`). It is there
    /// for those who leave them out.
    Bare,
}

impl Form {
    /// Whether the text has been said by other tokens already, and this is but another way to find it.
    #[must_use]
    pub const fn repeats(self) -> bool {
        matches!(self, Self::Single | Self::Bare)
    }
}

/// Turns text into tokens, the same way for passages and for questions.
///
/// * Words are split by script (see `words.rs`), folded, and stemmed where the language has a stemmer.
/// * Identifiers (`atomic_write_json`, `DEC-0054`) give one token for the whole, then one for each part; long paths and
///   addresses give their parts only. The number in `v1.0.21` is a whole within the whole.
/// * Runs of scripts without spaces give overlapping pairs of characters; East Asian ones each character as well.
/// * Accents are left out of stems, save in languages where they make another word of it (Vietnamese): there the word
///   without them follows as a token of its own.
/// * There are no stop words: every word can be found.
///
/// It remembers stems between calls, and leaves what it remembers to the next analyser for the language that the thread makes. It may
/// be sent to another thread but not shared.
pub struct Analyser {
    language: Option<Language>,
    // Taken out while a text is analysed and put back after, so a sink that uses the same analyser finds none
    // and makes its own.
    scratch: Cell<Option<Box<Scratch>>>,
}

#[derive(Debug, Default)]
struct Scratch {
    stems: Stems,
    text: String,
    joined: String,
    parts: Vec<Range<usize>>,
}

thread_local! {
    /// What analysers of this thread left behind, the one that knows most stems at the end.
    static LEFT: RefCell<Vec<(Option<Language>, Box<Scratch>)>> = const { RefCell::new(Vec::new()) };
}

/// For how many languages a thread keeps what an analyser left. Passages of an answer are in one or two, and only there are many words
/// met again; each may hold half a megabyte.
const KEPT: usize = 4;

fn left(language: Option<Language>) -> Option<Box<Scratch>> {
    let take = |left: &mut Vec<(Option<Language>, Box<Scratch>)>| {
        let at = left.iter().rposition(|(of, _)| *of == language)?;
        Some(left.remove(at).1)
    };
    // A thread that ends has nothing any more.
    LEFT.try_with(|left| take(&mut left.borrow_mut())).ok().flatten()
}

impl Drop for Analyser {
    fn drop(&mut self) {
        let Some(scratch) = self.scratch.take() else { return };
        let keep = |left: &mut Vec<(Option<Language>, Box<Scratch>)>| {
            left.push((self.language, scratch));
            left.sort_by_key(|(_, scratch)| scratch.stems.stemmed());
            if left.len() > KEPT {
                left.remove(0);
            }
        };
        let _ = LEFT.try_with(|left| keep(&mut left.borrow_mut()));
    }
}

impl Analyser {
    /// An analyser for texts in `language`; with `None`, words are folded but not stemmed.
    #[must_use]
    pub const fn new(language: Option<Language>) -> Self {
        Self { language, scratch: Cell::new(None) }
    }

    /// The language it stems.
    #[must_use]
    pub const fn language(&self) -> Option<Language> {
        self.language
    }

    /// Calls `sink` with each token of `text`, in the order of the text. Takes any text, in linear time.
    pub fn tokens(&self, text: &str, sink: impl FnMut(&Token<'_>)) {
        let mut scratch = self.scratch.take().or_else(|| left(self.language)).unwrap_or_default();
        Walk { text, language: self.language, scratch: &mut scratch, sink, position: 0 }.run();
        self.scratch.set(Some(scratch));
    }
}

impl fmt::Debug for Analyser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyser").field("language", &self.language).finish_non_exhaustive()
    }
}

struct Walk<'w, F> {
    text: &'w str,
    language: Option<Language>,
    scratch: &'w mut Scratch,
    sink: F,
    position: u32,
}

impl<F: FnMut(&Token<'_>)> Walk<'_, F> {
    fn run(mut self) {
        let elides = self.language.is_some_and(Language::elides);
        let mut at = 0;
        while let Some(piece) = next_piece(self.text, at) {
            at = piece.span.end;
            match piece.kind {
                Kind::Plain if piece.span.len() <= MAX_TERM_BYTES => {
                    let text = &self.text[piece.span.clone()];
                    let stem = self.scratch.stems.stem(text, self.language);
                    let token = Token {
                        text: text.into(),
                        stem: stem.into(),
                        span: piece.span,
                        form: Form::Word,
                        position: self.position,
                    };
                    (self.sink)(&token);
                    self.position = self.position.saturating_add(1);
                }
                Kind::Plain | Kind::Cased => self.word(piece.span),
                Kind::Unspaced => self.pairs(piece.span),
                Kind::Chain => {
                    let mut parts = std::mem::take(&mut self.scratch.parts);
                    at = identifiers::split(self.text, piece.span.start, elides, &mut parts);
                    self.chain(piece.span.start..at, &parts);
                    self.scratch.parts = parts;
                }
            }
        }
    }

    /// A word or an identifier, whole and in parts.
    fn chain(&mut self, span: Range<usize>, parts: &[Range<usize>]) {
        if (2..=MAX_PARTS_OF_A_WHOLE).contains(&parts.len()) && !identifiers::is_elision(self.text, parts) {
            self.whole(span, parts);
        }
        let mut numbers = identifiers::numbers(self.text, parts).peekable();
        for (place, part) in parts.iter().enumerate() {
            if let Some(run) = numbers.next_if(|run| run.start == place)
                && run.len() <= MAX_PARTS_OF_A_WHOLE
            {
                self.whole(part.start..parts[run.end - 1].end, &parts[run]);
            }
            self.word(part.clone());
        }
    }

    /// One word, in as many terms as its length asks for.
    fn word(&mut self, span: Range<usize>) {
        let is_plural = is_plural_of_capitals(&self.text[span.clone()]);
        let keeps_marks = self.language.is_some_and(Language::keeps_marks);
        let mut start = span.start;
        while start < span.end {
            let mut end = span.end.min(start + MAX_TERM_BYTES);
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            self.scratch.text.clear();
            fold::exact(&self.text[start..end], &mut self.scratch.text);
            // Folding can lengthen a word, and some ligatures stand for a phrase (`ﷺ`), so it is cut once more.
            let mut rest = self.scratch.text.trim_start_matches(' ');
            while !rest.is_empty() {
                let mut length = rest.find(' ').unwrap_or(rest.len()).min(MAX_TERM_BYTES);
                while !rest.is_char_boundary(length) {
                    length -= 1;
                }
                let (text, after) = rest.split_at(length);
                let singular = if is_plural && after.is_empty() { &text[..text.len() - 1] } else { text };
                let stem = self.scratch.stems.stem(singular, self.language);
                let token = Token {
                    text: text.into(),
                    stem: stem.into(),
                    span: start..end,
                    form: Form::Word,
                    position: self.position,
                };
                (self.sink)(&token);
                if keeps_marks && !text.is_ascii() {
                    self.scratch.joined.clear();
                    fold::accents(text, &mut self.scratch.joined);
                    let bare = self.scratch.joined.as_str();
                    if bare != text && !bare.is_empty() {
                        let (bare, span) = (Cow::from(bare), start..end);
                        let (text, stem) = (bare.clone(), bare);
                        (self.sink)(&Token { text, stem, span, form: Form::Bare, position: self.position });
                    }
                }
                rest = after.trim_start_matches(' ');
            }
            start = end;
        }
        self.position = self.position.saturating_add(1);
    }

    /// An identifier as a whole, unless it is too long for one term.
    fn whole(&mut self, span: Range<usize>, parts: &[Range<usize>]) {
        if span.len() > MAX_TERM_BYTES {
            return;
        }
        let Scratch { stems, text, joined, .. } = &mut *self.scratch;
        text.clear();
        fold::exact(&self.text[span.clone()], text);
        joined.clear();
        identifiers::join(self.text, parts, joined);
        if text.is_empty() || joined.is_empty() || text.len().max(joined.len()) > MAX_TERM_BYTES {
            return;
        }
        let stem = stems.stem(joined, self.language);
        let token =
            Token { text: text.as_str().into(), stem: stem.into(), span, form: Form::Whole, position: self.position };
        (self.sink)(&token);
    }

    fn pairs(&mut self, span: Range<usize>) {
        cjk::pairs(self.text, span, |term, span, form| {
            (self.sink)(&Token { text: term.into(), stem: term.into(), span, form, position: self.position });
            if form == Form::Pair {
                self.position = self.position.saturating_add(1);
            }
        });
    }
}

/// Whether a word is the likes of `PDFs`. Stemmers leave the ending of a word without vowels, and take `APIs` for Latin.
fn is_plural_of_capitals(word: &str) -> bool {
    let capitals = word.strip_suffix('s').unwrap_or_default();
    capitals.len() >= 2 && capitals.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stems(text: &str, language: Option<Language>) -> Vec<String> {
        let mut found = Vec::new();
        Analyser::new(language).tokens(text, |token| found.push(token.stem.to_string()));
        found
    }

    fn texts(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        Analyser::new(Some(Language::English)).tokens(text, |token| found.push(token.text.to_string()));
        found
    }

    #[test]
    fn prose_gives_words_and_stems() {
        let english = Some(Language::English);
        assert_eq!(stems("The connections weren't made.", english), ["the", "connect", "weren't", "made"]);
        assert_eq!(texts("The Connections."), ["the", "connections"]);
        assert_eq!(stems("L'homme qu'il vit", Some(Language::French)), ["l", "homm", "qu", "il", "vit"]);
    }

    #[test]
    fn identifiers_are_found_whole_and_in_parts() {
        for (written, asked) in [
            ("DEC-0054", "dec0054"),
            ("DEC-0054", "0054"),
            ("atomic_write_json", "atomicWriteJson"),
            ("atomic_write_json", "write"),
            ("HTTPServer2", "http_server_2"),
            ("HTTPServer2", "servers"),
            ("src/main.rs", "main.rs"),
            ("user@host", "host"),
            ("v1.0.21", "1.0.21"),
            ("ﷺ", "وسلم"),
            ("2026-03-31", "2026-03-31"),
            ("LaTeX", "latex"),
            ("e-mail", "emails"),
            ("PDFs", "pdf"),
        ] {
            let english = Some(Language::English);
            let written = stems(written, english);
            assert!(stems(asked, english).iter().any(|stem| written.contains(stem)), "{asked} in {written:?}");
        }
    }

    #[test]
    fn positions_count_words() {
        let mut found = Vec::new();
        Analyser::new(None).tokens("see src/main.rs now", |token| found.push((token.text.to_string(), token.position)));
        let expected = [("see", 0), ("src/main.rs", 1), ("src", 1), ("main", 2), ("rs", 3), ("now", 4)];
        assert_eq!(found, expected.map(|(text, position)| (text.to_owned(), position)));
    }

    #[test]
    fn a_sink_may_use_the_same_analyser() {
        let analyser = Analyser::new(Some(Language::English));
        let mut inner = 0;
        analyser.tokens("running dogs", |_| analyser.tokens("cats", |_| inner += 1));
        assert_eq!(inner, 2);
    }

    #[test]
    fn hostile_words_stay_bounded() {
        for text in [
            "x".repeat(1 << 20),
            "é".repeat(1 << 19),
            "aB".repeat(1 << 19),
            "a.".repeat(1 << 19),
            "1a".repeat(1 << 19),
            "漢".repeat(1 << 18),
            "\u{fdfa}".repeat(1 << 16),
            "a\u{301}".repeat(1 << 18),
            format!("a{}", "\u{301}".repeat(1 << 18)),
            "'".repeat(1 << 20),
        ] {
            let mut bytes = 0;
            Analyser::new(Some(Language::English)).tokens(&text, |token| {
                assert!(!token.text.is_empty() && token.text.len() <= MAX_TERM_BYTES);
                assert!(!token.stem.is_empty() && token.stem.len() <= 2 * MAX_TERM_BYTES);
                bytes += token.text.len();
            });
            assert!(bytes <= 16 * text.len());
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_sound_tokens(text in "\\PC{0,80}|[ -~]{0,80}|[漢字かなกข한a1_.'’-]{0,40}", index in 0..=Language::ALL.len()) {
            let language = Language::ALL.get(index).copied();
            let mut last = (0, 0);
            Analyser::new(language).tokens(&text, |token| {
                assert!(text.get(token.span.clone()).is_some_and(|source| !source.is_empty()));
                assert!(!token.text.is_empty() && !token.stem.is_empty());
                assert!((token.position, token.span.start) >= last, "{token:?} after {last:?}");
                last = (token.position, token.span.start);
            });
        }

        #[test]
        fn case_and_composition_do_not_matter(text in "[a-zéüñ ._-]{0,40}") {
            use unicode_normalization::UnicodeNormalization;
            let decomposed: String = text.nfd().collect();
            prop_assert_eq!(stems(&decomposed, None), stems(&text, None));
            prop_assert_eq!(stems(&text.to_uppercase(), None), stems(&text, None));
        }
    }
}
