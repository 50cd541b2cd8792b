//! What a page says, as text with structure.

use wikirag_core::{BlockKind, DocumentText};

use crate::elements::Element;
use crate::flow::{Flow, Lines};
use crate::measure::Measures;
use crate::noise::Noise;
use crate::tree::Page;

/// The deepest indentation of items, in levels: deeper ones stand below each other.
const DEEPEST: usize = 8;

/// Writes all of the page that is no noise.
pub(crate) fn render(page: &Page, noise: &Noise) -> DocumentText {
    let measures = Measures::of(page, |node| noise.is_out(node));
    let mut renderer = Renderer {
        page,
        noise,
        measures,
        flow: Flow::new(),
        open: Vec::new(),
        outermost: None,
        lists: Vec::new(),
        one_line: 0,
        preformatted: 0,
        titles: 0,
        readings: 0,
        reading: String::new(),
        is_in_table: false,
        row: Row::default(),
    };
    renderer.run();
    renderer.flow.finish()
}

struct Renderer<'p> {
    page: &'p Page,
    noise: &'p Noise,
    measures: Measures,
    flow: Flow,
    /// The elements that the current node lies in, and what is to be done at their end.
    open: Vec<(usize, End)>,
    /// The node of the block that holds all that is inside, and its kind.
    outermost: Option<(usize, BlockKind)>,
    /// For each list that is open, the number of its next item, if its items have numbers.
    lists: Vec<Option<u64>>,
    /// How many elements are open whose content stands on one line: headings, cells.
    one_line: usize,
    /// How many elements are open whose white space is kept.
    preformatted: usize,
    /// How many headings of level 1 are open.
    titles: usize,
    /// How many readings are open, and the words of them that wait for the end of what they are readings of.
    readings: usize,
    reading: String,
    /// Whether a table is open of which rows and columns are written. There is none in it.
    is_in_table: bool,
    row: Row,
}

/// The row of a table that is being written.
#[derive(Debug, Default)]
struct Row {
    cells: usize,
    has_data: bool,
    /// Whether all rows so far name columns.
    is_in_header: bool,
    is_in_header_group: bool,
}

/// What is to be done where an element ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Nothing,
    Space,
    Boundary,
    Heading { is_block: bool, is_title: bool },
    List { is_block: bool },
    Item,
    Block,
    Table { is_block: bool },
    HeaderRows,
    Row,
    Cell,
    Caption,
    Preformatted { is_block: bool },
    Link(usize),
    Reading,
    Ruby,
}

impl Renderer<'_> {
    fn run(&mut self) {
        let mut node = 0;
        while let Some(element) = self.page.nodes.get(node) {
            while let Some(&(open, end)) = self.open.last().filter(|(open, _)| self.page.nodes[*open].end <= node) {
                self.open.pop();
                self.leave(open, end);
            }
            if element.is_hidden || self.noise.is_out(node) {
                node = element.end;
                continue;
            }
            let end = self.enter(node);
            if element.end > node + 1 || end != End::Nothing {
                self.open.push((node, end));
            }
            node += 1;
        }
        while let Some((open, end)) = self.open.pop() {
            self.leave(open, end);
        }
    }

    fn enter(&mut self, node: usize) -> End {
        let element = self.page.nodes[node].element;
        match element {
            Element::Text => return self.text(node),
            Element::Break if self.preformatted > 0 => self.flow.verbatim("\n", Lines::all_on(1)),
            Element::Break if self.one_line > 0 => self.flow.space(),
            Element::Break => self.flow.new_line(),
            Element::Image => self.image(node),
            Element::Anchor => {
                let target = self.page.detail(node).map_or("", |detail| detail.target.as_str());
                return End::Link(self.flow.begin_link(target));
            }
            Element::Superscript => {
                // A note behind a word is no part of it, as the 2 in m² is.
                if self.contains_link(node) {
                    self.flow.space();
                }
            }
            Element::Label => {
                self.flow.space();
                return End::Space;
            }
            Element::Drawing => return End::Space,
            Element::Reading => {
                self.readings += 1;
                return End::Reading;
            }
            Element::Ruby => return End::Ruby,
            Element::Heading(level) => return self.heading(level),
            Element::List | Element::OrderedList | Element::Definitions => return self.list(node, element),
            Element::Item if !self.lists.is_empty() => return self.item(),
            Element::Definition if self.outermost.is_some() => {
                self.part();
                return End::Boundary;
            }
            // Code is often indented that way.
            Element::Quote if !self.is_all_code(node) => {
                let is_block = self.begin_outermost(node, BlockKind::Quote);
                self.part();
                return if is_block { End::Block } else { End::Boundary };
            }
            Element::Preformatted => return self.preformatted(node),
            Element::Table if self.one_line == 0 && self.is_data(node) => {
                self.is_in_table = true;
                let is_block = self.begin_outermost(node, BlockKind::Table { header: None });
                self.part();
                self.row = Row { is_in_header: true, ..Row::default() };
                return End::Table { is_block };
            }
            Element::HeaderRows if self.is_in_table && self.one_line == 0 => {
                self.row.is_in_header_group = true;
                return End::HeaderRows;
            }
            Element::Row if self.is_in_table && self.one_line == 0 => {
                self.part();
                (self.row.cells, self.row.has_data) = (0, false);
                return End::Row;
            }
            Element::Cell | Element::HeaderCell if self.is_in_table && self.one_line == 0 => {
                if self.row.cells > 0 {
                    self.flow.next_column();
                }
                self.row.cells += 1;
                self.row.has_data |= element == Element::Cell;
                self.one_line += 1;
                return End::Cell;
            }
            Element::Caption => return self.caption(),
            Element::Paragraph if matches!(self.outermost, Some((_, BlockKind::Quote))) => {
                self.part();
                return End::Boundary;
            }
            _ if element.is_inline() => {}
            Element::Void => {}
            _ => {
                self.boundary();
                return End::Boundary;
            }
        }
        End::Nothing
    }

    fn leave(&mut self, node: usize, end: End) {
        match end {
            End::Nothing => {}
            End::Space => self.flow.space(),
            End::Boundary | End::Item => self.boundary(),
            End::Heading { is_block, is_title } => {
                self.titles -= usize::from(is_title);
                if is_block {
                    self.one_line -= 1;
                    self.flow.end_block();
                    self.flow.set_kind(None);
                } else {
                    self.boundary();
                }
            }
            End::Block => self.end_outermost(),
            End::List { is_block } => {
                self.lists.pop();
                self.end(is_block);
            }
            End::Table { is_block } => {
                self.is_in_table = false;
                self.flow.end_row();
                self.end(is_block);
            }
            End::HeaderRows => self.row.is_in_header_group = false,
            End::Row => self.end_row(),
            End::Cell => {
                self.one_line -= 1;
                self.flow.space();
            }
            End::Caption => {
                self.flow.end_block();
                self.flow.set_kind(self.outermost.as_ref().map(|(_, kind)| kind.clone()));
            }
            End::Preformatted { is_block } => {
                self.preformatted -= 1;
                self.end(is_block);
            }
            End::Link(number) => self.flow.end_link(number),
            End::Reading => self.readings -= 1,
            End::Ruby => {
                let reading = std::mem::take(&mut self.reading);
                if !reading.trim().is_empty() {
                    let line = self.page.run(node + 1).map_or(1, |run| run.line);
                    self.flow.space();
                    self.flow.words(&format!("({})", reading.trim()), Lines::all_on(line));
                }
            }
        }
    }

    /// Between two boxes.
    fn boundary(&mut self) {
        if self.one_line > 0 {
            self.flow.space();
        } else if self.outermost.is_some() {
            self.flow.new_line();
        } else {
            self.flow.end_block();
        }
    }

    /// Between two boxes where the block around them may be cut.
    fn part(&mut self) {
        if self.one_line == 0 && self.outermost.is_some() {
            self.flow.new_part();
        } else {
            self.boundary();
        }
    }

    /// Makes the node the block of all that is inside, unless there is one.
    fn begin_outermost(&mut self, node: usize, kind: BlockKind) -> bool {
        if self.outermost.is_some() || self.one_line > 0 {
            return false;
        }
        self.flow.end_block();
        self.flow.set_kind(Some(kind.clone()));
        self.outermost = Some((node, kind));
        true
    }

    fn end_outermost(&mut self) {
        self.flow.end_block();
        self.flow.set_kind(None);
        self.outermost = None;
    }

    fn end(&mut self, is_block: bool) {
        if is_block {
            self.end_outermost();
        } else {
            self.part();
        }
    }

    fn text(&mut self, node: usize) -> End {
        let Some(run) = self.page.run(node) else { return End::Nothing };
        let text = self.page.text(node);
        if self.readings > 0 {
            self.reading.push_str(text);
        } else if self.noise.is_read(node, self.titles > 0) {
            let lines = if run.has_lines_of_file { Lines::from(run.line) } else { Lines::all_on(run.line) };
            if self.preformatted > 0 && self.one_line == 0 {
                self.flow.verbatim(text, lines);
            } else {
                self.flow.words(text, lines);
            }
        }
        End::Nothing
    }

    fn image(&mut self, node: usize) {
        if let Some(detail) = self.page.detail(node).filter(|detail| !detail.alternative.trim().is_empty())
            && self.noise.is_read(node, self.titles > 0)
        {
            self.flow.image(&detail.alternative, &detail.target, detail.line);
        }
    }

    fn heading(&mut self, level: u8) -> End {
        let is_title = level == 1;
        self.titles += usize::from(is_title);
        let is_block = self.outermost.is_none() && self.one_line == 0;
        if is_block {
            self.flow.end_block();
            self.flow.set_kind(Some(BlockKind::Heading { level, title: String::new() }));
            self.one_line += 1;
        } else {
            self.part();
        }
        End::Heading { is_block, is_title }
    }

    /// A list in which there are sections is a box of boxes: the sections count for more than the marks.
    fn list(&mut self, node: usize, element: Element) -> End {
        let has_sections = self.measures.between(node, self.page.nodes[node].end).headings > 0;
        if has_sections && self.outermost.is_none() {
            self.boundary();
            return End::Boundary;
        }
        if element == Element::Definitions {
            let is_block = self.begin_outermost(node, BlockKind::Other);
            self.part();
            return if is_block { End::Block } else { End::Boundary };
        }
        let is_block = self.begin_outermost(node, BlockKind::List);
        self.part();
        let first = self.page.detail(node).and_then(|detail| detail.target.trim().parse().ok()).unwrap_or(1);
        self.lists.push((element == Element::OrderedList).then_some(first));
        End::List { is_block }
    }

    fn item(&mut self) -> End {
        self.part();
        let depth = self.lists.len().saturating_sub(1).min(DEEPEST);
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => "- ".to_owned(),
        };
        if self.one_line == 0 && self.outermost.is_some() {
            self.flow.mark(format!("{}{mark}", "  ".repeat(depth)));
        }
        End::Item
    }

    fn preformatted(&mut self, node: usize) -> End {
        let is_block = self.begin_outermost(node, BlockKind::Code);
        self.part();
        self.preformatted += 1;
        End::Preformatted { is_block }
    }

    fn caption(&mut self) -> End {
        let is_before_table = matches!(self.outermost, Some((_, BlockKind::Table { .. })));
        if !is_before_table || self.one_line > 0 {
            self.boundary();
            return End::Boundary;
        }
        self.flow.end_block();
        self.flow.set_kind(None);
        End::Caption
    }

    fn end_row(&mut self) {
        self.flow.end_row();
        let is_header = self.row.cells > 0 && (self.row.is_in_header_group || !self.row.has_data);
        self.row.is_in_header &= is_header || self.row.cells == 0;
        if is_header && self.row.is_in_header && self.flow.has_block() {
            self.flow.end_header();
        }
    }

    /// Whether rows and columns of the table mean something, and do not only put boxes in their places.
    fn is_data(&self, table: usize) -> bool {
        let nodes = &self.page.nodes;
        let end = nodes[table].end;
        let amount = self.measures.between(table, end);
        let is_for_looks =
            self.page.detail(table).is_some_and(|detail| matches!(&*detail.role, "presentation" | "none"));
        if is_for_looks || amount.tables > 1 || amount.headings > 0 {
            return false;
        }
        if amount.header_cells > 0 {
            return true;
        }
        let mut cells = 0;
        let has_columns = nodes[table..end].iter().any(|node| {
            match node.element {
                Element::Row => cells = 0,
                Element::Cell => cells += 1,
                _ => {}
            }
            cells > 1
        });
        has_columns && amount.preformatted == 0
    }

    fn is_all_code(&self, node: usize) -> bool {
        let amount = self.measures.between(node, self.page.nodes[node].end);
        amount.preformatted > 0 && amount.preformatted == amount.characters
    }

    fn contains_link(&self, node: usize) -> bool {
        self.measures.between(node, self.page.nodes[node].end).linked > 0
    }
}
