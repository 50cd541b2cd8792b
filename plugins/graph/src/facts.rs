//! From the records of the feed to what is stored: the words of a passage, the names of a page.

use std::fmt::Write as _;

use wikirag_core::ChunkRecord;
use wikirag_text::Analyser;
use wikirag_vault::{NameWords, Page, Word, names_of};

use crate::terms::terms;

/// The word begins with a capital letter.
const CAPITAL: u8 = 1;
/// It begins with a small letter. Scripts without case have neither.
const SMALL: u8 = 2;
/// No white space stands between it and the word before.
const JOINED: u8 = 4;

/// Bits for [`CAPITAL`], [`SMALL`] and [`JOINED`].
const MARKS: u32 = 3;

/// Words, and how each is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) words: Vec<Word>,
    /// One for each word.
    marks: Vec<u8>,
}

impl Written {
    fn new(text: &str, words: Vec<Word>) -> Self {
        let mut end = 0;
        let mut marks = Vec::with_capacity(words.len());
        for word in &words {
            let first = text.get(word.span.clone()).and_then(|word| word.chars().next());
            let case = match first {
                Some(first) if first.is_uppercase() => CAPITAL,
                Some(first) if first.is_lowercase() => SMALL,
                _ => 0,
            };
            // Neighbouring pairs of characters overlap.
            let gap = text.get(end..word.span.start).unwrap_or_default();
            let is_joined = !marks.is_empty() && !gap.contains(char::is_whitespace);
            marks.push(case | if is_joined { JOINED } else { 0 });
            end = word.span.end;
        }
        Self { words, marks }
    }

    /// The name as text, by which it is stored: for each word its key and its marks in hexadecimal, with a space between.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::with_capacity(self.words.len() * 18);
        for (place, (word, marks)) in self.words.iter().zip(&self.marks).enumerate() {
            let space = if place > 0 { " " } else { "" };
            // Writing into a string cannot fail.
            let _ = write!(text, "{space}{:016x}{marks:x}", word.key);
        }
        text
    }

    /// A name out of the text that [`to_text`](Self::to_text) made. `None` for a text that it did not make.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let mut name = Self::default();
        for token in text.split(' ') {
            let (key, marks) = token.split_at_checked(16)?;
            name.words.push(Word { key: u64::from_str_radix(key, 16).ok()?, span: 0..0 });
            name.marks.push(u8::from_str_radix(marks, 16).ok()?);
        }
        Some(name)
    }

    /// The words for the index of words.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = String> {
        self.words.iter().map(|word| format!("{:016x}", word.key))
    }

    /// Words and marks in four bytes each, for [`Written::is_in`].
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.words.iter().zip(&self.marks).flat_map(|(word, marks)| packed(word.key, *marks).to_le_bytes()).collect()
    }

    /// Whether the name stands in a passage, given as [`to_bytes`](Self::to_bytes).
    pub(crate) fn is_in(&self, passage: &[u8]) -> bool {
        let passage: Vec<u32> = passage.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let name: Vec<u32> = self.words.iter().map(|word| packed(word.key, 0)).collect();
        let is_same = |stretch: &[u32]| stretch.iter().zip(&name).all(|(word, name)| word >> MARKS == name >> MARKS);
        let marks = |stretch: &[u32]| stretch.iter().map(|word| (word % (1 << MARKS)) as u8).collect::<Vec<_>>();
        !name.is_empty()
            && passage.windows(name.len()).any(|stretch| is_same(stretch) && self.is_written(&marks(stretch)))
    }

    /// Whether words of these marks are the name, and not just the same words: they are written with the capitals that it has,
    /// or, where it has none, apart and together as it is. `peer review` is something that people do, `peer-review` may be a page,
    /// and so may `Peer Review`.
    pub(crate) fn is_written(&self, marks: &[u8]) -> bool {
        let mut pairs = self.marks.iter().zip(marks);
        if self.has_capitals() {
            pairs.all(|(name, text)| name & CAPITAL == 0 || text & CAPITAL != 0)
        } else {
            pairs.skip(1).all(|(name, text)| name & JOINED == text & JOINED)
        }
    }

    /// The marks of the words `first` to `last`.
    pub(crate) fn marks(&self, first: usize, last: usize) -> &[u8] {
        self.marks.get(first..=last).unwrap_or_default()
    }

    /// Whether it is one word in small letters, of which nobody can tell whether it means a page.
    pub(crate) fn is_plain(&self) -> bool {
        self.marks.len() == 1 && self.marks.iter().all(|mark| mark & SMALL != 0)
    }

    fn has_capitals(&self) -> bool {
        self.marks.iter().any(|mark| mark & CAPITAL != 0)
    }
}

/// The upper bits of a key, and the marks.
fn packed(key: u64, marks: u8) -> u32 {
    let key = u32::try_from(key >> 32).unwrap_or_default();
    key >> MARKS << MARKS | u32::from(marks)
}

/// Turns records into facts.
pub(crate) struct Reader {
    words: NameWords,
    analyser: Analyser,
}

impl Default for Reader {
    fn default() -> Self {
        Self { words: NameWords::new(), analyser: Analyser::new(None) }
    }
}

impl Reader {
    /// The words of a text.
    pub(crate) fn words(&self, text: &str) -> Written {
        Written::new(text, self.words.of(text))
    }

    /// A name as it is written; `None` where it cannot be looked for in texts.
    pub(crate) fn name(&self, name: &str) -> Option<Written> {
        Some(Written::new(name, self.words.name(name)?))
    }

    /// See [`terms`].
    pub(crate) fn terms(&self, text: &str) -> Vec<u64> {
        terms(text, &self.analyser, &self.words)
    }

    /// The names of the page that a record belongs to.
    pub(crate) fn names(&self, record: &ChunkRecord) -> Vec<Written> {
        let page = Page { path: record.path.clone(), title: record.title.clone(), aliases: record.aliases.clone() };
        let names = names_of(&page).into_iter();
        names.filter_map(|name| self.name(&name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Written {
        Reader::default().words(text)
    }

    #[test]
    fn names_come_back_as_they_were() {
        let name = of("Crème Brûlée's re-run");
        let back = Written::from_text(&name.to_text()).unwrap();
        assert_eq!((back.to_text(), &back.marks), (name.to_text(), &name.marks));
        assert_eq!(name.marks, [CAPITAL, CAPITAL, SMALL, SMALL | JOINED]);
        assert_eq!(Written::from_text("no name"), None);
        assert_eq!(Written::from_text(""), None);
    }

    #[test]
    fn a_name_stands_where_it_is_written_as_a_name() {
        let is_in = |name: &str, text: &str| of(name).is_in(&of(text).to_bytes());
        assert!(is_in("Peer Review", "on Peer-Review and more") && !is_in("Peer Review", "the peer review"));
        assert!(is_in("When the Stars Go Blue", "sang When The Stars Go Blue."));
        assert!(is_in("peer-review", "use peer-review here") && !is_in("peer-review", "a peer review"));
        assert!(is_in("peer-review", "Peer-review it is"));
        assert!(is_in("東京大学", "私は東京大学に行く") && !is_in("東京大学", "東京の大学"));
        assert!(!is_in("Ran", "ran") && is_in("ran", "Ran") && !is_in("a b c", "a b"));
        assert!(of("connect").is_plain() && !of("Connect").is_plain() && !of("re-run").is_plain());
    }

    #[test]
    fn pages_have_the_names_that_texts_hold() {
        let reader = Reader::default();
        let record = ChunkRecord { path: "films/ran.md".into(), title: "Ran (film)".into(), ..ChunkRecord::default() };
        let names: Vec<_> = reader.names(&record).iter().map(Written::to_text).collect();
        assert_eq!(names, ["Ran (film)", "Ran"].map(|name| of(name).to_text()));
    }
}
