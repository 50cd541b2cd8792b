//! The sentences of an answer with what they cite, and whether the words of a source bear them out.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;
use wikirag_text::{Analyser, Form, Language};

use super::cite::{Cited, citations};
use crate::disagree::is_function;

/// The share of the words of a sentence that its sources must hold. Below it a reader should look.
const ENOUGH: f64 = 0.5;

/// Words of a quotation that must be found as it stands; shorter ones are names and emphasis.
const QUOTED_WORDS: usize = 4;

/// A sentence, or several that share a citation, by their place in the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    /// With its citations.
    pub(super) span: Range<usize>,
    pub(super) cited: Vec<Cited>,
}

/// Whether the words of its sources bear a sentence out. This looks at words and numbers and understands nothing: it finds what was made
/// up more surely than what was misunderstood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The sources hold its words and numbers.
    Supported,
    /// They hold less than half of its words.
    Doubtful,
    /// It holds a number that they do not.
    OtherNumber,
    /// It holds a quotation that is not in them.
    Misquoted,
    /// One of its citations leads nowhere.
    Invented,
    /// It cites nothing.
    Uncited,
}

/// What of a sentence its sources do not hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Borne {
    /// The share of its words that they hold, 0 to 1; 1 where it has none.
    pub(super) share: f64,
    pub(super) missing_numbers: Vec<String>,
    pub(super) missing_quotes: Vec<String>,
}

impl Borne {
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            _ if !self.missing_quotes.is_empty() => Verdict::Misquoted,
            _ if !self.missing_numbers.is_empty() => Verdict::OtherNumber,
            _ if self.share < ENOUGH => Verdict::Doubtful,
            _ => Verdict::Supported,
        }
    }
}

/// The claims of `text`, in order. Headings, code and what holds no word are none.
pub(super) fn claims(text: &str) -> Vec<Claim> {
    let cited = citations(text);
    let mut claims: Vec<Claim> = Vec::new();
    for span in sentences(text, &cited) {
        let inside: Vec<Cited> =
            cited.iter().filter(|one| span.start <= one.span.start && one.span.end <= span.end).cloned().collect();
        let words = without(text, &span, &inside);
        if words.chars().any(char::is_alphanumeric) {
            claims.push(Claim { span, cited: inside });
        } else if let Some(last) =
            claims.last_mut().filter(|last| !inside.is_empty() && is_near(text, last.span.end, span.start))
        {
            // A citation that stands behind the full stop belongs to the sentence before.
            last.span.end = span.end;
            last.cited.extend(inside);
        }
    }
    claims
}

/// A blank line ends what a citation can belong to.
fn is_near(text: &str, end: usize, start: usize) -> bool {
    text.get(end..start).is_some_and(|between| between.matches('\n').count() < 2)
}

/// The text of a claim without its citations.
pub(super) fn without(text: &str, span: &Range<usize>, cited: &[Cited]) -> String {
    let mut words = String::new();
    let mut at = span.start;
    for one in cited.iter().filter(|one| one.span.start >= span.start) {
        if one.span.start >= at {
            words.push_str(&text[at..one.span.start]);
            at = one.span.end;
        }
    }
    words.push_str(text.get(at..span.end).unwrap_or_default());
    words
}

/// Spans of lines cut at the ends of their sentences. No citation is cut.
fn sentences(text: &str, cited: &[Cited]) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut at = 0;
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        if is_code || trimmed.starts_with('#') {
            continue;
        }
        let mut begin = start;
        for (offset, c) in line.char_indices() {
            let end = start + offset + c.len_utf8();
            let is_wide = matches!(c, '。' | '！' | '？');
            let is_end =
                is_wide || matches!(c, '.' | '!' | '?') && text[end..].chars().next().is_none_or(char::is_whitespace);
            if is_end && !cited.iter().any(|one| one.span.start < end && end < one.span.end) {
                spans.push(begin..end);
                begin = end;
            }
        }
        spans.push(begin..at);
    }
    let trimmed = |span: Range<usize>| {
        let start = span.start;
        start..start + text[span].trim_end().len()
    };
    spans.into_iter().map(trimmed).filter(|span| !span.is_empty()).collect()
}

/// How far `sources`, texts with their titles, hold the words of `claim`, a sentence without its citations.
pub(super) fn borne_out(claim: &str, sources: &[&str], language: Option<Language>) -> Borne {
    let analyser = Analyser::new(language);
    let (mut stems, mut numbers) = (HashSet::new(), HashSet::new());
    for source in sources {
        analyser.tokens(source, |token| {
            stems.insert(token.stem.to_string());
            if is_number(&token.text) {
                numbers.insert(token.text.to_string());
            }
        });
    }
    let (mut all, mut held) = (HashSet::new(), 0);
    let mut borne = Borne::default();
    analyser.tokens(claim, |token| {
        let counts = matches!(token.form, Form::Word | Form::Pair) && !is_function(&token.text, language);
        if !counts || !all.insert(token.stem.to_string()) {
            return;
        }
        held += usize::from(stems.contains(token.stem.as_ref()));
        if is_number(&token.text) && !numbers.contains(token.text.as_ref()) {
            borne.missing_numbers.push(token.text.to_string());
        }
    });
    #[expect(clippy::cast_precision_loss, reason = "words of a sentence")]
    let share = if all.is_empty() { 1.0 } else { held as f64 / all.len() as f64 };
    borne.share = share;
    let folded: Vec<String> = sources.iter().map(|source| fold(source)).collect();
    let is_missing = |quote: &&str| {
        let quote = fold(quote);
        quote.split(' ').count() >= QUOTED_WORDS && !folded.iter().any(|source| source.contains(&quote))
    };
    borne.missing_quotes = quotes(claim).into_iter().filter(is_missing).map(str::to_owned).collect();
    borne
}

/// A number as it is written in figures. One of a single figure counts things and stands in words as often.
fn is_number(word: &str) -> bool {
    word.len() > 1 && word.chars().next().is_some_and(|c| c.is_ascii_digit())
}

/// What stands in quotation marks.
fn quotes(text: &str) -> Vec<&str> {
    const PAIRS: [(char, char); 4] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')];
    let mut quotes = Vec::new();
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(_, c)| PAIRS.iter().any(|(open, _)| open == c)) {
        let inner = &rest[at + open.len_utf8()..];
        let close = PAIRS.iter().filter(|(begin, _)| *begin == open).filter_map(|(_, end)| inner.find(*end)).min();
        let Some(close) = close else { break };
        quotes.push(&inner[..close]);
        rest = inner[close..].char_indices().nth(1).map_or("", |(next, _)| &inner[close + next..]);
    }
    quotes
}

/// Words in lower case with one blank between: line ends, marks of emphasis and punctuation at the ends do not count.
fn fold(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !matches!(c, '*' | '_' | '`')).collect();
    let plain = plain.to_lowercase();
    plain
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .trim_end_matches(['.', ',', ';', ':', '!', '?', '…'])
        .to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<(String, usize)> {
        claims(text).into_iter().map(|claim| (text[claim.span.clone()].trim().to_owned(), claim.cited.len())).collect()
    }

    #[test]
    fn a_citation_belongs_to_the_sentence_before_it() {
        let text = "# Basil\n\nSow it in May [[a]]. Water it daily. [[b]] (Source: c. d.txt)\n- Pinch it\n\n[[e]]\n```\ncode. [[f]]\n```\n";
        let expected =
            [("Sow it in May [[a]].", 1), ("Water it daily. [[b]] (Source: c. d.txt)", 2), ("- Pinch it", 0)];
        assert_eq!(texts(text), expected.map(|(text, cited)| (text.to_owned(), cited)));
        assert_eq!(texts("端口是8080。[[a]]"), [("端口是8080。[[a]]".to_owned(), 1)]);
    }

    #[test]
    fn words_numbers_and_quotations_must_be_in_the_source() {
        let source =
            ["Basil is sown in May, when nights stay above 10 °C.\n\"Pinch the tips every\nsecond week\", she says."];
        let verdict = |claim: &str| borne_out(claim, &source, Some(Language::English)).verdict();
        assert_eq!(verdict("Basil is sown in May above 10 °C."), Verdict::Supported);
        assert_eq!(verdict("Sowing basil: at 12 degrees in May."), Verdict::OtherNumber);
        assert_eq!(verdict("Tomatoes want rich soil and sun."), Verdict::Doubtful);
        assert_eq!(verdict("She says “Pinch the tips every second week.”"), Verdict::Supported);
        assert_eq!(verdict("She says \"pinch the tips every third week\" of May."), Verdict::Misquoted);
        assert_eq!(verdict("So it is."), Verdict::Supported, "nothing is said");
    }

    proptest! {
        #[test]
        fn any_answer_has_claims_in_order(text in "(\\[\\[a\\]\\]|\\(Source: b\\)|[.!?\"“ ]|\\PC|\n|```){0,24}") {
            let claims = claims(&text);
            prop_assert!(claims.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
            for claim in &claims {
                let words = without(&text, &claim.span, &claim.cited);
                let share = borne_out(&words, &[&text], None).share;
                prop_assert!((0.0..=1.0).contains(&share), "{share}");
            }
        }
    }
}
