//! Words that stand side by side.

use unicode_normalization::UnicodeNormalization;

use crate::analyser::{Analyser, Form};
use crate::classes::{Class, class};

/// A sequence of words, to be looked for in passages.
///
/// Case, accents and what lies between the words do not count: `"écrire json"` stands in `ECRIRE-JSON` and in `écrire: json`.
/// Words are whole and not stemmed. Of scripts without spaces every run of characters is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    words: Vec<String>,
    /// For scripts without spaces, where pairs of characters overlap: the characters themselves.
    run: Option<String>,
}

impl Phrase {
    /// The words of `text`; `None` where it has none.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let words = words(text);
        let run = text.chars().any(|c| matches!(class(c), Class::Unspaced(_))).then(|| folded(text));
        (!words.is_empty()).then_some(Self { words, run })
    }

    /// Whether the words stand in `text`, in their order and with none between them. Linear in both for all but texts that
    /// repeat the beginning of the phrase.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        if let Some(run) = &self.run {
            return folded(text).contains(run);
        }
        words(text).windows(self.words.len()).any(|window| window == self.words)
    }
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    Analyser::new(None).tokens(text, |token| {
        if matches!(token.form, Form::Word | Form::Pair) {
            words.push(token.stem.to_string());
        }
    });
    words
}

/// NFKC in lower case, with one space for white space of any length.
fn folded(text: &str) -> String {
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_in(phrase: &str, text: &str) -> bool {
        Phrase::new(phrase).unwrap().is_in(text)
    }

    #[test]
    fn words_side_by_side() {
        assert!(is_in("write json", "Then atomic_write_json is called."));
        assert!(is_in("DEC-0054", "see dec 0054"));
        assert!(is_in("cafe au lait", "Un CAFÉ au  lait."));
        assert!(!is_in("write json", "write the json"));
        assert!(!is_in("json write", "write json"));
        assert!(!is_in("dog", "dogs"));
        assert_eq!(Phrase::new("… 🙂"), None);
    }

    #[test]
    fn runs_of_scripts_without_spaces() {
        assert!(is_in("视频下载", "一个视频下载工具"));
        assert!(is_in("水", "飲み水です"));
        assert!(!is_in("频视", "一个视频下载工具"));
    }
}
