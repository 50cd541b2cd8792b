//! The kinds of questions, and what each loads: a table (`kinds.toml`), not code.

use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_text::{Analyser, Form};

use crate::settings::suggest;

/// The table that comes with the program.
const OWN: &str = include_str!("kinds.toml");

/// Kinds of questions, in the order in which they are tried.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kinds {
    kind: Vec<Kind>,
}

/// One kind of question.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kind {
    pub(super) name: String,
    /// Words and phrases that mark it.
    #[serde(default)]
    words: Vec<String>,
    /// What else marks it.
    #[serde(default)]
    signs: Vec<Sign>,
    pub(super) steps: Vec<Step>,
}

/// A mark of a question that is no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sign {
    Quoted,
    Identifier,
    Title,
    Short,
}

/// A level and how much of it is loaded.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) level: DrillLevel,
    /// Of the whole budget; above 0, at most 1.
    pub(super) share: f64,
    /// Above 0, at most 1.
    pub(super) enough: Option<f64>,
    /// 0 to 1.
    #[serde(default)]
    pub(super) drop: f64,
    #[serde(default)]
    pub(super) pages: usize,
    #[serde(default)]
    pub(super) whole: usize,
}

/// From where a part of a load comes; ever nearer to the pages themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DrillLevel {
    /// 0: what is on people's minds, the page `hot.md`.
    Hot,
    /// 1: what the wiki holds.
    Index,
    /// 2: what the folders hold that the question leads to.
    Domain,
    /// 3: passages, and pages.
    Page,
}

impl DrillLevel {
    /// 0 to 3.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The word used in tables and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Index => "index",
            Self::Domain => "domain",
            Self::Page => "page",
        }
    }
}

/// The kind of a question, and what told it.
#[derive(Debug, PartialEq)]
pub(super) struct Chosen<'k> {
    pub(super) kind: &'k Kind,
    /// The word, or the name of the sign; empty for the kind of all others.
    pub(super) mark: String,
}

impl Kinds {
    /// The table that comes with the program.
    ///
    /// # Errors
    /// Never, as a test holds.
    pub fn own() -> Result<Self> {
        Self::parse(OWN, "kinds.toml")
    }

    /// Reads a table, which came from `origin`; its form is told at the head of the one that comes with the program.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where it is no such table, where a number is out of its range, and where the last kind, which holds
    /// for all other questions, has words or signs.
    pub fn parse(text: &str, origin: &str) -> Result<Self> {
        let bad =
            |message: String| Error::new(ErrorKind::Invalid, "read kinds of questions", message).with("in", origin);
        let kinds: Self = toml::from_str(text).map_err(|error| bad(error.to_string().trim_end().to_owned()))?;
        if kinds.kind.last().is_none_or(|last| !last.words.is_empty() || !last.signs.is_empty()) {
            return Err(bad(
                "the last kind holds for all other questions and must have no words and no signs".to_owned()
            ));
        }
        for kind in &kinds.kind {
            let name = suggest::shorten(&kind.name);
            if kind.words.iter().any(|word| words_of(word).is_empty()) {
                return Err(bad(format!("a word of the kind `{name}` holds no word")));
            }
            if kind.steps.is_empty() {
                return Err(bad(format!("the kind `{name}` has no steps")));
            }
            for (place, step) in kind.steps.iter().enumerate() {
                let is_share = |number: f64| number > 0.0 && number <= 1.0;
                if !is_share(step.share) || !step.enough.is_none_or(is_share) || !(0.0..=1.0).contains(&step.drop) {
                    let level = step.level.name();
                    return Err(bad(format!(
                        "a number of the level `{level}` of the kind `{name}` is not from 0 to 1"
                    )));
                }
                if kind.steps[..place].iter().any(|before| before.level == step.level) {
                    return Err(bad(format!("the kind `{name}` has the level `{}` twice", step.level.name())));
                }
            }
        }
        Ok(kinds)
    }

    /// The first kind that is marked in the question. `is_title` tells whether the question is the name of a page.
    pub(super) fn of(&self, question: &str, is_title: bool) -> Chosen<'_> {
        let words = words_of(question);
        let sign_fits = |sign: Sign| match sign {
            Sign::Quoted => has_quotes(question),
            Sign::Identifier => has_identifier(question),
            Sign::Title => is_title,
            Sign::Short => (1..=2).contains(&words.len()),
        };
        let mark_of = |kind: &Kind| {
            let word = kind.words.iter().find(|word| holds(&words, &words_of(word))).cloned();
            word.or_else(|| kind.signs.iter().find(|sign| sign_fits(**sign)).map(|sign| sign.name().to_owned()))
        };
        let marked = self.kind.iter().find_map(|kind| Some(Chosen { kind, mark: mark_of(kind)? }));
        marked.unwrap_or_else(|| Chosen { kind: &self.kind[self.kind.len() - 1], mark: String::new() })
    }
}

impl Sign {
    const fn name(self) -> &'static str {
        match self {
            Self::Quoted => "quoted",
            Self::Identifier => "identifier",
            Self::Title => "title",
            Self::Short => "short",
        }
    }
}

/// The words of a text, folded and not stemmed: "new" must not be found in "news".
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    Analyser::new(None).tokens(text, |token| {
        if matches!(token.form, Form::Word | Form::Pair) {
            words.push(token.stem.to_string());
        }
    });
    words
}

fn holds(words: &[String], phrase: &[String]) -> bool {
    words.windows(phrase.len()).any(|window| window == phrase)
}

/// Something between two quotation marks of a kind.
fn has_quotes(question: &str) -> bool {
    [('"', '"'), ('`', '`'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」')].into_iter().any(|(open, close)| {
        question
            .split_once(open)
            .and_then(|(_, rest)| rest.split_once(close))
            .is_some_and(|(inner, _)| !inner.trim().is_empty())
    })
}

/// A word that no prose has: with an underscore, a path, letters and digits, or capitals within.
fn has_identifier(question: &str) -> bool {
    question.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).any(|word| {
        let has = |test: fn(char) -> bool| word.contains(test);
        let is_mixed = has(char::is_alphabetic) && has(|c| c.is_ascii_digit());
        let has_humps = word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
        is_mixed || has_humps || has(|c| matches!(c, '_' | '/' | '\\')) || word.contains("::")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(question: &str) -> (String, String) {
        let kinds = Kinds::own().unwrap();
        let chosen = kinds.of(question, false);
        (chosen.kind.name.clone(), chosen.mark)
    }

    #[test]
    fn the_first_mark_decides() {
        for (question, name, mark) in [
            ("What changed lately?", "recent", "changed"),
            ("which tasks are still OPEN", "recent", "still open"),
            ("give me an overview of the herbs", "overview", "overview"),
            ("why does basil wilt in May", "reason", "why"),
            ("how do I set up the fence", "how-to", "how do"),
            ("what does `put_page` do", "lookup", "quoted"),
            ("the meaning behind DEC54 for the fence", "lookup", "identifier"),
            ("runner beans", "lookup", "short"),
            ("when to sow basil", "topic", ""),
            ("newsletters of the garden club", "topic", ""),
            ("\" \" \u{0} \u{202e} \u{1f33f}", "topic", ""),
            ("", "topic", ""),
        ] {
            assert_eq!(kind(question), (name.to_owned(), mark.to_owned()), "{question:?}");
        }
        let kinds = Kinds::own().unwrap();
        assert_eq!(kinds.of("the old man of hoy", true).kind.name, "lookup");
    }

    #[test]
    fn a_table_that_makes_no_sense_is_refused() {
        let step = "steps = [{ level = \"page\", share = 1.0 }]";
        for (table, part) in [
            (String::new(), "kind"),
            (format!("[[kind]]\nname = \"a\"\nwords = [\"b\"]\n{step}"), "last kind"),
            ("[[kind]]\nname = \"a\"\nsteps = []".to_owned(), "no steps"),
            ("[[kind]]\nname = \"a\"\nsteps = [{ level = \"page\", share = 0 }]".to_owned(), "0 to 1"),
            ("[[kind]]\nname = \"a\"\nsteps = [{ level = \"page\", share = nan }]".to_owned(), "0 to 1"),
            ("[[kind]]\nname = \"a\"\nsteps = [{ level = \"cellar\", share = 1.0 }]".to_owned(), "cellar"),
            (
                format!("[[kind]]\nname = \"b\"\nwords = [\"!\"]\n{step}\n[[kind]]\nname = \"a\"\n{step}"),
                "holds no word",
            ),
            (
                "[[kind]]\nname = \"a\"\nsteps = [{level = \"page\", share = 1.0}, {level = \"page\", share = 1.0}]"
                    .to_owned(),
                "twice",
            ),
        ] {
            let error = Kinds::parse(&table, "x.toml").unwrap_err().to_string();
            assert!(error.contains(part) && error.contains("x.toml"), "{part}: {error}");
        }
    }
}
