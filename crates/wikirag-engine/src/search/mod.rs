//! Questions over a composition: prepare each wiki, weigh the wikis, search their layers, fuse, load the best hits.

mod answer;
mod conflict;
mod fuse;
mod pool;
mod prepare;
mod question;
mod relevance;
mod rerank;
mod results;
mod route;
pub(crate) mod similar;
mod snippet;
mod spread;
mod survey;

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::join_all;
use wikirag_core::{Context, DocId, Error, ErrorKind, Fuser, Query, RankedList, Result, ResultExt, offload};
use wikirag_text::Analyser;

pub(crate) use answer::Notes;
pub use answer::{
    Answer, By, Degradation, Evidence, Explanation, Hint, LayerPart, PassagePart, QueryOptions, Refresh, Same,
    SearchResult, Snippet, WikiPart,
};
pub use conflict::{Conflict, ConflictSide};
pub(crate) use snippet::snippet;

use crate::locate::Composition;
use crate::manifest::{DEFAULT_FUSER, RANK_FUSER, Route};
use crate::open::{OpenLayer, OpenWiki};
use crate::{Engine, LocatedWiki};
pub(crate) use question::Question;
use results::Bounds;
use route::Routing;
use survey::Surveyed;

/// How deep each layer is asked where lists are fused: a hit below this rank in every list has no say any more
/// (reciprocal rank fusion gives rank 100 less than 40 % of what it gives rank 1).
const DEPTH: usize = 100;

/// A wiki of the composition that is searched.
struct Prepared {
    wiki: Arc<LocatedWiki>,
    /// As the composition says.
    weight: f64,
    open: OpenWiki,
}

/// The ranked lists of one wiki.
#[derive(Default)]
struct Searched {
    /// Weight of the wiki for this question.
    weight: f64,
    /// Why it has that weight: what each layer gave, by name.
    evidence: Vec<(String, f64)>,
    /// One list a layer.
    lists: Vec<LayerList>,
    /// Layers that failed while another one answered.
    failures: Vec<(String, Error)>,
}

/// What a layer found.
struct LayerList {
    /// Name of the layer.
    name: String,
    list: RankedList,
    /// Its say for this question beside the other layers of the wiki.
    weight: f64,
}

impl Engine {
    /// Answers a question over the wikis of a composition, whose clearance was checked when it was loaded.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for an empty question and for a limit of 0; [`ErrorKind::NotFound`] for a wiki without documents, unless
    /// that is allowed; what opening a wiki says where it can answer by no layer at all; with `strict`, any degradation.
    pub async fn query(
        &self,
        composition: &Composition,
        question: &str,
        options: &QueryOptions,
        context: &Context,
    ) -> Result<Answer> {
        let started = Instant::now();
        composition.check()?;
        let limit = options.limit.or(composition.limit).unwrap_or(self.settings().limit);
        check(question, limit, options)?;
        let mut answer = Answer::new(question, composition);
        answer.missing(&composition.missing);
        let surveyed = self.survey(composition, question, options, &mut answer, context).await?;
        strict(options, &answer)?;
        let question = self.choose(composition, question, surveyed, options, &mut answer, context).await?;
        strict(options, &answer)?;
        if has_words(&question.words) {
            self.search(composition, question, limit, &mut answer, options, context).await?;
        } else {
            answer.hint("no-words", "the question holds no word that could be searched for");
        }
        strict(options, &answer)?;
        answer.took_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(answer)
    }

    /// Chooses the wikis to search and opens them, and takes the question apart as they understand it.
    async fn choose(
        &self,
        composition: &Composition,
        question: &str,
        mut surveyed: Vec<Surveyed>,
        options: &QueryOptions,
        answer: &mut Answer,
        context: &Context,
    ) -> Result<Arc<Understood>> {
        let (mut counted, mut near) = (Vec::new(), Vec::new());
        let most = match composition.route {
            // What the question demands of fields may be met by wikis that its words say nothing of.
            Route::Auto if Question::may_name_fields(question) => None,
            route => route.most(),
        };
        if composition.route != Route::All && surveyed.len() > 1 {
            let query = Query::new(Question::parse(question, |_| Ok(false))?.words, 0);
            counted = self.count(&mut surveyed, &query, options, answer, context).await?;
            if most.is_some_and(|most| surveyed.len() > most) {
                near = self.nearness(&surveyed, &query, context).await?;
            }
        }
        let mut routing = route::choose(composition.route, &surveyed, &counted, &near, most);
        let chosen = routing.chosen.iter().filter_map(|place| surveyed.get(*place).cloned()).collect();
        let opened = self.open_chosen(chosen, options, answer, context).await?;
        let mut is_there = opened.iter().map(Option::is_some);
        routing.chosen.retain(|_| is_there.next().unwrap_or(false));
        let prepared: Vec<Prepared> = opened.into_iter().flatten().collect();
        understand(question, prepared.into(), routing).await
    }

    async fn search(
        &self,
        composition: &Composition,
        question: Arc<Understood>,
        limit: usize,
        answer: &mut Answer,
        options: &QueryOptions,
        context: &Context,
    ) -> Result<()> {
        let prepared = &question.prepared;
        let single = prepared.len() == 1 && prepared.iter().all(|wiki| wiki.open.layers.len() == 1);
        let per_document = options.per_document.or(composition.per_document).unwrap_or(self.settings().per_document);
        let bounds = Bounds { limit, per_document };
        let stages = rerank::stages(self, composition.rerank.as_deref())?;
        let mut size = pool::size(limit, options).max(rerank::wanted(&stages));
        let mut depth = if single { size } else { DEPTH.max(size) };
        let fuser = self.fuser(composition)?;
        let (results, gone, refused) = loop {
            let searched = search_wikis(&question, fuser.as_ref(), depth, context).await?;
            answer.served_by(&searched);
            answer.failures(prepared, &searched);
            strict(options, answer)?;
            let fused = fuse::fuse(fuser.as_ref(), &searched, depth);
            answer.total = fused.len();
            let is_cut = searched.iter().any(|wiki| wiki.lists.iter().any(|found| found.list.hits.len() >= depth));
            let (asked, asked_how) = (Arc::clone(&question), options.clone());
            let mut pool = offload(move || pool::load(&asked, &searched, &fused, size, &asked_how)).await?;
            // What the question does not allow may hide what it does, which stands further down. Rerankers wait for that.
            if pool.hits.len() < limit && pool.gone + pool.refused > 0 && is_cut {
                depth *= 4;
                continue;
            }
            rerank::apply(&stages, answer, &mut pool, context).await?;
            let (asked, asked_how) = (Arc::clone(&question), options.clone());
            let hits = std::mem::take(&mut pool.hits);
            let is_rescored = hits.iter().any(|hit| hit.rescored.is_some());
            let shown = offload(move || results::choose(&asked, hits, bounds, &asked_how)).await;
            let gone = pool.gone + shown.gone;
            // So may what is gone; and copies and long documents, for whose sake no model is asked twice.
            let is_deep = gone == 0 && (is_rescored || size >= pool::DEEP);
            if !shown.is_short || is_deep || !(is_cut || pool.is_cut) {
                break (shown.results, gone, pool.refused);
            }
            depth *= 4;
            size *= 4;
        };
        if gone > 0 {
            let text = format!(
                "{gone} passages were found in files that are gone or no part of the wiki any more; run `wikirag build`"
            );
            answer.hint("gone", text);
        } else if results.is_empty() {
            answer.hint("nothing-found", match refused {
                0 => "no passage holds a word of the question",
                _ => "passages hold words of the question, and none of them all that it demands by quotes, `-` or `field:`",
            });
        }
        answer.results = results;
        Ok(())
    }

    fn fuser(&self, composition: &Composition) -> Result<Box<dyn Fuser>> {
        let registry = self.registry();
        match &composition.fuse {
            Some(choice) => registry.fuser(&choice.name, &self.setup_of(choice)),
            None => {
                let is_there = registry.names_of("fuser").any(|name| name == DEFAULT_FUSER);
                let name = if is_there { DEFAULT_FUSER } else { RANK_FUSER };
                registry.fuser(name, &self.setup(name))
            }
        }
    }
}

/// A question taken apart, the wikis that it is asked of, and the documents of them that it allows.
struct Understood {
    question: Question,
    prepared: Arc<[Prepared]>,
    /// What was known of them before.
    routing: Routing,
    /// By wiki; `None`: all of its documents.
    documents: Vec<Option<HashSet<DocId>>>,
}

impl Deref for Understood {
    type Target = Question;

    fn deref(&self) -> &Question {
        &self.question
    }
}

/// Takes a question apart as the wikis understand it. Only one with a field needs their catalogs, and a thread for that.
async fn understand(text: &str, prepared: Arc<[Prepared]>, routing: Routing) -> Result<Arc<Understood>> {
    if !Question::may_name_fields(text) {
        let question = Question::parse(text, |_| Ok(false))?;
        let documents = prepared.iter().map(|_| None).collect();
        return Ok(Arc::new(Understood { question, prepared, routing, documents }));
    }
    let text = text.to_owned();
    offload(move || {
        let catalogs = || prepared.iter().map(|wiki| &wiki.open.catalog);
        let question = Question::parse(&text, |field| {
            catalogs().try_fold(false, |is_known, catalog| Ok(is_known || catalog.has_field(field)?))
        })?;
        let documents = catalogs().map(|catalog| question.documents(catalog)).collect::<Result<_>>()?;
        Ok(Arc::new(Understood { question, documents, routing, prepared: Arc::clone(&prepared) }))
    })
    .await
}

/// With `strict` nothing may serve less than it could: looked at before the search, which may cost much, and after it.
fn strict(options: &QueryOptions, answer: &Answer) -> Result<()> {
    match answer.degraded.first() {
        Some(reason) if options.strict => {
            Err(Error::new(ErrorKind::Unavailable, "query", reason.to_string()).help(reason.remedy.clone()))
        }
        _ => Ok(()),
    }
}

fn check(question: &str, limit: usize, options: &QueryOptions) -> Result<()> {
    if question.trim().is_empty() {
        let error = Error::new(ErrorKind::Usage, "query", "the question is empty");
        return Err(error.help("ask for something: `wikirag query food.rag.yaml \"when to sow basil\"`"));
    }
    if !(1..=QueryOptions::MAX_LIMIT).contains(&limit) {
        let message = format!("a limit of {limit} is out of range");
        let help = format!("take a number from 1 to {}", QueryOptions::MAX_LIMIT);
        return Err(Error::new(ErrorKind::Usage, "query", message).help(help));
    }
    if options.per_document == Some(0) {
        let error = Error::new(ErrorKind::Usage, "query", "no passage of a document may be shown");
        return Err(error.help("take a number from 1 for the passages of one document"));
    }
    if let Some(layers) = &options.layers {
        let mut seen = std::collections::HashSet::new();
        if layers.is_empty() || !layers.iter().all(|layer| seen.insert(layer)) {
            let message = format!("the layers `{}` are none, or one is named twice", layers.join(","));
            return Err(Error::new(ErrorKind::Usage, "query", message).help("name each layer once"));
        }
    }
    Ok(())
}

/// Whether anything in the question can be looked up. A lone emoji cannot.
fn has_words(question: &str) -> bool {
    let mut any = false;
    Analyser::new(None).tokens(question, |_| any = true);
    any
}

/// Searches the wikis, and weighs them by what was found.
async fn search_wikis(
    question: &Understood,
    fuser: &dyn Fuser,
    depth: usize,
    context: &Context,
) -> Result<Vec<Searched>> {
    let mut query = Query::new(question.words.as_str(), depth);
    query.is_exact = question.is_exact();
    let searches = question.prepared.iter().map(|wiki| search_wiki(wiki, fuser, &query, context));
    let mut searched = join_all(searches).await.into_iter().collect::<Result<Vec<_>>>()?;
    question.routing.weigh(&question.prepared, &mut searched);
    Ok(searched)
}

/// Searches all layers of one wiki: first those that look for themselves, then those that go on from what was found.
async fn search_wiki(wiki: &Prepared, fuser: &dyn Fuser, query: &Query, context: &Context) -> Result<Searched> {
    let mut searched = Searched { weight: wiki.weight, ..Searched::default() };
    let layers = || wiki.open.layers.iter();
    let leading = layers().filter(looks_itself);
    search_layers(wiki, leading, query, 1.0, context, &mut searched).await;
    let mut going_on = layers().filter(goes_on).peekable();
    if going_on.peek().is_some() {
        let seeds = fuse::seeds(fuser, &searched.lists, query.want);
        let query = query.clone().with_seeds(seeds);
        let others: f64 = searched.lists.iter().map(|found| found.weight).sum();
        let beside = if others > 0.0 { others } else { 1.0 };
        search_layers(wiki, going_on, &query, beside, context, &mut searched).await;
    }
    // Whoever asked to stop, or has no time left, wants no answer by half of the layers.
    context.check("search")?;
    if searched.lists.is_empty() && !searched.failures.is_empty() {
        return Err(searched.failures.swap_remove(0).1);
    }
    Ok(searched)
}

// Functions and no closures, so that the compiler sees that a search may move between threads.
fn goes_on(layer: &&OpenLayer) -> bool {
    layer.retriever.needs_seeds()
}

fn looks_itself(layer: &&OpenLayer) -> bool {
    !goes_on(layer)
}

/// Searches some layers of a wiki, whose say is in relation to the weight `beside`.
async fn search_layers(
    wiki: &Prepared,
    layers: impl Iterator<Item = &OpenLayer> + Clone,
    query: &Query,
    beside: f64,
    context: &Context,
    searched: &mut Searched,
) {
    let searches = layers.clone().map(|layer| layer.retriever.search(query, context));
    for (layer, found) in layers.zip(join_all(searches).await) {
        let name = layer.name.clone();
        match found.with("layer", &name).with("wiki", &wiki.wiki.manifest.name) {
            Ok(list) => {
                let weight = beside * layer.retriever.weight(query);
                searched.lists.push(LayerList { name, list, weight });
            }
            Err(error) => searched.failures.push((name, error)),
        }
    }
}
