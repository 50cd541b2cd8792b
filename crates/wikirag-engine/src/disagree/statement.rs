//! A sentence as it is compared: its content words and its values, in order.

use std::collections::HashMap;
use std::ops::Range;

use wikirag_core::Span;
use wikirag_text::{Analyser, Form, Language, Token};

use super::lexicon::{Lexicon, is_before_version, is_label};
use super::scan::{What, scan};
use super::values::{Date, Dimension, Number, Value, Version};

/// Longer sentences are lists of names.
const MAX_PARTS: usize = 64;

/// Numbers for words, and the analysers that make them.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    ids: HashMap<String, u32>,
    analysers: Vec<(Option<Language>, Analyser)>,
}

impl Vocabulary {
    fn id(&mut self, stem: &str) -> u32 {
        if let Some(id) = self.ids.get(stem) {
            return *id;
        }
        // More than 2^32 different words do not fit into memory as passages.
        let id = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        self.ids.insert(stem.to_owned(), id);
        id
    }

    fn tokens(&mut self, language: Option<Language>, text: &str, mut sink: impl FnMut(&mut Self, &Token<'_>)) {
        let at = match self.analysers.iter().position(|(known, _)| *known == language) {
            Some(at) => at,
            None => {
                self.analysers.push((language, Analyser::new(language)));
                self.analysers.len() - 1
            }
        };
        // Taken out, since the sink needs the rest.
        let (language, analyser) = self.analysers.swap_remove(at);
        analyser.tokens(text, |token| {
            if !token.form.repeats() && token.form != Form::Whole {
                sink(self, token);
            }
        });
        self.analysers.push((language, analyser));
    }

    /// The content words of a title or heading without its numbers, each once, ascending.
    pub(super) fn subject(&mut self, language: Option<Language>, text: &str) -> Vec<u32> {
        let lexicon = Lexicon::of(language);
        let mut words = Vec::new();
        self.tokens(language, text, |vocabulary, token| {
            let is_number = token.text.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number && (!lexicon.is_function(&token.text) || is_letter(&text[token.span.clone()])) {
                words.push(vocabulary.id(&token.stem));
            }
        });
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// One sentence of prose.
#[derive(Debug)]
pub(super) struct Statement {
    /// Of the passage, as the caller of [`read`] counts them.
    pub(super) passage: usize,
    /// In the text of the passage.
    pub(super) span: Span,
    pub(super) parts: Vec<Part>,
    /// How many words there are among the parts, and how many negations before them.
    pub(super) words: usize,
    pub(super) negations: usize,
    /// Whether it speaks of something that was named before it.
    pub(super) points: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    /// In the text of the passage.
    pub(super) span: Range<usize>,
    pub(super) sort: Sort,
}

#[derive(Debug, Clone)]
pub(super) enum Sort {
    Word {
        id: u32,
        /// Tells one thing from others of its kind: a proper name, an identifier, a label with its number.
        is_name: bool,
        /// Where the word stands that negates it.
        negation: Option<Range<usize>>,
    },
    Value(Value),
}

/// Reads the sentence `text[span]` of a passage.
///
/// `None` for what has too many words to be a sentence.
pub(super) fn read(
    vocabulary: &mut Vocabulary,
    language: Option<Language>,
    passage: usize,
    text: &str,
    span: Range<usize>,
) -> Option<Statement> {
    let sentence = &text[span.clone()];
    let lexicon = Lexicon::of(language);
    let mut reading = Reading {
        sentence,
        offset: span.start,
        lexicon,
        statement: Statement { passage, span: span.into(), parts: Vec::new(), words: 0, negations: 0, points: false },
        negation: None,
        last: None,
    };
    let mut found = scan(sentence, lexicon).into_iter().peekable();
    let mut taken = 0;
    vocabulary.tokens(language, sentence, |vocabulary, token| {
        while let Some(one) = found.next_if(|one| one.span.start <= token.span.start) {
            taken = one.span.end;
            reading.found(vocabulary, one.span, one.what);
        }
        if token.span.start >= taken {
            reading.word(vocabulary, token);
        }
    });
    (reading.statement.parts.len() <= MAX_PARTS).then_some(reading.statement)
}

struct Reading<'s> {
    sentence: &'s str,
    offset: usize,
    lexicon: &'static Lexicon,
    statement: Statement,
    negation: Option<Range<usize>>,
    /// The word before.
    last: Option<Range<usize>>,
}

impl Reading<'_> {
    fn found(&mut self, vocabulary: &mut Vocabulary, span: Range<usize>, what: What) {
        let value = match what {
            What::Address => return,
            What::Name => None,
            What::Value(value) => self.in_context(value, &span),
        };
        match value {
            Some(value) => self.push(span.clone(), Sort::Value(value)),
            None => {
                let id = vocabulary.id(&self.sentence[span.clone()].to_lowercase());
                self.push_word(span.clone(), id, true);
            }
        }
        self.last = Some(span);
    }

    /// What a value is behind the word before it: `None` for a name.
    fn in_context(&self, value: Value, span: &Range<usize>) -> Option<Value> {
        // Where a sentence begins with it, it says what the rest is about: `1.2: fixed`, `In 2021 it was dry`.
        let is_dated = matches!(value, Value::Date(Date { month: Some(_), .. }));
        if self.last.is_none() || (self.statement.words == 0 && !is_dated) {
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

    fn word(&mut self, vocabulary: &mut Vocabulary, token: &Token<'_>) {
        let is_first = self.last.is_none();
        let written = &self.sentence[token.span.clone()];
        let is_name = !is_first && written.contains(char::is_uppercase);
        self.statement.points |= self.lexicon.is_pointer(&token.text);
        if self.lexicon.is_negation(&token.text) {
            // `mustn't` is `must` and `not`; what is left of `don't` says nothing.
            if let Some(verb) = self.lexicon.contracted(&token.text) {
                let id = vocabulary.id(verb);
                self.push_word(token.span.clone(), id, false);
            }
            self.negation = Some(self.place(&token.span));
            self.statement.negations += 1;
        } else if let Some(number) = self.lexicon.numeral(&token.text)
            && self.statement.words > 0
        {
            self.push(token.span.clone(), Sort::Value(Value::Number(Number::whole(f64::from(number)))));
        } else if !(self.lexicon.is_function(&token.text) && !(is_name && is_letter(written))
            || self.negation.is_some() && self.lexicon.ends_negation(&token.text))
        {
            let id = vocabulary.id(&token.stem);
            self.push_word(token.span.clone(), id, is_name);
        }
        self.last = Some(token.span.clone());
    }

    fn push_word(&mut self, span: Range<usize>, id: u32, is_name: bool) {
        self.statement.words += 1;
        let negation = self.negation.take();
        self.push(span, Sort::Word { id, is_name, negation });
    }

    fn push(&mut self, span: Range<usize>, sort: Sort) {
        let span = self.place(&span);
        self.statement.parts.push(Part { span, sort });
    }

    const fn place(&self, span: &Range<usize>) -> Range<usize> {
        self.offset + span.start..self.offset + span.end
    }
}

/// `A` in `Plugin A`.
fn is_letter(written: &str) -> bool {
    written.len() == 1 && written.as_bytes()[0].is_ascii_uppercase()
}
