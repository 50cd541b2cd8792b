//! A place in a text that moves forward.

#[derive(Debug, Clone)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    /// A character boundary of `text`.
    at: usize,
}

/// More letters are no unit, and no month.
const MAX_LETTERS: usize = 16;

impl<'t> Cursor<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Goes back to a place that [`Self::at`] told, or on to one that is known for a boundary.
    pub(super) const fn set(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn since(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn before(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    pub(super) fn next(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn skip_while(&mut self, mut holds: impl FnMut(char) -> bool) {
        while self.peek().is_some_and(&mut holds) {
            self.next();
        }
    }

    /// Behind the next `end`, or to the end of the text.
    pub(super) fn skip_past(&mut self, end: char) {
        self.skip_while(|c| c != end);
        self.next();
    }

    /// Digits as a number, and how many there are: 1 to 18.
    pub(super) fn number(&mut self) -> Option<(u64, usize)> {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit());
        let written = self.since(start);
        match written.len() {
            1..=18 => Some((written.parse().ok()?, written.len())),
            _ => None,
        }
    }

    /// A few letters, as written.
    pub(super) fn letters(&mut self) -> &'t str {
        let start = self.at;
        let mut left = MAX_LETTERS;
        self.skip_while(|c| {
            let goes_on = c.is_alphabetic() && left > 0;
            left = left.saturating_sub(1);
            goes_on
        });
        self.since(start)
    }

    /// One stretch of white space or none.
    pub(super) fn spaces(&mut self) {
        self.skip_while(char::is_whitespace);
    }

    /// The letters behind the cursor and at most one blank, if `known` knows them; else the cursor stays.
    pub(super) fn eat_unit<T>(&mut self, known: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let start = self.at;
        let _ = self.eat(' ') || self.eat('\u{a0}') || self.eat('\n');
        let found = known(self.letters()).filter(|_| !self.is_inside_word());
        if found.is_none() {
            self.at = start;
        }
        found
    }

    /// Whether what was read goes on: a letter, or a joint with a letter or digit behind it.
    pub(super) fn is_inside_word(&self) -> bool {
        let mut next = self.rest().chars();
        match next.next() {
            Some(c) if c.is_alphanumeric() || c == '_' => true,
            Some('-' | '–' | '/' | ':' | '.') => next.next().is_some_and(char::is_alphanumeric),
            _ => false,
        }
    }
}
