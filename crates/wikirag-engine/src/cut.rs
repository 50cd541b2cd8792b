//! Cutting a text where it may be cut, so that it fits.

/// Where a text may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cuts {
    /// Behind any line: indexes and lists.
    Lines,
    /// Behind a paragraph, else behind a line, else behind a sentence: prose.
    Prose,
    /// Behind a paragraph, a line, a sentence or else a word, whichever fits best: prose where room counts more than where it ends.
    Any,
}

/// How many bytes of `text` fit: all of it, or as much as its borders allow; 0 where nothing does. No heading stands at the end of
/// what is cut. `fits` is asked of ends in `text`, and says no of all that lie behind one of which it says no.
pub(crate) fn fitting(text: &str, cuts: Cuts, fits: impl Fn(usize) -> bool) -> usize {
    if fits(text.len()) {
        return text.len();
    }
    match cuts {
        Cuts::Lines => last_fitting(text, &line_ends(text), fits),
        Cuts::Prose => [paragraph_ends, line_ends, sentence_ends]
            .into_iter()
            .map(|ends| last_fitting(text, &ends(text), &fits))
            .find(|end| *end > 0)
            .unwrap_or(0),
        Cuts::Any => {
            let mut ends = [line_ends(text), sentence_ends(text)].concat();
            ends.sort_unstable();
            match last_fitting(text, &ends, &fits) {
                0 => last_fitting(text, &word_ends(text), &fits),
                end => end,
            }
        }
    }
}

/// The last of `ends`, ascending, up to which the text fits, without headings at its end.
fn last_fitting(text: &str, ends: &[usize], fits: impl Fn(usize) -> bool) -> usize {
    // A longer text costs no less.
    let count = ends.partition_point(|end| fits(*end));
    let Some(end) = count.checked_sub(1).and_then(|last| ends.get(last)) else { return 0 };
    without_headings(&text[..*end]).len()
}

/// A heading whose text was cut off says nothing.
fn without_headings(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        if !text[start..].trim_start().starts_with('#') {
            return text;
        }
        text = text[..start].trim_end();
    }
}

fn line_ends(text: &str) -> Vec<usize> {
    text.match_indices('\n').map(|(at, _)| at).chain([text.len()]).collect()
}

fn paragraph_ends(text: &str) -> Vec<usize> {
    text.match_indices("\n\n").map(|(at, _)| at).chain([text.len()]).collect()
}

fn word_ends(text: &str) -> Vec<usize> {
    text.match_indices(' ').map(|(at, _)| at).collect()
}

fn sentence_ends(text: &str) -> Vec<usize> {
    let is_end = |(at, c): &(usize, char)| {
        let behind = at + c.len_utf8();
        let is_last = || text[behind..].chars().next().is_none_or(char::is_whitespace);
        match c {
            '。' | '！' | '？' => true,
            '!' | '?' => is_last(),
            // The number of a list item and a letter that stands for a word end no sentence.
            '.' => is_last() && text[..*at].chars().rev().take(2).filter(|c| c.is_alphabetic()).count() == 2,
            _ => false,
        }
    };
    text.char_indices().filter(is_end).map(|(at, c)| at + c.len_utf8()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "# Clay\n\nDig it up. Dry it, e.g. in May.\n1. Wedge it\n\n## Glaze\n\nAsh runs";

    #[test]
    fn the_longest_part_that_ends_at_a_border() {
        let cut = |cuts, most: usize| &TEXT[..fitting(TEXT, cuts, |end| end <= most)];
        assert_eq!(cut(Cuts::Any, 100), TEXT);
        assert_eq!(cut(Cuts::Any, 30), "# Clay\n\nDig it up.");
        assert_eq!(
            cut(Cuts::Any, 45),
            "# Clay\n\nDig it up. Dry it, e.g. in May.",
            "a number of a list ends no sentence"
        );
        assert_eq!(cut(Cuts::Prose, 45), "# Clay\n\nDig it up. Dry it, e.g. in May.");
        assert_eq!(
            cut(Cuts::Lines, 64),
            "# Clay\n\nDig it up. Dry it, e.g. in May.\n1. Wedge it",
            "no heading at the end"
        );
        assert_eq!(cut(Cuts::Any, 15), "# Clay\n\nDig it", "by words where no sentence fits");
        assert_eq!(cut(Cuts::Any, 3), "");
    }

    proptest! {
        #[test]
        fn what_is_cut_fits_and_ends_at_a_character(text in "(\\PC{0,8}|[.!? \n#]{0,3}){0,16}", most in 0..80_usize) {
            for cuts in [Cuts::Lines, Cuts::Prose, Cuts::Any] {
                let end = fitting(&text, cuts, |end| end <= most);
                prop_assert!(end <= most && text.is_char_boundary(end), "{end} {most}");
            }
        }
    }
}
