//! Which wikis there are to ask, and what each knows of a question before it is searched.
//!
//! A wiki whose seal fits is not opened for that: see [`Seal`](crate::seal::Seal). Any other is made ready as for a search.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use wikirag_core::{Context, Query, Result, ResultExt, TermStatistics};

use super::answer::{Answer, Notes, QueryOptions, Refresh};
use super::spread::spread;
use super::{Prepared, Question};
use crate::build::Processor;
use crate::locate::{ComposedWiki, Composition};
use crate::looks::Seen;
use crate::manifest::Route;
use crate::open::{OpenLayer, OpenWiki};
use crate::scan::scan;
use crate::seal::folder_sum;
use crate::{Engine, LocatedWiki, layers};

/// A wiki of the composition that could be searched.
#[derive(Clone)]
pub(super) struct Surveyed {
    pub(super) wiki: Arc<LocatedWiki>,
    /// As the composition says.
    pub(super) weight: f64,
    /// Its layers, for what they know without a search.
    pub(super) layers: Vec<OpenLayer>,
    /// Where it had to be opened.
    open: Option<OpenWiki>,
}

/// What the layer of a wiki that knows words says of those of the question.
pub(super) struct Counted {
    /// Name of the layer.
    pub(super) layer: String,
    pub(super) statistics: TermStatistics,
}

impl Engine {
    /// Looks at all wikis of the composition. Those that have no documents are left out where that is allowed.
    pub(super) async fn survey(
        &self,
        composition: &Composition,
        question: &str,
        options: &QueryOptions,
        answer: &mut Answer,
        context: &Context,
    ) -> Result<Vec<Surveyed>> {
        let wikis = composition.wikis.iter().map(|wiki| Arc::clone(&wiki.located)).collect::<Vec<_>>();
        let wikis = Arc::new(wikis);
        // All wikis are opened where all are searched, and where the question may name fields, which catalogs know.
        let is_choice = wikis.len() > 1 && composition.route != Route::All && !Question::may_name_fields(question);
        let mut seen = match is_choice {
            true => self.glance(&wikis, options).await,
            false => HashMap::new(),
        };
        let mut surveyed = Vec::with_capacity(wikis.len());
        for (place, (wiki, ComposedWiki { weight, .. })) in wikis.iter().zip(&composition.wikis).enumerate() {
            let (layers, open) = match seen.remove(&place) {
                Some(layers) => (layers, None),
                None => match self.made_ready(wiki, options, answer, context).await? {
                    Some(open) => (open.layers.clone(), Some(open)),
                    None => continue,
                },
            };
            surveyed.push(Surveyed { wiki: Arc::clone(wiki), weight: *weight, layers, open });
        }
        Ok(surveyed)
    }

    /// The layers of the wikis that need not be opened, by their place.
    async fn glance(
        &self,
        wikis: &Arc<Vec<Arc<LocatedWiki>>>,
        options: &QueryOptions,
    ) -> HashMap<usize, Vec<OpenLayer>> {
        let (engine, options) = (self.clone(), options.clone());
        let seen = spread(self.threads(), wikis, move |wiki| engine.glance_at(wiki, &options)).await;
        seen.into_iter().enumerate().filter_map(|(place, layers)| Some((place, layers?))).collect()
    }

    /// The layers of a wiki that is as it was when it was sealed.
    fn glance_at(&self, wiki: &LocatedWiki, options: &QueryOptions) -> Option<Vec<OpenLayer>> {
        let seal = self.open_wikis().seal(&wiki.index_dir)?;
        let names = layers::names(self, wiki);
        let is_sealed = |name: &String| seal.layers.contains(name) || seal.left_out.contains(name);
        if names.len() != seal.layers.len() + seal.left_out.len() || !names.iter().all(is_sealed) {
            return None;
        }
        let folder = match options.refresh {
            Refresh::Never => None,
            Refresh::Auto => Some(self.sum_of(wiki)?),
            Refresh::Within(age) => Some(match self.looks().recent(&wiki.index_dir, age) {
                Some(seen) => seen.folder?,
                None => {
                    let started = Instant::now();
                    // Where the folder is not what it was, whoever opens the wiki has to look as well.
                    let Some(folder) = self.sum_of(wiki).filter(|folder| seal.fits(Some(folder))) else {
                        self.looks().forget(&wiki.index_dir);
                        return None;
                    };
                    let seen = Seen { folder: Some(folder.clone()), notes: Notes::default() };
                    self.looks().saw(&wiki.index_dir, started, seen);
                    folder
                }
            }),
        };
        // What was not there may have come since.
        if !seal.fits(folder.as_deref()) || !seal.left_out.iter().all(|name| layers::is_left_out(self, wiki, name)) {
            return None;
        }
        let asked = |name: &&String| options.layers.as_ref().is_none_or(|only| only.contains(name));
        if options.layers.iter().flatten().any(|name| !seal.layers.contains(name)) {
            return None;
        }
        let layers = seal.layers.iter().filter(asked).map(|name| self.open_wikis().unopened(self, wiki, name));
        layers.collect::<Result<_>>().ok()
    }

    /// The sum of the folder of a wiki as it is now.
    fn sum_of(&self, wiki: &LocatedWiki) -> Option<String> {
        let processor = Processor::new(&wiki.manifest, self.host()).ok()?;
        folder_sum(&scan(wiki).ok()?, &processor)
    }

    /// Opens a wiki, brought up to date, and tells what there is to tell of it.
    async fn made_ready(
        &self,
        wiki: &Arc<LocatedWiki>,
        options: &QueryOptions,
        answer: &mut Answer,
        context: &Context,
    ) -> Result<Option<OpenWiki>> {
        let (open, notes) = self.opened(wiki, options, context).await?;
        answer.take(notes);
        Ok(open)
    }

    /// The same with what there is to tell, for wikis that are opened side by side.
    async fn opened(
        &self,
        wiki: &Arc<LocatedWiki>,
        options: &QueryOptions,
        context: &Context,
    ) -> Result<(Option<OpenWiki>, Notes)> {
        let mut notes = Notes::default();
        let open = self.prepare(wiki, options, &mut notes, context).await?;
        if let Some(open) = &open {
            notes.problems(wiki, open);
        }
        Ok((open, notes))
    }

    /// What each wiki says of the words of the question. A wiki that cannot say so unopened is opened.
    pub(super) async fn count(
        &self,
        surveyed: &mut Vec<Surveyed>,
        query: &Query,
        options: &QueryOptions,
        answer: &mut Answer,
        context: &Context,
    ) -> Result<Vec<Option<Counted>>> {
        let asked = Arc::new(surveyed.clone());
        let counts = {
            let query = query.clone();
            spread(self.threads(), &asked, move |wiki| wiki.count(&query)).await
        };
        let mut all = Vec::with_capacity(counts.len());
        let mut without = Vec::new();
        for (place, (wiki, counted)) in surveyed.iter_mut().zip(counts).enumerate() {
            all.push(match counted {
                Err(_) if wiki.open.is_none() => match self.made_ready(&wiki.wiki, options, answer, context).await? {
                    Some(open) => {
                        wiki.layers.clone_from(&open.layers);
                        wiki.open = Some(open);
                        wiki.count(query)?
                    }
                    None => {
                        without.push(place);
                        continue;
                    }
                },
                counted => counted?,
            });
        }
        for place in without.into_iter().rev() {
            surveyed.remove(place);
        }
        Ok(all)
    }

    /// How near the question is to what each wiki holds, as a share of the nearest on the same scale. `None` where no layer compares
    /// with those of other wikis, or none can say now: then the search will tell why.
    pub(super) async fn nearness(
        &self,
        surveyed: &[Surveyed],
        query: &Query,
        context: &Context,
    ) -> Result<Vec<Option<f64>>> {
        let mut all = vec![None; surveyed.len()];
        let mut scales: BTreeMap<String, Vec<(usize, OpenLayer)>> = BTreeMap::new();
        for (place, wiki) in surveyed.iter().enumerate() {
            if let Some((scale, layer)) = wiki.comparable() {
                scales.entry(scale).or_default().push((place, layer.clone()));
            }
        }
        for places in scales.into_values().map(Arc::new) {
            let Some((_, first)) = places.first() else { continue };
            let embedded = first.retriever.question_vector(query, context).await;
            context.check("search")?;
            let Ok(Some(question)) = embedded else { continue };
            let near = move |(place, layer): &(usize, OpenLayer)| (*place, layer.retriever.nearness(&question));
            let found = spread(self.threads(), &places, near).await;
            let known = found.iter().filter_map(|(_, near)| near.as_ref().ok().copied().flatten());
            let best = known.fold(0.0, f64::max);
            for (place, near) in found {
                all[place] = near?.filter(|_| best > 0.0).map(|near| near.max(0.0) / best);
            }
        }
        Ok(all)
    }

    /// Opens the wikis that are to be searched.
    pub(super) async fn open_chosen(
        &self,
        chosen: Vec<Surveyed>,
        options: &QueryOptions,
        answer: &mut Answer,
        context: &Context,
    ) -> Result<Vec<Option<Prepared>>> {
        // The folder was looked at a moment ago.
        let options = QueryOptions { refresh: Refresh::Never, ..options.clone() };
        let opened = chosen.into_iter().map(|Surveyed { wiki, weight, open, .. }| {
            let options = &options;
            async move {
                let (open, notes) = match open {
                    Some(open) => (Some(open), Notes::default()),
                    None => self.opened(&wiki, options, context).await?,
                };
                Ok((open.map(|open| Prepared { wiki, weight, open }), notes))
            }
        });
        let opened = futures_util::future::join_all(opened).await.into_iter().collect::<Result<Vec<_>>>()?;
        let (prepared, notes): (Vec<_>, Vec<_>) = opened.into_iter().unzip();
        notes.into_iter().for_each(|notes| answer.take(notes));
        Ok(prepared)
    }
}

impl Surveyed {
    /// The first layer whose scores compare with those of other wikis, and their scale.
    pub(super) fn comparable(&self) -> Option<(String, &OpenLayer)> {
        self.layers.iter().find_map(|layer| Some((layer.retriever.scale()?, layer)))
    }

    /// Of the first layer that knows words: its name and what it knows.
    fn count(&self, query: &Query) -> Result<Option<Counted>> {
        for layer in &self.layers {
            let found = layer.retriever.term_statistics(query);
            if let Some(statistics) = found.with("layer", &layer.name).with("wiki", &self.wiki.manifest.name)? {
                return Ok(Some(Counted { layer: layer.name.clone(), statistics }));
            }
        }
        Ok(None)
    }
}
