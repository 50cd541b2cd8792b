//! Which pieces of which documents come into the budget.
//!
//! In this order: passages as they rank, each where it fits; the rest of the sections of those that were taken; as much of a passage
//! that did not fit as does; what stands before and behind.

use std::cell::RefCell;
use std::sync::Arc;

use wikirag_core::{Result, Span, TokenCounter};

use super::block::{PackForm, PackedBlock};
use super::pages::{Page, Pages};
use crate::cut::{Cuts, fitting};
use crate::search::SearchResult;

/// The rest of the section of a passage is taken with it where it costs no more than this part of the budget.
const SECTION_SHARE: usize = 10;

/// A shorter beginning of a passage says nothing.
const FEWEST_WORDS: usize = 6;

/// A piece that was taken.
struct Taken {
    page: Arc<Page>,
    span: Span,
    /// Of the best passage in it.
    rank: usize,
    /// Of head and text.
    tokens: usize,
}

/// A pack while it is made.
pub(super) struct Packing<'a> {
    pages: Pages<'a>,
    counter: &'a dyn TokenCounter,
    form: PackForm,
    budget: usize,
    tokens: usize,
    /// No two of one document overlap, or have only white space between them.
    taken: Vec<Taken>,
}

impl<'a> Packing<'a> {
    pub(super) const fn new(pages: Pages<'a>, counter: &'a dyn TokenCounter, form: PackForm, budget: usize) -> Self {
        Self { pages, counter, form, budget, tokens: 0, taken: Vec::new() }
    }

    /// Passages as they rank. One that does not fit makes room for smaller ones below it.
    pub(super) fn take(&mut self, results: &[SearchResult]) -> Result<()> {
        for result in results {
            if let Some(page) = self.pages.of(result)? {
                let span = Span::new(result.bytes[0], result.bytes[1]);
                let room = self.budget / SECTION_SHARE;
                if self.add(&page, span, result.rank)? {
                    self.complete_section(&page, span, result.rank, room)?;
                }
            }
        }
        Ok(())
    }

    /// The sections of what was taken, the best first, as far as there is room.
    pub(super) fn complete_sections(&mut self) -> Result<()> {
        for (page, span, rank) in self.ranked() {
            self.complete_section(&page, span, rank, self.budget)?;
        }
        Ok(())
    }

    /// The section of a piece, where the rest of it costs no more than `room`.
    fn complete_section(&mut self, page: &Arc<Page>, span: Span, rank: usize, room: usize) -> Result<()> {
        let wide = page.sections_around(span);
        if wide != span && self.cost(page, wide, rank)? <= self.cost(page, span, rank)? + room {
            self.add(page, wide, rank)?;
        }
        Ok(())
    }

    /// Of passages that did not fit, the best first, as many paragraphs, lines or sentences as do, until the budget is as good as used.
    pub(super) fn cut_into_rest(&mut self, results: &[SearchResult]) -> Result<()> {
        for result in results {
            let Some(page) = self.pages.of(result)? else { continue };
            let span = Span::new(result.bytes[0], result.bytes[1]);
            if self.is_used() {
                return Ok(());
            }
            if !self.is_free(&page, span) {
                continue;
            }
            let fault = RefCell::new(None);
            let fits = |end: usize| {
                let cost = self.cost(&page, Span::new(span.start, span.start + end), result.rank);
                let cost = cost.map_err(|error| fault.borrow_mut().get_or_insert(error).kind());
                cost.is_ok_and(|tokens| self.tokens + tokens <= self.budget)
            };
            let end = fitting(&result.text, Cuts::Any, fits);
            if let Some(fault) = fault.into_inner() {
                return Err(fault);
            }
            if result.text[..end].split_whitespace().count() >= FEWEST_WORDS {
                self.add(&page, Span::new(span.start, span.start + end), result.rank)?;
            }
        }
        Ok(())
    }

    /// What stands behind and before what was taken, passage by passage, the best first, until nothing fits.
    pub(super) fn widen(&mut self) -> Result<()> {
        loop {
            let mut is_wider = false;
            for (page, span, rank) in self.ranked() {
                for wide in page.neighbours(span).into_iter().flatten() {
                    is_wider |= self.add(&page, wide, rank)?;
                }
            }
            if !is_wider {
                return Ok(());
            }
        }
    }

    /// The blocks in their order.
    pub(super) fn finish(self) -> Vec<PackedBlock> {
        let block = |one: &Taken| PackedBlock { tokens: one.tokens, ..PackedBlock::new(&one.page, one.span, one.rank) };
        let mut blocks: Vec<PackedBlock> = self.taken.iter().map(block).collect();
        // Ranks differ, so nothing depends on the order in which pieces were taken.
        blocks.sort_by_key(|block| (block.role != "curated", block.rank));
        blocks
    }

    /// Whether what is left of the budget is too little to matter.
    const fn is_used(&self) -> bool {
        self.tokens * 100 >= self.budget * 95
    }

    /// What was taken, the best first.
    fn ranked(&self) -> Vec<(Arc<Page>, Span, usize)> {
        let mut ranked: Vec<_> = self.taken.iter().map(|one| (Arc::clone(&one.page), one.span, one.rank)).collect();
        ranked.sort_by_key(|(_, _, rank)| *rank);
        ranked
    }

    fn is_free(&self, page: &Arc<Page>, span: Span) -> bool {
        !self
            .taken
            .iter()
            .any(|one| Arc::ptr_eq(&one.page, page) && one.span.start < span.end && span.start < one.span.end)
    }

    fn cost(&self, page: &Page, span: Span, rank: usize) -> Result<usize> {
        self.counter.count(&PackedBlock::new(page, span, rank).printed(self.form))
    }

    /// Takes a piece, as one with those that it touches. Whether it fits.
    fn add(&mut self, page: &Arc<Page>, span: Span, rank: usize) -> Result<bool> {
        let mut whole = (span, rank);
        let mut joined = Vec::new();
        // Each one that is joined may reach the next.
        loop {
            let (span, _) = whole;
            let next = (0..self.taken.len()).find(|place| {
                let one = &self.taken[*place];
                !joined.contains(place) && Arc::ptr_eq(&one.page, page) && touches(&page.text, one.span, span)
            });
            let Some(place) = next else { break };
            let one = &self.taken[place];
            whole = (Span::new(span.start.min(one.span.start), span.end.max(one.span.end)), whole.1.min(one.rank));
            joined.push(place);
        }
        let (span, rank) = whole;
        let freed: usize = joined.iter().map(|place| self.taken[*place].tokens).sum();
        if let [place] = joined.as_slice()
            && self.taken[*place].span == span
        {
            // It is part of what is there.
            self.taken[*place].rank = rank;
            return Ok(false);
        }
        let tokens = self.cost(page, span, rank)?;
        if self.tokens - freed + tokens > self.budget {
            return Ok(false);
        }
        joined.sort_unstable();
        for place in joined.into_iter().rev() {
            self.taken.swap_remove(place);
        }
        self.taken.push(Taken { page: Arc::clone(page), span, rank, tokens });
        self.tokens = self.tokens - freed + tokens;
        Ok(true)
    }
}

/// Whether two pieces of a text overlap, or nothing but white space is between them.
fn touches(text: &str, one: Span, other: Span) -> bool {
    let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
    first.end >= second.start || text.get(first.end..second.start).is_some_and(|between| between.trim().is_empty())
}
