//! The elements that are open at a point of a page, and which of them a tag ends.
//!
//! Every question is answered in constant time: for each name, the depths at which it is open are kept, and each open
//! element knows the nearest ones around it that limit what a tag inside can end.

use crate::elements::Element;

/// A name of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name(usize);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Open {
    frames: Vec<Frame>,
    /// For each name, the depths at which it is open, ascending.
    by_name: Vec<Vec<usize>>,
    /// The same for the elements that a start tag may end, whatever their name.
    by_kind: [Vec<usize>; KINDS],
}

/// An open element. The depths name the innermost element of a kind that is open here, itself included.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Its node, if it has one.
    node: Option<usize>,
    name: Name,
    kind: Option<usize>,
    /// Tables, cells and captions: what is inside ends nothing outside, save by a tag of the table.
    barrier: Option<usize>,
    table: Option<usize>,
    /// Lists and barriers: an item ends no item outside.
    list: Option<usize>,
    /// Definition lists and barriers.
    definitions: Option<usize>,
    /// Whatever is no inline element.
    block: Option<usize>,
    is_in_drawing: bool,
    is_in_hidden: bool,
    is_title: bool,
}

const PARAGRAPH: usize = 0;
const HEADING: usize = 1;
const ITEM: usize = 2;
const DEFINITION: usize = 3;
const ANCHOR: usize = 4;
const CELL: usize = 5;
const ROW: usize = 6;
const ROW_GROUP: usize = 7;
const BUTTON: usize = 8;
const KINDS: usize = 9;

const fn kind(element: Element) -> Option<usize> {
    match element {
        Element::Paragraph => Some(PARAGRAPH),
        Element::Heading(_) => Some(HEADING),
        Element::Item => Some(ITEM),
        Element::Definition => Some(DEFINITION),
        Element::Anchor => Some(ANCHOR),
        Element::Cell | Element::HeaderCell | Element::Caption => Some(CELL),
        Element::Row => Some(ROW),
        Element::RowGroup | Element::HeaderRows => Some(ROW_GROUP),
        Element::Button => Some(BUTTON),
        _ => None,
    }
}

/// `depth`, if it is deeper than `limit`.
fn inside(depth: Option<usize>, limit: Option<usize>) -> Option<usize> {
    depth.filter(|&depth| limit.is_none_or(|limit| depth > limit))
}

impl Open {
    pub(super) fn new_name(&mut self) -> Name {
        self.by_name.push(Vec::new());
        Name(self.by_name.len() - 1)
    }

    /// Opens an element.
    pub(super) fn push(&mut self, node: Option<usize>, name: Name, element: Element, is_hidden: bool) {
        let depth = self.frames.len();
        let here = Some(depth);
        let around = self.frames.last();
        let nearest = |is_one: bool, around: Option<usize>| if is_one { here } else { around };
        let is_list = matches!(element, Element::List | Element::OrderedList);
        let frame = Frame {
            node,
            name,
            kind: kind(element),
            barrier: nearest(element.is_barrier(), around.and_then(|frame| frame.barrier)),
            table: nearest(element == Element::Table, around.and_then(|frame| frame.table)),
            list: nearest(is_list || element.is_barrier(), around.and_then(|frame| frame.list)),
            definitions: nearest(
                element == Element::Definitions || element.is_barrier(),
                around.and_then(|frame| frame.definitions),
            ),
            block: nearest(!element.is_inline(), around.and_then(|frame| frame.block)),
            is_in_drawing: element == Element::Drawing || around.is_some_and(|frame| frame.is_in_drawing),
            is_in_hidden: is_hidden || around.is_some_and(|frame| frame.is_in_hidden),
            is_title: element == Element::Title,
        };
        self.by_name[name.0].push(depth);
        if let Some(kind) = frame.kind {
            self.by_kind[kind].push(depth);
        }
        self.frames.push(frame);
    }

    /// Closes the elements from the `depth`-th on, the innermost first, and names the node of each that has one.
    pub(super) fn close_from(&mut self, depth: usize, mut ended: impl FnMut(usize)) {
        while self.frames.len() > depth {
            let Some(frame) = self.frames.pop() else { return };
            self.by_name[frame.name.0].pop();
            if let Some(kind) = frame.kind {
                self.by_kind[kind].pop();
            }
            frame.node.into_iter().for_each(&mut ended);
        }
    }

    /// From which depth on a start tag of that kind ends what is open.
    pub(super) fn ended_by(&self, element: Element) -> Option<usize> {
        let top = self.frames.last()?;
        let last = |kind: usize| self.by_kind[kind].last().copied();
        let paragraph = || inside(last(PARAGRAPH), top.barrier);
        let first = |kinds: &[usize]| kinds.iter().filter_map(|&kind| inside(last(kind), top.table)).min();
        match element {
            Element::Item => inside(last(ITEM), top.list).or_else(paragraph),
            Element::Definition => inside(last(DEFINITION), top.definitions).or_else(paragraph),
            Element::Heading(_) if top.kind == Some(HEADING) => Some(self.frames.len() - 1),
            // A link ends one that is open, but not from within a paragraph or a box that the open one holds.
            Element::Anchor => inside(last(ANCHOR), top.block),
            Element::Button => inside(last(BUTTON), top.block),
            // Outside of a table these tags mean nothing.
            Element::Cell
            | Element::HeaderCell
            | Element::Row
            | Element::RowGroup
            | Element::HeaderRows
            | Element::Caption
                if top.table.is_none() =>
            {
                None
            }
            Element::Cell | Element::HeaderCell => first(&[CELL]),
            Element::Row => first(&[ROW, CELL]),
            Element::RowGroup | Element::HeaderRows | Element::Caption => first(&[ROW_GROUP, ROW, CELL]),
            _ if element.is_inline() || element.is_void() && element != Element::Rule => None,
            _ => paragraph(),
        }
    }

    /// From which depth on an end tag of that name ends what is open.
    pub(super) fn ended(&self, name: Name, element: Element) -> Option<usize> {
        let top = self.frames.last()?;
        let depth = self.by_name[name.0].last().copied()?;
        let is_ended = match element {
            Element::Table => true,
            Element::Cell
            | Element::HeaderCell
            | Element::Caption
            | Element::Row
            | Element::RowGroup
            | Element::HeaderRows => inside(Some(depth), top.table).is_some(),
            Element::Item => inside(Some(depth), top.list).is_some(),
            // A style or a link that holds a box still open goes on: nothing of the text depends on it. What is hidden ends,
            // or it would take all that follows with it.
            _ if element.is_style() && !self.frames[depth].is_in_hidden => inside(Some(depth), top.block).is_some(),
            _ => inside(Some(depth), top.barrier).is_some(),
        };
        is_ended.then_some(depth)
    }

    /// From which depth on the end tag of any heading ends what is open.
    pub(super) fn heading(&self) -> Option<usize> {
        inside(self.by_kind[HEADING].last().copied(), self.frames.last()?.barrier)
    }

    pub(super) fn is_in_drawing(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_in_drawing)
    }

    pub(super) fn is_in_hidden(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_in_hidden)
    }

    pub(super) fn is_in_title(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_title)
    }
}
