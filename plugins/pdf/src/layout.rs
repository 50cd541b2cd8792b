//! From the glyphs of a page to lines, and where paragraphs begin.

use std::collections::BTreeMap;

use hayro_interpret::kurbo::Vec2;

use crate::glyphs::Drawn;
use crate::line::Line;

/// A line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// Its text: not empty, no line end in it, no blank at its ends.
    pub(crate) text: String,
    /// Whether a paragraph begins with it.
    pub(crate) begins: bool,
}

/// A distance of more than so many times the usual one parts two paragraphs.
const PARAGRAPH_GAP: f64 = 1.25;
/// No distance of lines is usual that is more than so many times their size.
const WIDEST_LEADING: f64 = 3.0;
/// Sizes within this factor are one font's.
const SAME_SIZE: f64 = 1.15;

/// What a line was, once its text is made.
struct Shape {
    direction: Vec2,
    size: f64,
    /// How far below the line before it lies.
    leading: f64,
}

/// The lines of a page in the order in which they were drawn.
pub(crate) fn lines(drawn: &Drawn) -> Vec<TextLine> {
    let mut open: Option<Line<'_>> = None;
    let mut done = Vec::new();
    for glyph in &drawn.glyphs {
        let text = &drawn.text[glyph.text.clone()];
        match &mut open {
            Some(line) if line.takes(glyph, text) => line.push(glyph, text),
            // A blank begins no line, and does not end one either.
            _ if text.trim().is_empty() => {}
            _ => done.extend(open.replace(Line::new(glyph, text))),
        }
    }
    done.extend(open);
    let shape = |(place, line): (usize, &Line<'_>)| {
        let leading = place.checked_sub(1).map_or(0.0, |above| done[above].below(line.origin));
        Shape { direction: line.direction, size: line.size, leading }
    };
    let shapes: Vec<Shape> = done.iter().enumerate().map(shape).collect();
    let texts: Vec<String> = done.into_iter().map(Line::text).collect();
    let usual = usual_leading(&shapes);
    let begins = |place: usize| {
        let above = place.checked_sub(1);
        above.is_none_or(|above| {
            begins_paragraph((&shapes[above], &texts[above]), (&shapes[place], &texts[place]), usual)
        })
    };
    let begins: Vec<bool> = (0..texts.len()).map(begins).collect();
    let lines = texts.into_iter().zip(begins).map(|(text, begins)| TextLine { text, begins });
    lines.filter(|line| !line.text.is_empty()).collect()
}

/// The most frequent distance of two lines of a page, in halves of its unit; none where there are no two.
fn usual_leading(shapes: &[Shape]) -> Option<f64> {
    let mut counts = BTreeMap::new();
    let lies_below = |shape: &&Shape| shape.leading > 0.5 * shape.size && shape.leading < WIDEST_LEADING * shape.size;
    for shape in shapes.iter().filter(lies_below) {
        #[expect(clippy::cast_possible_truncation, reason = "sizes past the range meet at its end, which does no harm")]
        let halves = (shape.leading * 2.0).round() as i64;
        *counts.entry(halves).or_insert(0_usize) += 1;
    }
    // Of equally frequent ones the narrowest.
    let most = counts.iter().rev().max_by_key(|(_, count)| **count);
    #[expect(clippy::cast_precision_loss, reason = "it was such a float before")]
    most.map(|(halves, _)| *halves as f64 / 2.0)
}

fn begins_paragraph(above: (&Shape, &str), this: (&Shape, &str), usual: Option<f64>) -> bool {
    let (shape, text) = this;
    let ratio = shape.size / above.0.size;
    if !(1.0 / SAME_SIZE..=SAME_SIZE).contains(&ratio) || shape.direction.dot(above.0.direction) < 0.95 {
        return true;
    }
    let usual = usual.unwrap_or(1.2 * shape.size).max(shape.size);
    let leading = shape.leading;
    let near = leading > -0.3 * shape.size && leading <= PARAGRAPH_GAP * usual;
    // Up is the next column: within a sentence it is the same paragraph.
    let within = above.1.ends_with(|c: char| c.is_alphanumeric() || ",;-\u{2010}\u{ad}".contains(c))
        && text.starts_with(char::is_lowercase);
    !(near || within && leading < 0.0)
}

#[cfg(test)]
mod tests {
    use hayro_interpret::kurbo::Point;

    use super::*;
    use crate::glyphs::Placed;

    /// A page of lines: left end, height and text, in a font of size 10 with letters 5 wide.
    fn page(rows: &[(f64, f64, &str)]) -> Vec<TextLine> {
        let mut drawn = Drawn::default();
        for (x, y, text) in rows {
            for (place, letter) in text.chars().enumerate() {
                let from = drawn.text.len();
                drawn.text.push(letter);
                let start = Point::new(x + 5.0 * place as f64, *y);
                let end = start + Vec2::new(5.0, 0.0);
                drawn.glyphs.push(Placed { text: from..drawn.text.len(), start, end, size: 10.0 });
            }
        }
        lines(&drawn)
    }

    fn shown(lines: &[TextLine]) -> Vec<String> {
        lines.iter().map(|line| format!("{}{}", if line.begins { "¶" } else { "" }, line.text)).collect()
    }

    #[test]
    fn a_wide_gap_begins_a_paragraph() {
        let rows = [(0.0, 100.0, "One line"), (0.0, 88.0, "and one."), (0.0, 70.0, "Another"), (0.0, 58.0, "end.")];
        assert_eq!(shown(&page(&rows)), ["¶One line", "and one.", "¶Another", "end."]);
    }

    #[test]
    fn wide_leading_is_usual_where_all_have_it() {
        let rows = [(0.0, 100.0, "One"), (0.0, 76.0, "Two"), (0.0, 52.0, "Three"), (0.0, 10.0, "Four")];
        assert_eq!(shown(&page(&rows)), ["¶One", "Two", "Three", "¶Four"]);
    }

    #[test]
    fn a_sentence_goes_on_in_the_next_column() {
        let rows = [(0.0, 100.0, "One"), (0.0, 88.0, "goes"), (300.0, 100.0, "on."), (300.0, 88.0, "End")];
        assert_eq!(shown(&page(&rows)), ["¶One", "goes", "on.", "End"]);
        let rows = [(0.0, 100.0, "One"), (0.0, 88.0, "ends."), (300.0, 100.0, "Two"), (300.0, 88.0, "End")];
        assert_eq!(shown(&page(&rows)), ["¶One", "ends.", "¶Two", "End"]);
    }

    #[test]
    fn blanks_alone_are_no_line() {
        assert!(page(&[(0.0, 100.0, "  "), (0.0, 80.0, " ")]).is_empty());
        assert_eq!(shown(&page(&[(0.0, 100.0, " "), (0.0, 80.0, "a "), (0.0, 40.0, "  ")])), ["¶a"]);
    }
}
