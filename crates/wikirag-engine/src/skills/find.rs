//! From a task to the entries that help with it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use wikirag_core::{Context, Error, ErrorKind, Result, ResultExt, Span, TokenCounter, offload};

use super::alike::Groups;
use super::fold::{self, Folded};
use super::found::{Alike, FoundSkill, FoundSkills, TokensSpent};
use super::why::Matcher;
use super::{Entry, SkillKind, task};
use crate::fresh::{Freshness, FreshnessCheck};
use crate::locate::{ComposedWiki, Composition};
use crate::manifest::WikiKind;
use crate::search::{Answer, By, QueryOptions, Refresh};
use crate::{Engine, Hint, brief, head, open, pack};

const OPERATION: &str = "find skills";

/// Passages that are asked for at first, and what they grow by where the entries of a kind are too few.
const PASSAGES: usize = 100;
const DEEPER: usize = 4;

/// Near-identical entries that are named.
const NAMED: usize = 3;

/// Entries that are looked at for each one that is shown, so that most of those that are near-identical are told.
const LOOKED_AT: usize = 4;

/// Characters of a description that are shown.
const DESCRIPTION: usize = 200;

/// How to find skills.
#[derive(Debug, Clone)]
pub struct FindOptions {
    /// Entries at most: 1 to [`FindOptions::MAX_LIMIT`].
    pub limit: usize,
    /// Only entries of this kind.
    pub kind: Option<SkillKind>,
    /// Whether it is told which words of the task an entry holds.
    pub why: bool,
    /// Whether near-identical entries are put under the best of them.
    pub group: bool,
    /// How the wikis are asked. What a result is, how many there are and whether they carry passages is decided here.
    pub query: QueryOptions,
}

impl FindOptions {
    /// The most entries of one answer.
    pub const MAX_LIMIT: usize = 100;
}

impl Default for FindOptions {
    fn default() -> Self {
        Self { limit: 5, kind: None, why: false, group: true, query: QueryOptions::default() }
    }
}

impl Engine {
    /// Finds the entries of wikis of the kind `skills` that help with a task, told in plain words. Wikis of other kinds in the
    /// composition are left out, and told.
    ///
    /// Passages are searched and reranked as for any question, then folded into entries by a soft maximum of their scores.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for an empty task and a limit out of range; [`ErrorKind::NotFound`] where no wiki of the composition is of the
    /// kind; as [`Engine::query`].
    pub async fn find_skills(
        &self,
        composition: &Composition,
        task: &str,
        options: &FindOptions,
        context: &Context,
    ) -> Result<FoundSkills> {
        let started = Instant::now();
        composition.check()?;
        check(task, options)?;
        let (composition, others) = of_skills(composition)?;
        let words = task::words_of(task);
        let counter = pack::counter(self)?;
        let context = context.clone().metered();
        let mut depth = PASSAGES.max(options.limit * DEEPER).min(QueryOptions::MAX_LIMIT);
        // Whoever goes deeper has looked at the folders already; what the look told is in the answer before.
        let mut refresh = options.query.refresh;
        let mut before: Option<Answer> = None;
        let (mut answer, chosen, total) = loop {
            let asked = QueryOptions {
                refresh,
                limit: Some(depth),
                by: By::Passage,
                per_document: Some(depth),
                // Without stages that read passages nobody does: entries are compared as a whole, and shown by their own words.
                passages: composition.rerank.is_some(),
                check_freshness: false,
                explain: false,
                ..options.query.clone()
            };
            let mut answer = self.query(&composition, &words, &asked, &context).await?;
            if let Some(before) = before.take() {
                take_notes(&mut answer, before);
            }
            let mut entries = fold::entries(&answer.results);
            entries.retain(|entry| options.kind.is_none_or(|kind| kind.as_str() == entry.role));
            let total = entries.len();
            let is_cut = answer.results.len() == depth && depth < QueryOptions::MAX_LIMIT;
            let chooser = Chooser { engine: self.clone(), wikis: composition.wikis.clone(), options: options.clone() };
            let words = words.clone();
            let chosen = offload(move || chooser.choose(entries, &words)).await?;
            if chosen.entries.len() < options.limit && is_cut {
                depth = (depth * DEEPER).min(QueryOptions::MAX_LIMIT);
                refresh = Refresh::Never;
                before = Some(answer);
                continue;
            }
            break (answer, chosen, total);
        };
        let (rerank_read, rerank_written) = context.tokens.spent();
        answer.hints.extend(others);
        if chosen.gone > 0 {
            let text = format!("{} entries were found whose files are gone; run `wikirag build`", chosen.gone);
            answer.hints.push(Hint { code: "gone".to_owned(), text });
        }
        let mut found = FoundSkills {
            version: 1,
            task: task.to_owned(),
            rag: answer.rag,
            entries: chosen.entries,
            total,
            served_by: answer.served_by,
            degraded: answer.degraded,
            hints: answer.hints,
            tokens: TokensSpent { rerank_read, rerank_written, ..TokensSpent::default() },
            took_ms: 0.0,
        };
        count(&mut found, counter.as_ref())?;
        found.took_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(found)
    }
}

/// Adds what an earlier answer to the same task told and this one does not.
fn take_notes(answer: &mut Answer, before: Answer) {
    let known: Vec<String> = answer.hints.iter().map(|hint| hint.code.clone()).collect();
    answer.hints.extend(before.hints.into_iter().filter(|hint| !known.contains(&hint.code)));
    for degradation in before.degraded {
        if !answer.degraded.contains(&degradation) {
            answer.degraded.push(degradation);
        }
    }
}

fn count(found: &mut FoundSkills, counter: &dyn TokenCounter) -> Result<()> {
    found.tokens.answer = counter.count(&found.text())?;
    found.tokens.counter = counter.name().to_owned();
    Ok(())
}

fn check(task: &str, options: &FindOptions) -> Result<()> {
    if task.trim().is_empty() {
        let error = Error::new(ErrorKind::Usage, OPERATION, "the task is empty");
        return Err(error.help("say what is to be done: `wikirag skills \"test a React app\"`"));
    }
    if !(1..=FindOptions::MAX_LIMIT).contains(&options.limit) {
        let message = format!("a limit of {} is out of range", options.limit);
        let help = format!("take a number from 1 to {}", FindOptions::MAX_LIMIT);
        return Err(Error::new(ErrorKind::Usage, OPERATION, message).help(help));
    }
    Ok(())
}

/// The composition without wikis of other kinds, and what there is to tell of those.
fn of_skills(composition: &Composition) -> Result<(Cow<'_, Composition>, Option<Hint>)> {
    let (skills, others): (Vec<ComposedWiki>, Vec<ComposedWiki>) =
        composition.wikis.iter().cloned().partition(|wiki| wiki.located.manifest.kind == WikiKind::Skills);
    let names: Vec<&str> = others.iter().map(|wiki| wiki.located.manifest.name.as_str()).collect();
    let names = names.join(", ");
    if skills.is_empty() {
        let error = Error::new(ErrorKind::NotFound, OPERATION, format!("no wiki of skills is among: {names}"));
        return Err(error.help("write `kind: skills` into `.wiki.yaml`, or add a registry with `wikirag tap add`"));
    }
    if others.is_empty() {
        return Ok((Cow::Borrowed(composition), None));
    }
    let text = format!("left out, since they are no wikis of skills: {names}");
    let hint = Hint { code: "not-skills".to_owned(), text };
    Ok((Cow::Owned(Composition { wikis: skills, ..composition.clone() }), Some(hint)))
}

/// What is shown, and how many better entries are gone.
struct Chosen {
    entries: Vec<FoundSkill>,
    gone: usize,
}

/// Chooses what is shown.
struct Chooser {
    engine: Engine,
    wikis: Vec<ComposedWiki>,
    options: FindOptions,
}

impl Chooser {
    /// Takes entries, which come best first, until enough are there, and some more for the sake of those that are near-identical.
    fn choose(&self, entries: Vec<Folded>, words: &str) -> Result<Chosen> {
        let matcher = Matcher::new(words)?;
        let wikis: HashMap<_, _> =
            self.wikis.iter().map(|wiki| (wiki.located.manifest.name.clone(), Arc::clone(&wiki.located))).collect();
        let mut files = FreshnessCheck::default();
        let mut groups = Groups::new();
        let mut chosen = Chosen { entries: Vec::new(), gone: 0 };
        let limit = self.options.limit;
        for (looked_at, entry) in entries.into_iter().enumerate() {
            let is_full = chosen.entries.len() == limit;
            if is_full && (!self.options.group || looked_at >= limit * LOOKED_AT) {
                break;
            }
            let Some(wiki) = wikis.get(&entry.wiki) else { continue };
            let stored = open::catalog(&self.engine, wiki)?.document(&entry.path).with("wiki", &entry.wiki)?;
            // An entry that another process takes out of the index while it is asked.
            let Some(stored) = stored else { continue };
            let id = format!("{}/{}", entry.wiki, entry.path);
            if self.options.group
                && let Some((group, likeness)) = groups.place(&stored.title, &stored.text)
            {
                // Groups and what is shown come in one order.
                if let Some(first) = chosen.entries.get_mut(group) {
                    match first.alike.len() {
                        NAMED => first.more_alike += 1,
                        _ => first.alike.push(Alike { id, name: stored.title, likeness }),
                    }
                }
                continue;
            }
            if is_full {
                continue;
            }
            let freshness = match self.options.query.check_freshness {
                true => files.of(wiki, &entry.path, stored.stamp, &stored.content_hash),
                false => Freshness::Unknown,
            };
            if freshness == Freshness::Gone {
                chosen.gone += 1;
                groups.forget_last();
                continue;
            }
            let description = Entry::description_of(&stored.meta, &stored.text);
            let why = self.options.why.then(|| {
                let best = entry.best.and_then(|[start, end]| Span::new(start, end).slice(&stored.text));
                let body = head::body(&stored.text);
                matcher.why(&stored.title, &description, body, best.unwrap_or_default(), &stored.language)
            });
            chosen.entries.push(FoundSkill {
                rank: chosen.entries.len() + 1,
                id,
                wiki: entry.wiki,
                sensitivity: wiki.manifest.sensitivity,
                path: entry.path,
                kind: SkillKind::known(&stored.role).unwrap_or(SkillKind::Skill),
                name: stored.title,
                description: matcher.marked(brief::cut(&description, DESCRIPTION)),
                score: entry.score,
                why,
                reason: entry.reason,
                alike: Vec::new(),
                more_alike: 0,
                freshness,
            });
        }
        Ok(chosen)
    }
}
