//! The operations, each for a caller.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result, Sensitivity, offload};
use wikirag_engine::locate::Composition;
use wikirag_engine::vault::{Backlinks, PageGraph};
use wikirag_engine::{Answer, AskEvent, Asked, Fetched, LayerStatus, LocatedWiki, OnAskEvent, Packed, Target};

use super::places;
use super::{
    AskRequest, Caller, ContextRequest, DocumentRequest, GraphRequest, LinksRequest, PageRequest, QueryRequest, Scope,
    Service,
};

/// A wiki as callers see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WikiCard {
    /// Name of the composition.
    pub rag: String,
    /// Name of the wiki.
    pub wiki: String,
    /// Its title.
    pub title: String,
    /// Its trust level.
    pub sensitivity: Sensitivity,
    /// Documents that can be found; `None` where it was never built or cannot be read.
    pub documents: Option<u64>,
    /// Passages.
    pub chunks: Option<u64>,
    /// How its layers stand.
    pub layers: Vec<LayerStatus>,
}

impl Service {
    /// Answers a question.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::query`](wikirag_engine::Engine::query).
    pub async fn query(&self, caller: &Caller, request: &QueryRequest, context: &Context) -> Result<Answer> {
        Ok(self.query_with(caller, request, context).await?.1)
    }

    /// [`Service::query`] with what the caller sees.
    pub(super) async fn query_with(
        &self,
        caller: &Caller,
        request: &QueryRequest,
        context: &Context,
    ) -> Result<(Composition, Answer)> {
        if let Some(limit) = request.limit {
            in_range("limit", limit, QueryRequest::MAX_LIMIT)?;
        }
        let composition = self.composition(caller, &request.scope()).await?;
        let mut answer = self.engine().query(&composition, &request.question, &request.options(), context).await?;
        places::hide(&mut answer.degraded, &mut answer.hints);
        Ok((composition, answer))
    }

    /// The passages that a language model should read.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::pack`](wikirag_engine::Engine::pack).
    pub async fn context(&self, caller: &Caller, request: &ContextRequest, context: &Context) -> Result<Packed> {
        if let Some(budget) = request.budget {
            in_range("budget", budget, ContextRequest::MAX_BUDGET)?;
        }
        let composition = self.composition(caller, &request.scope()).await?;
        let mut packed = self.engine().pack(&composition, &request.question, &request.options(), context).await?;
        places::hide(&mut packed.degraded, &mut packed.hints);
        Ok(packed)
    }

    /// Answers a question in words, with citations. `surface` is what the log of questions calls the way in.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::ask`](wikirag_engine::Engine::ask).
    pub async fn ask(
        &self,
        caller: &Caller,
        request: &AskRequest,
        surface: &'static str,
        on_event: &mut OnAskEvent<'_>,
        context: &Context,
    ) -> Result<Asked> {
        if let Some(budget) = request.budget {
            in_range("budget", budget, ContextRequest::MAX_BUDGET)?;
        }
        if let Some(tokens) = request.max_tokens {
            in_range("max_tokens", tokens, AskRequest::MAX_TOKENS)?;
        }
        let composition = self.composition(caller, &request.scope()).await?;
        let options = request.options(surface, composition.clearance);
        let mut hidden = |event: AskEvent<'_>| match event {
            AskEvent::Context(packed) => {
                let mut packed = packed.clone();
                places::hide(&mut packed.degraded, &mut packed.hints);
                on_event(AskEvent::Context(&packed));
            }
            AskEvent::Piece(text) => on_event(AskEvent::Piece(text)),
        };
        let mut asked = self.engine().ask(&composition, &request.question, &options, &mut hidden, context).await?;
        places::hide(&mut asked.degraded, &mut asked.hints);
        places::hide(&mut asked.context.degraded, &mut asked.context.hints);
        Ok(asked)
    }

    /// Reads a document or a part of it.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::get`](wikirag_engine::Engine::get).
    pub async fn document(&self, caller: &Caller, request: &DocumentRequest) -> Result<Fetched> {
        let target = Target::parse(&request.id)?;
        let composition = self.composition(caller, &Scope { rag: request.rag.clone(), wikis: None }).await?;
        let engine = self.engine().clone();
        offload(move || engine.get(&composition, &target)).await
    }

    /// Reads a document, or a part of it, by its wiki and path.
    ///
    /// # Errors
    /// As [`Service::document`].
    pub async fn page(&self, caller: &Caller, request: &PageRequest) -> Result<Fetched> {
        let composition = self.of_page(caller, request.rag.as_ref(), Some(&request.wiki)).await?;
        let target = request.target()?;
        let engine = self.engine().clone();
        offload(move || engine.get(&composition, &target)).await
    }

    /// The pages around a page.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::graph`](wikirag_engine::Engine::graph).
    pub async fn graph(&self, caller: &Caller, request: &GraphRequest, context: &Context) -> Result<PageGraph> {
        if let Some(depth) = request.depth {
            in_range("depth", depth as usize, GraphRequest::MAX_DEPTH as usize)?;
        }
        if let Some(limit) = request.limit {
            in_range("limit", limit, GraphRequest::MAX_LIMIT)?;
        }
        let composition = self.of_page(caller, request.rag.as_ref(), request.wiki.as_ref()).await?;
        let mut graph = self.engine().graph(&composition, &request.page, &request.options(), context).await?;
        graph.behind.iter_mut().for_each(places::hide_in);
        Ok(graph)
    }

    /// The links to a page.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::backlinks`](wikirag_engine::Engine::backlinks).
    pub async fn links(&self, caller: &Caller, request: &LinksRequest, context: &Context) -> Result<Backlinks> {
        if let Some(limit) = request.limit {
            in_range("limit", limit, LinksRequest::MAX_LIMIT)?;
        }
        let composition = self.of_page(caller, request.rag.as_ref(), request.wiki.as_ref()).await?;
        let mut links = self.engine().backlinks(&composition, &request.page, &request.options(), context).await?;
        links.behind.iter_mut().for_each(places::hide_in);
        Ok(links)
    }

    /// The wikis that the caller sees, in the order of their compositions. No index is built for that.
    ///
    /// # Errors
    /// As [`Service::composition`].
    pub async fn wikis(&self, caller: &Caller, rag: Option<&str>) -> Result<Vec<WikiCard>> {
        let rags = match rag {
            Some(rag) => vec![rag.to_owned()],
            None => self.rags(caller).await?,
        };
        let mut cards = Vec::new();
        for rag in rags {
            let composition = self.composition(caller, &Scope { rag: Some(rag), wikis: None }).await?;
            for wiki in &composition.wikis {
                cards.push(self.card(&composition, &wiki.located).await);
            }
        }
        Ok(cards)
    }

    async fn card(&self, composition: &Composition, wiki: &Arc<LocatedWiki>) -> WikiCard {
        // What keeps it from being read is for the operator; here it has no numbers.
        let mut status = self.engine().status(wiki).await.ok();
        for layer in status.iter_mut().flat_map(|status| &mut status.layers) {
            places::hide_in_reasons(&mut layer.reasons);
        }
        WikiCard {
            rag: composition.name.clone(),
            wiki: wiki.manifest.name.to_string(),
            title: status.as_ref().map_or_else(|| wiki.manifest.name.to_string(), |status| status.title.clone()),
            sensitivity: wiki.manifest.sensitivity,
            documents: status.as_ref().map(|status| status.documents),
            chunks: status.as_ref().map(|status| status.chunks),
            layers: status.map(|status| status.layers).unwrap_or_default(),
        }
    }

    async fn of_page(&self, caller: &Caller, rag: Option<&String>, wiki: Option<&String>) -> Result<Composition> {
        let scope = Scope { rag: rag.cloned(), wikis: wiki.map(|wiki| vec![wiki.clone()]) };
        self.composition(caller, &scope).await
    }
}

pub(super) fn in_range(what: &str, number: usize, most: usize) -> Result<()> {
    if (1..=most).contains(&number) {
        return Ok(());
    }
    let error = Error::new(ErrorKind::Usage, "read request", format!("a {what} of {number} is out of range"));
    Err(error.help(format!("take a number from 1 to {most}")))
}
