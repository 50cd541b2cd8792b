//! `GET /v1/wikis`, `/v1/documents`, `/v1/graph`, `/v1/links`, `/v1/gaps`

use axum::extract::State;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_engine::Fetched;
use wikirag_engine::questions::Gaps;
use wikirag_engine::vault::{Backlinks, PageGraph};

use crate::http::desk::Shared;
use crate::http::failure::Failure;
use crate::http::read::{Asked, Page};
use crate::service::{Caller, DocumentRequest, GapsRequest, GraphRequest, LinksRequest, PageRequest, WikiCard};

/// Which wikis.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WikisAsked {
    /// Only those of this composition.
    pub(crate) rag: Option<String>,
}

/// The wikis that the caller may read.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Wikis {
    /// In the order of their compositions.
    pub(crate) wikis: Vec<WikiCard>,
}

/// The topics that were asked for and are missing.
pub(crate) async fn gaps(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Asked(request): Asked<GapsRequest>,
) -> Result<Json<Gaps>, Failure> {
    Ok(Json(desk.work(move |service, context| async move { service.gaps(&caller, &request, &context).await }).await?))
}

/// Which part of a document.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PartAsked {
    /// Lines: `FIRST-LAST` or one number, from 1.
    #[schemars(regex(pattern = "^[1-9][0-9]{0,8}(-[1-9][0-9]{0,8})?$"))]
    pub(crate) lines: Option<String>,
    /// Pages, likewise.
    #[schemars(regex(pattern = "^[1-9][0-9]{0,8}(-[1-9][0-9]{0,8})?$"))]
    pub(crate) pages: Option<String>,
    /// Name of the composition; may be left out where the caller sees one only.
    pub(crate) rag: Option<String>,
}

/// How far a graph reaches.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GraphAsked {
    /// Links away from the page, 1 to 3.
    #[schemars(range(min = 1, max = 3))]
    pub(crate) depth: Option<u32>,
    /// Pages at most, 1 to 500.
    #[schemars(range(min = 1, max = 500))]
    pub(crate) limit: Option<usize>,
    /// Whether tags are nodes.
    pub(crate) tags: Option<bool>,
    /// Name of the composition; may be left out where the caller sees one only.
    pub(crate) rag: Option<String>,
}

/// How many links.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct LinksAsked {
    /// Entries at most, 1 to 500.
    #[schemars(range(min = 1, max = 500))]
    pub(crate) limit: Option<usize>,
    /// Name of the composition; may be left out where the caller sees one only.
    pub(crate) rag: Option<String>,
}

pub(crate) async fn wikis(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<WikisAsked>,
) -> Result<Json<Wikis>, Failure> {
    let wikis = desk.work(move |service, _| async move { service.wikis(&caller, asked.rag.as_deref()).await }).await?;
    Ok(Json(Wikis { wikis }))
}

pub(crate) async fn by_id(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Asked(request): Asked<DocumentRequest>,
) -> Result<Json<Fetched>, Failure> {
    desk.work(move |service, _| async move { service.document(&caller, &request).await }).await.map(Json)
}

pub(crate) async fn document(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    page: Page,
    Asked(PartAsked { lines, pages, rag }): Asked<PartAsked>,
) -> Result<Json<Fetched>, Failure> {
    let request = PageRequest { wiki: page.wiki, path: page.path, lines, pages, rag };
    desk.work(move |service, _| async move { service.page(&caller, &request).await }).await.map(Json)
}

pub(crate) async fn graph(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    page: Page,
    Asked(GraphAsked { depth, limit, tags, rag }): Asked<GraphAsked>,
) -> Result<Json<PageGraph>, Failure> {
    let tags = tags.unwrap_or_default();
    let request = GraphRequest { wiki: Some(page.wiki), page: page.path, rag, depth, limit, tags };
    desk.work(move |service, context| async move { service.graph(&caller, &request, &context).await }).await.map(Json)
}

pub(crate) async fn links(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    page: Page,
    Asked(LinksAsked { limit, rag }): Asked<LinksAsked>,
) -> Result<Json<Backlinks>, Failure> {
    let request = LinksRequest { wiki: Some(page.wiki), page: page.path, rag, limit };
    desk.work(move |service, context| async move { service.links(&caller, &request, &context).await }).await.map(Json)
}
