//! What an extractor found for a layer, for people.

use wikirag::core::ExtractionReport;

/// In numbers: `7 extracted, 2 failed, 3 waiting`.
pub(crate) fn numbers(report: &ExtractionReport) -> String {
    let mut parts = vec![format!("{} extracted", report.extracted)];
    if report.failures() > 0 {
        parts.push(format!("{} failed", report.failures()));
    }
    if report.pending > 0 {
        parts.push(format!("{} waiting", report.pending));
    }
    if report.sent > 0 {
        parts.push(format!("{} sent", report.sent));
    }
    if report.cached > 0 {
        parts.push(format!("{} known by their text", report.cached));
    }
    parts.join(", ")
}

/// The files with passages of which nothing could be read, a line each.
pub(crate) fn failures(report: &ExtractionReport) -> impl Iterator<Item = String> {
    report
        .failed
        .iter()
        .map(|file| format!("{}: passages without entities: {}; {}", file.path, file.passages, file.detail))
}
