//! What of a Markdown text is no prose: front matter, code, links, comments, tags of HTML, addresses.
//!
//! The catalog keeps no blocks, and to look for mentions no more than this is needed of the structure. Indented code counts as
//! prose: it cannot be told from the paragraphs of lists without reading the lists.

use std::collections::HashMap;
use std::ops::Range;

use wikirag_sqlite::StoredPage;

use crate::head;

/// Bytes of a tag of HTML, or of the target of a link, at most.
const LONGEST: usize = 2_000;

/// Where the text of a page begins behind its front matter.
pub(super) fn body_start(page: &StoredPage, text: &str) -> usize {
    if page.meta.is_empty() { 0 } else { head::end(text) }
}

/// What of `text` is no prose, which begins at the byte `body`: in any order, and some lies in other. Linear in the text.
pub(super) fn no_prose(text: &str, body: usize) -> Vec<Range<usize>> {
    let mut scan = Scan {
        text,
        at: body,
        found: Vec::new(),
        ticks: Ticks::default(),
        brackets: Vec::new(),
        closers: HashMap::new(),
    };
    scan.found.push(0..body);
    while scan.at < text.len() {
        if scan.is_line_start() && scan.fence() {
            continue;
        }
        scan.step();
    }
    scan.found
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    found: Vec<Range<usize>>,
    ticks: Ticks,
    /// Where brackets were opened in this paragraph.
    brackets: Vec<usize>,
    /// Where the next of each mark stands that ends something; nothing is looked for twice over the same text.
    closers: HashMap<&'static str, Option<usize>>,
}

/// Runs of backticks of a paragraph.
#[derive(Default)]
struct Ticks {
    /// Where the paragraph ends.
    end: usize,
    /// By the start of a run the end of the next one of its length.
    closed: HashMap<usize, usize>,
}

impl<'t> Scan<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn is_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n'
    }

    /// Takes a fenced block, if one begins in this line. One that is never closed ends with the text.
    fn fence(&mut self) -> bool {
        let Some((mark, length, quoted)) = fence_of(line(self.rest())) else { return false };
        let start = self.at;
        self.at += line(self.rest()).len();
        while self.at < self.text.len() {
            let next = line(self.rest());
            // Outside of the quotation that it stands in, there is no block any more.
            if quoted && !next.trim_start().starts_with('>') {
                break;
            }
            self.at += next.len();
            let inside = next.trim_start_matches([' ', '\t', '>']).trim_end();
            if inside.len() >= length && inside.chars().all(|c| c == mark) {
                break;
            }
        }
        self.found.push(start..self.at);
        true
    }

    /// Goes on by one thing that is no prose, or by one character.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        match first {
            '\\' => self.at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '\n' => {
                if line(&rest[1..]).trim().is_empty() {
                    self.brackets.clear();
                }
                self.at += 1;
            }
            '`' => self.code(),
            '<' if rest.starts_with("<!--") => self.until("-->", 4, usize::MAX),
            '<' if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => self.until(">", 1, LONGEST),
            '%' if rest.starts_with("%%") => {
                // Within a line a comment ends in it; one that begins a line may run over paragraphs.
                let before = self.text[..self.at].trim_end_matches([' ', '\t', '>', '-', '*', '+']);
                let begins_line = before.is_empty() || before.ends_with('\n');
                self.until("%%", 2, if begins_line { usize::MAX } else { beginning(rest).len() });
            }
            '[' => {
                self.brackets.push(self.at);
                self.at += 1;
            }
            ']' => self.bracket(),
            'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
                // A bracket behind an address may close a link.
                let end = rest.find(|c: char| c.is_whitespace() || "<>\"`|)]".contains(c)).unwrap_or(rest.len());
                self.found.push(self.at..self.at + end);
                self.at += end;
            }
            c => self.at += c.len_utf8(),
        }
    }

    /// Takes what lies up to the next `closer`, if it stands within `most` bytes; else goes on by one character.
    fn until(&mut self, closer: &'static str, skip: usize, most: usize) {
        let from = self.at + skip;
        let known = self.closers.get(closer).copied();
        let next = match known {
            Some(Some(at)) if at >= from => Some(at),
            // There is none up to the end of the text.
            Some(None) => None,
            _ => self.text.get(from..).and_then(|rest| rest.find(closer)).map(|at| from + at),
        };
        self.closers.insert(closer, next);
        match next.filter(|next| next - self.at <= most) {
            Some(next) => {
                self.found.push(self.at..next + closer.len());
                self.at = next + closer.len();
            }
            None => self.at += 1,
        }
    }

    fn code(&mut self) {
        if self.at >= self.ticks.end {
            self.ticks = Ticks::of(self.text, self.at);
        }
        match self.ticks.closed.get(&self.at) {
            Some(&end) => {
                self.found.push(self.at..end);
                self.at = end;
            }
            None => self.at += self.rest().bytes().take_while(|byte| *byte == b'`').count(),
        }
    }

    /// Takes the link that ends here, if one does: `[[page]]`, `[words](target)`, `[words][name]`.
    fn bracket(&mut self) {
        let (close, after) = (self.at + 1, &self.text[self.at + 1..]);
        self.at = close;
        let Some(open) = self.brackets.pop() else { return };
        if after.starts_with('(') {
            let target = beginning(after);
            let mut depth = 0_usize;
            let end = target.char_indices().find(|(_, c)| {
                depth = if *c == '(' { depth + 1 } else { depth - usize::from(*c == ')') };
                depth == 0
            });
            if let Some((end, _)) = end {
                self.at = close + end + 1;
                self.found.push(open..self.at);
            }
        } else if after.starts_with(']') && open > 0 && self.brackets.last() == Some(&(open - 1)) {
            self.brackets.pop();
            self.at = close + 1;
            self.found.push(open - 1..self.at);
        } else if after.starts_with('[') && !after.starts_with("[[") {
            let name = beginning(after);
            if let Some(end) = name.find(']') {
                self.at = close + end + 1;
                self.found.push(open..self.at);
            }
        }
    }
}

impl Ticks {
    /// Those from `start` to the end of its paragraph.
    fn of(text: &str, start: usize) -> Self {
        let rest = &text.as_bytes()[start..];
        let mut runs: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        let mut is_blank = false;
        while let Some(byte) = rest.get(at) {
            match byte {
                b'`' => {
                    let length = rest[at..].iter().take_while(|byte| **byte == b'`').count();
                    runs.push((start + at, length));
                    at += length - 1;
                    is_blank = false;
                }
                b'\n' if is_blank => break,
                b'\n' => is_blank = true,
                b' ' | b'\t' | b'\r' => {}
                _ => is_blank = false,
            }
            at += 1;
        }
        let mut next = HashMap::new();
        let mut closed = HashMap::new();
        for (run, length) in runs.into_iter().rev() {
            if let Some(end) = next.insert(length, run + length) {
                closed.insert(run, end);
            }
        }
        Self { end: start + at, closed }
    }
}

/// The first line, as far as a target or name may reach.
fn beginning(text: &str) -> &str {
    line(&text[..text.floor_char_boundary(LONGEST)])
}

/// The first line, with its end.
fn line(text: &str) -> &str {
    text.find('\n').map_or(text, |end| &text[..=end])
}

/// The sign of a fence, how often it stands, and whether in a quotation.
fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let inside = line.trim_start_matches([' ', '\t', '>']);
    let quoted = line[..line.len() - inside.len()].contains('>');
    // Blocks in lists may begin behind the mark.
    let inside = inside.strip_prefix("- ").or_else(|| inside.strip_prefix("* ")).unwrap_or(inside).trim_start();
    let mark = inside.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = inside.chars().take_while(|c| *c == mark).count();
    (length >= 3 && !(mark == '`' && inside[length..].contains('`'))).then_some((mark, length, quoted))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prose(text: &str) -> String {
        let (mut left, mut at) = (String::new(), 0);
        let mut ranges = no_prose(text, 0);
        ranges.sort_by_key(|range| range.start);
        for range in ranges {
            left.push_str(&text[at..range.start.max(at)]);
            at = at.max(range.end);
        }
        left + &text[at..]
    }

    #[test]
    fn what_is_no_prose() {
        for (text, left) in [
            ("a `code` b ``c ` d`` e ` f", "a  b  e ` f"),
            ("a\n```\nb\n```\nc", "a\nc"),
            ("a\n~~~~ x\n```\n~~~\nb\n~~~~\nc", "a\nc"),
            ("> ```\n> a\nb", "b"),
            ("- ```\n  a\n  ```\n- b", "- b"),
            ("a [[b|c]] d ![[e]] [f](g \"h\") [i](j(k)) [l][m] [n]", "a  d !    [n]"),
            ("[a [b](c) d](e) f", " f"),
            ("a <!-- b\n\nc --> d %% e %% f\n%% g\n\nh %% i", "a  d  f\n i"),
            ("100%% a\n\n20%% b", "100%% a\n\n20%% b"),
            ("a <b c=\"d\">e</b> 1 < 2 <f", "a e 1 < 2 <f"),
            ("see https://a.b/c_d, (https://e.f) g", "see  () g"),
            ("\\[[a]] \\`b\\` 100%% of it", "\\[[a]] \\`b\\` 100%% of it"),
            ("a ` b\n\nc ` d", "a ` b\n\nc ` d"),
        ] {
            assert_eq!(prose(text), left, "{text:?}");
        }
    }

    #[test]
    fn odd_texts_take_linear_time() {
        for part in [
            "[", "[](", "http://)", "`", "` `` ", "<a ", "<!-- ", "%% ", "](", "[a](", "> ```\n", "```\n\n", "[[a]] ",
            "\\", "``` `\n",
        ] {
            let text = part.repeat(300_000 / part.len());
            assert!(no_prose(&text, 0).iter().all(|range| range.end <= text.len()));
        }
    }

    proptest! {
        #[test]
        fn ranges_lie_in_the_text(text in "(\\PC|[\\[\\]()`<>!%\\\\\n~ h-]|http://|<!--|```){0,60}") {
            for range in no_prose(&text, 0) {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
