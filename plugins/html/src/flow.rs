//! Text as it grows: white space, blocks, links, and the lines of the file it comes from.

use wikirag_core::{Block, BlockKind, DocumentText, Link, LinkKind, Places, Span};

use crate::links::relative;
use crate::meta::squeezed;

/// What stands between the words written last and those that come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Line,
}

/// A link whose text may not be complete.
struct OpenLink {
    /// Its place in the list of links, once a word of it is written.
    written: Option<usize>,
    target: String,
}

/// See the module.
pub(crate) struct Flow {
    document: DocumentText,
    places: Vec<(usize, u32)>,
    /// The kind and the start of the block that is being written.
    block: Option<(BlockKind, usize)>,
    cuts: Vec<usize>,
    /// The kind of the next block, where it is no paragraph.
    kind: Option<BlockKind>,
    gap: Gap,
    /// Whether the block may be cut before the next line.
    is_cut: bool,
    /// What the next line begins with.
    marker: String,
    /// Columns of a table that were passed without a word since the last one.
    columns: usize,
    /// White space of preformatted text that is written if a word follows.
    held: String,
    links: Vec<Option<OpenLink>>,
    /// Those of `links` in which no word is written yet.
    waiting: Vec<usize>,
}

impl Flow {
    pub(crate) fn new() -> Self {
        Self {
            document: DocumentText::default(),
            places: Vec::new(),
            block: None,
            cuts: Vec::new(),
            kind: None,
            gap: Gap::None,
            is_cut: false,
            marker: String::new(),
            columns: 0,
            held: String::new(),
            links: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// The document, without metadata.
    pub(crate) fn finish(mut self) -> DocumentText {
        self.end_block();
        self.document.places = Places::Lines(self.places);
        self.document
    }

    /// Words follow that stand apart from those before.
    pub(crate) fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// What follows begins on a new line.
    pub(crate) fn new_line(&mut self) {
        self.gap = Gap::Line;
        self.held.clear();
    }

    /// What follows begins on a new line, before which the block may be cut.
    pub(crate) fn new_part(&mut self) {
        self.new_line();
        self.is_cut = true;
    }

    /// The next line begins with `marker`.
    pub(crate) fn mark(&mut self, marker: String) {
        self.marker = marker;
    }

    /// What follows stands in the next column of the row.
    pub(crate) fn next_column(&mut self) {
        self.columns += 1;
    }

    /// The row ends: its empty columns at the end are not written.
    pub(crate) fn end_row(&mut self) {
        self.columns = 0;
    }

    /// Ends the block that is being written. What follows is another one, of the kind set last.
    pub(crate) fn end_block(&mut self) {
        let cuts = std::mem::take(&mut self.cuts);
        self.held.clear();
        self.marker.clear();
        (self.gap, self.is_cut, self.columns) = (Gap::None, false, 0);
        let Some((mut kind, start)) = self.block.take() else { return };
        let written = &self.document.text[start..];
        let inside = if kind == BlockKind::Code { written.trim_end() } else { written.trim() };
        if inside.trim().is_empty() {
            return;
        }
        let start = start + (inside.as_ptr() as usize - written.as_ptr() as usize);
        let span = Span::new(start, start + inside.len());
        if let BlockKind::Heading { title, .. } = &mut kind {
            *title = squeezed(inside);
        }
        if let BlockKind::Table { header: Some(header) } = &mut kind {
            *header = Span::new(span.start, header.end.clamp(span.start, span.end));
        }
        let cuts = cuts.into_iter().filter(|&cut| span.start < cut && cut < span.end).collect();
        self.document.blocks.push(Block { span, kind, cuts });
    }

    /// Blocks that begin from now on are of that kind; paragraphs for `None`.
    pub(crate) fn set_kind(&mut self, kind: Option<BlockKind>) {
        self.kind = kind;
    }

    /// The rows that are written so far name the columns of the table.
    pub(crate) fn end_header(&mut self) {
        let end = self.document.text.len();
        if let Some((BlockKind::Table { header }, start)) = &mut self.block {
            *header = Some(Span::new(*start, end));
        }
    }

    /// Whether a word of the current block is written.
    pub(crate) const fn has_block(&self) -> bool {
        self.block.is_some()
    }

    /// Writes text as it flows: any white space is one space. `lines` are its lines in the file.
    pub(crate) fn words(&mut self, text: &str, mut lines: Lines) {
        let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c');
        let mut rest = text;
        loop {
            let words = rest.trim_start_matches(is_space);
            let gap = &rest[..rest.len() - words.len()];
            if !gap.is_empty() {
                self.space();
                lines.pass(gap);
            }
            if words.is_empty() {
                return;
            }
            let end = words.find(is_space).unwrap_or(words.len());
            self.begin(lines.line);
            self.document.text.push_str(&words[..end]);
            rest = &words[end..];
        }
    }

    /// Writes text as it stands, save white space at its end.
    pub(crate) fn verbatim(&mut self, text: &str, mut lines: Lines) {
        for line in text.split_inclusive('\n') {
            let inside = line.trim_end();
            if !inside.trim_start().is_empty() {
                if self.block.is_none() || self.gap == Gap::Line {
                    // No empty lines at the start; the indentation of the first line is a part of it.
                    let start = self.held.rfind('\n').map_or(0, |end| end + 1);
                    self.held.drain(..start);
                }
                let held = std::mem::take(&mut self.held);
                self.begin_with(lines.line, &held);
                self.document.text.push_str(inside);
                self.held.push_str(&line[inside.len()..]);
            } else {
                self.held.push_str(line);
            }
            lines.pass(line);
        }
    }

    /// A link or an image begins. Returns the number under which it ends.
    pub(crate) fn begin_link(&mut self, target: &str) -> usize {
        let number = self.links.len();
        let link = relative(target).map(|target| OpenLink { written: None, target: target.to_owned() });
        if link.is_some() {
            self.waiting.push(number);
        }
        self.links.push(link);
        number
    }

    /// The link ends. One without a word in it is dropped.
    pub(crate) fn end_link(&mut self, number: usize) {
        let end = self.document.text.len();
        let written = self.links.get_mut(number).and_then(Option::take).and_then(|link| link.written);
        if let Some(link) = written.and_then(|index| self.document.links.get_mut(index)) {
            link.span.end = end;
        }
        if self.waiting.last() == Some(&number) {
            self.waiting.pop();
        }
    }

    /// Writes the words that stand for an image.
    pub(crate) fn image(&mut self, alternative: &str, source: &str, line: u32) {
        let start = self.document.links.len();
        self.space();
        let number = self.begin_link(source);
        self.words(alternative, Lines::all_on(line));
        self.end_link(number);
        self.space();
        // Of several links that begin here, the image is the innermost: the last.
        let is_written = self.document.links.len() > start && relative(source).is_some();
        if let Some(link) = self.document.links.last_mut().filter(|_| is_written) {
            link.kind = LinkKind::Embed;
        }
    }

    fn begin(&mut self, line: u32) {
        self.begin_with(line, "");
    }

    /// Makes ready for a word, which is from that line of the file. `indent` goes right before it.
    fn begin_with(&mut self, line: u32, indent: &str) {
        let text = &mut self.document.text;
        if self.block.is_none() {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            self.block = Some((self.kind.clone().unwrap_or(BlockKind::Paragraph), text.len()));
        } else {
            match self.gap {
                Gap::None => {}
                // Between columns there is space enough.
                Gap::Space if self.columns > 0 => {}
                Gap::Space => text.push(' '),
                Gap::Line => {
                    text.push('\n');
                    if self.is_cut {
                        self.cuts.push(text.len());
                    }
                }
            }
        }
        (self.gap, self.is_cut) = (Gap::None, false);
        let start = text.len();
        text.push_str(&self.marker);
        self.marker.clear();
        for _ in 0..std::mem::take(&mut self.columns) {
            let is_first = text.is_empty() || text.ends_with('\n');
            text.push_str(if is_first { "| " } else { " | " });
        }
        text.push_str(indent);
        let words = text.len();
        let start = indent.rfind('\n').map_or(start, |end| words - (indent.len() - end - 1));
        for number in self.waiting.drain(..) {
            if let Some(Some(link)) = self.links.get_mut(number) {
                link.written = Some(self.document.links.len());
                let (span, target) = (Span::new(words, words), std::mem::take(&mut link.target));
                self.document.links.push(Link { span, kind: LinkKind::Inline, target });
            }
        }
        self.place(start, line);
    }

    fn place(&mut self, offset: usize, line: u32) {
        match self.places.last_mut() {
            Some((_, last)) if *last >= line => {}
            Some((at, last)) if *at == offset => *last = line,
            _ => self.places.push((offset, line)),
        }
    }
}

/// Which lines of the file a run of text comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines {
    line: u32,
    is_counted: bool,
}

impl Lines {
    /// From one line.
    pub(crate) const fn all_on(line: u32) -> Self {
        Self { line, is_counted: false }
    }

    /// From that line on; each line end in the text is one of the file.
    pub(crate) const fn from(line: u32) -> Self {
        Self { line, is_counted: true }
    }

    fn pass(&mut self, text: &str) {
        if self.is_counted {
            let ends = text.bytes().filter(|&byte| byte == b'\n').count();
            self.line = self.line.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_written_once_a_word_follows() {
        let mut flow = Flow::new();
        flow.words("  a \n b ", Lines::from(3));
        flow.new_line();
        flow.words(" c ", Lines::from(9));
        flow.end_block();
        flow.words(" \n ", Lines::from(10));
        flow.end_block();
        let document = flow.finish();
        assert_eq!(document.text, "a b\nc");
        assert_eq!(document.blocks.len(), 1);
        assert_eq!(document.places, Places::Lines(vec![(0, 3), (2, 4), (4, 9)]));
    }

    #[test]
    fn preformatted_text_keeps_its_lines_but_not_those_around_it() {
        let mut flow = Flow::new();
        flow.set_kind(Some(BlockKind::Code));
        flow.verbatim("\n \n  a ", Lines::from(1));
        flow.verbatim("b\n\n c\n\n", Lines::from(3));
        let document = flow.finish();
        assert_eq!(document.text, "  a b\n\n c");
        assert_eq!(document.places, Places::Lines(vec![(0, 3), (7, 5)]));
    }

    #[test]
    fn empty_columns_are_kept_save_the_last() {
        let mut flow = Flow::new();
        flow.next_column();
        flow.words("b", Lines::all_on(1));
        flow.next_column();
        flow.next_column();
        flow.words("d", Lines::all_on(1));
        flow.next_column();
        flow.end_row();
        flow.new_part();
        flow.words("e", Lines::all_on(2));
        let document = flow.finish();
        assert_eq!(document.text, "| b |  | d\ne");
        assert_eq!(document.blocks[0].cuts, [11]);
    }

    #[test]
    fn links_begin_at_their_first_word_and_end_at_their_last() {
        let mut flow = Flow::new();
        flow.words("a", Lines::all_on(1));
        let (outer, inner) = (flow.begin_link("x.html"), flow.begin_link("https://no.example"));
        flow.words(" b ", Lines::all_on(1));
        flow.end_link(inner);
        flow.image("c", "c.png", 1);
        flow.end_link(outer);
        let empty = flow.begin_link("y.html");
        flow.end_link(empty);
        flow.words("d", Lines::all_on(1));
        let document = flow.finish();
        assert_eq!(document.text, "a b c d");
        let link = |start, end, kind, target: &str| Link { span: Span::new(start, end), kind, target: target.into() };
        assert_eq!(document.links, [link(2, 5, LinkKind::Inline, "x.html"), link(4, 5, LinkKind::Embed, "c.png")]);
    }
}
