//! Loading what a question needs into a budget of tokens, level by level: what is on people's minds (`hot.md`), what the wiki
//! holds (its index), what the folders hold that the question leads to, and pages.
//!
//! Which levels a question gets, in which order, with what share of the budget, and when it is enough, depends on its kind and
//! stands in a table, `kinds.toml`. Whether it is enough is a rule and no understanding: the share of the question's words that
//! the loaded text holds, each weighed by how rare it is, and how far the scores have fallen.

mod cover;
mod fill;
mod kinds;
mod levels;
mod pages;
mod shelf;

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, PlaceRange, Result, offload};
use wikirag_text::Language;

use crate::locate::Composition;
use crate::open;
use crate::question_words::Frequency;
use crate::search::SearchResult;
use crate::{Answer, Degradation, Engine, Hint, QueryOptions};
use cover::Cover;
use fill::{Loaded, Room, cost};
pub use kinds::{DrillLevel, Kinds};
use kinds::{Step, words_of};
pub(crate) use shelf::HOT_PAGE;
use shelf::Shelf;

/// Wikis that are looked at: as many as `route: auto` asks.
const MOST_WIKIS: usize = 16;

/// How to load.
#[derive(Debug, Clone)]
pub struct DrillOptions {
    /// Tokens at most, by [`estimate_tokens`](wikirag_text::estimate_tokens).
    pub budget: usize,
    /// How the question is asked. `limit` is set from the budget where it is `None`.
    pub query: QueryOptions,
    /// The kinds of questions; `None`: [`Kinds::own`].
    pub kinds: Option<Kinds>,
}

/// What was loaded.
#[derive(Debug, Clone, Serialize)]
pub struct Drilled {
    /// The question as asked.
    pub query: String,
    /// Name of the composition.
    pub rag: String,
    /// The kind of the question.
    pub kind: String,
    /// The word, or the name of the sign, by which the kind was told; empty for the kind of all other questions.
    pub mark: String,
    /// Tokens at most.
    pub budget: usize,
    /// Tokens of all levels together, at most `budget`.
    pub tokens: usize,
    /// The share of the question's words that the text holds, by weight, 0 to 1.
    pub coverage: f64,
    /// The levels in their order, those that were not reached among them.
    pub levels: Vec<LevelLoad>,
    /// What serves less than it could, and why.
    pub degraded: Vec<Degradation>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
}

/// One level of a load.
#[derive(Debug, Clone, Serialize)]
pub struct LevelLoad {
    /// Which.
    pub level: DrillLevel,
    /// Tokens that it could take: its share of the budget, or what was left.
    pub allowance: usize,
    /// Tokens that it took.
    pub tokens: usize,
    /// The share of the question's words that the text held when the level was done, by weight, 0 to 1.
    pub coverage: f64,
    /// Why it ended: `enough`, `full`, `done` (there is no more), `nothing` (there is none), `skipped` (it was enough before).
    pub stopped: &'static str,
    /// The same in words.
    pub reason: String,
    /// What was loaded, in its order.
    pub blocks: Vec<DrillBlock>,
}

/// A piece of text with where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DrillBlock {
    /// `wiki/path:first-last`; of a list that was made, the wiki or folder.
    pub citation: String,
    /// Name of the wiki.
    pub wiki: String,
    /// Below the root of the wiki, with `/`; of a list that was made, the folder.
    pub path: String,
    /// Where in the file; `None` for a list that was made.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceRange>,
    /// Whether the text stands in no file, but was made from titles and first sentences.
    pub made: bool,
    /// The line above the text: the citation, and title and headings.
    pub head: String,
    /// Tokens of `head` and `text`.
    pub tokens: usize,
    /// The text as it stands.
    pub text: String,
}

impl Drilled {
    /// What was loaded as one text: each block below its head, an empty line between two. Costs no more than `tokens`.
    #[must_use]
    pub fn context(&self) -> String {
        let blocks = self.levels.iter().flat_map(|level| &level.blocks);
        blocks.map(|block| format!("{}\n{}\n", block.head, block.text)).collect::<Vec<_>>().join("\n")
    }
}

impl Engine {
    /// Asks the question and loads what its kind calls for into the budget. The levels take what they find in the catalogs of the
    /// wikis, as `query` leaves them.
    ///
    /// A budget into which nothing fits gives an empty load that says so.
    ///
    /// # Errors
    /// As [`Engine::query`], and where a catalog cannot be read.
    pub async fn drill(
        &self,
        composition: &Composition,
        question: &str,
        options: &DrillOptions,
        context: &Context,
    ) -> Result<Drilled> {
        let mut asked = options.query.clone();
        asked.passages = true;
        if asked.limit.is_none() {
            // Passages have more tokens than that on average, and what comes far down adds little.
            asked.limit = Some((options.budget / 128).clamp(10, 60));
        }
        let answer = self.query(composition, question, &asked, context).await?;
        let (engine, composition) = (self.clone(), composition.clone());
        let (budget, kinds) = (options.budget, options.kinds.clone());
        offload(move || load(&engine, &composition, answer, &kinds.map_or_else(Kinds::own, Ok)?, budget)).await
    }
}

/// Loads what the kind of the question calls for, now that its results are known.
fn load(engine: &Engine, composition: &Composition, answer: Answer, kinds: &Kinds, budget: usize) -> Result<Drilled> {
    let Answer { query, rag, results, degraded, mut hints, .. } = answer;
    let mut load = Load::new(engine, composition, &query, &results, kinds, budget)?;
    let levels = load.levels()?;
    hints.extend(load.too_small());
    let (tokens, coverage) = (load.used, load.cover.share());
    Ok(Drilled { query, rag, kind: load.kind, mark: load.mark, budget, tokens, coverage, levels, degraded, hints })
}

/// A load while it is made.
struct Load<'a> {
    shelves: Vec<Shelf>,
    /// The results with the place of their shelf.
    results: Vec<(usize, &'a SearchResult)>,
    kind: String,
    mark: String,
    steps: Vec<Step>,
    budget: usize,
    used: usize,
    cover: Cover,
    loaded: Loaded,
    /// Folders of which a list was made, by the place of their wiki.
    listed: HashSet<(usize, String)>,
}

/// Why a level ended.
enum Stop {
    Enough,
    Full,
    Done,
    Nothing(&'static str),
}

impl<'a> Load<'a> {
    fn new(
        engine: &Engine,
        composition: &Composition,
        question: &str,
        results: &'a [SearchResult],
        kinds: &Kinds,
        budget: usize,
    ) -> Result<Self> {
        // Those wikis first that answer best.
        let rank = |name: &str| results.iter().position(|result| result.wiki.as_str() == name).unwrap_or(usize::MAX);
        let mut wikis: Vec<_> = composition.wikis.iter().map(|wiki| Arc::clone(&wiki.located)).collect();
        wikis.sort_by_key(|wiki| rank(wiki.manifest.name.as_str()));
        wikis.truncate(MOST_WIKIS);
        let (mut shelves, mut layers) = (Vec::new(), Vec::new());
        for wiki in &wikis {
            let open = match open::open(engine, wiki, None) {
                Ok(open) => open,
                // A wiki without documents, which the query allowed.
                Err(error) if error.kind() == ErrorKind::IndexMissing => continue,
                Err(error) => return Err(error),
            };
            shelves.push(Shelf::new(wiki, open.catalog)?);
            layers.push(open.layers);
        }
        let words = words_of(question);
        let is_named = |name: &str| !words.is_empty() && words_of(name) == words;
        let pages = || shelves.iter().flat_map(|shelf: &Shelf| &shelf.pages);
        let is_title = pages().any(|page| is_named(&page.title) || page.aliases.iter().any(|alias| is_named(alias)));
        let chosen = kinds.of(question, is_title);
        let place_of = |result: &SearchResult| shelves.iter().position(|shelf| shelf.name == result.wiki.as_str());
        let results: Vec<_> = results.iter().filter_map(|result| Some((place_of(result)?, result))).collect();
        let language = results.first().and_then(|(shelf, result)| {
            let page = shelves.get(*shelf)?.page(&result.path)?;
            Language::from_code(&page.language)
        });
        let cover = Cover::new(question, &chosen.mark, language, |word| Frequency::of(word, &layers))?;
        let (kind, mark, steps) = (chosen.kind.name.clone(), chosen.mark, chosen.kind.steps.clone());
        Ok(Self {
            kind,
            mark,
            steps,
            shelves,
            results,
            budget,
            used: 0,
            cover,
            loaded: Loaded::default(),
            listed: HashSet::new(),
        })
    }

    fn levels(&mut self) -> Result<Vec<LevelLoad>> {
        let mut levels = Vec::new();
        let mut is_enough = false;
        for step in self.steps.clone() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a share from 0 to 1 of a number far below 2^52"
            )]
            let share = (step.share * self.budget as f64) as usize;
            let allowance = share.min(self.budget - self.used);
            if is_enough {
                levels.push(self.level(&step, Room::new(allowance), "skipped", "it was enough before".to_owned()));
                continue;
            }
            let mut room = Room::new(allowance);
            let mut stop = match step.level {
                DrillLevel::Hot => self.hot(&mut room)?,
                DrillLevel::Index => self.index(&mut room)?,
                DrillLevel::Domain => self.domain(&mut room)?,
                DrillLevel::Page => self.page(&step, &mut room)?,
            };
            if step.level != DrillLevel::Page && !room.blocks.is_empty() && self.is_covered(&step) {
                stop = Stop::Enough;
            }
            is_enough = matches!(stop, Stop::Enough);
            let (code, reason) = self.told(&stop, &step, &room);
            self.used += room.tokens;
            levels.push(self.level(&step, room, code, reason));
        }
        debug_assert!(self.used <= self.budget);
        Ok(levels)
    }

    /// Whether the text holds as much of the question as the step asks for.
    fn is_covered(&self, step: &Step) -> bool {
        step.enough.is_some_and(|enough| self.cover.share() >= enough)
    }

    fn told(&self, stop: &Stop, step: &Step, room: &Room) -> (&'static str, String) {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        match stop {
            Stop::Enough => {
                let (share, asked) = (percent(self.cover.share()), percent(step.enough.unwrap_or(1.0)));
                ("enough", format!("the text holds {share} of the question, and {asked} are enough"))
            }
            Stop::Full if room.blocks.is_empty() => {
                let tokens = room.left();
                let of = if step.share < 1.0 { format!(", its share of {}", self.budget) } else { String::new() };
                ("full", format!("no line fits into the {tokens} tokens that it may take{of}"))
            }
            Stop::Full => ("full", "the next part does not fit".to_owned()),
            Stop::Done => ("done", "there is no more".to_owned()),
            Stop::Nothing(why) => ("nothing", (*why).to_owned()),
        }
    }

    fn level(&self, step: &Step, room: Room, stopped: &'static str, reason: String) -> LevelLoad {
        let (allowance, tokens) = (room.tokens + room.left(), room.tokens);
        let coverage = self.cover.share();
        LevelLoad { level: step.level, allowance, tokens, coverage, stopped, reason, blocks: room.blocks }
    }

    /// Why nothing was loaded, where the budget is what was too small.
    fn too_small(&self) -> Option<Hint> {
        let (_, first) = self.results.first().filter(|_| self.used == 0)?;
        let tokens = cost(&format!("[{}/{}{}] {}", first.wiki, first.path, first.place, first.title), &first.text);
        let text = format!(
            "nothing fits into a budget of {} tokens; the best passage has about {tokens} with its citation",
            self.budget
        );
        Some(Hint { code: "budget-too-small".to_owned(), text })
    }

    fn shelf(&mut self, place: usize) -> Result<&mut Shelf> {
        let missing = || Error::new(ErrorKind::Internal, "drill", "a result lies in no wiki of the composition");
        self.shelves.get_mut(place).ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests;
