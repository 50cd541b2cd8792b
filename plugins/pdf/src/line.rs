//! One line: glyphs on a common baseline, and the text that they are.

use hayro_interpret::kurbo::{Point, Vec2};

use crate::glyphs::Placed;

/// A gap of more than this share of the size parts two words. A space of most fonts is 0.25, and justified lines shrink it.
const WORD_GAP: f64 = 0.15;
/// Baselines this near, as a share of the size, are one: sub- and superscripts stay in their line.
const SAME_BASELINE: f64 = 0.5;
/// An accent belongs to the letter with which it shares more than this part of its width.
const ACCENT_OVERLAP: f64 = 0.3;

/// A raised digit is smaller than its word by this factor ...
const RAISED_SIZE: f64 = 0.85;
/// ... and higher by more than this share of the word's size.
const RAISED_BY: f64 = 0.2;

/// One line in the making.
#[derive(Debug)]
pub(crate) struct Line<'t> {
    /// A unit vector along the baseline.
    pub(crate) direction: Vec2,
    /// A point of the baseline of its largest glyph.
    pub(crate) origin: Point,
    /// Its largest size.
    pub(crate) size: f64,
    pieces: Vec<Piece<'t>>,
}

/// A glyph of a line.
#[derive(Debug, Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    /// Where it lies along the baseline, `start <= end`.
    start: f64,
    end: f64,
    /// How high its baseline lies, from any fixed place.
    height: f64,
    size: f64,
}

/// The direction of a glyph; left to right where it has no width.
pub(crate) fn direction(glyph: &Placed) -> Option<Vec2> {
    let step = glyph.end - glyph.start;
    (step.hypot() > 1e-6 * glyph.size).then(|| step.normalize())
}

impl<'t> Line<'t> {
    /// The line that begins with `glyph`, whose characters are `text`.
    pub(crate) fn new(glyph: &Placed, text: &'t str) -> Self {
        let direction = direction(glyph).unwrap_or(Vec2::new(1.0, 0.0));
        let mut line = Self { direction, origin: glyph.start, size: glyph.size, pieces: Vec::new() };
        line.push(glyph, text);
        line
    }

    /// Adds a glyph.
    pub(crate) fn push(&mut self, glyph: &Placed, text: &'t str) {
        if glyph.size > self.size {
            (self.size, self.origin) = (glyph.size, glyph.start);
        }
        let (start, end) = (self.along(glyph.start), self.along(glyph.end));
        let height = -glyph.start.to_vec2().dot(self.down());
        self.pieces.push(Piece { text, start: start.min(end), end: start.max(end), height, size: glyph.size });
    }

    /// Whether `glyph` goes on with this line.
    pub(crate) fn takes(&self, glyph: &Placed, text: &str) -> bool {
        let turned = direction(glyph).is_some_and(|direction| direction.dot(self.direction) < 0.95);
        let apart = self.below(glyph.start).abs() > SAME_BASELINE * self.size.max(glyph.size);
        // A step back is a new line on the old height, as in tables drawn by columns; but text from right to left goes
        // back all the time, and accents go back a little.
        let last = self.pieces.last().map_or(f64::NEG_INFINITY, |piece| piece.start);
        let back = self.along(glyph.start) < last - glyph.size && !text.contains(is_right_to_left);
        !turned && !apart && !back
    }

    /// How far a point lies below the baseline.
    pub(crate) fn below(&self, point: Point) -> f64 {
        (point - self.origin).dot(self.down())
    }

    const fn down(&self) -> Vec2 {
        Vec2::new(self.direction.y, -self.direction.x)
    }

    fn along(&self, point: Point) -> f64 {
        point.to_vec2().dot(self.direction)
    }

    /// The text of the line in the order of reading, words parted by one blank.
    pub(crate) fn text(mut self) -> String {
        if self.pieces.iter().any(|piece| piece.text.contains(is_right_to_left)) {
            self.pieces.sort_by(|one, other| one.start.total_cmp(&other.start));
            return reading_order(words(&self.pieces));
        }
        let mut text = String::new();
        for piece in words(&self.pieces) {
            text.push_str(&piece);
        }
        collapsed(&text)
    }
}

/// The pieces with blanks between those that lie apart, and accents put behind their letters.
fn words(pieces: &[Piece<'_>]) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(pieces.len());
    let mut accent: Option<(char, Piece<'_>)> = None;
    let mut before: Option<Piece<'_>> = None;
    for piece in pieces {
        let gap = before.map_or(0.0, |before| (piece.start - before.end).max(before.start - piece.end));
        let apart = gap > WORD_GAP * before.map_or(piece.size, |before| before.size.max(piece.size));
        if apart || before.is_some_and(|before| is_note(&before, piece) || is_note(piece, &before)) {
            words.push(" ".into());
        }
        words.push(piece.text.into());
        let place = words.len() - 1;
        if let Some((mark, over)) = accent.take()
            && overlap(&over, piece) > ACCENT_OVERLAP
            && piece.text.starts_with(char::is_alphabetic)
        {
            // The accent was drawn first: it goes behind the first letter of this piece.
            let letter = piece.text.chars().next().map_or(0, char::len_utf8);
            words[place].insert(letter, mark);
            if let Some(drawn) = words[..place].iter_mut().rev().find(|word| *word != " ") {
                drawn.clear();
            }
        } else if let Some(mark) = combining(piece.text) {
            match before {
                Some(letter)
                    if letter.text.ends_with(char::is_alphabetic) && overlap(piece, &letter) > ACCENT_OVERLAP =>
                {
                    words[place] = mark.into();
                }
                _ => accent = Some((mark, *piece)),
            }
        }
        before = Some(*piece);
    }
    words
}

/// Whether `mark` is a raised small digit at `word`: a mark of a note, which is no part of the word or number, or an
/// exponent, which is none either.
fn is_note(word: &Piece<'_>, mark: &Piece<'_>) -> bool {
    mark.text.chars().all(|c| c.is_ascii_digit())
        && word.text.contains(char::is_alphanumeric)
        && mark.size < RAISED_SIZE * word.size
        && mark.height > word.height + RAISED_BY * word.size
}

/// The part of `accent`'s width that lies over `letter`.
fn overlap(accent: &Piece<'_>, letter: &Piece<'_>) -> f64 {
    let width = accent.end - accent.start;
    if width > 0.0 { (accent.end.min(letter.end) - accent.start.max(letter.start)) / width } else { 0.0 }
}

/// The combining form of an accent that stands by itself, as old TeX fonts draw it over a letter.
fn combining(text: &str) -> Option<char> {
    Some(match text {
        "`" => '\u{300}',
        "´" => '\u{301}',
        "ˆ" => '\u{302}',
        "˜" => '\u{303}',
        "¯" => '\u{304}',
        "˘" => '\u{306}',
        "˙" => '\u{307}',
        "¨" => '\u{308}',
        "˚" => '\u{30a}',
        "˝" => '\u{30b}',
        "ˇ" => '\u{30c}',
        "¸" => '\u{327}',
        "˛" => '\u{328}',
        _ => return None,
    })
}

/// Hebrew, Arabic and their neighbours, with their presentation forms.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

/// From the order on the page, left to right, to the order of reading: a plain form of the bidirectional algorithm.
fn reading_order(mut words: Vec<String>) -> String {
    let turns = |word: &String| word.contains(is_right_to_left);
    let stays = |word: &String| !turns(word) && word.contains(char::is_alphanumeric);
    let (right, left) =
        words.iter().fold((0, 0), |(r, l), word| (r + u32::from(turns(word)), l + u32::from(stays(word))));
    if right >= left {
        words.reverse();
        reverse_runs(&mut words, stays);
    } else {
        reverse_runs(&mut words, turns);
    }
    collapsed(&words.concat())
}

/// Reverses each run from one that is `kind` to the last before something that is of the other kind.
fn reverse_runs(words: &mut [String], kind: impl Fn(&String) -> bool) {
    let mut run: Option<(usize, usize)> = None;
    for place in 0..words.len() {
        if kind(&words[place]) {
            run = Some((run.map_or(place, |(first, _)| first), place));
        } else if words[place].contains(char::is_alphanumeric)
            && let Some((first, last)) = run.take()
        {
            words[first..=last].reverse();
        }
    }
    if let Some((first, last)) = run {
        words[first..=last].reverse();
    }
}

fn collapsed(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of glyphs of size 10 on the baseline: text, start and width.
    fn line(glyphs: &[(&str, f64, f64)]) -> String {
        let placed = |(_, start, width): &(&str, f64, f64)| Placed {
            text: 0..0,
            start: Point::new(*start, 0.0),
            end: Point::new(start + width, 0.0),
            size: 10.0,
        };
        let mut line = Line::new(&placed(&glyphs[0]), glyphs[0].0);
        for glyph in &glyphs[1..] {
            assert!(line.takes(&placed(glyph), glyph.0), "{glyph:?} begins a line");
            line.push(&placed(glyph), glyph.0);
        }
        line.text()
    }

    #[test]
    fn gaps_and_blanks_part_words_once() {
        assert_eq!(line(&[("a", 0.0, 5.0), ("b", 5.5, 5.0), ("c", 13.0, 5.0)]), "ab c");
        assert_eq!(line(&[("a", 0.0, 5.0), (" ", 5.0, 2.5), (" ", 7.5, 2.5), ("b", 14.0, 5.0)]), "a b");
    }

    #[test]
    fn marks_of_notes_are_no_part_of_words() {
        let placed = |x: f64, y: f64, size: f64| Placed {
            text: 0..0,
            start: Point::new(x, y),
            end: Point::new(x + size / 2.0, y),
            size,
        };
        let mut note = Line::new(&placed(0.0, 4.0, 6.0), "1");
        note.push(&placed(3.0, 0.0, 10.0), "a");
        note.push(&placed(8.0, 4.0, 6.0), "2");
        note.push(&placed(11.0, 0.0, 10.0), "b");
        note.push(&placed(16.0, -2.0, 6.0), "3");
        assert_eq!(note.text(), "1 a 2 b3");
    }

    #[test]
    fn accents_are_put_behind_their_letters() {
        assert_eq!(line(&[("f", 0.0, 3.0), ("¨", 3.0, 5.0), ("u", 3.0, 5.0), ("r", 8.0, 4.0)]), "fu\u{308}r");
        assert_eq!(line(&[("e", 0.0, 5.0), ("´", 0.5, 4.0), ("t", 5.0, 3.0)]), "e\u{301}t");
        assert_eq!(line(&[("a", 0.0, 5.0), ("`", 5.0, 4.0), ("b", 9.0, 5.0)]), "a`b");
    }

    #[test]
    fn text_from_right_to_left_is_read_so() {
        let visual = [("ם", 0.0, 5.0), ("ו", 5.0, 5.0), ("ל", 10.0, 5.0), ("ש", 15.0, 5.0)];
        assert_eq!(line(&visual), "שלום");
        let logical: Vec<_> = visual.iter().rev().copied().collect();
        assert_eq!(line(&logical), "שלום");
        let mixed = [("4", 0.0, 5.0), ("2", 5.0, 5.0), ("ב", 14.0, 5.0), ("א", 19.0, 5.0)];
        assert_eq!(line(&mixed), "אב 42");
        let quoted = [("s", 0.0, 5.0), ("e", 5.0, 5.0), ("e", 10.0, 5.0), ("ב", 19.0, 5.0), ("א", 24.0, 5.0)];
        assert_eq!(line(&quoted), "see אב");
    }

    #[test]
    fn a_step_down_or_back_ends_the_line() {
        let placed =
            |x: f64, y: f64| Placed { text: 0..0, start: Point::new(x, y), end: Point::new(x + 5.0, y), size: 10.0 };
        let line = Line::new(&placed(100.0, 0.0), "a");
        assert!(line.takes(&placed(105.0, 3.0), "2") && line.takes(&placed(300.0, 0.0), "b"));
        assert!(!line.takes(&placed(105.0, -12.0), "b") && !line.takes(&placed(50.0, 0.0), "b"));
        let upwards = Placed { end: Point::new(105.0, 5.0), ..placed(105.0, 0.0) };
        assert!(!line.takes(&upwards, "b"));
    }
}
