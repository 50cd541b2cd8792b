//! Dates and times of day in the forms that notes use.

use super::cursor::Cursor;
use super::lexicon::Lexicon;
use super::values::Date;

/// `2024-01-02`, `2024/1/2`, `2.1.2024`, `02/01/2024`, `2 January 2024`, `2nd of Jan`, `2. Januar 2024`, `2 de enero de 2024`.
/// The cursor stays where there is none.
pub(super) fn digits_first(cursor: &mut Cursor<'_>, lexicon: &Lexicon) -> Option<Date> {
    let start = cursor.at();
    let date = in_digits(cursor);
    if date.is_none() {
        cursor.set(start);
    }
    let date = date.or_else(|| day_first(cursor, lexicon));
    if date.is_none() {
        cursor.set(start);
    }
    date
}

fn in_digits(cursor: &mut Cursor<'_>) -> Option<Date> {
    let (first, length) = cursor.number()?;
    let sign = cursor.peek().filter(|c| matches!(c, '-' | '/' | '.'))?;
    cursor.next();
    let (second, 1..=2) = cursor.number()? else { return None };
    if !cursor.eat(sign) {
        return None;
    }
    let (third, last) = cursor.number()?;
    let date = |year: u64, month: u64, day: u64, either_order| {
        let month = u8::try_from(month).ok().filter(|month| (1..=12).contains(month));
        let day = u8::try_from(day).ok().filter(|day| (1..=31).contains(day));
        Some(Date { year: Some(self::year(year)?), month: Some(month?), day: Some(day?), either_order })
    };
    match (length, last, sign) {
        (4, 1..=2, _) => {
            skip_time(cursor);
            date(first, second, third, false)
        }
        (1..=2, 4, '.') => date(third, second, first, false),
        (1..=2, 4, _) if second > 12 => date(third, first, second, false),
        (1..=2, 4, _) => date(third, second, first, first <= 12),
        _ => None,
    }
}

/// `T10:00:00Z`
fn skip_time(cursor: &mut Cursor<'_>) {
    if cursor.rest().starts_with('T') {
        cursor.skip_while(|c| c.is_ascii_digit() || matches!(c, 'T' | 'Z' | ':' | '.' | '+'));
    }
}

fn day_first(cursor: &mut Cursor<'_>, lexicon: &Lexicon) -> Option<Date> {
    let day = day(cursor)?;
    let _ = cursor.eat('.');
    cursor.spaces();
    of(cursor);
    let month = month(cursor, lexicon)?;
    let at = cursor.at();
    let _ = cursor.eat(',');
    cursor.spaces();
    of(cursor);
    let year = year_here(cursor, at);
    Some(Date { year, month: Some(month), day: Some(day), either_order: false })
}

/// `January 2, 2024`, `Jan. 2nd`, `January 2024`, `enero de 2024`. The cursor stays where there is none; a month alone is none,
/// since `May` and `March` are words.
pub(super) fn month_first(cursor: &mut Cursor<'_>, lexicon: &Lexicon) -> Option<Date> {
    let start = cursor.at();
    if cursor.before().is_some_and(char::is_alphanumeric) {
        return None;
    }
    let date = month(cursor, lexicon).and_then(|month| {
        cursor.spaces();
        of(cursor);
        let at = cursor.at();
        if let Some(year) = year_here(cursor, at) {
            return Some(Date { year: Some(year), month: Some(month), day: None, either_order: false });
        }
        let day = day(cursor)?;
        let at = cursor.at();
        let _ = cursor.eat(',');
        cursor.spaces();
        let year = year_here(cursor, at);
        Some(Date { year, month: Some(month), day: Some(day), either_order: false })
    });
    if date.is_none() {
        cursor.set(start);
    }
    date
}

/// A time of day in minutes: `9:30`, `21:30`, `9:30 pm`. The cursor stays where there is none.
pub(super) fn time(cursor: &mut Cursor<'_>) -> Option<u16> {
    let start = cursor.at();
    let found = (|| {
        let (hour @ 0..=23, 1..=2) = cursor.number()? else { return None };
        if !cursor.eat(':') {
            return None;
        }
        let (minute @ 0..=59, 2) = cursor.number()? else { return None };
        let half = cursor.eat_unit(|name| match name {
            "am" | "AM" => Some(0),
            "pm" | "PM" => Some(12),
            _ => None,
        });
        let hour = half.map_or(hour, |half| hour % 12 + half);
        u16::try_from(hour * 60 + minute).ok()
    })();
    if found.is_none() {
        cursor.set(start);
    }
    found
}

/// `2`, `2nd`.
fn day(cursor: &mut Cursor<'_>) -> Option<u8> {
    let (day @ 1..=31, 1..=2) = cursor.number()? else { return None };
    let at = cursor.at();
    if !matches!(cursor.letters(), "st" | "nd" | "rd" | "th" | "er") {
        cursor.set(at);
    }
    (!cursor.is_inside_word()).then(|| u8::try_from(day).ok()).flatten()
}

/// A month with a capital, or in a language that writes it small, with its full stop.
fn month(cursor: &mut Cursor<'_>, lexicon: &Lexicon) -> Option<u8> {
    let name = cursor.letters();
    if name.is_empty() || (name.len() < 4 && name.starts_with(char::is_lowercase)) {
        return None;
    }
    let month = lexicon.month(&name.to_lowercase())?;
    let _ = cursor.eat('.');
    Some(month)
}

/// Steps over `of` and `de`.
fn of(cursor: &mut Cursor<'_>) {
    let start = cursor.at();
    if matches!(cursor.letters(), "of" | "de") {
        cursor.spaces();
    } else {
        cursor.set(start);
    }
}

/// A year of four digits at the cursor; else the cursor goes to `back`.
fn year_here(cursor: &mut Cursor<'_>, back: usize) -> Option<u16> {
    let found = match cursor.number() {
        Some((number, 4)) if !cursor.is_inside_word() => year(number),
        _ => None,
    };
    if found.is_none() {
        cursor.set(back);
    }
    found
}

/// 1000 to 2999.
fn year(number: u64) -> Option<u16> {
    u16::try_from(number).ok().filter(|year| (1000..3000).contains(year))
}
