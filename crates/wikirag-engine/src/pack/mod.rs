//! What a language model should read: the passages of an answer under a hard budget of tokens, with where each stands.
//!
//! Passages are taken as they rank while they fit ([`choose`]), neighbours become one block, and what is left of the budget goes
//! to the rest of their sections. The counter is named in what comes out, and the text as it is printed is counted as a whole at the
//! end, so that a counter that does not add up cannot overrun the budget.

mod block;
mod choose;
mod counter;
mod pages;
mod prompt;

use std::sync::Arc;

use serde::Serialize;
use wikirag_core::{Context, Result, TokenCounter, offload};

pub use block::{PackForm, PackedBlock};
use choose::Packing;
pub(crate) use counter::counter;
use pages::Pages;
pub(crate) use prompt::{NOT_FOUND, message, rules};

use crate::locate::Composition;
use crate::search::{Conflict, SearchResult};
use crate::{Answer, Degradation, Engine, Hint, QueryOptions};

/// How to pack.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// Tokens at most of [`Packed::text`] in the form asked for.
    pub budget: usize,
    /// How it will be printed.
    pub form: PackForm,
    /// How the question is asked. `limit` and `per_document` are set from the budget where they are `None`.
    pub query: QueryOptions,
}

impl PackOptions {
    /// A budget for those who give none.
    pub const BUDGET: usize = 4_000;
}

impl Default for PackOptions {
    fn default() -> Self {
        Self { budget: Self::BUDGET, form: PackForm::default(), query: QueryOptions::default() }
    }
}

/// The passages that were packed.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Packed {
    /// The question as asked.
    pub query: String,
    /// Name of the composition.
    pub rag: String,
    /// What counted the tokens.
    pub counter: String,
    /// Tokens at most.
    pub budget: usize,
    /// Tokens of the whole as it is printed: at most `budget`, unless not even what stands around the passages of a prompt fits.
    pub tokens: usize,
    /// Passages that the question found and that had no room, copies not counted.
    pub left_out: usize,
    /// Curated documents first, then the most useful first.
    pub blocks: Vec<PackedBlock>,
    /// Where blocks disagree, each pair once. Shown and not resolved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Layers that gave hits or could have, sorted.
    pub served_by: Vec<String>,
    /// What serves less than it could, and why.
    pub degraded: Vec<Degradation>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
    /// How it is printed.
    #[serde(skip)]
    pub form: PackForm,
}

impl Packed {
    /// What was packed as one text, which has [`Packed::tokens`] tokens: each block below its head, an empty line between two; as
    /// a prompt, with what is to be done and the question around them.
    #[must_use]
    pub fn text(&self) -> String {
        print(self.form, &self.query, &self.blocks, &self.conflicts)
    }

    /// The blocks alone, each below the place where it stands.
    #[must_use]
    pub fn passages(&self) -> String {
        block::text(&self.blocks, PackForm::Text)
    }
}

impl Engine {
    /// Asks the question and packs what it finds. The same index, question and budget give the same blocks.
    ///
    /// A budget into which nothing fits gives no block, and a hint that says so.
    ///
    /// # Errors
    /// As [`Engine::query`]; where a catalog cannot be read; where the token counter of the settings cannot be had.
    pub async fn pack(
        &self,
        composition: &Composition,
        question: &str,
        options: &PackOptions,
        context: &Context,
    ) -> Result<Packed> {
        Ok(self.pack_answer(composition, question, options, context).await?.0)
    }

    /// [`Engine::pack`] with the answer that it packs.
    pub(crate) async fn pack_answer(
        &self,
        composition: &Composition,
        question: &str,
        options: &PackOptions,
        context: &Context,
    ) -> Result<(Packed, Answer)> {
        let counter = counter(self)?;
        let asked = asked(options);
        let answer = self.query(composition, question, &asked, context).await?;
        let (engine, composition, options) = (self.clone(), composition.clone(), options.clone());
        offload(move || {
            let packed = pack(&engine, &composition, &answer, &options, counter)?;
            Ok((packed, answer))
        })
        .await
    }
}

/// How the question is asked: so many passages that they would fill the budget if they were short.
fn asked(options: &PackOptions) -> QueryOptions {
    /// Tokens of a short passage with its head.
    const SHORT: usize = 40;
    const MOST: usize = 200;
    let mut asked = options.query.clone();
    asked.passages = true;
    let limit = *asked.limit.get_or_insert((options.budget / SHORT).clamp(10, MOST));
    // A budget is its own bound on how much one document takes.
    asked.per_document.get_or_insert(limit);
    asked
}

fn pack(
    engine: &Engine,
    composition: &Composition,
    answer: &Answer,
    options: &PackOptions,
    counter: Arc<dyn TokenCounter>,
) -> Result<Packed> {
    let (counter, form, budget) = (counter.as_ref(), options.form, options.budget);
    // What stands around the passages.
    let frame = counter.count(&print(form, &answer.query, &[], &[]))?;
    let pages = Pages::new(engine, composition);
    let mut packing = Packing::new(pages, counter, form, budget.saturating_sub(frame));
    packing.take(&answer.results)?;
    packing.complete_sections()?;
    packing.cut_into_rest(&answer.results)?;
    packing.widen()?;
    let mut blocks = packing.finish();
    // A tokenizer may make more of a whole than of its parts, and disagreements want room: what is worth least goes.
    let (tokens, conflicts) = loop {
        let conflicts = conflicts(&answer.results, &blocks);
        let tokens = counter.count(&print(form, &answer.query, &blocks, &conflicts))?;
        if tokens <= budget || blocks.is_empty() {
            break (tokens, conflicts);
        }
        let last = blocks.iter().enumerate().max_by_key(|(_, block)| block.rank).map(|(place, _)| place);
        blocks.remove(last.unwrap_or_default());
    };
    let mut hints = answer.hints.clone();
    if let (true, Some(first)) = (blocks.is_empty(), answer.results.first()) {
        hints.push(too_small(first, budget, frame, counter)?);
    }
    let is_left_out = |result: &&SearchResult| !blocks.iter().any(|block| block.holds(result));
    Ok(Packed {
        query: answer.query.clone(),
        rag: answer.rag.clone(),
        counter: counter.name().to_owned(),
        budget,
        tokens,
        left_out: answer.results.iter().filter(is_left_out).count(),
        blocks,
        conflicts,
        served_by: answer.served_by.clone(),
        degraded: answer.degraded.clone(),
        hints,
        form,
    })
}

fn print(form: PackForm, question: &str, blocks: &[PackedBlock], conflicts: &[Conflict]) -> String {
    match form {
        PackForm::Text => block::text(blocks, form),
        PackForm::Prompt => prompt::whole(question, blocks, conflicts),
    }
}

/// The disagreements of passages that were packed, each pair once.
fn conflicts(results: &[SearchResult], blocks: &[PackedBlock]) -> Vec<Conflict> {
    let mut conflicts: Vec<Conflict> = Vec::new();
    let is_packed = |result: &&SearchResult| blocks.iter().any(|block| block.holds(result));
    for conflict in results.iter().filter(is_packed).flat_map(|result| &result.conflicts) {
        let is_same = |known: &Conflict| {
            known.kind == conflict.kind
                && known.there.as_ref().is_some_and(|there| there.id == conflict.here.id)
                && conflict.there.as_ref().is_some_and(|there| there.id == known.here.id)
        };
        if !conflicts.iter().any(is_same) {
            conflicts.push(conflict.clone());
        }
    }
    conflicts
}

fn too_small(first: &SearchResult, budget: usize, frame: usize, counter: &dyn TokenCounter) -> Result<Hint> {
    let tokens = frame + counter.count(&first.text)?;
    let text = format!("nothing fits into a budget of {budget} tokens; the best passage needs about {tokens}");
    Ok(Hint { code: "budget-too-small".to_owned(), text })
}
