//! Which words of a task an entry holds, and where.

use std::collections::BTreeSet;

use serde::Serialize;
use wikirag_core::Result;
use wikirag_text::{Language, mark_terms};

use crate::question_words::{Finder, Frequency, Word, words_of};
use crate::search::{Snippet, snippet};

/// Why an entry was found: the words of the task that it holds, each in its place. They are given as the task has them, in the order of
/// the task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Why {
    /// In its name.
    pub name: Vec<String>,
    /// In its description.
    pub description: Vec<String>,
    /// In its text.
    pub body: Vec<String>,
    /// The part of its best passage that says most, with the words marked.
    pub snippet: Snippet,
}

impl Why {
    /// Each place with its words: `name: react, testing`. Places without any are left out.
    pub fn places(&self) -> impl Iterator<Item = String> + use<> {
        let places = [("name", &self.name), ("description", &self.description), ("text", &self.body)];
        let told = |(place, words): (&str, &Vec<String>)| {
            (!words.is_empty()).then(|| format!("{place}: {}", words.join(", ")))
        };
        places.map(told).into_iter().flatten()
    }
}

/// The words of a task, to be found in entries.
pub(super) struct Matcher {
    task: String,
    words: Vec<Word>,
}

impl Matcher {
    /// Of what is looked for, see [`task`](super::task).
    pub(super) fn new(task: &str) -> Result<Self> {
        // How rare a word is has no part in where it stands.
        let words = words_of(task, None, |_, _| false, |_| Ok(Frequency::default()))?;
        Ok(Self { task: task.to_owned(), words })
    }

    pub(super) fn why(&self, name: &str, description: &str, body: &str, best: &str, language: &str) -> Why {
        // Most short texts in no known language are English, and a stem that is none finds nothing.
        let language = Language::from_code(language).or(Some(Language::English));
        let finder = Finder::new(&self.words, language);
        let found = |text: &str| {
            let mut places = BTreeSet::new();
            finder.find(text, |place| {
                places.insert(place);
            });
            places.into_iter().filter_map(|place| Some(self.words.get(place)?.text.clone())).collect()
        };
        Why {
            name: found(name),
            description: found(description),
            body: found(body),
            snippet: snippet(&self.task, best, language),
        }
    }

    /// A text in one line with the words of the task marked.
    pub(super) fn marked(&self, text: String) -> Snippet {
        let marks = mark_terms(&self.task, &text, Some(Language::English))
            .into_iter()
            .map(|mark| [mark.start, mark.end])
            .collect();
        Snippet { text, marks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_where_they_stand_in_any_inflection() {
        let matcher = Matcher::new("testing React apps").unwrap();
        let why =
            matcher.why("react-tests", "Tests an app", "Nothing. Run the test suite.", "Run the test suite.", "eng");
        assert_eq!(
            (why.name, why.description, why.body),
            (
                vec!["testing".to_owned(), "react".to_owned()],
                vec!["testing".to_owned(), "apps".to_owned()],
                vec!["testing".to_owned()]
            )
        );
        let marked: Vec<&str> = why.snippet.marks.iter().map(|mark| &why.snippet.text[mark[0]..mark[1]]).collect();
        assert_eq!(marked, ["test"]);
        assert_eq!(Matcher::new("").unwrap().why("", "", "", "", ""), Why::default());
    }
}
