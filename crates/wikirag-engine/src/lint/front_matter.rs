//! Front matter that cannot be read, and keys that are missing.

use serde_json::Value;

use super::check::Check;
use super::finding::Severity;
use super::sink::{Sink, Spot};
use super::subject::Subject;

/// Front matter that a reader could not make sense of, by its own warning, and pages without a key that the manifest demands
/// (`lint.require`). Pages that are kept for navigation and those of the role `raw` need none.
pub(super) struct FrontMatter;

impl Check for FrontMatter {
    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        for file in &subject.files {
            let Some(page) = subject.vault.page_at(&file.path) else { continue };
            for warning in file.warnings.iter().filter(|warning| warning.message.contains("front matter")) {
                let line = u32::try_from(warning.line).unwrap_or(u32::MAX);
                let remedy = "mend the front matter; until then what it says counts for nothing, or for less";
                sink.add(page, Spot::Line(line), Severity::Error, warning.message.clone(), remedy);
            }
        }
        for (page, stored) in subject.vault.pages.iter().enumerate() {
            if stored.navigation || subject.is_raw(page) {
                continue;
            }
            let demanded = &subject.manifest.lint.require;
            let missing = demanded.iter().filter(|key| stored.meta.get(key.as_str()).is_none_or(is_empty));
            let missing: Vec<String> = missing.map(|key| format!("`{key}`")).collect();
            if !missing.is_empty() {
                let message = format!("the front matter lacks {}", missing.join(", "));
                sink.add(
                    page,
                    Spot::Line(1),
                    Severity::Warning,
                    message,
                    "add it; the manifest demands it of every page",
                );
            }
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.iter().all(is_empty),
        Value::Object(values) => values.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
