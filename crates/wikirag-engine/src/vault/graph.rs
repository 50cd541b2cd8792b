//! The pages around a page.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use wikirag_core::{Context, LinkKind, Result, Span, WikiName};
use wikirag_vault::{Anchor, Resolution};

use super::edges::{self, Edges, Proof};
use super::excerpt::Source;
use super::options::{Direction, GraphOptions};
use super::seek::Found;
use super::walk::{Reached, walk};
use super::{Vault, mentions};
use crate::head;
use crate::lint::At;
use crate::{Composition, Engine, brief};

/// Characters of a summary.
const SUMMARY: usize = 200;

/// A page and what lies around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageGraph {
    /// The wiki of the page, and of all others.
    pub wiki: WikiName,
    /// Path of the page, below the root of the wiki.
    pub page: String,
    /// How many steps were gone.
    pub depth: u32,
    /// Which way.
    pub direction: Direction,
    /// The page first, then the nearest, of these those with most neighbours.
    pub nodes: Vec<Node>,
    /// What joins the nodes, by the pages that lead, each in the order of its text.
    pub edges: Vec<Edge>,
    /// Nodes within the depth that the limit left out.
    pub more: usize,
    /// Links of the pages from which links were followed that mean no one page or file.
    pub unresolved: Vec<Unresolved>,
    /// Why this may be of an older state of the documents, if it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// A page or a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Node {
    /// Path below the root, or the tag with its `#`.
    pub id: String,
    /// What it is.
    pub kind: NodeKind,
    /// Title; of a tag the same as the id.
    pub title: String,
    /// What its front matter says that it is about, else its first paragraph, cut at a word; empty where there is none.
    pub summary: String,
    /// Steps from the page.
    pub distance: u32,
    /// Nodes of the whole vault that are joined with it.
    pub degree: usize,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// A page.
    Page,
    /// A tag.
    Tag,
}

/// What joins two nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edge {
    /// Id of the page that it leads from.
    pub from: String,
    /// Id of the node that it leads to.
    pub to: String,
    /// What it is.
    pub kind: EdgeKind,
    /// Where in the file `from` it stands for the first time: `line` or `page`.
    #[serde(flatten)]
    pub at: At,
    /// The heading or block that is linked to, from the `#` on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The words that the first of these links shows, or by which the page is mentioned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How often it stands in the page.
    pub times: usize,
}

/// What an edge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EdgeKind {
    /// `[[page]]`
    Wikilink,
    /// `![[page]]`
    Embed,
    /// `[words](page.md)`
    Markdown,
    /// A link in the front matter.
    FrontMatter,
    /// The page has the tag.
    Tag,
    /// A name of the page stands there without a link.
    Mention,
}

impl EdgeKind {
    /// As it stands in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wikilink => "wikilink",
            Self::Embed => "embed",
            Self::Markdown => "markdown",
            Self::FrontMatter => "front-matter",
            Self::Tag => "tag",
            Self::Mention => "mention",
        }
    }

    /// That of a link, which stands in the front matter where that ends behind it.
    pub(super) const fn of(kind: LinkKind, span: Span, body: usize) -> Self {
        match kind {
            _ if span.start < body => Self::FrontMatter,
            LinkKind::Wiki => Self::Wikilink,
            LinkKind::Embed => Self::Embed,
            LinkKind::Inline => Self::Markdown,
        }
    }
}

/// A link that leads nowhere, or that several pages fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unresolved {
    /// The page on which it stands.
    pub path: String,
    /// Where in its file: `line` or `page`.
    #[serde(flatten)]
    pub at: At,
    /// What it links to, as it is written.
    pub target: String,
    /// The paths that fit, two at least; none where nothing does.
    pub candidates: Vec<String>,
}

impl Engine {
    /// The pages around `page`, which is a path, the name of a file, a title or an alias, in one of the wikis of the composition.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`](wikirag_core::ErrorKind::Refused) where a wiki is above the clearance;
    /// [`ErrorKind::NotFound`](wikirag_core::ErrorKind::NotFound) where there is no such page;
    /// [`ErrorKind::Usage`](wikirag_core::ErrorKind::Usage) where it may be several; what a build that runs first fails with.
    pub async fn graph(
        &self,
        composition: &Composition,
        page: &str,
        options: &GraphOptions,
        context: &Context,
    ) -> Result<PageGraph> {
        let (wanted, watched) = (options.clone(), context.clone());
        let work = move |found: &Found| around(found, &wanted, &watched);
        self.with_page(composition, page, options.refresh, context, work).await
    }
}

/// The graph around the page that was found.
pub(super) fn around(found: &Found, options: &GraphOptions, context: &Context) -> Result<PageGraph> {
    found.check_whole()?;
    let Found { wiki, vault, catalog, page, behind, .. } = found;
    let mentioned = if options.mentions { mentions::edges(vault, catalog, context)? } else { Vec::new() };
    let edges = Edges::new(vault, mentioned, options.tags);
    let depth = options.depth.min(GraphOptions::MAX_DEPTH);
    let mut reached = walk(&edges, *page, depth, options.direction);
    let more = reached.len().saturating_sub(options.limit.max(1));
    reached.truncate(options.limit.max(1));
    let shown: HashMap<usize, u32> = reached.iter().map(|reached| (reached.node, reached.distance)).collect();
    let mut graph = PageGraph {
        wiki: wiki.clone(),
        page: vault.pages[*page].path.clone(),
        depth,
        direction: options.direction,
        nodes: Vec::with_capacity(reached.len()),
        edges: Vec::new(),
        more,
        unresolved: Vec::new(),
        behind: behind.clone(),
    };
    for Reached { node, distance, degree } in reached {
        context.check("graph")?;
        if let Some(tag) = edges.tag(node) {
            let id = format!("#{tag}");
            let title = id.clone();
            graph.nodes.push(Node { id, kind: NodeKind::Tag, title, summary: String::new(), distance, degree });
            continue;
        }
        let stored = &vault.pages[node];
        let source = Source::read(catalog, stored)?;
        let summary = brief::stated(&stored.meta)
            .unwrap_or_else(|| brief::first_paragraph(source.text.get(source.body..).unwrap_or_default(), SUMMARY));
        let (id, title) = (stored.path.clone(), stored.title.clone());
        graph.nodes.push(Node { id, kind: NodeKind::Page, title, summary, distance, degree });
        let own = edges.from(node).iter().filter(|edge| shown.contains_key(&edge.to));
        graph.edges.extend(proved(vault, &edges, &source, own));
        if distance < depth && options.direction != Direction::In {
            graph.unresolved.extend(unresolved(vault, node, &source));
        }
    }
    Ok(graph)
}

/// The edges of one page with their proofs, in the order of the text; those that say the same are one.
fn proved<'a>(vault: &Vault, edges: &Edges, source: &Source, own: impl Iterator<Item = &'a edges::Edge>) -> Vec<Edge> {
    let mut proved: BTreeMap<(usize, usize, EdgeKind, Option<String>), Edge> = BTreeMap::new();
    let mut seen = HashMap::new();
    for edge in own {
        let page = &vault.pages[edge.from];
        let (byte, kind, anchor, text) = match edge.proof {
            Proof::Link(at) => {
                let Some((link, meaning)) = vault.links_of(edge.from).nth(at) else { continue };
                let anchor = match meaning {
                    Resolution::Page { anchor, .. } => anchor.as_ref().map(Anchor::to_string),
                    _ => None,
                };
                (link.span.start, EdgeKind::of(link.kind, link.span, source.body), anchor, source.words(link))
            }
            Proof::Tag => (tag_at(source, edges.tag(edge.to).unwrap_or_default()), EdgeKind::Tag, None, None),
            Proof::Mention(span) => {
                let name = span.slice(&source.text).unwrap_or_default();
                let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                (span.start, EdgeKind::Mention, None, Some(name))
            }
        };
        let first = *seen.entry((edge.to, kind, anchor.clone())).or_insert(byte);
        let to = edges.tag(edge.to).map_or_else(|| vault.pages[edge.to].path.clone(), |tag| format!("#{tag}"));
        let entry = proved.entry((first, edge.to, kind, anchor.clone()));
        let new = || Edge { from: page.path.clone(), to, kind, at: source.at(byte), anchor, text, times: 0 };
        entry.or_insert_with(new).times += 1;
    }
    proved.into_values().collect()
}

/// Where the front matter names the tag; its beginning where that cannot be found.
fn tag_at(source: &Source, tag: &str) -> usize {
    let front = source.text.get(..source.body).unwrap_or_default();
    let Some(key) = ["tags", "tag"].iter().find_map(|key| head::key(&source.text, key)) else { return 0 };
    front.get(key..).and_then(|rest| rest.find(tag)).map_or(key, |at| key + at)
}

/// The links of a page that mean no one page or file.
fn unresolved(vault: &Vault, page: usize, source: &Source) -> Vec<Unresolved> {
    let candidates = |meaning: &Resolution| match meaning {
        Resolution::Page { .. } | Resolution::File(_) => None,
        Resolution::Missing => Some(Vec::new()),
        Resolution::Ambiguous { pages, .. } => Some(pages.iter().map(|page| vault.pages[*page].path.clone()).collect()),
        Resolution::AmbiguousFile(files) => Some(files.clone()),
    };
    let links = vault.links_of(page);
    links
        .filter_map(|(link, meaning)| {
            let candidates = candidates(meaning)?;
            let path = vault.pages[page].path.clone();
            Some(Unresolved { path, at: source.at(link.span.start), target: link.target.clone(), candidates })
        })
        .collect()
}
