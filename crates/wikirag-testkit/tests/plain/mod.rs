//! A reader of plain text with headings, front matter and links, to be broken in many ways.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use wikirag_core::{
    Block, BlockKind, DocumentText, Error, ErrorKind, Link, LinkKind, Places, ReadWarning, Reader, Result, Source, Span,
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fault {
    DottedEnding,
    RefusesItsFormat,
    LinksEndInACharacter,
    BlocksOverlap,
    LevelSeven,
    LosesAParagraph,
    LinksBackwards,
    PlacesBackwards,
    CountsLinesFromZero,
    DependsOnTheInstance,
    WantsUtf8,
    WrongKind,
    FearsSize,
    Quadratic,
}

pub(crate) struct Plain {
    fault: Option<Fault>,
    instance: usize,
}

impl Plain {
    pub(crate) fn new(fault: Option<Fault>) -> Self {
        static INSTANCES: AtomicUsize = AtomicUsize::new(0);
        Self { fault, instance: INSTANCES.fetch_add(1, Ordering::Relaxed) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn blocks(&self, text: &str) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut start = 0;
        if let Some(end) = text.strip_prefix("---\n").and_then(|rest| rest.find("\n---\n")) {
            start = end + 9;
            blocks.push(Block { span: Span::new(0, start), kind: BlockKind::FrontMatter, cuts: Vec::new() });
        }
        let mut joins = false;
        for line in text[start..].split_inclusive('\n') {
            let span = Span::new(start, start + line.len());
            start = span.end;
            let level = line.bytes().take_while(|byte| *byte == b'#').count();
            if line.trim().is_empty() {
                joins = false;
            } else if (1..=6).contains(&level) && line[level..].starts_with(' ') {
                let level = if self.has(Fault::LevelSeven) && level == 6 { 7 } else { level as u8 };
                let kind = BlockKind::Heading { level, title: line.trim_matches(['#', ' ', '\n']).to_owned() };
                blocks.push(Block { span, kind, cuts: Vec::new() });
                joins = false;
            } else if let Some(last) = blocks.last_mut().filter(|_| joins) {
                last.span.end = span.end;
            } else {
                blocks.push(Block { span, kind: BlockKind::Paragraph, cuts: Vec::new() });
                joins = true;
            }
        }
        if self.has(Fault::BlocksOverlap) && blocks.len() > 5 {
            blocks[4].span.end = blocks[5].span.end;
        }
        if self.has(Fault::LosesAParagraph) && blocks.len() > 10 {
            blocks.remove(7);
        }
        blocks
    }

    fn links(&self, text: &str) -> Vec<Link> {
        let mut links = Vec::new();
        let mut at = 0;
        while let Some(start) = text[at..].find("[[").map(|found| at + found) {
            // A link ends in its line, so an open one is given up at the end of the line.
            let line_end = text[start..].find('\n').map_or(text.len(), |end| start + end);
            let Some(end) = text[start..line_end].find("]]").map(|end| start + end) else {
                at = line_end;
                continue;
            };
            let target = text[start + 2..end].to_owned();
            links.push(Link { span: self.link_span(text, start..end + 2), kind: LinkKind::Wiki, target });
            at = end + 2;
        }
        if self.has(Fault::LinksBackwards) {
            links.reverse();
        }
        links
    }

    fn link_span(&self, text: &str, range: Range<usize>) -> Span {
        let width = text[range.end..].chars().next().map_or(0, char::len_utf8);
        let too_far = usize::from(self.has(Fault::LinksEndInACharacter) && width > 1);
        Span::new(range.start, range.end + too_far)
    }
}

/// Looks at everything before every few bytes: in debug builds as well, most of the time goes here.
pub(crate) fn work_for_each_prefix(text: &str) -> usize {
    // Beyond this size the time is of no interest, only the wait.
    let bytes = &text.as_bytes()[..text.len().min(300_000)];
    (0..bytes.len()).step_by(16).filter(|end| bytes[..*end].contains(&0xff)).count()
}

impl Reader for Plain {
    fn extensions(&self) -> &[&'static str] {
        if self.has(Fault::DottedEnding) { &["txt", ".text"] } else { &["txt"] }
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let text = match std::str::from_utf8(source.bytes) {
            Ok(text) => text.to_owned(),
            Err(error) => {
                assert!(!self.has(Fault::WantsUtf8), "not UTF-8");
                let kind = if self.has(Fault::WrongKind) { ErrorKind::Internal } else { ErrorKind::Invalid };
                return Err(Error::new(kind, "read text", "it is not UTF-8").caused_by(error));
            }
        };
        assert!(!(self.has(Fault::FearsSize) && text.len() > 400_000), "too large");
        if self.has(Fault::RefusesItsFormat) && text.starts_with("---") {
            return Err(Error::new(ErrorKind::Invalid, "read text", "it begins with a rule"));
        }
        if self.has(Fault::Quadratic) {
            std::hint::black_box(work_for_each_prefix(&text));
        }
        let mut warnings = Vec::new();
        if let Some(at) = text.find('\0') {
            let first = usize::from(!self.has(Fault::CountsLinesFromZero));
            let line = first + text[..at].matches('\n').count().min(if first == 0 { 0 } else { usize::MAX });
            let line = line + if self.has(Fault::DependsOnTheInstance) { self.instance } else { 0 };
            warnings.push(ReadWarning { line, message: "there is a NUL in this line".to_owned() });
        }
        let places = if self.has(Fault::PlacesBackwards) { Places::Lines(vec![(0, 2), (0, 1)]) } else { Places::Same };
        Ok(DocumentText {
            places,
            blocks: self.blocks(&text),
            links: self.links(&text),
            warnings,
            text,
            ..DocumentText::default()
        })
    }
}
