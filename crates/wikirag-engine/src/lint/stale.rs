//! Pages that say of themselves that they are stale.

use serde_json::Value;
use wikirag_core::{Age, Date, Metadata, fresh_until};

use super::check::Check;
use super::finding::Severity;
use super::sink::{Sink, Spot};
use super::subject::Subject;

/// Pages that are stale by what the plugin `trust` reads as well: `stale_after`, and `last_updated` or `updated`. Dates of which
/// neither it nor this check can make anything are found too.
pub(super) struct Stale;

impl Check for Stale {
    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        for (page, stored) in subject.vault.pages.iter().enumerate() {
            if let Some(limit) = fresh_until(&stored.meta).filter(|limit| *limit < subject.as_of) {
                let message = format!("stale since {limit} by its own `stale_after`");
                let remedy = "review the page, and set `stale_after` or `last_updated` anew";
                sink.add(page, Spot::Key("stale_after"), Severity::Warning, message, remedy);
            }
            if let Some((key, message)) = not_understood(&stored.meta) {
                let remedy = "write a date as 2026-11-30, or for `stale_after` a time such as 90d";
                sink.add(page, Spot::Key(key), Severity::Note, message, remedy);
            }
        }
    }
}

/// Why a page that means to go stale never will.
fn not_understood(meta: &Metadata) -> Option<(&'static str, String)> {
    let after = meta.get("stale_after")?;
    if after.as_str().and_then(Date::of).is_some() {
        return None;
    }
    if Age::of(after).is_none() {
        return Some((
            "stale_after",
            "`stale_after` is neither a date nor a time, so the page never counts as stale".into(),
        ));
    }
    let date = |key: &str| meta.get(key).and_then(Value::as_str).and_then(Date::of);
    if date("last_updated").or_else(|| date("updated")).is_some() {
        return None;
    }
    let message = "`stale_after` counts from `last_updated` or `updated`, of which neither is a date here";
    Some(("stale_after", message.into()))
}
