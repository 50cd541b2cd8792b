//! The citations in a text: `[[page]]` and `(Source: path)`.

use std::ops::Range;

/// Characters of what is cited. Longer ones are text that happens to begin like a citation.
pub(super) const LONGEST: usize = 300;

/// Bytes that a citation can have at most: characters of four bytes and the marks around them.
pub(super) const MOST_BYTES: usize = LONGEST * 4 + 16;

/// What begins a citation, in lower case.
const PAGE: &str = "[[";
const SOURCE: [&str; 2] = ["(source:", "(sources:"];

/// Something that is cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cited {
    /// Where the whole citation stands; that of several sources is told for each of them.
    pub(super) span: Range<usize>,
    /// What is cited: a page by any of its names, or a path.
    pub(super) target: String,
    /// Pages of a PDF, first and last.
    pub(super) pages: Option<(u32, u32)>,
}

/// All citations in `text`, in order. Linear in its length.
pub(super) fn citations(text: &str) -> Vec<Cited> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_start(text, at) {
        match read(text, start) {
            Some(mut cited) => {
                at = cited.first().map_or(start + 1, |one| one.span.end);
                found.append(&mut cited);
            }
            None => at = start + 1,
        }
    }
    found
}

/// Where the next citation may begin, from `at` on.
pub(super) fn next_start(text: &str, at: usize) -> Option<usize> {
    let begins = |at: &usize| {
        let rest = &text.as_bytes()[*at..];
        rest.starts_with(PAGE.as_bytes())
            || SOURCE
                .iter()
                .any(|word| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes())))
    };
    (at..text.len()).filter(|at| text.is_char_boundary(*at)).find(begins)
}

/// Where a citation may begin of which the end of `text` holds only the beginning.
pub(super) fn open_start(text: &str) -> Option<usize> {
    let longest = SOURCE[1].len();
    let tail = text.len().saturating_sub(longest);
    let is_prefix = |at: &usize| {
        let rest = &text.as_bytes()[*at..];
        PAGE.as_bytes().starts_with(rest)
            || SOURCE
                .iter()
                .any(|word| word.as_bytes().get(..rest.len()).is_some_and(|start| start.eq_ignore_ascii_case(rest)))
    };
    (tail..text.len()).filter(|at| text.is_char_boundary(*at)).find(is_prefix)
}

/// Whether `text`, which begins like a citation and is none, may become one by what follows.
pub(super) fn may_go_on(text: &str) -> bool {
    if text.len() > MOST_BYTES {
        return false;
    }
    match text.strip_prefix(PAGE) {
        Some(inner) => !inner.contains(['[', '\n', '\r']) && inner.find(']').is_none_or(|at| at + 1 == inner.len()),
        None => !text.contains(['\n', '\r']) && text.find(':').is_some_and(|at| closing(&text[at + 1..]).is_none()),
    }
}

/// The citation that begins at `start`; `None` where none does.
fn read(text: &str, start: usize) -> Option<Vec<Cited>> {
    let rest = &text[start..];
    if let Some(inner) = rest.strip_prefix(PAGE) {
        let end = inner.find("]]")?;
        let inner = &inner[..end];
        let is_name = |c: char| !matches!(c, '[' | ']' | '\n' | '\r');
        if !inner.chars().all(is_name) || inner.chars().count() > LONGEST {
            return None;
        }
        // `[[page#heading|words]]` cites the page.
        let name = inner.split(['|', '#']).next().unwrap_or_default().trim();
        let span = start..start + PAGE.len() + end + 2;
        return (!name.is_empty()).then(|| vec![Cited { span, target: name.to_owned(), pages: None }]);
    }
    let word = SOURCE
        .iter()
        .rev()
        .find(|word| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))?;
    let inner = &rest[word.len()..];
    let end = closing(inner)?;
    let span = start..start + word.len() + end + 1;
    let cited: Vec<Cited> = inner[..end].split(';').filter_map(|one| source(one, &span)).collect();
    (!cited.is_empty()).then_some(cited)
}

/// Where the bracket closes that is open before `text`: names of files may hold pairs of brackets.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices().take(LONGEST) {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            '\n' | '\r' => return None,
            _ => {}
        }
    }
    None
}

/// `path`, `path, p. 3`, `path, pp. 3-4`.
fn source(text: &str, span: &Range<usize>) -> Option<Cited> {
    let text = text.trim();
    let paged = text.rsplit_once(',').and_then(|(path, rest)| Some((path.trim(), pages(rest.trim())?)));
    let (target, pages) = match paged {
        Some((path, pages)) => (path, Some(pages)),
        None => (text, None),
    };
    (!target.is_empty()).then(|| Cited { span: span.clone(), target: target.to_owned(), pages })
}

fn pages(text: &str) -> Option<(u32, u32)> {
    let number = ["pp.", "p.", "pages", "page"].iter().find_map(|word| text.strip_prefix(word))?.trim();
    let (first, last) = number.split_once(['-', '–']).unwrap_or((number, number));
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?)).filter(|(first, last)| first <= last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn targets(text: &str) -> Vec<String> {
        citations(text).into_iter().map(|cited| cited.target).collect()
    }

    #[test]
    fn pages_and_sources_are_found() {
        for (text, cited) in [
            ("Sow in May [[herbs/basil]].", &["herbs/basil"][..]),
            ("[[a|the a]] and [[b#c]], [[ d ]]", &["a", "b", "d"]),
            ("It is so (Source: raw/report (2).pdf, p. 3).", &["raw/report (2).pdf"]),
            ("(source: a.txt; b.txt, pp. 3-4)", &["a.txt", "b.txt"]),
            ("(Sources: a, b.txt)", &["a, b.txt"]),
            ("[[]] [[ ]] [[a\nb]] [[a (Source: ) (Source: a", &[]),
            ("[[[a]]] [a](b) (a)", &["a"]),
        ] {
            assert_eq!(targets(text), cited, "{text:?}");
        }
        let cited = citations("x (Source: a.pdf, pp. 3–4)");
        assert_eq!((cited[0].pages, cited[0].span.clone()), (Some((3, 4)), 2..28));
        assert_eq!(citations("(Source: a.pdf, p. 0x)")[0].pages, None);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(\\[\\[|\\]\\]|\\(source: |[|#;,)(]|p\\. [0-9]|\\PC|\n){0,24}") {
            let found = citations(&text);
            for cited in &found {
                let whole = &text[cited.span.clone()];
                prop_assert!(whole.contains(&cited.target) && whole.len() <= MOST_BYTES, "{whole:?}");
            }
            prop_assert!(found.windows(2).all(|pair| pair[0].span == pair[1].span || pair[0].span.end <= pair[1].span.start));
        }

        #[test]
        fn what_is_cut_off_may_still_begin_one(text in "\\PC{0,8}(\\[\\[|\\(Source:|\\(SOURCES:)", cut in 1..9_usize) {
            let cut = text.len().saturating_sub(cut);
            prop_assume!(text.is_char_boundary(cut));
            let begun = &text[..cut];
            if let Some(start) = next_start(&text, 0).filter(|start| *start < cut) {
                prop_assert!(next_start(begun, 0).or_else(|| open_start(begun)).is_some_and(|found| found <= start));
            }
        }
    }
}
