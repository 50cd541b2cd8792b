//! How much of what lies below each element.

use std::ops::{AddAssign, Sub};

use crate::elements::Element;
use crate::tree::Page;

/// What a part of a page holds.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    /// Characters that are not white space.
    pub characters: u32,
    /// Those of them that stand in links.
    pub linked: u32,
    /// Headings of any level.
    pub headings: u32,
    /// Headings of level 1.
    pub titles: u32,
    /// Tables.
    pub tables: u32,
    /// Header cells and captions of tables.
    pub header_cells: u32,
    /// Those of the characters that are preformatted.
    pub preformatted: u32,
    /// Elements that hold the content of the page, by their own word.
    pub mains: u32,
}

impl Amount {
    const fn fields(&mut self) -> [&mut u32; 8] {
        let Self { characters, linked, headings, titles, tables, header_cells, preformatted, mains } = self;
        [characters, linked, headings, titles, tables, header_cells, preformatted, mains]
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, mut other: Self) {
        for (sum, part) in self.fields().into_iter().zip(other.fields()) {
            *sum = sum.saturating_add(*part);
        }
    }
}

impl Sub for Amount {
    type Output = Self;

    fn sub(mut self, mut other: Self) -> Self {
        for (rest, part) in self.fields().into_iter().zip(other.fields()) {
            *rest = rest.saturating_sub(*part);
        }
        self
    }
}

/// The amounts of a page, for any element in constant time.
pub(crate) struct Measures {
    /// For each node, what lies before it; at the end, what lies in the page.
    before: Vec<Amount>,
}

impl Measures {
    /// Measures all of the page that is not in an element which `is_left_out`.
    pub(crate) fn of(page: &Page, is_left_out: impl Fn(usize) -> bool) -> Self {
        let mut before = Vec::with_capacity(page.nodes.len() + 1);
        let mut sum = Amount::default();
        let (mut shown_from, mut linked_until, mut preformatted_until) = (0, 0, 0);
        for (index, node) in page.nodes.iter().enumerate() {
            before.push(sum);
            if index >= shown_from && (node.is_hidden || is_left_out(index)) {
                shown_from = node.end;
            }
            if index < shown_from {
                continue;
            }
            match node.element {
                Element::Anchor => linked_until = linked_until.max(node.end),
                Element::Preformatted => preformatted_until = preformatted_until.max(node.end),
                _ => {}
            }
            let mut own = own(page, index);
            own.linked = if index < linked_until { own.characters } else { 0 };
            own.preformatted = if index < preformatted_until { own.characters } else { 0 };
            sum += own;
        }
        before.push(sum);
        Self { before }
    }

    /// What lies in the nodes from `start` to before `end`.
    pub(crate) fn between(&self, start: usize, end: usize) -> Amount {
        let at = |index: usize| self.before.get(index).copied().unwrap_or_default();
        at(end) - at(start)
    }

    /// What the page holds.
    pub(crate) fn whole(&self) -> Amount {
        self.between(0, self.before.len().saturating_sub(1))
    }
}

/// What the node itself adds, wherever it stands.
fn own(page: &Page, index: usize) -> Amount {
    let mut own = Amount::default();
    match page.nodes[index].element {
        Element::Text => {
            let letters = page.text(index).chars().filter(|c| !c.is_whitespace()).count();
            own.characters = u32::try_from(letters).unwrap_or(u32::MAX);
        }
        Element::Heading(level) => {
            own.headings = 1;
            own.titles = u32::from(level == 1);
        }
        Element::Table => own.tables = 1,
        Element::HeaderCell | Element::Caption => own.header_cells = 1,
        Element::Main | Element::Article => own.mains = 1,
        _ => {}
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_parts() {
        let page =
            Page::read("<div>ab<a>cd<b>é</b></a></div><h1>x</h1><p hidden>no</p><main><pre>y</pre></main>", false);
        let measures = Measures::of(&page, |_| false);
        let first = measures.between(0, page.nodes[0].end);
        assert_eq!(first, Amount { characters: 5, linked: 3, ..Amount::default() });
        let whole =
            Amount { characters: 7, linked: 3, headings: 1, titles: 1, preformatted: 1, mains: 1, ..Amount::default() };
        assert_eq!(measures.whole(), whole);
    }
}
