//! What a service says in headers about when to come again.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use ureq::http::HeaderMap;

/// Whatever is said beyond it means the same: not now.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);

/// How long the service asks to be left alone, in the answer to a request that it refused.
pub(crate) fn asked(headers: &HeaderMap) -> Option<Duration> {
    asked_at(headers, Timestamp::now())
}

fn asked_at(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let said = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    // OpenAI and Azure; finer than the standard one, which stands beside it.
    let fine = said("retry-after-ms").and_then(seconds).map(|wait| wait / 1_000);
    let plain = || said("retry-after").and_then(|text| seconds(text).or_else(|| until(text, now)));
    fine.or_else(plain).or_else(|| drained(headers)).map(|wait| wait.min(LONGEST))
}

/// How long until there is something left of what the service grants, if there is nothing left now. In answers of any kind.
///
/// Headers as OpenAI sends them, `x-ratelimit-remaining-requests: 0` and `x-ratelimit-reset-requests: 1m30s`, and the same
/// with `tokens`.
pub(crate) fn drained(headers: &HeaderMap) -> Option<Duration> {
    let said = |name: String| headers.get(name)?.to_str().ok().map(str::trim);
    ["requests", "tokens"]
        .into_iter()
        .filter(|what| said(format!("x-ratelimit-remaining-{what}")) == Some("0"))
        .filter_map(|what| with_units(said(format!("x-ratelimit-reset-{what}"))?))
        .max()
        .map(|wait| wait.min(LONGEST))
}

/// A number of seconds, which some services send with a fraction.
fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// A date as HTTP writes it: `Wed, 21 Oct 2015 07:28:00 GMT`. One that has passed means: now.
fn until(text: &str, now: Timestamp) -> Option<Duration> {
    let then = DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text).ok()?;
    Some(Duration::try_from(then.duration_since(now)).unwrap_or_default())
}

/// `6m0s`, `20ms`, `1h2m3.5s`. A number without unit is none: other services send a point in time under the same name.
fn with_units(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let scale = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        sum = sum.checked_add(Duration::try_from_secs_f64(number.parse::<f64>().ok()? * scale).ok()?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ureq::http::{HeaderName, HeaderValue};

    use super::*;

    fn wait(headers: &[(&str, &str)]) -> Option<f64> {
        let map = headers
            .iter()
            .map(|(name, value)| (name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap()))
            .collect();
        asked_at(&map, "2015-10-21T07:27:30Z".parse().unwrap()).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(wait(&[]), None);
        assert_eq!(wait(&[("retry-after", "20")]), Some(20.0));
        assert_eq!(wait(&[("Retry-After", " 1.5 ")]), Some(1.5));
        assert_eq!(wait(&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")]), Some(30.0));
        assert_eq!(wait(&[("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT")]), Some(0.0));
        assert_eq!(wait(&[("retry-after", "20"), ("retry-after-ms", "19500")]), Some(19.5));
    }

    #[test]
    fn what_makes_no_sense_is_not_obeyed() {
        for value in ["", "soon", "-5", "NaN", "inf", "1e400", "Wed, 99 Oct 2015"] {
            assert_eq!(wait(&[("retry-after", value)]), None, "{value}");
        }
        assert_eq!(wait(&[("retry-after", "99999999999")]), Some(86_400.0));
        assert_eq!(wait(&[("retry-after", "Wed, 21 Oct 9015 07:28:00 GMT")]), Some(86_400.0));
    }

    #[test]
    fn a_drained_limit_is_waited_for() {
        let drained = |reset| wait(&[("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", reset)]);
        assert_eq!(drained("6m0s"), Some(360.0));
        assert_eq!(drained("20ms"), Some(0.02));
        assert_eq!(drained("1h0m1.5s"), Some(3_601.5));
        for reset in ["", "5", "1741305600000", "1x", "s", "1..2s", "-1s"] {
            assert_eq!(drained(reset), None, "{reset}");
        }
        assert_eq!(wait(&[("x-ratelimit-remaining-requests", "3"), ("x-ratelimit-reset-requests", "6m0s")]), None);
    }

    proptest! {
        #[test]
        fn any_header_is_taken(text in "[0-9.a-z:, -]{0,20}") {
            let headers = [("retry-after", text.as_str()), ("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", &text)];
            prop_assert!(wait(&headers).is_none_or(|wait| (0.0..=86_400.0).contains(&wait)));
        }
    }
}
