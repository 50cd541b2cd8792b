//! The tools of this program, one file each.

mod ask;
mod context;
#[cfg(feature = "taps")]
mod discover_github;
mod fetch;
mod find_skills;
mod get_skill;
mod links;
mod list_wikis;
mod search;
mod status;

use wikirag_engine::{Conflict, ConflictSide, Degradation, Freshness, Hint};

use super::Tool;

/// All of them, in the order in which clients see them.
pub(super) fn standard() -> Vec<Tool> {
    vec![
        search::tool(),
        fetch::tool(),
        context::tool(),
        ask::tool(),
        links::tool(),
        status::tool(),
        list_wikis::tool(),
        find_skills::tool(),
        get_skill::tool(),
        #[cfg(feature = "taps")]
        discover_github::tool(),
    ]
}

/// As it stands in results.
const fn freshness(freshness: Freshness) -> &'static str {
    match freshness {
        Freshness::Fresh => "fresh",
        Freshness::Stale => "stale",
        Freshness::Gone => "gone",
        Freshness::Unknown => "unknown",
    }
}

/// What limits an answer, and what else is worth knowing.
fn notes(degraded: &[Degradation], hints: &[Hint]) -> Vec<String> {
    let limits = degraded.iter().map(|one| format!("{one}; {}", one.remedy));
    limits.chain(hints.iter().map(|hint| hint.text.clone())).collect()
}

/// Both sides of a disagreement.
fn disagreement(conflict: &Conflict) -> String {
    let side = |side: &ConflictSide| format!("\"{}\" ({}/{}{})", side.text, side.wiki, side.path, side.place);
    let there = conflict.there.as_ref().map_or_else(|| "a document that was not found".to_owned(), side);
    format!("{}: {} against {there}", conflict.kind.name(), side(&conflict.here))
}
