//! What a question asks for beside its words.
//!
//! ```text
//! basil +"keep fresh" -freezer tag:herbs path:kitchen/ status:stable
//! ```
//!
//! * `"keep fresh"`, and nothing else: only passages that hold these words side by side, in text, title or headings. Among
//!   other words it takes a plus, `+"keep fresh"`: without, quotes in a sentence are a title or an emphasis as often as
//!   not, and to want them word for word, or first, made the answers to judged questions worse;
//! * `-freezer`, `-"deep freezer"`: no passage that holds this. Only behind white space: what begins a question, and dashes
//!   inside words, are plain;
//! * `tag:herbs`, `path:kitchen/`, and `field:value` or `field:"two words"` for any field that some document
//!   has in its front matter. With a field that no document has it is plain text: a ratio `2:1`, an address, a time.
//!
//! Everything else is words, and so is what is not closed: any text is a question.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use wikirag_core::{DocId, Result};
use wikirag_sqlite::{Catalog, DocumentFields, StoredPassage};
use wikirag_text::{Analyser, Form, Phrase};

/// A question, taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Question {
    /// What layers search for, words of phrases among it.
    pub(crate) words: String,
    phrases: Vec<Phrase>,
    without: Vec<Phrase>,
    filters: Vec<Filter>,
}

/// A demand on the document.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Filter {
    field: String,
    /// In lower case.
    value: String,
}

/// Fields of every document.
const COMMON_FIELDS: [&str; 3] = ["tag", "tags", "path"];

impl Question {
    /// Takes `text` apart. `is_field` says whether some document has a field of this name.
    ///
    /// # Errors
    /// Those of `is_field`.
    pub(crate) fn parse(text: &str, mut is_field: impl FnMut(&str) -> Result<bool>) -> Result<Self> {
        let mut question = Self::default();
        let mut known: HashMap<String, bool> = COMMON_FIELDS.iter().map(|field| ((*field).to_owned(), true)).collect();
        // What stands in quotes, which is a demand where nothing else is asked.
        let mut quoted = Vec::new();
        let mut has_free_words = false;
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                at += blank;
                continue;
            }
            let (part, len) = Part::first_of(rest, at > 0);
            at += len;
            match part {
                Part::Quoted(inside) => {
                    quoted.extend(Phrase::new(inside));
                    question.add(inside);
                }
                Part::Phrase(inside) => {
                    question.phrases.extend(Phrase::new(inside));
                    question.add(inside);
                }
                Part::Without(inside) => question.without.extend(Phrase::new(inside)),
                Part::Field(field, value) => {
                    let is_known = match known.get(field) {
                        Some(is_known) => *is_known,
                        None => is_field(field)?,
                    };
                    known.insert(field.to_owned(), is_known);
                    if is_known {
                        question.filters.push(Filter { field: field.to_owned(), value: value.to_lowercase() });
                    } else {
                        question.add(&rest[..len]);
                        has_free_words = true;
                    }
                }
                Part::Word(word) => {
                    question.add(word);
                    has_free_words = true;
                }
            }
        }
        if !has_free_words {
            question.phrases.append(&mut quoted);
        }
        Ok(question)
    }

    /// Whether `text` may hold `field:value`, so that a catalog has to be asked.
    pub(super) fn may_name_fields(text: &str) -> bool {
        text.contains(':')
    }

    fn add(&mut self, words: &str) {
        if !self.words.is_empty() {
            self.words.push(' ');
        }
        self.words.push_str(words);
    }

    /// Whether the words are meant as they stand: a phrase is demanded, or there is nothing but identifiers.
    pub(super) fn is_exact(&self) -> bool {
        !self.phrases.is_empty() || !self.words.is_empty() && self.words.split_whitespace().all(is_identifier)
    }

    /// The documents of a wiki that the filters allow; `None`: all.
    pub(super) fn documents(&self, catalog: &Catalog) -> Result<Option<HashSet<DocId>>> {
        if self.filters.is_empty() {
            return Ok(None);
        }
        catalog.documents_where(|document| self.filters.iter().all(|filter| filter.allows(document))).map(Some)
    }

    /// Whether a passage holds the phrases and none of what it must not hold.
    pub(super) fn allows(&self, passage: &StoredPassage) -> bool {
        let StoredPassage { source, headings, text, .. } = passage;
        let stands = |phrase: &Phrase| {
            phrase.is_in(text) || phrase.is_in(&source.title) || headings.iter().any(|heading| phrase.is_in(heading))
        };
        self.phrases.iter().all(stands) && !self.without.iter().any(|phrase| phrase.is_in(text))
    }
}

/// Whether a word is a chain of parts: `DEC-0054`, `atomic_write`, `src/main.rs`.
fn is_identifier(word: &str) -> bool {
    let mut is_chain = false;
    Analyser::new(None).tokens(word, |token| is_chain |= token.form == Form::Whole);
    is_chain
}

impl Filter {
    fn allows(&self, document: &DocumentFields) -> bool {
        let value = self.value.as_str();
        match self.field.as_str() {
            "path" => document.path.to_lowercase().contains(value),
            "title" => document.title.to_lowercase().contains(value),
            "tag" | "tags" => document.tags.iter().any(|tag| {
                let tag = tag.to_lowercase();
                // `#food/fruit` is below `#food`.
                let below = tag.strip_prefix(value.trim_start_matches('#'));
                below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
            }),
            field => document.meta.get(field).is_some_and(|has| is_or_holds(has, value)),
        }
    }
}

/// Whether a value of front matter is `wanted`, or a list that holds it. Case does not count.
fn is_or_holds(has: &Value, wanted: &str) -> bool {
    match has {
        Value::String(text) => text.trim().to_lowercase() == wanted,
        Value::Array(values) => values.iter().any(|value| is_or_holds(value, wanted)),
        Value::Number(number) => number.to_string().as_str() == wanted,
        Value::Bool(yes) => wanted == if *yes { "true" } else { "false" },
        Value::Null | Value::Object(_) => false,
    }
}

/// One piece of a question.
#[derive(Debug, PartialEq)]
enum Part<'q> {
    Word(&'q str),
    Quoted(&'q str),
    Phrase(&'q str),
    Without(&'q str),
    Field(&'q str, &'q str),
}

impl<'q> Part<'q> {
    /// The piece that `text` begins with, which is no white space, and its length in bytes.
    fn first_of(text: &'q str, after_blank: bool) -> (Self, usize) {
        let word_end = text.find(char::is_whitespace).unwrap_or(text.len());
        let word = &text[..word_end];
        if let Some((inside, len)) = quoted(text) {
            return (Self::Quoted(inside), len);
        }
        if let Some((inside, len)) = text.strip_prefix('+').and_then(quoted) {
            return (Self::Phrase(inside), len + 1);
        }
        if let Some(behind) = text.strip_prefix('-')
            && after_blank
        {
            if let Some((inside, len)) = quoted(behind) {
                return (Self::Without(inside), len + 1);
            }
            // `-5` is a number, `--flag` a flag, and ` - ` a dash.
            if behind.starts_with(char::is_alphabetic) {
                return (Self::Without(&word[1..]), word_end);
            }
        }
        if let Some(colon) = word.find(':') {
            let (field, value) = (&text[..colon], &text[colon + 1..]);
            let is_name = field.starts_with(char::is_alphabetic)
                && field.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
            if is_name && let Some((inside, len)) = quoted(value) {
                return (Self::Field(field, inside), colon + 1 + len);
            }
            let value = &word[colon + 1..];
            // `https://…`, `std::fs` and `status: done` are text.
            if is_name && !value.is_empty() && !value.starts_with([':', '/', '"']) {
                return (Self::Field(field, value), word_end);
            }
        }
        (Self::Word(word), word_end)
    }
}

/// What stands between the quotation marks that `text` begins with, and the length with them. `None` where they are not
/// closed, or not before white space: `"a"b` is a word with quotation marks in it.
fn quoted(text: &str) -> Option<(&str, usize)> {
    let (inside, behind) = text.strip_prefix('"')?.split_once('"')?;
    let is_closed = behind.chars().next().is_none_or(|next| next.is_whitespace() || ",.;:!?)]".contains(next));
    (is_closed && !inside.trim().is_empty()).then_some((inside, inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Question {
        Question::parse(text, |field| Ok(matches!(field, "status" | "title"))).unwrap()
    }

    #[test]
    fn phrases_and_identifiers_are_meant_as_they_stand() {
        let is_exact = |text| Question::parse(text, |_| Ok(false)).unwrap().is_exact();
        for text in ["\"keep fresh\"", "basil +\"keep fresh\"", "DEC-0054", "atomic_write_json src/main.rs"] {
            assert!(is_exact(text), "{text}");
        }
        for text in ["basil", "when to sow basil", "why does atomic_write fail", "the \"fresh\" basil", "🌿", ""] {
            assert!(!is_exact(text), "{text}");
        }
    }

    #[test]
    fn all_parts_at_once() {
        let question =
            parse("basil +\"keep fresh\" \"the herb\" -freezer -\"deep down\" tag:herbs status:\"half done\"");
        assert_eq!(question.words, "basil keep fresh the herb");
        assert_eq!(question.phrases, [Phrase::new("keep fresh").unwrap()]);
        assert_eq!(question.without, [Phrase::new("freezer").unwrap(), Phrase::new("deep down").unwrap()]);
        let filter = |field: &str, value: &str| Filter { field: field.into(), value: value.into() };
        assert_eq!(question.filters, [filter("tag", "herbs"), filter("status", "half done")]);
    }

    #[test]
    fn all_else_is_words() {
        for text in [
            "\"unbalanced",
            "status: done",
            "a:b",
            "12:30",
            "https://x.y/z",
            "std::fs",
            "-first",
            "a --flag",
            "a - b",
            "a -5",
            "x-y",
            "DEC-0054",
            "retry OR",
            "foo)",
            "[1 TO",
            "^2",
            "a~",
            "\"\"",
            "\"a\"b",
            "tag:",
        ] {
            let question = parse(text);
            assert_eq!(question, Question { words: text.into(), ..Question::default() }, "{text}");
        }
    }

    #[test]
    fn quotes_alone_are_a_demand() {
        assert_eq!(parse("\"keep fresh\" tag:herbs").phrases, [Phrase::new("keep fresh").unwrap()]);
        assert!(parse("\"keep fresh\" basil").phrases.is_empty());
    }

    #[test]
    fn values_of_front_matter() {
        let document = |meta: Value| DocumentFields {
            path: "Guides/a.md".into(),
            title: "Basil".into(),
            tags: vec!["Food/Herbs".into()],
            meta: meta.as_object().cloned().unwrap_or_default(),
        };
        let stable = document(serde_json::json!({"status": ["Stable", 2], "year": 2024}));
        for (text, allowed) in [
            ("tag:food", true),
            ("tag:#food/herbs", true),
            ("tag:foo", false),
            ("path:guides/", true),
            ("title:BASIL", true),
            ("status:stable", true),
            ("status:2", true),
            ("status:draft", false),
        ] {
            let question = parse(text);
            assert_eq!(question.filters[0].allows(&stable), allowed, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_question(text in "[a-z\"\\- :é日\u{301}]{0,40}|.{0,40}") {
            let question = parse(&text);
            // Nothing is invented: what is left of the words stands in the question.
            for word in question.words.split_whitespace() {
                prop_assert!(text.contains(word), "{word:?}");
            }
        }
    }
}
