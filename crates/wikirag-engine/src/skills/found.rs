//! What was found for a task, and how it is printed.

use std::fmt::Write as _;

use serde::Serialize;
use wikirag_core::{Sensitivity, WikiName};

use super::{SkillKind, Why};
use crate::search::Snippet;
use crate::{Degradation, Freshness, Hint};

/// The entries for a task. Serialised it is the envelope of `--json`; `version` is raised when a field changes its meaning.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundSkills {
    /// Of this envelope.
    pub version: u32,
    /// The task as it was given.
    pub task: String,
    /// Name of the composition.
    pub rag: String,
    /// Best first.
    pub entries: Vec<FoundSkill>,
    /// Entries that hold words of the task, as far as they were looked at.
    pub total: usize,
    /// Layers that gave hits or could have, sorted.
    pub served_by: Vec<String>,
    /// What serves less than it could, and why.
    pub degraded: Vec<Degradation>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
    /// What it costs to read this, and what it cost to make.
    pub tokens: TokensSpent,
    /// Duration in milliseconds.
    pub took_ms: f64,
}

/// Tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokensSpent {
    /// Of the list as [`FoundSkills::text`] gives it.
    pub answer: usize,
    /// What counted them.
    pub counter: String,
    /// Read by language models that reranked, as far as they tell.
    pub rerank_read: u64,
    /// Written by them.
    pub rerank_written: u64,
}

/// An entry that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundSkill {
    /// From 1.
    pub rank: usize,
    /// `WIKI/PATH`: [`Engine::get_skill`](crate::Engine::get_skill) takes it.
    pub id: String,
    /// Name of the wiki: of a tap, its name.
    pub wiki: WikiName,
    /// Of the wiki.
    pub sensitivity: Sensitivity,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// What it is.
    pub kind: SkillKind,
    /// What it calls itself.
    pub name: String,
    /// What it is for, in one line, with the words of the task marked.
    pub description: Snippet,
    /// Comparable within this answer only.
    pub score: f64,
    /// Where the words of the task stand in it, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Why a language model put it where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Near-identical entries, the best first, as many as are named; see `more_alike`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Alike>,
    /// Further near-identical entries among those that were looked at.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_alike: usize,
    /// How it stands to its file.
    pub freshness: Freshness,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A near-identical entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alike {
    /// As [`FoundSkill::id`].
    pub id: String,
    /// What it calls itself.
    pub name: String,
    /// Which part of the wording of both is shared, from 0 to 1.
    pub likeness: f64,
}

impl FoundSkills {
    /// The list as agents and people read it: a few lines an entry. Nothing in it moves a cursor or turns the direction of text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            entry.write(&mut text);
        }
        if self.entries.is_empty() {
            text.push_str("nothing was found\n");
        }
        text
    }
}

impl FoundSkill {
    /// Writing into a string cannot fail.
    fn write(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "{}. {} ({}, {}): {}",
            self.rank,
            clean(&self.name),
            self.kind.as_str(),
            clean(self.wiki.as_str()),
            clean(&self.description.text)
        );
        if let Some(reason) = &self.reason {
            let _ = writeln!(text, "   {}", clean(reason));
        }
        if let Some(why) = &self.why {
            let told: Vec<String> = why.places().collect();
            let _ = writeln!(text, "   why: {}", clean(&told.join("; ")));
            if !why.snippet.text.is_empty() {
                let _ = writeln!(text, "   text: {}", marked(&why.snippet));
            }
        }
        if !self.alike.is_empty() {
            let names: Vec<&str> = self.alike.iter().map(|alike| alike.id.as_str()).collect();
            let more = if self.more_alike > 0 { format!(", and {} more", self.more_alike) } else { String::new() };
            let _ = writeln!(text, "   alike: {}{more}", clean(&names.join(", ")));
        }
        let _ = writeln!(text, "   id: {}", clean(&self.id));
    }
}

/// A snippet with asterisks around the words of the task.
fn marked(snippet: &Snippet) -> String {
    let mut text = String::new();
    let mut end = 0;
    let part = |start: usize, stop: usize| clean(snippet.text.get(start..stop).unwrap_or_default());
    for [start, stop] in &snippet.marks {
        text.push_str(&part(end, *start));
        text.push_str(&format!("*{}*", part(*start, *stop)));
        end = *stop;
    }
    text + &part(end, snippet.text.len())
}

/// What a registry wrote, without control characters and marks that turn the direction of text.
fn clean(text: &str) -> String {
    let is_unsafe = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect()
}
