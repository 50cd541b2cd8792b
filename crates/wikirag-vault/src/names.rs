//! The names of a page.

use std::collections::HashSet;
use std::iter;

use crate::pages::Page;
use crate::paths::{file_name, without_ending};
use crate::words::{NameWords, name_key};

/// How many brackets at the end of a name are taken off. Titles have one, seldom two.
const MAX_TAILS: usize = 3;

/// The names under which a page may be mentioned: its title, its aliases, the name of its file without ending, and each
/// also without the brackets at its end (`Ran` for `Ran (film)`).
///
/// In that order; of names of the same words the first, and only what [`NameWords::name`] takes for one.
#[must_use]
pub fn names_of(page: &Page) -> Vec<String> {
    let words = NameWords::new();
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    let stem = file_name(without_ending(&page.path));
    for written in [page.title.as_str()].into_iter().chain(page.aliases.iter().map(String::as_str)).chain([stem]) {
        let short = iter::successors(Some(written.trim()), |name| without_tail(name));
        for name in short.take(MAX_TAILS + 1) {
            if let Some(words) = words.name(name)
                && seen.insert(name_key(&words))
            {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// Whether `name` can be looked for in texts: it has a letter and at least two letters or digits. A lone character and
/// a number stand everywhere without meaning the page.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let mut characters = name.chars().filter(|c| c.is_alphanumeric());
    characters.clone().nth(1).is_some() && characters.any(|c| !c.is_numeric())
}

/// `name` without the brackets at its end; `None` where there are none, or nothing before them.
fn without_tail(name: &str) -> Option<&str> {
    let (open, close) = match name.chars().next_back()? {
        ')' => ('(', ')'),
        ']' => ('[', ']'),
        '）' => ('（', '）'),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, c) in name.char_indices().rev() {
        if c == close {
            depth += 1;
        } else if c == open {
            depth -= 1;
            if depth == 0 {
                return Some(name[..at].trim_end()).filter(|name| !name.is_empty());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(path: &str, title: &str, aliases: &[&str]) -> Vec<String> {
        let aliases = aliases.iter().map(|&alias| alias.to_owned()).collect();
        names_of(&Page { path: path.to_owned(), title: title.to_owned(), aliases })
    }

    #[test]
    fn title_aliases_and_file() {
        assert_eq!(names("films/Ran.md", "Ran (film)", &["乱", "Ran: A Film"]), ["Ran (film)", "Ran", "Ran: A Film"]);
        assert_eq!(names("a/crème-brulee.md", "Crème Brûlée", &["Burnt cream"]), ["Crème Brûlée", "Burnt cream"]);
        assert_eq!(names("notes/dendron.topic.sub.md", "", &[]), ["dendron.topic.sub"]);
        assert_eq!(names("2024-01-05.md", "2024-01-05", &["5", "x", "🙂", " "]), [""; 0]);
        assert_eq!(names("a.md", "Foo (a) [b (c)]", &[]), ["Foo (a) [b (c)]", "Foo (a)", "Foo"]);
        assert_eq!(names("b.md", "大学（映画）", &["(film)"]), ["大学（映画）", "大学", "(film)"]);
    }

    #[test]
    fn what_is_no_name() {
        for name in ["", "C", "C++", "٣", "乱", "…", "12", "12-30", "Ⅳ Ⅴ"] {
            assert!(!is_name(name), "{name}");
        }
        for name in ["Go", "3D", "大学", "ab", "U2"] {
            assert!(is_name(name), "{name}");
        }
    }

    #[test]
    fn many_brackets_take_little_time() {
        assert_eq!(names("x.md", &format!("ab{}", "(x)".repeat(5)), &[]).last().unwrap(), "ab(x)(x)");
        assert_eq!(names("2.md", &format!("ab{}", "(x)".repeat(5_000)), &[]), [""; 0]);
        assert_eq!(names("x.md", &")".repeat(100_000), &[]), [""; 0]);
    }

    proptest! {
        #[test]
        fn names_are_names(title in "\\PC{0,30}|[a-c()\\[\\]（） ]{0,20}", path in "\\PC{0,30}") {
            let words = NameWords::new();
            let names = names(&path, &title, &[&path, &title]);
            let keys: HashSet<u64> = names.iter().map(|name| name_key(&words.name(name).unwrap())).collect();
            prop_assert_eq!(keys.len(), names.len());
        }
    }
}
