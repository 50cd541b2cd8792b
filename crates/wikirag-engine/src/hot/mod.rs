//! The hot cache of a wiki: `hot.md` at its root, a page of a few hundred words that says what is on people's minds, for those who
//! look there first ([`Engine::drill`] does).
//!
//! A proposal is made from what the wiki says of itself: pages that changed last, and threads that are open. It never makes the
//! page sparser: what stands in it is kept while there is room, and sections of people's own stay as they are. Questions are not
//! among its sources: the log of them is for its owner alone, and this page for everybody who may read the wiki.

mod form;
mod propose;
mod recent;
mod save;
mod threads;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use similar::TextDiff;
use wikirag_core::{Context, Date, Result, ResultExt, WikiName, offload};
use wikirag_sqlite::Catalog;
use wikirag_vault::is_markdown;

use crate::current::Current;
use crate::drill::HOT_PAGE;
use crate::pages::pages_of;
use crate::{Engine, Hint, LocatedWiki, brief};
use form::HotPage;
use propose::{Sources, propose};
use recent::Dated;

/// Words of the page at most.
const MOST_WORDS: usize = 499;

/// How to propose.
#[derive(Debug, Clone, Copy)]
pub struct HotOptions {
    /// The day that counts as today: what changed after it is left out.
    pub as_of: Date,
    /// Whether the proposal is written.
    pub write: bool,
}

/// What `hot.md` should say.
#[derive(Debug, Clone, Serialize)]
pub struct HotProposal {
    /// Name of the wiki.
    pub wiki: WikiName,
    /// The file.
    pub file: PathBuf,
    /// The whole page as proposed.
    pub text: String,
    /// What differs from the page that stands, as a unified diff; empty where nothing does.
    pub diff: String,
    /// Words of the page as proposed.
    pub words: usize,
    /// Lines of the page that stands which are not in the proposal, and why.
    pub dropped: Vec<DroppedItem>,
    /// Whether the file was written.
    pub written: bool,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
}

/// A line that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DroppedItem {
    /// The line.
    pub text: String,
    /// `gone` (its page is), `closed` (its thread is), `full` (the page would have too many words).
    pub reason: &'static str,
}

impl Engine {
    /// Proposes the hot cache of a wiki, whose index is brought up to date first, and writes it where that is asked for: to a file
    /// beside it, which then takes its place. No other part of the program writes a document.
    ///
    /// # Errors
    /// As [`Engine::build`]; [`ErrorKind::Invalid`](wikirag_core::ErrorKind::Invalid) where the page that stands is no UTF-8 text.
    /// Where it is to be written: the same for a wiki whose documents lie elsewhere,
    /// [`ErrorKind::Io`](wikirag_core::ErrorKind::Io) where it cannot be, and [`ErrorKind::Busy`](wikirag_core::ErrorKind::Busy)
    /// where somebody wrote to it at the same time.
    pub async fn hot(&self, wiki: &LocatedWiki, options: HotOptions, context: &Context) -> Result<HotProposal> {
        if options.write {
            save::check(wiki)?;
        }
        let wiki = Arc::new(wiki.clone());
        let Current { catalog, behind } = self.current(&wiki, true, context).await?;
        let hints = behind.map(|why| {
            let text = format!("the index was not brought up to date: {why}");
            Hint { code: "not-refreshed".to_owned(), text }
        });
        let hints = hints.into_iter().collect();
        offload(move || proposal(&wiki, &catalog, options, hints).with("wiki", &wiki.manifest.name)).await
    }
}

fn proposal(wiki: &LocatedWiki, catalog: &Catalog, options: HotOptions, mut hints: Vec<Hint>) -> Result<HotProposal> {
    let file = wiki.root.join(HOT_PAGE);
    let present = save::read(&file)?;
    let pages: Vec<Dated> = recent::newest_first(wiki, pages_of(wiki, catalog)?, options.as_of);
    let mut threads = HashMap::new();
    catalog.each_text(|document, path, text| {
        if is_markdown(path) {
            threads.insert(document, threads::in_text(text));
        }
    })?;
    let sources = Sources { catalog, pages: &pages, threads: &threads };
    let page = HotPage::parse(present.as_deref().unwrap_or_default());
    let proposed = propose(&page, &sources, &wiki.manifest.title)?;
    let words = brief::words(&proposed.text);
    if words > MOST_WORDS {
        let text =
            format!("the sections of its own have {words} words; more than {MOST_WORDS} are no hot cache any more");
        hints.push(Hint { code: "oversize".to_owned(), text });
    }
    let before = present.as_deref().unwrap_or_default();
    let diff = diff(before, &proposed.text, present.is_none());
    let mut written = false;
    if options.write && !diff.is_empty() {
        save::write(&file, present.as_deref(), &proposed.text)?;
        written = true;
    }
    let (name, dropped) = (wiki.manifest.name.clone(), proposed.dropped);
    Ok(HotProposal { wiki: name, file, text: proposed.text, diff, words, dropped, written, hints })
}

fn diff(before: &str, after: &str, is_new: bool) -> String {
    if before == after {
        return String::new();
    }
    let old = if is_new { "/dev/null".to_owned() } else { format!("a/{HOT_PAGE}") };
    TextDiff::from_lines(before, after).unified_diff().header(&old, &format!("b/{HOT_PAGE}")).to_string()
}
