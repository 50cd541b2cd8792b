//! What a page is about, in one line; and how long a text is for whoever reads it.

use wikirag_core::Metadata;
use wikirag_text::{Analyser, Form};

/// Characters of such a line at most.
const LONGEST: usize = 160;

/// What the front matter says that the page is about.
pub(crate) fn stated(meta: &Metadata) -> Option<String> {
    let said = ["summary", "description"].iter().find_map(|key| meta.get(*key)?.as_str());
    said.map(line).filter(|said| !said.is_empty())
}

/// The first sentence of prose in `body`, the text of a page without its front matter; empty where there is none. Headings, code,
/// comments, images, tables and tags are none.
pub(crate) fn first_sentence(body: &str) -> String {
    let (_, first) = first_prose(body).unwrap_or_default();
    line(&unlinked(sentence(first)))
}

/// The first paragraph of prose in `body`, as [`first_sentence`] finds it, in one line of `most` characters at most.
pub(crate) fn first_paragraph(body: &str, most: usize) -> String {
    let Some((at, first)) = first_prose(body) else { return String::new() };
    let next = body.lines().skip(at + 1).map(str::trim).take_while(|next| is_prose(next));
    // No more lines than can be shown.
    let paragraph: Vec<&str> = std::iter::once(first).chain(next.take(most)).collect();
    cut(&unlinked(&paragraph.join(" ")), most)
}

/// The first line of prose, without marks before it, and its number.
fn first_prose(body: &str) -> Option<(usize, &str)> {
    let mut fence = None;
    for (at, text) in body.lines().map(str::trim).enumerate() {
        let mark = ["```", "~~~", "$$", "%%"].into_iter().find(|mark| text.starts_with(mark));
        match (fence, mark) {
            (Some(open), mark) => {
                if mark == Some(open) || text.ends_with(open) {
                    fence = None;
                }
            }
            // A block that is closed in its own line.
            (None, Some(mark)) if text.len() > mark.len() && text.ends_with(mark) => {}
            (None, Some(mark)) => fence = Some(mark),
            (None, None) => {
                let text = without_marks(text);
                let is_other =
                    ["#", "|", "<", "!", "[!", "=", "[[_", "---"].iter().any(|start| text.starts_with(start));
                if !is_other && text.chars().any(char::is_alphabetic) {
                    return Some((at, text));
                }
            }
        }
    }
    None
}

/// Without the marks of quotes, list items and tasks.
fn without_marks(mut text: &str) -> &str {
    const MARKS: [&str; 6] = [">", "- ", "* ", "+ ", "[ ] ", "[x] "];
    while let Some(rest) = MARKS.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    text
}

/// Whether a line behind the first one of a paragraph belongs to it.
fn is_prose(text: &str) -> bool {
    let starts = ["#", "|", "<", "!", ">", "- ", "* ", "+ ", "```", "~~~", "$$", "%%", "===", "---"];
    !text.is_empty() && !starts.iter().any(|start| text.starts_with(start))
}

/// With the words of links in their place: a link in a line about a page would be one more link to another page.
fn unlinked(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        let wiki = link.strip_prefix("[[").and_then(|link| link.split_once("]]"));
        let inline = || link[1..].split_once("](").and_then(|(words, link)| Some((words, link.split_once(')')?.1)));
        let (words, after) = match wiki {
            Some((link, after)) => (link.rsplit('|').next().unwrap_or(link), after),
            None => inline().filter(|(words, _)| !words.contains(['[', ']'])).unwrap_or(("[", &link[1..])),
        };
        plain.push_str(before.trim_end_matches('!'));
        plain.push_str(words);
        rest = after;
    }
    plain + rest
}

/// Up to the first sign that ends a sentence.
fn sentence(text: &str) -> &str {
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let is_end = match c {
            '。' | '！' | '？' => true,
            // One letter before the full stop is an abbreviation more often than the end of a sentence.
            '.' => at > 2 && text[..at].chars().rev().take(2).all(char::is_alphanumeric),
            '!' | '?' => true,
            _ => false,
        };
        if is_end && (c.len_utf8() > 1 || characters.peek().is_none_or(|(_, next)| next.is_whitespace())) {
            return &text[..at + c.len_utf8()];
        }
    }
    text
}

/// In one line of [`LONGEST`] characters at most, without control characters; what is longer ends at a blank, with an ellipsis.
pub(crate) fn line(text: &str) -> String {
    cut(text, LONGEST)
}

/// The text in one line of `most` characters at most, cut at a blank where one is near.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let spaced = text.replace(char::is_control, " ");
    let text = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let cut = text[..end].rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", text[..cut].trim_end())
}

/// Words of a text: what stands between white space, and in scripts that have none between words, each pair of characters.
pub(crate) fn words(text: &str) -> usize {
    let mut pairs = 0;
    Analyser::new(None).tokens(text, |token| pairs += usize::from(token.form == Form::Pair));
    text.split_whitespace().count() + pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_sentence_of_prose() {
        for (body, sentence) in [
            ("# Basil\n\nSow it in May. Then wait.\n", "Sow it in May."),
            (
                "```\ncode\n```\n%% a comment %%\n![[image.png]]\n> [!note]\n> Sow it, e.g. in May, now",
                "Sow it, e.g. in May, now",
            ),
            ("%%\nhidden\n%%\n- one of many\n- two", "one of many"),
            ("- [ ] **Done!** Not *yet*", "**Done!** Not *yet*"),
            ("端口是8080。默认", "端口是8080。"),
            ("See [[a/b|B]], [[C]], [the d](https://e.f) and [x] [1](2.", "See B, C, the d and [x] [1](2."),
            ("# Only\n\n| a | b |\n", ""),
            ("", ""),
        ] {
            assert_eq!(first_sentence(body), sentence, "{body:?}");
        }
        let meta = serde_json::json!({"description": " About\n basil ", "summary": 7});
        assert_eq!(stated(meta.as_object().unwrap()).unwrap(), "About basil");
    }

    #[test]
    fn the_first_paragraph_of_prose() {
        for (body, paragraph) in [
            ("# Basil\n\nSow it in [[May]].\nThen wait.\n\nMore.\n", "Sow it in May. Then wait."),
            ("> [!note]\n> Sow it\n> in May", "Sow it"),
            ("- one\n- two", "one"),
            ("Sow it\n```\ncode\n```", "Sow it"),
            ("# Only", ""),
        ] {
            assert_eq!(first_paragraph(body, 200), paragraph, "{body:?}");
        }
        assert_eq!(first_paragraph("Sow the basil in May", 12), "Sow the…");
    }

    #[test]
    fn words_are_what_white_space_separates() {
        assert_eq!((words("one two-three - x"), words("")), (4, 0));
        assert!(words("端口是八零八零") >= 6);
    }

    proptest! {
        #[test]
        fn any_text_gives_one_short_line(text in "(\\PC{0,30}|[.!?\n\u{7} ]{0,4}|(- |> |```|%%|# )){0,20}") {
            for line in [first_sentence(&text), line(&text), first_paragraph(&text, LONGEST)] {
                prop_assert!(line.chars().count() <= LONGEST + 1 && !line.contains(char::is_control), "{line:?}");
            }
        }
    }
}
