//! Where the values of a sentence stand.

use std::ops::Range;

use super::cursor::Cursor;
use super::dates;
use super::lexicon::Lexicon;
use super::values::{Dimension, Number, Value, Version};

/// A value and where it stands, or a stretch that is a name or an address however many digits it has.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) span: Range<usize>,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    Value(Value),
    /// Digits in a word, a range, a ratio: a name.
    Name,
    /// An address or the target of a link: says nothing.
    Address,
}

/// More digits are an id or a hash.
const MAX_DIGITS: usize = 15;

/// The values of `text`, one sentence, in order and not overlapping. Linear in `text`.
pub(super) fn scan(text: &str, lexicon: &Lexicon) -> Vec<Found> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(text);
    while let Some(c) = cursor.peek() {
        let start = cursor.at();
        let what = if c.is_ascii_digit() {
            Some(digits(&mut cursor, lexicon))
        } else if c.is_alphabetic() {
            word(&mut cursor, lexicon)
        } else if cursor.rest().starts_with("](") {
            cursor.skip_past(')');
            Some(What::Address)
        } else if let Some(role) = role(cursor.rest()) {
            // `:pep:`8``
            cursor.set(start + role);
            cursor.skip_past('`');
            Some(What::Name)
        } else if c == '<' && cursor.rest()[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            cursor.skip_past('>');
            Some(What::Address)
        } else {
            cursor.next();
            None
        };
        if let Some(what) = what {
            found.push(Found { span: start..cursor.at(), what });
        }
    }
    found
}

/// Bytes of the role and the backtick before the text of a reStructuredText role.
fn role(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix(':')?;
    let length = name.bytes().take_while(u8::is_ascii_lowercase).count();
    (length > 0 && name[length..].starts_with(":`")).then_some(length + 3)
}

/// A month, a version behind its `v`, an address; steps over any other word.
fn word(cursor: &mut Cursor<'_>, lexicon: &Lexicon) -> Option<What> {
    let rest = cursor.rest();
    if rest.starts_with("http://") || rest.starts_with("https://") {
        cursor.skip_while(|c| !c.is_whitespace() && !matches!(c, ')' | '>' | '"'));
        return Some(What::Address);
    }
    if let Some(date) = dates::month_first(cursor, lexicon) {
        return Some(What::Value(Value::Date(date)));
    }
    let at = cursor.at();
    if rest.starts_with(['v', 'V']) && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        cursor.next();
        if let Some(version) = version(cursor) {
            return Some(What::Value(Value::Version(version)));
        }
    }
    cursor.skip_while(|c| c.is_alphanumeric() || matches!(c, '_' | '\''));
    let mut has_digit = cursor.since(at).bytes().any(|byte| byte.is_ascii_digit());
    // `sha-256`, `src/v2/main.rs`: joints between words belong to one name.
    while cursor.peek().is_some_and(|c| matches!(c, '-' | '/' | '.' | ':' | '@' | '\\' | '+'))
        && cursor.rest()[1..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
    {
        cursor.next();
        let part = cursor.at();
        cursor.skip_while(|c| c.is_alphanumeric() || c == '_');
        has_digit |= cursor.since(part).bytes().any(|byte| byte.is_ascii_digit());
    }
    has_digit.then_some(What::Name)
}

/// What begins with a digit.
fn digits(cursor: &mut Cursor<'_>, lexicon: &Lexicon) -> What {
    let start = cursor.at();
    if let Some(value) = value(cursor, lexicon)
        && !cursor.is_inside_word()
    {
        return What::Value(value);
    }
    cursor.set(start);
    cursor.skip_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '–' | '/' | ':' | '.' | ','));
    What::Name
}

fn value(cursor: &mut Cursor<'_>, lexicon: &Lexicon) -> Option<Value> {
    if matches!(cursor.before(), Some('#' | '[' | '_' | '/' | '\\' | '=' | '^' | '~')) {
        return None;
    }
    if let Some(date) = dates::digits_first(cursor, lexicon) {
        return Some(Value::Date(date));
    }
    if let Some(minutes) = dates::time(cursor) {
        return Some(Value::Time(minutes));
    }
    let start = cursor.at();
    let money = cursor.before().filter(|c| matches!(c, '$' | '€' | '£' | '¥'));
    cursor.skip_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '_'));
    let written = cursor.since(start);
    let written = written.trim_end_matches(['.', ',', '_']);
    cursor.set(start + written.len());
    if written.bytes().filter(u8::is_ascii_digit).count() > MAX_DIGITS {
        return None;
    }
    let Some((value, rounding)) = number(written, lexicon) else {
        cursor.set(start);
        return version(cursor).map(Value::Version);
    };
    let (value, rounding) = exponent(cursor, value, rounding);
    let (unit, dimension) = match money {
        Some(sign) => (cursor.eat_unit(|name| (name == "k").then_some(1e3)).unwrap_or(1.0), Dimension::Money(sign)),
        None => unit(cursor).unwrap_or((1.0, Dimension::None)),
    };
    Some(Value::Number(Number { value: value * unit, rounding: rounding * unit, unit, dimension }))
}

/// The number that is written, and half of its last digit. `None` where the points in it part no thousands: a version.
fn number(written: &str, lexicon: &Lexicon) -> Option<(f64, f64)> {
    let (thousands, decimal) = if lexicon.decimal_comma { ('.', ',') } else { (',', '.') };
    let plain: String = written.chars().filter(|c| *c != '_').collect();
    let (whole, fraction) = match plain.matches(decimal).count() {
        0 => (plain.as_str(), ""),
        1 => plain.split_once(decimal)?,
        _ => return None,
    };
    let mut groups = whole.split(thousands);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let in_thousands = first.len() <= 3 && rest.iter().all(|group| group.len() == 3);
    if !rest.is_empty() && !in_thousands {
        // One sign of the other custom: `1.5` in a German text.
        if rest.len() == 1 && fraction.is_empty() && thousands == '.' {
            return Some((format!("{first}.{}", rest[0]).parse().ok()?, half(rest[0].len())));
        }
        return None;
    }
    if fraction.contains(|c: char| !c.is_ascii_digit()) {
        return None;
    }
    let digits: String = std::iter::once(first).chain(rest).collect();
    Some((format!("{digits}.{fraction}0").parse().ok()?, half(fraction.len())))
}

fn half(decimals: usize) -> f64 {
    0.5 * 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0))
}

/// `e3` behind a number.
fn exponent(cursor: &mut Cursor<'_>, value: f64, rounding: f64) -> (f64, f64) {
    let start = cursor.at();
    if cursor.eat('e') || cursor.eat('E') {
        let sign = if cursor.eat('-') { -1 } else { 1 };
        if let Some((power, 1..=2)) = cursor.number()
            && !cursor.is_inside_word()
        {
            let scale = 10_f64.powi(sign * i32::try_from(power).unwrap_or(0));
            return (value * scale, rounding * scale);
        }
    }
    cursor.set(start);
    (value, rounding)
}

/// `1.2.3-rc1`: parts of at most 9 digits.
fn version(cursor: &mut Cursor<'_>) -> Option<Version> {
    let start = cursor.at();
    let mut parts = Vec::new();
    loop {
        match cursor.number() {
            Some((part, 1..=9)) => parts.push(part),
            _ => {
                cursor.set(start);
                return None;
            }
        }
        if !(cursor.peek() == Some('.') && cursor.rest()[1..].starts_with(|c: char| c.is_ascii_digit())) {
            break;
        }
        cursor.next();
    }
    let mut suffix = String::new();
    let at = cursor.at();
    let _ = cursor.eat('-');
    if cursor.peek().is_some_and(|c| c.is_ascii_lowercase()) {
        let from = cursor.at();
        cursor.skip_while(|c| c.is_ascii_alphanumeric());
        suffix.push_str(cursor.since(from));
    }
    // `3.8-like` is no version of its own.
    if !["a", "alpha", "b", "beta", "rc", "pre", "dev"].contains(&suffix.trim_end_matches(|c: char| c.is_ascii_digit()))
    {
        suffix.clear();
        cursor.set(at);
    }
    Some(Version { parts, suffix })
}

/// The unit behind a number, with or without a space before it.
fn unit(cursor: &mut Cursor<'_>) -> Option<(f64, Dimension)> {
    let start = cursor.at();
    cursor.spaces();
    if cursor.eat('%') {
        return Some((1.0, Dimension::Percent));
    }
    cursor.set(start);
    cursor.eat_unit(|name| {
        use Dimension::{Bytes, Grams, Metres, None as Count, Percent, Seconds, Times};
        Some(match name {
            "B" | "byte" | "bytes" => (1.0, Bytes),
            "kB" | "KB" | "KiB" | "kilobytes" => (1e3, Bytes),
            "MB" | "MiB" | "megabyte" | "megabytes" => (1e6, Bytes),
            "GB" | "GiB" | "gigabyte" | "gigabytes" => (1e9, Bytes),
            "TB" | "TiB" | "terabyte" | "terabytes" => (1e12, Bytes),
            "ns" | "nanoseconds" => (1e-9, Seconds),
            "µs" | "us" | "microseconds" => (1e-6, Seconds),
            "ms" | "millisecond" | "milliseconds" | "Millisekunden" => (1e-3, Seconds),
            "s" | "sec" | "secs" | "second" | "seconds" | "Sekunde" | "Sekunden" | "secondes" | "segundos" => {
                (1.0, Seconds)
            }
            "min" | "mins" | "minute" | "minutes" | "Minute" | "Minuten" | "minutos" => (60.0, Seconds),
            "h" | "hour" | "hours" | "Stunde" | "Stunden" | "heure" | "heures" | "hora" | "horas" => (3600.0, Seconds),
            "day" | "days" | "Tag" | "Tage" | "Tagen" | "jour" | "jours" | "día" | "días" => (86400.0, Seconds),
            "week" | "weeks" | "Woche" | "Wochen" | "semaines" | "semanas" => (604_800.0, Seconds),
            "mm" => (1e-3, Metres),
            "cm" => (1e-2, Metres),
            "m" | "metres" | "meters" => (1.0, Metres),
            "km" => (1e3, Metres),
            "mg" => (1e-3, Grams),
            "g" | "gram" | "grams" => (1.0, Grams),
            "kg" => (1e3, Grams),
            "percent" | "Prozent" => (1.0, Percent),
            "x" | "times" | "mal" | "fois" => (1.0, Times),
            "k" | "K" | "thousand" | "Tausend" => (1e3, Count),
            "million" | "Million" | "Millionen" | "millions" => (1e6, Count),
            "billion" | "Milliarden" => (1e9, Count),
            _ => return None,
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wikirag_text::Language;

    use super::super::values::{Date, Likeness};
    use super::*;

    fn found(text: &str, language: Language) -> Vec<(&str, What)> {
        let found = scan(text, Lexicon::of(Some(language))).into_iter();
        found.map(|one| (&text[one.span], one.what)).collect()
    }

    /// The one value of a text, and what of the text it is.
    fn value_in(language: Language, text: &str) -> (&str, Value) {
        match found(text, language).as_slice() {
            [(written, What::Value(value))] => (written, value.clone()),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn value(text: &str) -> (&str, Value) {
        value_in(Language::English, text)
    }

    fn number(value: f64) -> Value {
        Value::Number(Number::whole(value))
    }

    fn is_same(one: &Value, other: &Value) -> bool {
        one.compare(other) == Likeness::Same
    }

    #[test]
    fn numbers_in_all_forms() {
        for (text, written, expected) in [
            ("port 8080.", "8080", 8080.0),
            ("1,000 users", "1,000", 1000.0),
            ("1_000 users", "1_000", 1000.0),
            ("1,234.5 users", "1,234.5", 1234.5),
            ("1e3 users", "1e3", 1000.0),
            ("5k users", "5k", 5000.0),
            ("(2 million)", "2 million", 2e6),
            ("`8080`,", "8080", 8080.0),
            ("1, 2", "1", 1.0),
        ] {
            let all = found(text, Language::English);
            assert_eq!(all[0].0, written, "{text}");
            let What::Value(value) = &all[0].1 else { panic!("{text}: {all:?}") };
            assert!(is_same(value, &number(expected)), "{text}: {value:?}");
        }
        assert!(is_same(&value_in(Language::German, "1.000 Leute").1, &number(1000.0)));
        assert!(is_same(&value_in(Language::German, "1,5 Leute").1, &value("1.5 people").1));
    }

    #[test]
    fn units_meet_in_one_dimension() {
        assert_eq!(value("5 GB of data").0, "5 GB");
        assert!(is_same(&value("1.5 hours").1, &value("90min").1));
        assert!(is_same(&value("$5").1, &value("$5.00").1));
        assert_eq!(value("5 GB").1.compare(&value("5 seconds").1), Likeness::Unlike);
        assert_eq!(value("$5").1.compare(&value("€5").1), Likeness::Unlike);
        assert_eq!(value("5 GB").1.compare(&value("6 GB").1), Likeness::Differs);
        // No unit: a word that only begins like one.
        assert_eq!(value("5 members").0, "5");
    }

    #[test]
    fn dates_in_all_forms() {
        let day = Value::Date(Date { year: Some(2024), month: Some(1), day: Some(2), either_order: false });
        for text in [
            "2024-01-02",
            "2024/1/2",
            "2.1.2024",
            "2 January 2024",
            "2nd of Jan. 2024",
            "January 2nd, 2024",
            "2024-01-02T10:00:00Z",
        ] {
            assert_eq!(value(text), (text, day.clone()), "{text}");
        }
        for (language, text) in [
            (Language::German, "2. Januar 2024"),
            (Language::French, "2 janvier 2024"),
            (Language::Spanish, "2 de enero de 2024"),
        ] {
            assert_eq!(value_in(language, text), (text, day.clone()), "{text}");
        }
        assert!(found("It may march on in 2q", Language::English).iter().all(|(_, what)| *what == What::Name));
        assert_eq!(value("9:30 pm").1, Value::Time(21 * 60 + 30));
    }

    #[test]
    fn versions_and_names() {
        let version =
            |parts: &[u64], suffix: &str| Value::Version(Version { parts: parts.to_vec(), suffix: suffix.to_owned() });
        assert_eq!(value("v1.2"), ("v1.2", version(&[1, 2], "")));
        assert_eq!(value("1.2.3-rc1,"), ("1.2.3-rc1", version(&[1, 2, 3], "rc1")));
        for name in
            ["#12", "[5]", "sha-256", "utf8", "1-2", "3/4", "3rd", "0x1f", "3.x", ":pep:`8`", "12345678901234567890"]
        {
            let all = found(name, Language::English);
            assert!(all.iter().all(|(_, what)| *what == What::Name) && !all.is_empty(), "{name}: {all:?}");
        }
        for address in ["https://a.org/1/2", "](a.md#1)", "<a href=1>"] {
            assert_eq!(found(address, Language::English)[0].1, What::Address, "{address}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "([0-9.,:/ $%v-]{0,8}|\\PC{0,6}|(Jan|May|pm|GB|e|of|de|\\]\\(|:a:`)){0,12}") {
            for language in [Language::English, Language::German] {
                let mut at = 0;
                for one in scan(&text, Lexicon::of(Some(language))) {
                    prop_assert!(one.span.start >= at && one.span.start < one.span.end);
                    prop_assert!(text.get(one.span.clone()).is_some());
                    at = one.span.end;
                }
            }
        }
    }
}
