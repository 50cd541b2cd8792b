//! From what a document declares to factors.

use serde_json::Value;
use wikirag_core::{Date, Factor, Metadata, fresh_until};

use crate::Settings;

impl Settings {
    /// The factors of a document, in a fixed order, without those that change nothing. Their product, taken in that order, lies
    /// between floor and ceiling.
    pub(crate) fn factors(&self, role: &str, meta: &Metadata, today: Date) -> Vec<Factor> {
        let declared = [
            ("role", self.role(role)),
            ("status", self.status(meta)),
            ("confidence", self.confidence(meta)),
            ("verified", self.verified(meta, today)),
            ("stale", self.stale(meta, today)),
        ];
        let mut factors: Vec<Factor> = declared
            .into_iter()
            .filter_map(|(name, said)| {
                let (value, note) = said?;
                (value != 1.0).then(|| Factor { name: name.to_owned(), value, note })
            })
            .collect();
        let product: f64 = factors.iter().map(|factor| factor.value).product();
        let bound = product.clamp(self.floor, self.ceiling);
        if bound != product {
            let note = format!("{product:.2} together, held at {bound}");
            factors.push(Factor { name: "bound".to_owned(), value: bound / product, note });
        }
        factors
    }

    fn role(&self, role: &str) -> Option<(f64, String)> {
        let value = match role {
            "curated" => self.curated,
            "raw" => self.raw,
            _ => return None,
        };
        Some((value, role.to_owned()))
    }

    fn status(&self, meta: &Metadata) -> Option<(f64, String)> {
        let status = word(meta, "status")?;
        let value = match status.as_str() {
            "stable" => self.stable,
            "draft" => self.draft,
            "deprecated" => self.deprecated,
            "superseded" => self.superseded,
            _ => return None,
        };
        Some((value, status))
    }

    fn confidence(&self, meta: &Metadata) -> Option<(f64, String)> {
        let share = match (meta.get("confidence")?.as_f64(), word(meta, "confidence")) {
            (Some(share), _) => share,
            (None, Some(word)) => match word.as_str() {
                "low" => 0.0,
                "medium" => 0.5,
                "high" => 1.0,
                other => other.parse().ok()?,
            },
            (None, None) => return None,
        };
        let value = 1.0 + self.confidence * (2.0 * share - 1.0);
        (0.0..=1.0).contains(&share).then(|| (value, word(meta, "confidence").unwrap_or_else(|| share.to_string())))
    }

    fn verified(&self, meta: &Metadata, today: Date) -> Option<(f64, String)> {
        if meta.get("verified")?.as_bool() == Some(true) || word(meta, "verified").as_deref() == Some("true") {
            return Some((self.verified, "verified".to_owned()));
        }
        let date = date(meta, "verified")?;
        (date <= today).then(|| (self.verified, format!("verified on {date}")))
    }

    /// Stale from the day after a date, or after so long since the last update.
    fn stale(&self, meta: &Metadata, today: Date) -> Option<(f64, String)> {
        let limit = fresh_until(meta)?;
        (limit < today).then(|| (self.stale, format!("stale since {limit}")))
    }
}

/// A value that is a word, in lower case.
fn word(meta: &Metadata, key: &str) -> Option<String> {
    meta.get(key)?.as_str().map(|word| word.trim().to_lowercase())
}

fn date(meta: &Metadata, key: &str) -> Option<Date> {
    meta.get(key).and_then(Value::as_str).and_then(Date::of)
}
