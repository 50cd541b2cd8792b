//! Which units stand together before sizes force a cut.

use std::ops::Range;

use super::pack::{Piece, Seam, pack};
use super::units::{Kind, Unit};

/// A heading with what stands under it, up to the next heading of any level.
struct Section {
    /// First of its units.
    unit: usize,
    /// First byte.
    start: usize,
    /// 0 for the text before the first heading, which stands above all headings.
    level: u8,
    tokens: usize,
    /// Whether it is a heading and nothing else.
    is_bare: bool,
    /// The first section behind it that is not below it.
    end: usize,
}

/// Short sections whole, long ones by their subsections: see [`Strategy::Recursive`](super::Strategy::Recursive). Returns
/// ranges of units.
pub(super) fn by_size(text: &str, units: &[Unit<'_>], max_tokens: usize) -> Vec<Range<usize>> {
    let sections = sections(units);
    let plan = Plan { text, sections: &sections, max_tokens };
    let mut stretches = Vec::new();
    if plan.tokens(0..sections.len()) <= plan.short() {
        stretches.push(0..sections.len());
    } else {
        plan.place(0..sections.len(), &mut stretches);
        bare_ends_move_on(&sections, &mut stretches);
    }
    to_units(&sections, units.len(), stretches)
}

/// An empty section at the end of a stretch goes to the next one: a heading without text says nothing there.
fn bare_ends_move_on(sections: &[Section], stretches: &mut Vec<Range<usize>>) {
    // For each section how many empty ones end with it: counted once, since whole documents may be empty sections.
    let mut run = 0;
    let count = |section: &Section| {
        run = if section.is_bare { run + 1 } else { 0 };
        run
    };
    let bare: Vec<usize> = sections.iter().map(count).collect();
    for next in 1..stretches.len() {
        let Range { start, end } = stretches[next - 1];
        let moving = bare[end - 1].min(end - start);
        stretches[next - 1].end -= moving;
        stretches[next].start -= moving;
    }
    stretches.retain(|stretch| !stretch.is_empty());
}

/// One stretch for each section at `level` or above it: see [`Strategy::Heading`](super::Strategy::Heading).
pub(super) fn by_level(units: &[Unit<'_>], level: u8) -> Vec<Range<usize>> {
    let sections = sections(units);
    let mut stretches: Vec<Range<usize>> = Vec::new();
    let mut only_headings = true;
    for (index, section) in sections.iter().enumerate() {
        match stretches.last_mut() {
            // A heading goes with the first section that has text.
            Some(last) if section.level > level || only_headings => last.end = index + 1,
            _ => {
                stretches.push(index..index + 1);
                only_headings = true;
            }
        }
        only_headings = only_headings && section.is_bare;
    }
    to_units(&sections, units.len(), stretches)
}

fn sections(units: &[Unit<'_>]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        match (unit.kind, sections.last_mut()) {
            (Kind::Heading(level), _) => sections.push(Section::new(index, unit, level, true)),
            (_, None) => sections.push(Section::new(index, unit, 0, false)),
            (_, Some(last)) => {
                last.tokens += unit.tokens;
                last.is_bare = false;
            }
        }
    }
    let mut open: Vec<usize> = Vec::new();
    for index in 0..sections.len() {
        while let Some(&above) = open.last()
            && sections[above].level >= sections[index].level
        {
            sections[above].end = index;
            open.pop();
        }
        open.push(index);
    }
    for index in open {
        sections[index].end = sections.len();
    }
    sections
}

impl Section {
    fn new(index: usize, unit: &Unit<'_>, level: u8, is_bare: bool) -> Self {
        Self { unit: index, start: unit.span.start, level, tokens: unit.tokens, is_bare, end: index }
    }
}

fn to_units(sections: &[Section], units: usize, stretches: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let first_unit = |section: usize| sections.get(section).map_or(units, |section| section.unit);
    stretches.into_iter().map(|range| first_unit(range.start)..first_unit(range.end)).collect()
}

struct Plan<'a> {
    text: &'a str,
    sections: &'a [Section],
    max_tokens: usize,
}

impl Plan<'_> {
    /// A section up to this size is one passage with all that is below it.
    const fn short(&self) -> usize {
        self.max_tokens / 2
    }

    /// A section up to this size shares its passage with its neighbours.
    const fn very_short(&self) -> usize {
        self.max_tokens / 8
    }

    /// An introduction up to this size goes with the first subsection.
    const fn lead_in(&self) -> usize {
        self.max_tokens / 16
    }

    fn tokens(&self, range: Range<usize>) -> usize {
        self.sections[range].iter().map(|section| section.tokens).sum()
    }

    /// Divides the sections of `range`, which are whole trees. The recursion is as deep as heading levels go, and counts each
    /// section once a level.
    fn place(&self, range: Range<usize>, out: &mut Vec<Range<usize>>) {
        let mut tiny: Vec<(Range<usize>, usize)> = Vec::new();
        let mut index = range.start;
        while index < range.end {
            let tree = index..self.sections[index].end;
            index = tree.end;
            let tokens = self.tokens(tree.clone());
            if tokens <= self.very_short() {
                tiny.push((tree, tokens));
                continue;
            }
            self.place_tiny(std::mem::take(&mut tiny), out);
            if tokens <= self.short() || tree.len() == 1 {
                out.push(tree);
                continue;
            }
            let head = out.len();
            out.push(tree.start..tree.start + 1);
            self.place(tree.start + 1..tree.end, out);
            self.lead_in_joins(head, out);
        }
        self.place_tiny(tiny, out);
    }

    /// Neighbours under one parent, each very short, share passages that are short.
    fn place_tiny(&self, tiny: Vec<(Range<usize>, usize)>, out: &mut Vec<Range<usize>>) {
        let piece = |(tree, tokens): &(Range<usize>, usize)| Piece {
            start: self.sections[tree.start].start,
            tokens: *tokens,
            seam: Seam::Section,
        };
        let pieces: Vec<_> = tiny.iter().map(piece).collect();
        let mut rest = tiny.as_slice();
        for count in pack(self.text, &pieces, self.short()) {
            let (together, others) = rest.split_at(count);
            if let (Some((first, _)), Some((last, _))) = (together.first(), together.last()) {
                out.push(first.start..last.end);
            }
            rest = others;
        }
    }

    /// Puts `out[head]` together with the stretch behind it, if it says too little to stand alone.
    fn lead_in_joins(&self, head: usize, out: &mut Vec<Range<usize>>) {
        let Some(next) = out.get(head + 1).cloned() else { return };
        let section = &self.sections[out[head].start];
        let may_join = section.tokens <= self.lead_in();
        if may_join && section.tokens + self.tokens(next.clone()) <= self.max_tokens {
            out[head].end = next.end;
            out.remove(head + 1);
        }
    }
}
