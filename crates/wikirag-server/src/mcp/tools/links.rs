//! `links`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::Result;
use wikirag_engine::lint::At;
use wikirag_engine::vault::{Backlink, Edge, Node};

use crate::mcp::{Call, Tool};
use crate::service::{GraphRequest, LinksRequest};

/// Links of each direction where no number is given.
const USUAL: usize = 50;

pub(super) fn tool() -> Tool {
    Tool::new(
        "links",
        "Follow the links of a page",
        "List the pages that link to a page and those that it links to. Use it to go on from a page that `search` found.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Path, title or alias of the page; `page#heading` for the links to a heading
    page: String,
    /// Name of the wiki of the page; needed only where there are several
    wiki: Option<String>,
    /// Name of the composition; needed only where list_wikis shows several
    rag: Option<String>,
    /// Links of each direction at most; 50 where left out
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Links {
    /// Name of the wiki
    wiki: String,
    /// Path of the page
    page: String,
    /// Title of the page
    title: String,
    /// Links of other pages to this one
    incoming: Vec<Incoming>,
    /// Pages that this one links to
    outgoing: Vec<Outgoing>,
    /// Incoming links that the limit left out
    more: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Incoming {
    /// Of the page on which the link stands; fetch takes it
    id: String,
    /// Title of that page
    title: String,
    /// Line or page of the file on which it stands
    at: u32,
    /// wikilink, embed, markdown or front-matter
    kind: String,
    /// The line of the link
    snippet: String,
    /// Whether the link fits several pages, this one among them
    ambiguous: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Outgoing {
    /// Of the page; fetch takes it
    id: String,
    /// Title of the page
    title: String,
    /// What the page is about
    summary: String,
    /// wikilink, embed, markdown or front-matter
    kind: String,
}

async fn run(call: Call, arguments: Arguments) -> Result<Links> {
    let Arguments { page, wiki, rag, limit } = arguments;
    let limit = limit.unwrap_or(USUAL);
    let request = LinksRequest { wiki: wiki.clone(), page: page.clone(), rag: rag.clone(), limit: Some(limit) };
    let to = call.service.links(&call.caller, &request, &call.context).await?;
    // The page itself is one of the nodes, and pages that only link to it are as well.
    let request = GraphRequest {
        wiki: Some(to.wiki.to_string()),
        page: to.page.clone(),
        rag,
        depth: Some(1),
        limit: Some(GraphRequest::MAX_LIMIT),
        tags: false,
    };
    let around = call.service.graph(&call.caller, &request, &call.context).await?;
    let id = |path: &str| format!("{}/{path}", to.wiki);
    let leads = around.edges.iter().filter(|edge| edge.from == around.page && edge.to != around.page);
    let outgoing = leads.filter_map(|edge| Some((edge, around.nodes.iter().find(|node| node.id == edge.to)?)));
    let outgoing = outgoing.take(limit).map(|(edge, node): (&Edge, &Node)| Outgoing {
        id: id(&node.id),
        title: node.title.clone(),
        summary: node.summary.clone(),
        kind: edge.kind.as_str().to_owned(),
    });
    let outgoing = outgoing.collect();
    let incoming = |link: &Backlink, ambiguous: bool| Incoming {
        id: id(&link.path),
        title: link.title.clone(),
        at: match link.at {
            At::Line(number) | At::Page(number) => number,
        },
        kind: link.kind.as_str().to_owned(),
        snippet: link.snippet.text.clone(),
        ambiguous,
    };
    let clear = to.links.iter().map(|link| incoming(link, false));
    let incoming = clear.chain(to.ambiguous.iter().map(|link| incoming(link, true))).collect();
    Ok(Links { wiki: to.wiki.to_string(), page: to.page, title: to.title, incoming, outgoing, more: to.more })
}
