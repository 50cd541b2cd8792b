//! A sentence as it is compared: its content words and its values, in order.

use std::ops::Range;

use wikirag_core::Span;
use wikirag_text::{Analyser, Form, Token};

use super::lexicon::{Lexicon, is_before_version, is_label};
use super::scan::{What, scan};
use super::values::{Date, Dimension, Number, Value, Version};
use crate::word_hash::word_hash;

/// Longer sentences are lists of names.
const MAX_PARTS: usize = 64;

/// Calls `sink` with each token that says something of its own.
fn tokens(analyser: &Analyser, text: &str, mut sink: impl FnMut(&Token<'_>)) {
    analyser.tokens(text, |token| {
        if !token.form.repeats() && token.form != Form::Whole {
            sink(token);
        }
    });
}

/// The content words of a title or heading without its numbers, each once, ascending.
pub(super) fn subject(analyser: &Analyser, text: &str) -> Vec<u64> {
    let lexicon = Lexicon::of(analyser.language());
    let mut words = Vec::new();
    tokens(analyser, text, |token| {
        let is_number = token.text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && (!lexicon.is_function(&token.text) || is_letter(&text[token.span.clone()])) {
            words.push(word_hash(&token.stem));
        }
    });
    words.sort_unstable();
    words.dedup();
    words
}

/// One sentence of prose.
#[derive(Debug)]
pub(super) struct Statement {
    /// In the text of the passage.
    pub(super) span: Span,
    pub(super) parts: Box<[Part]>,
    /// The words among the parts, ascending, each once.
    pub(super) distinct: Box<[u64]>,
    /// How many words there are among the parts, and how many negations before them.
    pub(super) words: usize,
    pub(super) negations: usize,
    /// Whether it speaks of something that was named before it.
    pub(super) points: bool,
}

/// A sentence of one passage among several.
pub(super) struct Said<'s> {
    /// The passage, by its place among them.
    pub(super) passage: usize,
    pub(super) statement: &'s Statement,
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    /// In the text of the passage. Passages are far below 4 GiB; what is not is no sentence.
    start: u32,
    end: u32,
    pub(super) sort: Sort,
}

impl Part {
    /// In the text of the passage.
    pub(super) const fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    fn word(&self) -> Option<u64> {
        match self.sort {
            Sort::Word { id, .. } => Some(id),
            Sort::Value(_) => None,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) enum Sort {
    Word {
        /// See [`word_hash`].
        id: u64,
        /// Tells one thing from others of its kind: a proper name, an identifier, a label with its number.
        is_name: bool,
        /// Where the word begins that negates it.
        negation: Option<u32>,
    },
    // Rare and large: the parts of all passages of an answer are in memory, and are kept for the next.
    Value(Box<Value>),
}

/// Reads the sentence `text[span]` of a passage in the language of the analyser.
///
/// `None` for what has too many words to be a sentence.
pub(super) fn read(analyser: &Analyser, text: &str, span: Range<usize>) -> Option<Statement> {
    let sentence = &text[span.clone()];
    u32::try_from(span.end).ok()?;
    let lexicon = Lexicon::of(analyser.language());
    let mut reading = Reading {
        sentence,
        offset: span.start,
        lexicon,
        parts: Vec::new(),
        words: 0,
        negations: 0,
        points: false,
        negation: None,
        last: None,
    };
    let mut found = scan(sentence, lexicon).into_iter().peekable();
    let mut taken = 0;
    tokens(analyser, sentence, |token| {
        while let Some(one) = found.next_if(|one| one.span.start <= token.span.start) {
            taken = one.span.end;
            reading.found(one.span, one.what);
        }
        if token.span.start >= taken {
            reading.word(token);
        }
    });
    reading.statement(span)
}

struct Reading<'s> {
    sentence: &'s str,
    offset: usize,
    lexicon: &'static Lexicon,
    parts: Vec<Part>,
    words: usize,
    negations: usize,
    points: bool,
    /// Where a negation begins that no word has taken yet.
    negation: Option<u32>,
    /// The word before.
    last: Option<Range<usize>>,
}

impl Reading<'_> {
    fn found(&mut self, span: Range<usize>, what: What) {
        let value = match what {
            What::Address => return,
            What::Name => None,
            What::Value(value) => self.in_context(value, &span),
        };
        match value {
            Some(value) => self.push(&span, Sort::Value(Box::new(value))),
            None => {
                let id = word_hash(&self.sentence[span.clone()].to_lowercase());
                self.push_word(&span, id, true);
            }
        }
        self.last = Some(span);
    }

    /// What a value is behind the word before it: `None` for a name.
    fn in_context(&self, value: Value, span: &Range<usize>) -> Option<Value> {
        // Where a sentence begins with it, it says what the rest is about: `1.2: fixed`, `In 2021 it was dry`.
        let is_dated = matches!(value, Value::Date(Date { month: Some(_), .. }));
        if self.last.is_none() || (self.words == 0 && !is_dated) {
            return None;
        }
        let written = &self.sentence[span.clone()];
        let before = self.last.clone().filter(|last| {
            // A word that runs into the value is not before it.
            let between = self.sentence.get(last.end..span.start);
            between.is_some_and(|text| text.chars().all(|c| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '.')))
        });
        let (Value::Number(Number { dimension: Dimension::None, .. }), Some(before)) = (&value, before) else {
            return Some(value);
        };
        let is_first = before.start == 0;
        let before = &self.sentence[before];
        let word = before.to_lowercase();
        let version = || {
            let parts = written.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<_>>>()?;
            Some(Value::Version(Version { parts, suffix: String::new() }))
        };
        if is_before_version(&word) {
            return version();
        }
        if is_label(&word) {
            return None;
        }
        if self.lexicon.is_before_year(&word)
            && let Some(year) = written.parse().ok().filter(|year| written.len() == 4 && (1900..2100).contains(year))
        {
            return Some(Value::Date(Date { year: Some(year), month: None, day: None, either_order: false }));
        }
        let capitals = before.chars().filter(|c| c.is_uppercase()).count();
        if (capitals > 0 && !is_first) || capitals > 1 {
            // `Python 3.8` is a version of it, `Windows 10` and `RFC 2119` are names.
            return if written.contains('.') { version() } else { None };
        }
        Some(value)
    }

    fn word(&mut self, token: &Token<'_>) {
        let is_first = self.last.is_none();
        let written = &self.sentence[token.span.clone()];
        let is_name = !is_first && written.contains(char::is_uppercase);
        self.points |= self.lexicon.is_pointer(&token.text);
        if self.lexicon.is_negation(&token.text) {
            // `mustn't` is `must` and `not`; what is left of `don't` says nothing.
            if let Some(verb) = self.lexicon.contracted(&token.text) {
                self.push_word(&token.span, word_hash(verb), false);
            }
            self.negation = Some(self.place(token.span.start));
            self.negations += 1;
        } else if let Some(number) = self.lexicon.numeral(&token.text)
            && self.words > 0
        {
            let value = Value::Number(Number::whole(f64::from(number)));
            self.push(&token.span, Sort::Value(Box::new(value)));
        } else if !(self.lexicon.is_function(&token.text) && !(is_name && is_letter(written))
            || self.negation.is_some() && self.lexicon.ends_negation(&token.text))
        {
            self.push_word(&token.span, word_hash(&token.stem), is_name);
        }
        self.last = Some(token.span.clone());
    }

    fn push_word(&mut self, span: &Range<usize>, id: u64, is_name: bool) {
        self.words += 1;
        let negation = self.negation.take();
        self.push(span, Sort::Word { id, is_name, negation });
    }

    fn push(&mut self, span: &Range<usize>, sort: Sort) {
        let (start, end) = (self.place(span.start), self.place(span.end));
        self.parts.push(Part { start, end, sort });
    }

    /// A place of the sentence, in the text of the passage.
    fn place(&self, at: usize) -> u32 {
        // The end of the sentence was looked at.
        u32::try_from(self.offset + at).unwrap_or(u32::MAX)
    }

    fn statement(self, span: Range<usize>) -> Option<Statement> {
        let Self { parts, words, negations, points, .. } = self;
        if parts.len() > MAX_PARTS {
            return None;
        }
        let mut distinct: Vec<u64> = parts.iter().filter_map(Part::word).collect();
        distinct.sort_unstable();
        distinct.dedup();
        Some(Statement { span: span.into(), parts: parts.into(), distinct: distinct.into(), words, negations, points })
    }
}

/// `A` in `Plugin A`.
fn is_letter(written: &str) -> bool {
    written.len() == 1 && written.as_bytes()[0].is_ascii_uppercase()
}
