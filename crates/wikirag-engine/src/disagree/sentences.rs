//! The sentences of a passage that are prose.

use std::ops::Range;

use super::lexicon::Lexicon;

/// Longer sentences are tables or logs without their lines.
const MAX_BYTES: usize = 1000;

/// Calls `sink` with the span of each sentence of prose in `text`, in order: not overlapping, on character boundaries.
///
/// Headings, tables, code and directives are left out, since lines of them say equal words of different things. A list
/// item is a sentence of its own. Lines of one paragraph are read together. Linear in `text`.
pub(super) fn sentences(text: &str, lexicon: &Lexicon, mut sink: impl FnMut(Range<usize>)) {
    let mut lines = Lines::new(lexicon);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match lines.read(line) {
            Line::Joins => {}
            Line::Begins(offset) => {
                lines.end(text, &mut sink);
                lines.open = Some(start + offset..at);
            }
            Line::Ends => lines.end(text, &mut sink),
            Line::Underlines => lines.open = None,
        }
        if let Some(open) = &mut lines.open {
            open.end = at;
        }
    }
    lines.end(text, &mut sink);
}

enum Line {
    /// Goes on with the paragraph.
    Joins,
    /// Begins one behind so many bytes of markup.
    Begins(usize),
    /// Is no prose.
    Ends,
    /// Makes a heading of what stands above.
    Underlines,
}

#[derive(Debug)]
struct Lines<'l> {
    lexicon: &'l Lexicon,
    /// The paragraph so far.
    open: Option<Range<usize>>,
    /// The sign of the fence that is open.
    fence: Option<&'static str>,
    after_blank: bool,
    /// Whether the last item or directive may have indented lines below it.
    in_item: bool,
}

impl<'l> Lines<'l> {
    const fn new(lexicon: &'l Lexicon) -> Self {
        Self { lexicon, open: None, fence: None, after_blank: true, in_item: false }
    }

    fn read(&mut self, line: &str) -> Line {
        let body = line.trim();
        let indent = line.len() - line.trim_start().len();
        let after_blank = std::mem::replace(&mut self.after_blank, body.is_empty());
        if let Some(fence) = self.fence {
            if body.starts_with(fence) {
                self.fence = None;
            }
            return Line::Ends;
        }
        if is_rule(body) && !after_blank {
            return Line::Underlines;
        }
        self.fence = ["```", "~~~"].into_iter().find(|fence| body.starts_with(fence));
        if self.fence.is_some() || body.is_empty() || is_markup(body) {
            return Line::Ends;
        }
        let mark = list_mark(body);
        if after_blank && indent >= 4 && !self.in_item || line.starts_with('\t') && mark == 0 && !self.in_item {
            return Line::Ends;
        }
        if mark > 0 {
            self.in_item = true;
            return Line::Begins(indent + mark);
        }
        if indent == 0 {
            self.in_item = false;
        }
        if self.open.is_some() && !after_blank { Line::Joins } else { Line::Begins(indent) }
    }

    fn end(&mut self, text: &str, sink: &mut impl FnMut(Range<usize>)) {
        if let Some(open) = self.open.take() {
            split(text, open, self.lexicon, sink);
        }
    }
}

/// A line of one sign: an underline, or a rule between paragraphs.
fn is_rule(body: &str) -> bool {
    let mut characters = body.chars();
    let first = characters.next();
    first.is_some_and(|first| "=-~^\"*+#.:_".contains(first) && body.len() >= 3 && characters.all(|c| c == first))
}

/// Headings, table rows, rules, comments, directives.
fn is_markup(body: &str) -> bool {
    const STARTS: [&str; 7] = ["#", "|", "+-", "<", "%%", "..", ":"];
    is_rule(body) || STARTS.iter().any(|start| body.starts_with(start)) || body.matches('|').count() > 2
}

/// Bytes of the marks before the words of a list item or a quote; 0 where there is none.
fn list_mark(body: &str) -> usize {
    let mut rest = body;
    loop {
        let before = rest.len();
        for mark in ["- ", "* ", "+ ", "> ", ">", "[ ] ", "[x] ", "• "] {
            rest = rest.strip_prefix(mark).unwrap_or(rest).trim_start();
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=3).contains(&digits) && (rest[digits..].starts_with(". ") || rest[digits..].starts_with(") ")) {
            rest = rest[digits + 2..].trim_start();
        }
        if rest.len() == before {
            return body.len() - rest.len();
        }
    }
}

/// Cuts a paragraph behind `.`, `!` and `?` before white space, and behind their East Asian forms.
fn split(text: &str, paragraph: Range<usize>, lexicon: &Lexicon, sink: &mut impl FnMut(Range<usize>)) {
    let mut start = paragraph.start;
    let mut emit = |end: usize, start: &mut usize| {
        let sentence = &text[*start..end];
        let lead = sentence.len() - sentence.trim_start().len();
        let length = sentence.trim().len();
        if length > 0 && length <= MAX_BYTES {
            sink(*start + lead..*start + lead + length);
        }
        *start = end;
    };
    let mut characters = text[paragraph.clone()].char_indices().peekable();
    while let Some((offset, c)) = characters.next() {
        let at = paragraph.start + offset + c.len_utf8();
        let wide = matches!(c, '。' | '！' | '？');
        let narrow = matches!(c, '.' | '!' | '?');
        if !wide && !narrow {
            continue;
        }
        // Closing marks belong to the sentence.
        let mut end = at;
        while let Some((_, next)) = characters
            .next_if(|(_, next)| matches!(next, ')' | '"' | '\'' | '”' | '’' | '*' | '_' | '」' | '.' | '!' | '?'))
        {
            end += next.len_utf8();
        }
        let ends_line = characters.peek().is_none_or(|(_, next)| next.is_whitespace());
        if wide || ends_line && !(c == '.' && is_abbreviated(&text[start..at - 1], &text[end..paragraph.end], lexicon))
        {
            emit(end, &mut start);
        }
    }
    emit(paragraph.end, &mut start);
}

/// Whether the full stop between the two ends no sentence: `e.g. this`, `J. Doe`, `2. Januar`.
fn is_abbreviated(before: &str, after: &str, lexicon: &Lexicon) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
    let goes_on = after.trim_start().starts_with(char::is_lowercase);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_short = word.chars().count() <= 2 && letters == 1
        || word.contains('.') && letters < 4 && !word.contains(|c: char| c.is_ascii_digit());
    let is_ordinal = matches!(word.len(), 1 | 2) && word.bytes().all(|byte| byte.is_ascii_digit()) && {
        let next: String = after.trim_start().chars().take_while(|c| c.is_alphabetic()).take(12).collect();
        lexicon.month(&next.to_lowercase()).is_some()
    };
    goes_on
        || is_short
        || is_ordinal
        || matches!(word, "vs" | "etc" | "approx" | "ca" | "bzw" | "Dr" | "Mr" | "Mrs" | "St")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wikirag_text::Language;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        found_in(Language::English, text)
    }

    fn found_in(language: Language, text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        sentences(text, Lexicon::of(Some(language)), |span| found.push(&text[span]));
        found
    }

    #[test]
    fn paragraphs_fall_into_sentences() {
        assert_eq!(found("One. Two\nlines! (Three?) four"), ["One.", "Two\nlines!", "(Three?)", "four"]);
        assert_eq!(
            found("See e.g. This. Version 1.2 of J. Doe is out."),
            ["See e.g. This.", "Version 1.2 of J. Doe is out."]
        );
        assert_eq!(found("There are 12. Each counts."), ["There are 12.", "Each counts."]);
        assert_eq!(found_in(Language::German, "Am 2. Januar. Ende."), ["Am 2. Januar.", "Ende."]);
        assert_eq!(found("端口是8080。默认！"), ["端口是8080。", "默认！"]);
    }

    #[test]
    fn items_are_sentences_of_their_own() {
        assert_eq!(
            found("Text:\n- one\n  more\n- [ ] two\n1. three\n> four"),
            ["Text:", "one\n  more", "two", "three", "four"]
        );
    }

    #[test]
    fn what_is_no_prose_is_left_out() {
        assert_eq!(found("# Head\n\na\n\n```\ncode\n```\nb\n\n    code\n\n| x | y |\n<div>\n%% c %%"), ["a", "b"]);
        assert_eq!(found("Head\n~~~~\n\na\n\nHead\n----\nb\n\n.. note:: c"), ["a", "b"]);
        assert_eq!(found("~~~\ncode\n~~~\na"), ["a"]);
        assert_eq!(found(&format!("{}\n\na", "long ".repeat(MAX_BYTES))), ["a"]);
    }

    proptest! {
        #[test]
        fn any_text(text in "(\\PC{0,9}|[.!?\n ]{0,4}|(- |1\\. |> |```|~~~|---|2\\. Jan)){0,20}") {
            let mut at = 0;
            sentences(&text, Lexicon::of(None), |span| {
                assert!(span.start >= at && span.start < span.end);
                assert!(text.get(span.clone()).is_some_and(|sentence| sentence.trim() == sentence));
                at = span.end;
            });
        }
    }
}
