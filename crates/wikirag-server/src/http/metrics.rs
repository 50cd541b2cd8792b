//! Figures for an operator, in the text format of Prometheus. No wiki, no path and no question is in them: whoever may read figures need not
//! be one who may read documents.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets of times, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// What is counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    counts: Mutex<Counts>,
    in_flight: AtomicI64,
}

#[derive(Debug, Default)]
struct Counts {
    /// By route and status.
    requests: BTreeMap<(String, u16), u64>,
    /// By route.
    times: BTreeMap<String, Times>,
    /// By code.
    degraded: BTreeMap<String, u64>,
}

#[derive(Debug, Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    sum: f64,
    count: u64,
}

impl Metrics {
    /// A request began.
    pub(crate) fn began(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// A request ended.
    pub(crate) fn ended(&self, route: &str, status: u16, took: Duration) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.requests.entry((route.to_owned(), status)).or_default() += 1;
        let times = counts.times.entry(route.to_owned()).or_default();
        let seconds = took.as_secs_f64();
        for (bucket, bound) in times.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
        times.sum += seconds;
        times.count += 1;
    }

    /// An answer was less than it could be, for the reason of this code.
    pub(crate) fn degraded(&self, code: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.degraded.entry(code.to_owned()).or_default() += 1;
    }

    /// All of it as text.
    pub(crate) fn text(&self) -> String {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = counts.write(&mut out, self.in_flight.load(Ordering::Relaxed));
        out
    }
}

impl Counts {
    fn write(&self, out: &mut String, in_flight: i64) -> std::fmt::Result {
        head(out, "wikirag_requests_total", "counter", "Requests that were answered, by route and status.")?;
        for ((route, status), count) in &self.requests {
            writeln!(out, "wikirag_requests_total{{route=\"{}\",status=\"{status}\"}} {count}", quoted(route))?;
        }
        head(
            out,
            "wikirag_request_seconds",
            "histogram",
            "Time from the headers of a request to those of its answer.",
        )?;
        for (route, times) in &self.times {
            let route = quoted(route);
            for (bound, count) in BOUNDS.iter().zip(times.buckets) {
                writeln!(out, "wikirag_request_seconds_bucket{{route=\"{route}\",le=\"{bound}\"}} {count}")?;
            }
            writeln!(out, "wikirag_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {}", times.count)?;
            writeln!(out, "wikirag_request_seconds_sum{{route=\"{route}\"}} {}", times.sum)?;
            writeln!(out, "wikirag_request_seconds_count{{route=\"{route}\"}} {}", times.count)?;
        }
        head(out, "wikirag_requests_in_flight", "gauge", "Requests that are worked on now.")?;
        writeln!(out, "wikirag_requests_in_flight {in_flight}")?;
        head(
            out,
            "wikirag_degraded_total",
            "counter",
            "Reasons for which answers were less than they could be, by code.",
        )?;
        for (code, count) in &self.degraded {
            writeln!(out, "wikirag_degraded_total{{code=\"{}\"}} {count}", quoted(code))?;
        }
        Ok(())
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_is_counted_by_route_and_status() {
        let metrics = Metrics::default();
        for (status, took) in [(200, 2), (200, 700), (400, 1)] {
            metrics.began();
            metrics.ended("/v1/query", status, Duration::from_millis(took));
        }
        metrics.began();
        metrics.degraded("no-\"model");
        let text = metrics.text();
        for line in [
            "wikirag_requests_total{route=\"/v1/query\",status=\"200\"} 2",
            "wikirag_requests_total{route=\"/v1/query\",status=\"400\"} 1",
            "wikirag_request_seconds_bucket{route=\"/v1/query\",le=\"0.0025\"} 2",
            "wikirag_request_seconds_bucket{route=\"/v1/query\",le=\"+Inf\"} 3",
            "wikirag_request_seconds_count{route=\"/v1/query\"} 3",
            "wikirag_requests_in_flight 1",
            "wikirag_degraded_total{code=\"no-\\\"model\"} 1",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    }
}
