//! The tokens of a page, nested, in one flat list.
//!
//! The nesting follows the HTML Standard where it decides what belongs to what: missing end tags of paragraphs, items and
//! cells, end tags that belong to nothing, links in links. It leaves out what decides on looks alone (styles that cross
//! the borders of paragraphs, text between the rows of a table): by the letter, that takes quadratic time.

use std::collections::HashMap;
use std::ops::Range;

use crate::elements::Element;
use crate::meta::Declared;
use crate::tag::Tag;
use crate::tokens::{self, Sink};

mod open;

use open::{Name, Open};

/// A page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Elements and runs of text, each element before its content.
    pub nodes: Vec<Node>,
    /// The runs of text, one after the other.
    pub characters: String,
    /// Where the runs of text lie, by [`Node::detail`].
    pub texts: Vec<Text>,
    /// The details of those elements that have some, by [`Node::detail`].
    pub details: Vec<Detail>,
    /// What stands in the head.
    pub declared: Declared,
}

/// An element or a run of text.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// What it is.
    pub element: Element,
    /// Whether the page says that it is not shown.
    pub is_hidden: bool,
    /// One past the last node inside it.
    pub end: usize,
    /// Its place in [`Page::texts`] for a run of text, in [`Page::details`] for an element that has some.
    pub detail: Option<usize>,
}

/// A run of text.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// Its place in [`Page::characters`].
    pub characters: Range<usize>,
    /// Line of the file at which it begins, from 1.
    pub line: u32,
    /// Whether its line ends are those of the file.
    pub has_lines_of_file: bool,
}

/// More about an element.
#[derive(Debug, Default, Clone)]
pub(crate) struct Detail {
    /// Line of the file at which it begins, from 1.
    pub line: u32,
    /// Target of a link or an image as written; number of the first item of a list.
    pub target: String,
    /// What stands for an image.
    pub alternative: String,
    /// The role that the page gives the element.
    pub role: String,
    /// Class names and identifier, with spaces between them.
    pub names: String,
}

impl Page {
    /// Reads a page. In XML an element may end with its start tag.
    pub(crate) fn read(text: &str, is_xml: bool) -> Self {
        let mut builder = Builder {
            page: Self::default(),
            is_xml,
            open: Open::default(),
            names: HashMap::new(),
            line: Line::new(text),
            run: None,
        };
        tokens::read(text, is_xml, &mut builder);
        builder.close_from(Some(0));
        builder.page
    }

    /// The details of an element; `None` where it has none, and for text.
    pub(crate) fn detail(&self, node: usize) -> Option<&Detail> {
        let node = self.nodes.get(node).filter(|node| node.element != Element::Text)?;
        self.details.get(node.detail?)
    }

    /// The run of text at a node; `None` for elements.
    pub(crate) fn run(&self, node: usize) -> Option<&Text> {
        let node = self.nodes.get(node).filter(|node| node.element == Element::Text)?;
        self.texts.get(node.detail?)
    }

    /// The characters of a run of text; empty for elements.
    pub(crate) fn text(&self, node: usize) -> &str {
        self.run(node).and_then(|run| self.characters.get(run.characters.clone())).unwrap_or_default()
    }
}

struct Builder<'a> {
    page: Page,
    is_xml: bool,
    open: Open,
    names: HashMap<Vec<u8>, Name>,
    line: Line<'a>,
    /// The line at which the last run of text ends, if what follows may belong to it.
    run: Option<u32>,
}

impl Builder<'_> {
    fn name(&mut self, name: &[u8]) -> Name {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let new = self.open.new_name();
        self.names.insert(name.to_owned(), new);
        new
    }

    /// Ends the elements from the `depth`-th open one on.
    fn close_from(&mut self, depth: Option<usize>) {
        let Some(depth) = depth else { return };
        let nodes = &mut self.page.nodes;
        let end = nodes.len();
        self.open.close_from(depth, |node| {
            nodes[node].end = end;
            self.run = None;
        });
    }

    fn add(&mut self, element: Element, is_hidden: bool, detail: Option<usize>) -> usize {
        let node = self.page.nodes.len();
        self.run = None;
        self.page.nodes.push(Node { element, is_hidden, end: node + 1, detail });
        node
    }
}

impl Sink for Builder<'_> {
    fn start(&mut self, tag: &Tag, at: usize) -> bool {
        let element = Element::of(&tag.name);
        match element {
            Element::Meta => self.page.declared.add(tag),
            Element::Document => {
                let language =
                    tag.get("lang").or_else(|| tag.get("xml:lang")).map(str::trim).filter(|it| !it.is_empty());
                if let (Some(language), None) = (language, &self.page.declared.language) {
                    self.page.declared.language = Some(language.to_owned());
                }
                return false;
            }
            _ => {}
        }
        self.close_from(self.open.ended_by(element));
        let is_hidden = element == Element::Hidden
            || tag.is_hidden()
            || element == Element::Dialog && tag.get("open").is_none()
            // On a box this says no more than that it is not read aloud; on a word it marks an ornament or a repetition.
            || element.is_inline() && tag.get("aria-hidden") == Some("true");
        let line = self.line.of(at);
        // What only styles its text is open, or its end tag would mean nothing, but it is no node.
        let node = (element != Element::Inline || is_hidden).then(|| {
            let detail = detail(element, tag, line).map(|detail| {
                self.page.details.push(detail);
                self.page.details.len() - 1
            });
            self.add(element, is_hidden, detail)
        });
        let is_empty = element.is_void() || tag.is_closed && (self.is_xml || self.open.is_in_drawing());
        if !is_empty {
            let name = self.name(&tag.name);
            self.open.push(node, name, element, is_hidden);
        }
        !is_empty
    }

    fn end(&mut self, name: &[u8]) {
        let element = Element::of(name);
        match element {
            Element::Break => {
                self.add(Element::Break, false, None);
            }
            Element::Heading(_) => self.close_from(self.open.heading()),
            _ => {
                if let Some(name) = self.names.get(name) {
                    self.close_from(self.open.ended(*name, element));
                }
            }
        }
    }

    fn text(&mut self, text: &str, at: Range<usize>) {
        if self.open.is_in_title() {
            if self.page.declared.title.is_none() && !self.open.is_in_drawing() {
                self.page.declared.title = Some(text.to_owned());
            }
            return;
        }
        if self.open.is_in_hidden() {
            return;
        }
        let line = self.line.of(at.start);
        let lines = self.line.of(at.end) - line;
        let has_lines_of_file = text.bytes().filter(|&byte| byte == b'\n').count() == lines as usize;
        let start = self.page.characters.len();
        self.page.characters.push_str(text);
        let characters = start..self.page.characters.len();
        // Runs that only styles part are one, if no line end in a tag lies between them.
        match self.page.texts.last_mut().filter(|_| has_lines_of_file && self.run == Some(line)) {
            Some(run) => run.characters.end = characters.end,
            None => {
                self.page.texts.push(Text { characters, line, has_lines_of_file });
                self.add(Element::Text, false, Some(self.page.texts.len() - 1));
            }
        }
        self.run = has_lines_of_file.then_some(line + lines);
    }
}

/// What there is to remember of an element beside its kind.
fn detail(element: Element, tag: &Tag, line: u32) -> Option<Detail> {
    let value = |name: &str| tag.get(name).unwrap_or_default().to_owned();
    let is_addressed = matches!(element, Element::Anchor | Element::Image | Element::OrderedList);
    let is_named = tag.get("role").or_else(|| tag.get("class")).or_else(|| tag.get("id")).is_some();
    if !is_addressed && !is_named {
        return None;
    }
    let target = match element {
        Element::Anchor => value("href"),
        Element::Image => value("src"),
        Element::OrderedList => value("start"),
        _ => String::new(),
    };
    let alternative = if element == Element::Image { value("alt") } else { String::new() };
    let names = format!("{} {}", tag.get("class").unwrap_or_default(), tag.get("id").unwrap_or_default());
    Some(Detail { line, target, alternative, role: value("role"), names })
}

/// Counts the lines up to ever later places.
struct Line<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Line<'a> {
    const fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, line: 1 }
    }

    /// The line of byte `at`, from 1; never one before that of the last call.
    fn of(&mut self, at: usize) -> u32 {
        let passed = self.bytes.get(self.at..at).unwrap_or_default();
        let ends = passed.iter().filter(|&&byte| byte == b'\n').count();
        self.at = self.at.max(at.min(self.bytes.len()));
        self.line = self.line.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements, each with how many nodes lie in it.
    fn nested(page: &str) -> Vec<(Element, usize)> {
        let page = Page::read(page, false);
        page.nodes.iter().enumerate().map(|(index, node)| (node.element, node.end - index - 1)).collect()
    }

    #[test]
    fn a_start_tag_ends_what_cannot_hold_it() {
        use Element::{Cell, Item, List, Paragraph, Row, Table, Text};
        assert_eq!(nested("<p>a<p>b"), [(Paragraph, 1), (Text, 0), (Paragraph, 1), (Text, 0)]);
        assert_eq!(nested("<ul><li>a<li>b</ul>"), [(List, 4), (Item, 1), (Text, 0), (Item, 1), (Text, 0)]);
        assert_eq!(
            nested("<table><tr><td>a<tr><td>"),
            [(Table, 5), (Row, 2), (Cell, 1), (Text, 0), (Row, 1), (Cell, 0)]
        );
    }

    #[test]
    fn an_end_tag_ends_nothing_outside_of_its_cell() {
        use Element::{Cell, Division, Table, Text};
        let page = nested("<div><table><td></div>a</table>b</div>");
        assert_eq!(page, [(Division, 4), (Table, 2), (Cell, 1), (Text, 0), (Text, 0)]);
    }

    #[test]
    fn what_is_hidden_ends_with_its_tag_whatever_is_open_in_it() {
        let page = Page::read("<template><div><p>no</template><span hidden><div></span>yes", false);
        assert_eq!(page.characters, "yes");
        assert_eq!(page.nodes.last().map(|node| node.element), Some(Element::Text));
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let page = Page::read("<p>a\r\nb</p>\n\n<p>&#10;c", false);
        let lines: Vec<_> = page.texts.iter().map(|text| (text.line, text.has_lines_of_file)).collect();
        assert_eq!(lines, [(1, true), (2, true), (4, false)]);
    }
}
