//! The body of a Markdown file as a flat list of blocks, with the links in it.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use wikirag_core::{Block, BlockKind, Link, LinkKind, Span};

use crate::comments::Comments;
use crate::links::{is_relative, wiki_target};
use crate::trim::trimmed;

/// What the body holds.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// Top-level blocks in order.
    pub blocks: Vec<Block>,
    /// Links to other documents, in the order of the parser.
    pub links: Vec<Link>,
}

/// The dialect: CommonMark with what GitHub and Obsidian add. Math is on so that brackets in formulas are no links,
/// heading attributes are on so that `# Title {#id}` has the title `Title`.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_WIKILINKS);

/// Parses `text[start..]`. The spans refer to the whole of `text`. Every character from `start` on that is not white
/// space lies in a block.
pub(crate) fn parse(text: &str, start: usize) -> Body {
    let mut builder = Builder::new(text, start);
    for (event, range) in Parser::new_ext(&text[start..], OPTIONS).into_offset_iter() {
        builder.take(event, start + range.start..start + range.end);
    }
    let Builder { blocks, mut links, comments, .. } = builder;
    comments.retain_outside(text, &mut links);
    Body { blocks: cover(text, start, blocks), links }
}

/// A top-level block whose end has not come yet.
struct Open {
    block: Block,
    /// Whether the last nested block was code or a table: what follows it is a good place for a cut.
    is_after_atom: bool,
}

struct Builder<'a> {
    text: &'a str,
    depth: usize,
    open: Option<Open>,
    line: LineCursor<'a>,
    blocks: Vec<Block>,
    links: Vec<Link>,
    comments: Comments,
    is_in_code: bool,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        let line = LineCursor { bytes: text.as_bytes(), at: start, line_start: start };
        Self {
            text,
            depth: 0,
            open: None,
            line,
            blocks: Vec::new(),
            links: Vec::new(),
            comments: Comments::default(),
            is_in_code: false,
        }
    }

    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        match event {
            Event::Start(tag) => {
                if self.depth == 0 {
                    let block = Block { span: range.clone().into(), kind: kind_of(&tag), cuts: Vec::new() };
                    self.open = Some(Open { block, is_after_atom: false });
                } else {
                    self.nest(&tag, &range);
                }
                self.depth += 1;
                self.is_in_code = matches!(tag, Tag::CodeBlock(_));
                self.link(&tag, range);
            }
            Event::End(end) => {
                self.depth = self.depth.saturating_sub(1);
                self.is_in_code = false;
                if self.depth == 0 {
                    self.blocks.extend(self.open.take().map(|open| tidy_title(open.block)));
                } else if let (TagEnd::CodeBlock | TagEnd::Table, Some(open)) = (end, &mut self.open) {
                    open.is_after_atom = true;
                }
            }
            Event::Text(words) => {
                if !self.is_in_code {
                    self.comments.take(self.text, range);
                }
                self.say(&words);
            }
            Event::Code(words) | Event::InlineMath(words) | Event::DisplayMath(words) => {
                self.say(&words);
            }
            Event::SoftBreak | Event::HardBreak => self.say(" "),
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    /// Adds words to the title, where a top-level heading is open.
    fn say(&mut self, words: &str) {
        if let Some(Open { block: Block { kind: BlockKind::Heading { title, .. }, .. }, .. }) = &mut self.open {
            title.push_str(words);
        }
    }

    /// Notes where the open block may be cut: before the line on which a part of it begins.
    fn nest(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        let Some(open) = &mut self.open else { return };
        let is_atom = matches!(tag, Tag::CodeBlock(_) | Tag::Table(_));
        let is_part = match open.block.kind {
            BlockKind::List => is_atom || matches!(tag, Tag::Item),
            BlockKind::Quote | BlockKind::Other => {
                is_atom || matches!(tag, Tag::Item | Tag::Paragraph | Tag::Heading { .. })
            }
            _ => false,
        };
        if is_part || std::mem::take(&mut open.is_after_atom) && !open.block.kind.is_atomic() {
            let floor = open.block.cuts.last().copied().unwrap_or(open.block.span.start);
            open.block.cuts.extend(self.line.start_of(range.start).filter(|&cut| cut > floor));
        }
    }

    fn link(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let (link_type, target, is_image) = match tag {
            Tag::Link { link_type, dest_url, .. } => (*link_type, dest_url, false),
            Tag::Image { link_type, dest_url, .. } => (*link_type, dest_url, true),
            _ => return,
        };
        let is_wiki = matches!(link_type, LinkType::WikiLink { .. });
        let target = match link_type {
            // The scheme that it has is not written.
            LinkType::Email => None,
            _ if is_wiki => wiki_target(target),
            _ => Some(&**target).filter(|target| is_relative(target)),
        };
        let kind = match (is_image, is_wiki) {
            (true, _) => LinkKind::Embed,
            (false, true) => LinkKind::Wiki,
            (false, false) => LinkKind::Inline,
        };
        if let Some(target) = target.filter(|_| self.text.get(range.clone()).is_some()) {
            self.links.push(Link { span: range.into(), kind, target: target.to_owned() });
        }
    }
}

fn kind_of(tag: &Tag<'_>) -> BlockKind {
    match tag {
        Tag::Paragraph => BlockKind::Paragraph,
        Tag::Heading { level, .. } => BlockKind::Heading { level: number(*level), title: String::new() },
        Tag::List(_) => BlockKind::List,
        Tag::Table(_) => BlockKind::Table { header: None },
        Tag::CodeBlock(_) => BlockKind::Code,
        Tag::BlockQuote(_) => BlockKind::Quote,
        _ => BlockKind::Other,
    }
}

const fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn tidy_title(mut block: Block) -> Block {
    if let BlockKind::Heading { title, .. } = &mut block.kind {
        *title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    block
}

/// Finds the start of the line of ever later places. It never looks back, so a line with a hundred thousand nested
/// quotes costs no more than any other.
struct LineCursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line_start: usize,
}

impl LineCursor<'_> {
    /// Where the line of byte `place` begins; `None` where the cursor has passed it already.
    fn start_of(&mut self, place: usize) -> Option<usize> {
        let passed = self.bytes.get(self.at..place)?;
        let is_ending = |byte: &u8| matches!(byte, b'\n' | b'\r');
        if let Some(last) = passed.iter().rposition(is_ending) {
            self.line_start = self.at + last + 1;
        }
        self.at = place;
        Some(self.line_start)
    }
}

/// The blocks without white space at their ends, and the text between them (rules, link definitions, whatever the parser
/// gives no event for) as blocks of their own, so that no word is outside.
fn cover(text: &str, start: usize, blocks: Vec<Block>) -> Vec<Block> {
    let mut covered = Vec::with_capacity(blocks.len());
    let mut end = start;
    for mut block in blocks {
        // A span that overlaps the one before or cuts a character would be a fault of the parser; its text is a gap then.
        let Some(span) = trimmed(text, Span::new(block.span.start.max(end), block.span.end)) else { continue };
        covered.extend(gap(text, Span::new(end, span.start)));
        block.cuts.retain(|&cut| span.start < cut && cut < span.end && text.is_char_boundary(cut));
        if let BlockKind::Table { header } = &mut block.kind {
            *header = header_of(text, span);
        }
        end = span.end;
        covered.push(Block { span, ..block });
    }
    covered.extend(gap(text, Span::new(end, text.len())));
    covered
}

/// A table begins with one line that names the columns and one of dashes.
fn header_of(text: &str, table: Span) -> Option<Span> {
    let second = crate::lines::lines(&text[..table.end], table.start).nth(1)?;
    Some(Span::new(table.start, second.end))
}

fn gap(text: &str, between: Span) -> Option<Block> {
    let span = trimmed(text, between)?;
    Some(Block { span, kind: BlockKind::Other, cuts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(&'static str, &str)> {
        let name = |kind: &BlockKind| match kind {
            BlockKind::FrontMatter => "front",
            BlockKind::Heading { .. } => "heading",
            BlockKind::Paragraph => "paragraph",
            BlockKind::List => "list",
            BlockKind::Table { .. } => "table",
            BlockKind::Code => "code",
            BlockKind::Quote => "quote",
            BlockKind::Other => "other",
        };
        parse(text, 0).blocks.iter().map(|block| (name(&block.kind), &text[block.span.range()])).collect()
    }

    fn titles(text: &str) -> Vec<(u8, String)> {
        let title = |block: Block| match block.kind {
            BlockKind::Heading { level, title } => Some((level, title)),
            _ => None,
        };
        parse(text, 0).blocks.into_iter().filter_map(title).collect()
    }

    fn links(text: &str) -> Vec<(LinkKind, String, &str)> {
        parse(text, 0).links.into_iter().map(|link| (link.kind, link.target, &text[link.span.range()])).collect()
    }

    #[test]
    fn every_kind_of_block() {
        let text = "# A\n\ntext\nmore\n\n- a\n  - b\n\n| h |\n|---|\n| c |\n\n```\n# no heading\n```\n\n> q\n\n<div>x</div>\n\n[^1]: note\n\n***\n\n[ref]: u\n";
        assert_eq!(
            kinds(text),
            [
                ("heading", "# A"),
                ("paragraph", "text\nmore"),
                ("list", "- a\n  - b"),
                ("table", "| h |\n|---|\n| c |"),
                ("code", "```\n# no heading\n```"),
                ("quote", "> q"),
                ("other", "<div>x</div>"),
                ("other", "[^1]: note"),
                ("other", "***\n\n[ref]: u"),
            ]
        );
    }

    #[test]
    fn fences_of_any_length_and_without_end() {
        let text = "````\n```\n# no\n```\n````\n\n~~~ rust\n# no\n~~~\n\n    # indented\n\n```\nto the end\n# no\n";
        let found = kinds(text);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found.iter().all(|(kind, _)| *kind == "code"));
        assert_eq!(found[3].1, "```\nto the end\n# no");
    }

    #[test]
    fn titles_have_no_markup() {
        let text = "# A *b* `c` [d](e) [[f|g]] ![h](i) &amp; {#id}\n\nSetext\ntwo lines\n===\n\nB\n---\n\n###### <b>six</b> [^1]\n\n[^1]: x";
        assert_eq!(
            titles(text),
            [(1, "A b c d g h &".into()), (1, "Setext two lines".into()), (2, "B".into()), (6, "six".into())]
        );
    }

    #[test]
    fn headings_inside_other_blocks_are_no_sections() {
        assert_eq!(titles("> # in a quote\n\n- # in a list\n\n<div>\n# in html\n</div>\n"), []);
    }

    #[test]
    fn lists_may_be_cut_at_items_of_every_level_and_around_code() {
        let text = "- a\n  - b\n    text\n- c\n\n  ```\n  x\n  ```\n\n  after\n- d\n";
        let block = &parse(text, 0).blocks[0];
        let parts: Vec<_> = block.cuts.iter().map(|&cut| text[cut..].lines().next().unwrap()).collect();
        assert_eq!(parts, ["  - b", "- c", "  ```", "  after", "- d"]);
    }

    #[test]
    fn quotes_may_be_cut_at_paragraphs() {
        let text = "> [!info] Title\n> one\n>\n> two\n>\n> - item\n> - item\n";
        let block = &parse(text, 0).blocks[0];
        assert_eq!(block.kind, BlockKind::Quote);
        let parts: Vec<_> = block.cuts.iter().map(|&cut| text[cut..].lines().next().unwrap()).collect();
        assert_eq!(parts, ["> two", "> - item", "> - item"]);
    }

    #[test]
    fn tables_know_their_header() {
        let text = "a | b\n--|--\n1 | 2\n";
        let BlockKind::Table { header: Some(header) } = parse(text, 0).blocks[0].kind else { panic!() };
        assert_eq!(&text[header.range()], "a | b\n--|--");
    }

    #[test]
    fn links_to_other_documents() {
        let text = "[[a]] [[b|c]] [[d#e]] ![[f.png]] [t](g.md) ![i](h%20i.png) [r] [w](https://x.y) <https://x.y>\n\n| x |\n|---|\n| [[a\\|b]] |\n\n`[[code]]` \\[[escaped]] $[[math]]$\n\n[r]: ../r.md\n";
        assert_eq!(
            links(text),
            [
                (LinkKind::Wiki, "a".into(), "[[a]]"),
                (LinkKind::Wiki, "b".into(), "[[b|c]]"),
                (LinkKind::Wiki, "d#e".into(), "[[d#e]]"),
                (LinkKind::Embed, "f.png".into(), "![[f.png]]"),
                (LinkKind::Inline, "g.md".into(), "[t](g.md)"),
                (LinkKind::Embed, "h%20i.png".into(), "![i](h%20i.png)"),
                (LinkKind::Inline, "../r.md".into(), "[r]"),
                (LinkKind::Wiki, "a".into(), "[[a\\|b]]"),
            ]
        );
    }

    #[test]
    fn mail_addresses_and_comments_hold_no_links() {
        let targets = |text| links(text).into_iter().map(|(_, target, _)| target).collect::<Vec<_>>();
        assert_eq!(targets("<a@b.c> [d](a@b.c)"), ["a@b.c"]);
        assert_eq!(targets("%%[[a]]%% [[b]]\n%% ![c](c.png)\n\n- [d](d.md)\n\n%%\n[[e]]"), ["b", "e"]);
        assert_eq!(targets("<!-- [[a]] -->\n\n[[b]] <!-- [[c]] -->\n\n<!--\n\n[[d]]\n-->\n[[e]]"), ["b", "e"]);
        // Within a line both marks stand in it; a mark that begins one may be far from the other.
        assert_eq!(targets("100%% [[a]]\n\n200%% [[b]] %% [[c]] %%[[d]]%%"), ["a", "c"]);
        assert_eq!(targets("- %% [[a]]\n\n[[b]] %% [[c]]\n\n%%%%[[d]]"), ["c", "d"]);
        assert_eq!(targets("%% [[a]]"), ["a"]);
        assert_eq!(targets("[[a]]\n\n  %% \n\n[[b]]\n\n[[c]]"), ["a"]);
        assert_eq!(targets("`%%` [[a]] `%%`\n\n```\n%%\n```\n\n\\%% [[b]] %%\n[[c]]"), ["a", "b", "c"]);
    }

    #[test]
    fn odd_wikilinks() {
        let text = "[[a|b|c]] [[ ]] [[]] [[#H]] [[new\nline]] [[日本語]]";
        let targets: Vec<_> = links(text).into_iter().map(|(_, target, _)| target).collect();
        assert_eq!(targets, ["a", "#H", "日本語"]);
    }
}
