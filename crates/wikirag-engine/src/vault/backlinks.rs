//! Who links to a page.

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result, WikiName};
use wikirag_text::caseless;
use wikirag_vault::{Anchor, Resolution, has_anchor};

use super::excerpt::Source;
use super::graph::EdgeKind;
use super::options::ListOptions;
use super::seek::Found;
use crate::lint::At;
use crate::{Composition, Engine, Snippet};

/// Who links to a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Backlinks {
    /// The wiki of the page.
    pub wiki: WikiName,
    /// Path of the page, below the root of the wiki.
    pub page: String,
    /// Its title.
    pub title: String,
    /// The heading or block to which the links must lead, where one was named: from the `#` on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// How many pages hold the links to it.
    pub pages: usize,
    /// The links of other pages that mean it, by path and place.
    pub links: Vec<Backlink>,
    /// Links that several pages fit, this one among them.
    pub ambiguous: Vec<Backlink>,
    /// Links of either kind that the limit left out.
    pub more: usize,
    /// Why this may be of an older state of the documents, if it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// A link to a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Backlink {
    /// The page on which it stands, below the root of the wiki.
    pub path: String,
    /// Title of that page.
    pub title: String,
    /// Where in its file: `line` or `page`.
    #[serde(flatten)]
    pub at: At,
    /// What it is.
    pub kind: EdgeKind,
    /// What it links to, as it is written.
    pub target: String,
    /// The heading or block that it leads to, from the `#` on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Its line, with the link marked.
    pub snippet: Snippet,
    /// All pages that fit, where several do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

impl Engine {
    /// The links to `page`, see [`Engine::graph`]; of `page#heading` and `page#^block` those that lead there.
    ///
    /// # Errors
    /// As [`Engine::graph`], and [`ErrorKind::NotFound`] where the page has no such heading or block.
    pub async fn backlinks(
        &self,
        composition: &Composition,
        page: &str,
        options: &ListOptions,
        context: &Context,
    ) -> Result<Backlinks> {
        let (limit, watched) = (options.limit, context.clone());
        let work = move |found: &Found| to_page(found, limit, &watched);
        self.with_page(composition, page, options.refresh, context, work).await
    }
}

fn to_page(found: &Found, limit: usize, context: &Context) -> Result<Backlinks> {
    let Found { wiki, vault, catalog, page: target, anchor: wanted, behind } = found;
    let stored = &vault.pages[*target];
    if let Some(anchor) = wanted
        && !has_anchor(&Source::read(catalog, stored)?.text, anchor)
    {
        let message = format!("the page has no `{anchor}`");
        return Err(Error::new(ErrorKind::NotFound, "find backlinks", message)
            .with("path", &stored.path)
            .help("leave it out to see all links to the page"));
    }
    let leads_there = |anchor: &Option<Anchor>| match (wanted, anchor) {
        (None, _) => true,
        (Some(wanted), Some(anchor)) => is_same_place(wanted, anchor),
        (Some(_), None) => false,
    };
    let found = vault.links().with_meaning(|meaning| match meaning {
        Resolution::Page { page, anchor, .. } => page == target && leads_there(anchor),
        Resolution::Ambiguous { pages, anchor, .. } => pages.contains(target) && leads_there(anchor),
        Resolution::File(_) | Resolution::AmbiguousFile(_) | Resolution::Missing => false,
    });
    let mut backlinks = Backlinks {
        wiki: wiki.clone(),
        page: stored.path.clone(),
        title: stored.title.clone(),
        anchor: wanted.as_ref().map(Anchor::to_string),
        pages: 0,
        links: Vec::new(),
        ambiguous: Vec::new(),
        more: 0,
        behind: behind.clone(),
    };
    for of_page in found.chunk_by(|one, other| one.0 == other.0) {
        context.check("find backlinks")?;
        let Some(&(from, _)) = of_page.first().filter(|(from, _)| from != target) else { continue };
        let mut source = None;
        let mut is_linking = false;
        for (_, at) in of_page {
            let Some((link, meaning)) = vault.links_of(from).nth(*at) else { continue };
            is_linking |= matches!(meaning, Resolution::Page { .. });
            if backlinks.links.len() + backlinks.ambiguous.len() >= limit {
                backlinks.more += 1;
                continue;
            }
            let source = match &mut source {
                Some(source) => source,
                none => none.insert(Source::read(catalog, &vault.pages[from])?),
            };
            let (anchor, candidates) = match meaning {
                Resolution::Ambiguous { pages, anchor, .. } => (anchor, &**pages),
                Resolution::Page { anchor, .. } => (anchor, [].as_slice()),
                _ => continue,
            };
            let entry = Backlink {
                path: vault.pages[from].path.clone(),
                title: vault.pages[from].title.clone(),
                at: source.at(link.span.start),
                kind: EdgeKind::of(link.kind, link.span, source.body),
                target: link.target.clone(),
                anchor: anchor.as_ref().map(Anchor::to_string),
                snippet: source.excerpt(link.span),
                candidates: candidates.iter().map(|page| vault.pages[*page].path.clone()).collect(),
            };
            if entry.candidates.is_empty() { &mut backlinks.links } else { &mut backlinks.ambiguous }.push(entry);
        }
        backlinks.pages += usize::from(is_linking);
    }
    Ok(backlinks)
}

/// Whether two anchors name one place: the same block, or the same heading as far as both say what stands above it.
fn is_same_place(one: &Anchor, other: &Anchor) -> bool {
    match (one, other) {
        (Anchor::Block(one), Anchor::Block(other)) => caseless(one) == caseless(other),
        (Anchor::Heading(one), Anchor::Heading(other)) => {
            one.iter().rev().zip(other.iter().rev()).all(|(one, other)| letters(one) == letters(other))
        }
        _ => false,
    }
}

/// What headings are compared by: also a heading in the form that sites give it (`getting-started`).
fn letters(heading: &str) -> Vec<String> {
    let folded = caseless(heading);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
