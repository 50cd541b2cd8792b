//! Days and spans of days as front matter has them, and from when on a document says of itself that it is stale.

use std::fmt;

use jiff::{Span, Timestamp, civil, tz::Offset};
use serde_json::Value;

use crate::Metadata;

/// A day of the Gregorian calendar, from the year 0 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(civil::Date);

/// A span of days, weeks, months or years, not below zero.
#[derive(Debug, Clone, Copy)]
pub struct Age(Span);

impl Date {
    /// Today in UTC, by the clock of the system.
    #[must_use]
    pub fn today() -> Self {
        Self(Offset::UTC.to_datetime(Timestamp::now()).date())
    }

    /// `2026-11-30`, with a time of day behind it if need be, or `2026-11`, which is its first day.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let (day, time) = text.split_at_checked(10).unwrap_or((text, ""));
        if !time.is_empty() && !time.starts_with(['T', 't', ' ']) {
            return None;
        }
        let number = |range: std::ops::Range<usize>| {
            let digits = day.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<i16>().ok())?
        };
        let is_joined = |at: usize| day.as_bytes().get(at) == Some(&b'-');
        let of_month = match day.len() {
            10 if is_joined(4) && is_joined(7) => number(8..10)?,
            7 if is_joined(4) => 1,
            _ => return None,
        };
        let (month, of_month) = (i8::try_from(number(5..7)?).ok()?, i8::try_from(of_month).ok()?);
        civil::Date::new(number(0..4)?, month, of_month).ok().map(Self)
    }

    /// This day and so much later; `None` beyond the calendar.
    #[must_use]
    pub fn after(self, age: Age) -> Option<Self> {
        self.0.checked_add(age.0).ok().map(Self)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Age {
    /// A number of days, or a number with a unit: `90d`, `12 weeks`, `6 months`, `1y`. `m` means months.
    #[must_use]
    pub fn of(value: &Value) -> Option<Self> {
        if let Some(days) = value.as_i64() {
            return Self::new(days, "d");
        }
        let text = value.as_str()?.trim().to_lowercase();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        Self::new(text[..end].parse().ok()?, text[end..].trim())
    }

    fn new(number: i64, unit: &str) -> Option<Self> {
        let span = match unit {
            "" | "d" | "day" | "days" => Span::new().try_days(number),
            "w" | "week" | "weeks" => Span::new().try_weeks(number),
            "m" | "month" | "months" => Span::new().try_months(number),
            "y" | "year" | "years" => Span::new().try_years(number),
            _ => return None,
        };
        span.ok().filter(|span| !span.is_negative()).map(Self)
    }
}

/// The last day on which a document is fresh by its own words: the date under `stale_after`, or so long (`90d`) after the one
/// under `last_updated` or `updated`. `None` where it says nothing of the kind, or nothing that is understood.
#[must_use]
pub fn fresh_until(meta: &Metadata) -> Option<Date> {
    let date = |key: &str| meta.get(key).and_then(Value::as_str).and_then(Date::of);
    if let Some(limit) = date("stale_after") {
        return Some(limit);
    }
    let age = Age::of(meta.get("stale_after")?)?;
    date("last_updated").or_else(|| date("updated"))?.after(age)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn days_are_read_as_people_write_them() {
        for text in ["2026-11-30", " 2026-11-30 ", "2026-11-30T10:00:00Z", "2026-11-30 10:00"] {
            assert_eq!(Date::of(text).unwrap().to_string(), "2026-11-30", "{text}");
        }
        assert_eq!(Date::of("2026-11").unwrap().to_string(), "2026-11-01");
        for text in
            ["", "2026", "30.11.2026", "2026-13-01", "2026-02-30", "2026-11-300", "+026-11-30", "２０26-1", "soon"]
        {
            assert_eq!(Date::of(text), None, "{text}");
        }
    }

    #[test]
    fn spans_are_read_with_their_units() {
        let start = Date::of("2026-01-31").unwrap();
        let after = |value: Value| start.after(Age::of(&value)?).map(|date| date.to_string());
        for (value, wanted) in [
            (json!("90d"), "2026-05-01"),
            (json!(90), "2026-05-01"),
            (json!("90"), "2026-05-01"),
            (json!("2 weeks"), "2026-02-14"),
            (json!("1m"), "2026-02-28"),
            (json!("1 Year"), "2027-01-31"),
        ] {
            assert_eq!(after(value.clone()).as_deref(), Some(wanted), "{value}");
        }
        for value in [
            json!("d"),
            json!(""),
            json!("-3d"),
            json!(-3),
            json!("1 fortnight"),
            json!(1.5),
            json!("99999999999999999999d"),
            json!(u64::MAX),
            json!("9000y"),
        ] {
            assert_eq!(after(value.clone()), None, "{value}");
        }
    }

    #[test]
    fn a_document_says_until_when_it_is_fresh() {
        for (meta, wanted) in [
            (json!({"stale_after": "2026-11-29"}), Some("2026-11-29")),
            (json!({"stale_after": "90d", "last_updated": "2026-08-31", "updated": "2020-01-01"}), Some("2026-11-29")),
            (json!({"stale_after": 1, "updated": "2026-01-01T08:00:00Z"}), Some("2026-01-02")),
            (json!({"stale_after": "90d"}), None),
            (json!({"stale_after": "soon", "updated": "2026-01-01"}), None),
            (json!({"updated": "2026-01-01"}), None),
            (json!({}), None),
        ] {
            let until = fresh_until(meta.as_object().unwrap()).map(|date| date.to_string());
            assert_eq!(until.as_deref(), wanted, "{meta}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,14}|[0-9T: -]{0,14}") {
            let date = Date::of(&text);
            if let (Some(date), Some(age)) = (date.or_else(|| Date::of("9999-12-31")), Age::of(&json!(text))) {
                let _ = date.after(age);
            }
        }
    }
}
