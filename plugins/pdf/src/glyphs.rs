//! What a page draws, as glyphs with their places.

use std::collections::HashSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Vec2};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};

use crate::fault::Fault;
use crate::reader::abandon;

/// One glyph. Places are in units of the page, with `y` upwards.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    /// Its characters, as a range of [`Drawn::text`].
    pub(crate) text: Range<usize>,
    /// Where it begins on the baseline.
    pub(crate) start: Point,
    /// Where the next one would begin.
    pub(crate) end: Point,
    /// The size of its font, above 0.
    pub(crate) size: f64,
}

/// What a page drew.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    /// The characters of all glyphs.
    pub(crate) text: String,
    /// The glyphs, in the order in which they were drawn.
    pub(crate) glyphs: Vec<Placed>,
    /// Glyphs of which nobody can tell the characters.
    pub(crate) unknown: usize,
    /// Whether it drew anything at all.
    pub(crate) anything: bool,
}

/// What the reading of one file may cost.
#[derive(Debug)]
pub(crate) struct Budget {
    glyphs: u64,
    steps: u64,
    content: u64,
    end: Instant,
}

/// Glyphs of one file. The text of the longest books is a tenth of this.
const MAX_GLYPHS: u64 = 50_000_000;
/// Glyphs of one page, which are kept until it is laid out: some 100 bytes each.
const MAX_PAGE_GLYPHS: usize = 2_000_000;
/// Drawing steps that any file may take, and those that it may take more for each of its bytes. A step takes some ten bytes
/// and packs to one or two; a letterhead that all pages share takes none.
const MAX_STEPS: (u64, u64) = (10_000_000, 20);
/// Steps that a clip counts for: every form is clipped, and forms that draw forms that draw forms take no bytes.
const CLIP: u64 = 20;
/// Unpacked bytes of all pages of one file.
const MAX_CONTENT: u64 = 1 << 30;
/// Time for one file. None that was met takes a tenth of it; it ends what the other limits do not.
const MAX_TIME: Duration = Duration::from_secs(120);

impl Budget {
    /// The whole of it, from now on, for a file of `length` bytes.
    pub(crate) fn new(length: usize) -> Self {
        let steps = MAX_STEPS.0.saturating_add(MAX_STEPS.1.saturating_mul(length as u64));
        Self { glyphs: MAX_GLYPHS, steps, content: MAX_CONTENT, end: Instant::now() + MAX_TIME }
    }

    /// Takes the content of a page from it.
    pub(crate) fn page(&mut self, length: usize) -> Result<(), Fault> {
        let left = self.content.checked_sub(length as u64);
        self.content = left.ok_or(Fault::TooMuch("its pages unpack to more than 1 GiB"))?;
        Ok(())
    }

    fn step(&mut self, cost: u64) {
        let left = self.steps.checked_sub(cost);
        self.steps = left.unwrap_or_else(|| abandon(Fault::TooMuch("it takes too many drawing steps for its size")));
        if Instant::now() > self.end {
            abandon(Fault::TooMuch("it takes more than 2 minutes"));
        }
    }

    fn glyph(&mut self) {
        self.glyphs = self.glyphs.checked_sub(1).unwrap_or_else(|| abandon(Fault::TooMuch("50 million characters")));
    }
}

/// Collects the glyphs of one page.
pub(crate) struct Collector<'b> {
    drawn: Drawn,
    budget: &'b mut Budget,
    /// First character, size and place of each glyph, the place in steps that depend on the size: what is drawn twice (for
    /// weight, for an outline) is read once.
    seen: HashSet<(char, u64, i64, i64)>,
}

/// The library's unit of glyph space.
const EM: f64 = 1000.0;
/// Two equal glyphs nearer than this share of their size are one, and farther than twice this two. Narrow letters are 0.2
/// wide, and what is drawn twice for weight is moved by 0.02 to 0.05.
const SAME_PLACE: f64 = 0.05;

impl<'b> Collector<'b> {
    /// For a page that draws within `budget`.
    pub(crate) fn new(budget: &'b mut Budget) -> Self {
        Self { drawn: Drawn::default(), budget, seen: HashSet::new() }
    }

    /// What was drawn.
    pub(crate) fn finish(self) -> Drawn {
        self.drawn
    }

    fn add(&mut self, glyph: &Glyph<'_>, transform: Affine, mode: WritingMode) {
        self.budget.glyph();
        if self.seen.len() >= MAX_PAGE_GLYPHS {
            abandon(Fault::TooMuch("2 million characters on one page"));
        }
        let (start, size) =
            (transform * Point::ZERO, (transform * Point::new(0.0, EM) - transform * Point::ZERO).hypot());
        let step = match (mode, glyph) {
            (WritingMode::Vertical, _) => Vec2::new(0.0, -EM),
            (_, Glyph::Outline(glyph)) => Vec2::new(glyph.advance_width().unwrap_or_default().into(), 0.0),
            (_, Glyph::Type3(glyph)) => Vec2::new(glyph.advance_width().unwrap_or_default().into(), 0.0),
        };
        // Rounded to the precision of the file's numbers: equal sizes are equal.
        let size = f64::from(size as f32);
        let end = transform * step.to_point();
        if !(start.is_finite() && end.is_finite() && size.is_finite() && size > 0.0) {
            return;
        }
        let from = self.drawn.text.len();
        match glyph.as_unicode() {
            None | Some(BfString::Char(char::REPLACEMENT_CHARACTER)) => self.drawn.unknown += 1,
            Some(BfString::Char(c)) => self.drawn.text.push(plain(c)),
            Some(BfString::String(text)) => self.drawn.text.extend(text.chars().map(plain)),
        }
        // None where a font says so: one glyph of several then stands for the letters of all.
        let Some(first) = self.drawn.text[from..].chars().next() else { return };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "places outside the range meet at its ends, which does no harm"
        )]
        let cell = |place: f64| (place / (size * SAME_PLACE)).round() as i64;
        let (x, y, font) = (cell(start.x), cell(start.y), size.to_bits());
        let near = |d: i64| (-1..=1).map(move |e| (x.saturating_add(d), y.saturating_add(e)));
        let is_new = !(-1..=1).flat_map(near).any(|(x, y)| self.seen.contains(&(first, font, x, y)));
        self.seen.insert((first, font, x, y));
        if is_new {
            self.drawn.glyphs.push(Placed { text: from..self.drawn.text.len(), start, end, size });
        } else {
            self.drawn.text.truncate(from);
        }
    }

    fn step(&mut self) {
        self.drawn.anything = true;
        self.budget.step(1);
    }
}

/// Control characters and all kinds of white space are blanks here: lines are made later.
fn plain(c: char) -> char {
    if c.is_control() || c.is_whitespace() { ' ' } else { c }
}

impl Device<'_> for Collector<'_> {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {
        self.step();
    }

    fn push_clip_path(&mut self, _: &ClipPath) {
        self.budget.step(CLIP);
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {
        self.budget.step(1);
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, _: &DrawMode) {
        self.step();
        for glyph in run.glyphs() {
            self.add(glyph, props.transform * glyph.transform(), run.writing_mode());
        }
    }

    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {
        self.step();
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}
