//! What is kept of one question.

use serde::{Deserialize, Serialize};
use wikirag_core::Sensitivity;

use crate::{Answer, Support};

/// Version of the entries; raised when a field changes its meaning.
pub(super) const VERSION: u32 = 1;

/// Hits of an answer that are kept.
const MOST_HITS: usize = 10;

/// Characters of a question, an answer or a heading that are kept: a line must not take the room of thousands.
const MOST_CHARACTERS: usize = 4_096;

/// A question and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Of this form.
    pub version: u32,
    /// When it was asked: RFC 3339, UTC.
    pub at: String,
    /// Name of the composition.
    pub rag: String,
    /// Where it was asked: `ask`, `http`, `mcp`, ...
    pub surface: String,
    /// Of the caller. Nobody of a lower one is shown the entry, or told that there is one.
    pub clearance: Sensitivity,
    /// As asked; the first 4096 characters.
    pub question: String,
    /// The first ten hits, best first.
    pub results: Vec<LoggedHit>,
    /// What was answered, if anything was but the hits; the first 4096 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How well the passages supported an answer, 0 to 1.
    pub strength: f64,
    /// Whether that was too little to answer.
    pub is_weak: bool,
    /// Duration in milliseconds.
    pub took_ms: f64,
    /// Layers that gave hits or could have.
    pub served_by: Vec<String>,
    /// Codes of what served less than it could, sorted, each once.
    pub degraded: Vec<String>,
}

/// A hit of a logged answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoggedHit {
    /// As [`SearchResult::id`](crate::SearchResult::id).
    pub id: String,
    /// Name of the wiki.
    pub wiki: String,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Headings above the passage, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// As [`SearchResult::score`](crate::SearchResult::score).
    pub score: f64,
}

impl Entry {
    /// What is to be kept of an answer that was found now for a caller of this clearance.
    #[must_use]
    pub fn of(answer: &Answer, support: &Support, surface: &str, clearance: Sensitivity) -> Self {
        let hit = |result: &crate::SearchResult| LoggedHit {
            id: result.id.clone(),
            wiki: result.wiki.to_string(),
            path: result.path.clone(),
            headings: result.headings.iter().map(|heading| cut(heading)).collect(),
            score: finite(result.score),
        };
        let mut degraded: Vec<String> = answer.degraded.iter().map(|reason| reason.code.clone()).collect();
        degraded.sort_unstable();
        degraded.dedup();
        Self {
            version: VERSION,
            at: jiff::Timestamp::now().to_string(),
            rag: answer.rag.clone(),
            surface: surface.to_owned(),
            clearance,
            question: cut(&answer.query),
            results: answer.results.iter().take(MOST_HITS).map(hit).collect(),
            answer: None,
            strength: finite(support.strength).clamp(0.0, 1.0),
            is_weak: support.is_weak,
            took_ms: finite(answer.took_ms),
            served_by: answer.served_by.clone(),
            degraded,
        }
    }

    /// The same with what was answered.
    #[must_use]
    pub fn answered(mut self, text: &str) -> Self {
        self.answer = Some(cut(text));
        self
    }
}

/// JSON has no other numbers.
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

fn cut(text: &str) -> String {
    text.chars().take(MOST_CHARACTERS).collect()
}
