//! A moment, as people name it and as programs read it.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};
use wikirag_core::{Error, ErrorKind};

/// A moment. Shown as RFC 3339 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub(super) Timestamp);

impl Moment {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self(Timestamp::now())
    }

    /// The moment that `text` means, seen from this one: RFC 3339 (`2026-03-01T04:00:00Z`), a day, which begins at midnight UTC
    /// (`2026-03-01`), or how long ago (`90m`, `24h`, `7d`).
    ///
    /// # Errors
    /// [`ErrorKind::Usage`]
    pub fn named(self, text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let moment = || -> Option<Timestamp> {
            if let Ok(moment) = text.parse::<Timestamp>() {
                return Some(moment);
            }
            // A day is one that nothing follows: a time without a zone could be meant in any.
            if text.len() == "2026-03-01".len()
                && let Ok(day) = text.parse::<Date>()
            {
                return TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok();
            }
            self.0.checked_sub(ago(text)?).ok()
        };
        moment().map(Self).ok_or_else(|| {
            Error::new(ErrorKind::Usage, "read time", format!("{text:?} is no time"))
                .help("give a moment (2026-03-01T04:00:00Z), a day (2026-03-01), or how long ago (90m, 24h, 7d)")
        })
    }
}

/// A number of minutes, hours or days.
fn ago(text: &str) -> Option<SignedDuration> {
    let unit = text.chars().next_back()?;
    let minutes = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        _ => return None,
    };
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    Some(SignedDuration::from_secs(i64::from(number) * minutes * 60))
}

impl FromStr for Moment {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::now().named(text)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}", self.0)
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> Moment {
        Moment("2026-03-10T12:00:00.5Z".parse().unwrap())
    }

    #[test]
    fn moments_days_and_spans_are_understood() {
        let cases = [
            ("2026-03-01T04:00:00Z", "2026-03-01T04:00:00Z"),
            ("2026-03-01T04:00:00+02:00", "2026-03-01T02:00:00Z"),
            (" 2026-03-01 ", "2026-03-01T00:00:00Z"),
            ("90m", "2026-03-10T10:30:00Z"),
            ("24h", "2026-03-09T12:00:00Z"),
            ("7d", "2026-03-03T12:00:00Z"),
            ("0d", "2026-03-10T12:00:00Z"),
        ];
        for (text, expected) in cases {
            assert_eq!(now().named(text).unwrap().to_string(), expected, "{text}");
        }
        for text in [
            "",
            "yesterday",
            "7",
            "d",
            "-1d",
            "1.5h",
            "2026-13-01",
            "2026-03-01T04:00:00",
            "4294967295d",
            "99999999999h",
            "日",
        ] {
            assert_eq!(now().named(text).unwrap_err().kind(), ErrorKind::Usage, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,30}") {
            let _ = now().named(&text);
        }
    }
}
