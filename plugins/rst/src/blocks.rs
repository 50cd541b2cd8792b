//! The body of a file as a flat list of blocks.

use wikirag_core::{Block, BlockKind, Metadata, Span};

use crate::head;
use crate::lines::{Line, line_at};
use crate::marks::{self, Explicit, explicit};
use crate::title;

/// What the body holds.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// The blocks in order. Every word lies in one.
    pub blocks: Vec<Block>,
    /// The field list at the head, if there is one.
    pub meta: Metadata,
}

/// Parses `text[start..]`, where `start` begins a line. The spans refer to the whole of `text`.
pub(crate) fn parse(text: &str, start: usize) -> Body {
    let mut parser =
        Parser { text, at: start, body: Body::default(), styles: Vec::new(), is_head: start == 0, is_literal: false };
    while let Some(line) = line_at(text, parser.at) {
        parser.block(&line);
    }
    parser.body
}

struct Parser<'a> {
    text: &'a str,
    /// Where the line begins that was not looked at yet.
    at: usize,
    body: Body,
    /// How the titles of each level are marked, in order of appearance: the punctuation, and whether it stands above as
    /// well.
    styles: Vec<(char, bool)>,
    /// Whether nothing but titles and comments was seen yet.
    is_head: bool,
    /// Whether the paragraph before ends with two colons, so that a literal block follows.
    is_literal: bool,
}

impl<'a> Parser<'a> {
    /// Takes the block that begins with this line, or the line, if it begins none.
    fn block(&mut self, line: &Line<'a>) {
        if line.is_blank() {
            self.at = line.next;
            return;
        }
        let is_literal = std::mem::take(&mut self.is_literal);
        if line.is_indented() {
            self.region(line, if is_literal { BlockKind::Code } else { BlockKind::Quote }, |_| false);
        } else if is_literal && let Some(quote) = literal_quote(line.words) {
            // A literal block may be marked by one and the same punctuation before each line instead.
            self.run(line, BlockKind::Code, |line| line.words.starts_with(quote));
        } else if let Some(markup) = explicit(line.words) {
            self.explicit(line, markup);
        } else if marks::is_grid_border(line.words) {
            self.grid(line);
        } else if let Some(bullet) = marks::bullet(line.words) {
            self.region(line, BlockKind::List, |line| marks::bullet(line.words) == Some(bullet));
        } else if marks::field(line.words).is_some() {
            self.fields(line);
        } else if !(self.simple_table(line) || self.title(line)) {
            self.text(line);
        }
    }

    /// Blocks that begin like running text.
    fn text(&mut self, line: &Line<'a>) {
        let text = self.text;
        let next = line_at(text, line.next);
        let is_alone = next.is_none_or(|next| !next.is_flush());
        if line.words.starts_with(">>>") {
            self.run(line, BlockKind::Code, |line| !line.is_blank());
        } else if line.words == "|" || line.words.starts_with("| ") {
            self.run(line, BlockKind::Other, |line| line.is_indented() || line.words.starts_with('|'));
        } else if marks::is_enumerated(line.words)
            && (is_alone || next.is_some_and(|next| marks::is_enumerated(next.words)))
        {
            self.region(line, BlockKind::List, |line| marks::is_enumerated(line.words) && !is_underlined(text, line));
        } else if next.is_some_and(|next| next.is_indented()) {
            // A term and its definition; the next may follow.
            self.region(line, BlockKind::Other, |line| is_term(text, line));
        } else {
            self.paragraph(line);
        }
    }

    fn paragraph(&mut self, first: &Line<'a>) {
        self.run(first, BlockKind::Paragraph, Line::is_flush);
        let said = self.body.blocks.last().and_then(|block| block.span.slice(self.text));
        self.is_literal = said.is_some_and(|said| said.ends_with("::"));
        if said == Some("::") {
            self.body.blocks.pop();
        }
    }

    /// Takes the line and those that follow it without a blank line, as long as `belongs` says so.
    fn run(&mut self, first: &Line<'a>, kind: BlockKind, belongs: impl Fn(&Line<'a>) -> bool) {
        let mut last = *first;
        while let Some(next) = line_at(self.text, last.next).filter(|next| !next.is_blank() && belongs(next)) {
            last = next;
        }
        self.at = last.next;
        self.push(Span::new(first.words_start(), last.end()), kind, Vec::new());
    }

    /// Takes the line, all that is indented below, and the lines at the margin that `continues` says belong to it as well.
    fn region(&mut self, first: &Line<'a>, kind: BlockKind, continues: impl Fn(&Line<'a>) -> bool) {
        let has_parts = matches!(kind, BlockKind::List | BlockKind::Quote | BlockKind::Other);
        let (mut end, mut cuts) = (first.end(), Vec::new());
        let mut is_after_blank = false;
        self.at = first.next;
        while let Some(line) = line_at(self.text, self.at) {
            if line.is_flush() && !continues(&line) {
                break;
            }
            if !line.is_blank() {
                if has_parts && (is_after_blank || line.is_flush() || marks::is_item(line.words)) {
                    cuts.push(line.start);
                }
                end = line.end();
            }
            is_after_blank = line.is_blank();
            self.at = line.next;
        }
        self.push(Span::new(first.words_start(), end), kind, cuts);
    }

    fn push(&mut self, span: Span, kind: BlockKind, cuts: Vec<usize>) {
        self.is_head &= matches!(kind, BlockKind::Heading { .. });
        self.body.blocks.push(Block { span, kind, cuts });
    }

    fn explicit(&mut self, line: &Line<'a>, markup: Explicit<'_>) {
        let is_head = self.is_head;
        let is_empty = line.words == ".." && line_at(self.text, line.next).is_none_or(|next| next.is_blank());
        if is_empty {
            // It parts a list from a quotation, and takes nothing of what follows.
            self.at = line.next;
            return;
        }
        let kind = match markup {
            Explicit::Directive { name, .. } => directive(name),
            // Every word of the text lies in a block, and so do those of comments: what is said there is often what one
            // looks for, and a kind of block that is no passage exists for the head of a file only.
            Explicit::Target(_) | Explicit::Note | Explicit::Comment => BlockKind::Other,
        };
        self.region(line, kind, |_| false);
        self.is_head = is_head && markup == Explicit::Comment;
    }

    fn fields(&mut self, line: &Line<'a>) {
        let (is_head, is_first) = (self.is_head, self.body.blocks.is_empty());
        let kind = if is_head && is_first { BlockKind::FrontMatter } else { BlockKind::List };
        self.region(line, kind, |line| marks::field(line.words).is_some());
        if is_head && let Some(block) = self.body.blocks.last() {
            self.body.meta = head::fields(self.text, block.span);
        }
    }

    fn grid(&mut self, first: &Line<'a>) {
        self.run(first, BlockKind::Table { header: None }, |line| line.words.starts_with(['+', '|']));
        let text = self.text;
        let Some(Block { span, kind: BlockKind::Table { header }, .. }) = self.body.blocks.last_mut() else { return };
        let border = crate::lines::lines(text, span.start, span.end).find(|line| line.words.starts_with("+="));
        *header = border.map(|border| Span::new(span.start, border.end()));
    }

    /// Takes a simple table: two or three borders, the last before a blank line. Without the last it is no table.
    fn simple_table(&mut self, first: &Line<'a>) -> bool {
        if !marks::is_simple_border(first.words) {
            return false;
        }
        let mut header = None;
        let mut at = first.next;
        while let Some(line) = line_at(self.text, at) {
            at = line.next;
            if marks::is_simple_border(line.words) {
                if header.is_some() || line_at(self.text, at).is_none_or(|next| next.is_blank()) {
                    self.at = at;
                    self.push(Span::new(first.words_start(), line.end()), BlockKind::Table { header }, Vec::new());
                    return true;
                }
                header = Some(Span::new(first.words_start(), line.end()));
            }
        }
        false
    }

    /// Takes a title, or a line of punctuation that stands alone.
    fn title(&mut self, line: &Line<'a>) -> bool {
        let Some((mark, _)) = marks::adornment(line.words) else {
            let Some((mark, under)) = underline(self.text, line) else { return false };
            self.heading(Span::new(line.start, under.end()), line.words, (mark, false));
            self.at = under.next;
            return true;
        };
        let middle = line_at(self.text, line.next).filter(|middle| !middle.is_blank());
        let under = middle.and_then(|middle| line_at(self.text, middle.next));
        if let (Some(middle), Some(under)) = (middle, under)
            && under.is_flush()
            && marks::adornment(under.words).is_some_and(|(below, _)| below == mark)
        {
            self.heading(Span::new(line.start, under.end()), middle.words, (mark, true));
            self.at = under.next;
        } else {
            // It parts what is before from what follows, or is a fault; there is no word in it.
            self.at = line.next;
        }
        true
    }

    fn heading(&mut self, span: Span, words: &str, style: (char, bool)) {
        let level = self.styles.iter().position(|&known| known == style).unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        let level = u8::try_from(level + 1).unwrap_or(u8::MAX).min(6);
        self.push(span, BlockKind::Heading { level, title: title::plain(words) }, Vec::new());
    }
}

/// The punctuation that marks a literal block at the margin; what parts or explains text goes before.
fn literal_quote(words: &str) -> Option<char> {
    let is_other = explicit(words).is_some() || marks::adornment(words).is_some();
    words.chars().next().filter(|first| first.is_ascii_punctuation() && !is_other)
}

/// The punctuation under the line, with its mark, where it makes a title of it: as long as the title, or four at least.
fn underline<'a>(text: &'a str, line: &Line<'_>) -> Option<(char, Line<'a>)> {
    let under = line_at(text, line.next).filter(Line::is_flush)?;
    let single = || under.words.chars().next().filter(|mark| under.words.len() == 1 && mark.is_ascii_punctuation());
    let (mark, length) = marks::adornment(under.words).or_else(|| single().map(|mark| (mark, 1)))?;
    (length >= 4 || length >= line.words.chars().count()).then_some((mark, under))
}

fn is_underlined(text: &str, line: &Line<'_>) -> bool {
    underline(text, line).is_some()
}

/// Whether the line is a term with its definition below.
fn is_term(text: &str, line: &Line<'_>) -> bool {
    line_at(text, line.next).is_some_and(|next| next.is_indented())
        && explicit(line.words).is_none()
        && !marks::is_item(line.words)
        && marks::adornment(line.words).is_none()
        && !line.words.starts_with("| ")
}

/// What a directive makes of its content.
fn directive(name: &str) -> BlockKind {
    match name.to_ascii_lowercase().as_str() {
        "code" | "code-block" | "sourcecode" | "highlight" | "literalinclude" | "parsed-literal" | "raw" | "math"
        | "doctest" | "testcode" | "testoutput" | "testsetup" | "testcleanup" | "productionlist" | "prompt"
        | "ipython" | "graphviz" | "digraph" | "graph" | "mermaid" | "uml" => BlockKind::Code,
        "note" | "warning" | "tip" | "hint" | "important" | "caution" | "danger" | "error" | "attention"
        | "admonition" | "seealso" | "topic" | "sidebar" | "epigraph" | "highlights" | "pull-quote" | "todo" => {
            BlockKind::Quote
        }
        "table" | "csv-table" | "list-table" => BlockKind::Table { header: None },
        "toctree" => BlockKind::List,
        _ => BlockKind::Other,
    }
}

#[cfg(test)]
mod tests;
