//! Where a page is named without a link.

use std::collections::HashMap;

use serde::Serialize;
use wikirag_core::{Context, Error, Result, Span, WikiName};
use wikirag_sqlite::Catalog;
use wikirag_vault::{Mention, NameWords, Names, Page, is_markdown, names_of, unlinked};

use super::edges::{Edge, Proof};
use super::excerpt::Source;
use super::options::ListOptions;
use super::seek::Found;
use super::{Vault, prose};
use crate::lint::At;
use crate::{Composition, Engine, Snippet};

const OPERATION: &str = "find mentions";

/// A name in more than this share of the pages, and in [`COMMON_PAGES`] at least, joins nothing in a graph: it is a word.
const COMMON_SHARE: f64 = 0.05;

/// See [`COMMON_SHARE`].
const COMMON_PAGES: usize = 20;

/// Where a page is named without a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mentions {
    /// The wiki of the page.
    pub wiki: WikiName,
    /// Path of the page, below the root of the wiki.
    pub page: String,
    /// Its title.
    pub title: String,
    /// What was looked for: title, aliases, name of the file, also without brackets at their end.
    pub names: Vec<MentionedName>,
    /// How many pages name it.
    pub pages: usize,
    /// Where they do, by path and place.
    pub mentions: Vec<PageMention>,
    /// Mentions that the limit left out.
    pub more: usize,
    /// Why this may be of an older state of the documents, if it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// A name of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MentionedName {
    /// The name.
    pub name: String,
    /// Other pages that bear it: a mention may mean one of them.
    pub shared_with: Vec<String>,
}

/// A name of a page in the text of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageMention {
    /// The page on which it stands, below the root of the wiki.
    pub path: String,
    /// Title of that page.
    pub title: String,
    /// Where in its file: `line` or `page`.
    #[serde(flatten)]
    pub at: At,
    /// The name, as [`Mentions::names`] has it.
    pub name: String,
    /// Its line, with the name marked.
    pub snippet: Snippet,
}

impl Engine {
    /// Where `page`, see [`Engine::graph`], is named without a link, outside of code and links. Of two names that begin at
    /// one word the longer is meant: `Basil Pesto` is no mention of `Basil` where there is a page of that name.
    ///
    /// # Errors
    /// As [`Engine::graph`].
    pub async fn mentions(
        &self,
        composition: &Composition,
        page: &str,
        options: &ListOptions,
        context: &Context,
    ) -> Result<Mentions> {
        let (limit, watched) = (options.limit, context.clone());
        let work = move |found: &Found| of_page(found, limit, &watched);
        self.with_page(composition, page, options.refresh, context, work).await
    }
}

/// All names of a vault, and whose they are.
struct AllNames {
    words: NameWords,
    names: Names,
    /// By the id of a name the pages that bear it.
    owners: Vec<Vec<usize>>,
}

impl AllNames {
    fn of(vault: &Vault) -> Self {
        let mut all = Self { words: NameWords::new(), names: Names::new(), owners: Vec::new() };
        for (page, known) in vault.names.iter().enumerate() {
            for (id, _) in all.add(known) {
                all.owners[id].push(page);
            }
        }
        all
    }

    /// The ids of the names of a page, new ones where they are new, with the names.
    fn add(&mut self, page: &Page) -> Vec<(usize, String)> {
        let ids = names_of(page).into_iter().filter_map(|name| {
            let words = self.words.name(&name)?;
            let id = match self.names.get(&words) {
                Some(id) => id,
                None => {
                    let id = u32::try_from(self.owners.len()).ok()?;
                    self.names.insert(&words, id);
                    self.owners.push(Vec::new());
                    id
                }
            };
            Some((id as usize, name))
        });
        ids.collect()
    }

    /// Hands the names in the prose of each page to `sink` that `is_wanted` and are no links: the page, and its mentions.
    fn each(
        &self,
        vault: &Vault,
        catalog: &Catalog,
        context: &Context,
        is_wanted: impl Fn(usize) -> bool,
        mut sink: impl FnMut(usize, Vec<Mention>),
    ) -> Result<()> {
        let mut words = Vec::new();
        let mut cancelled = None;
        // The words of an analyser are for one thread, and this is one.
        catalog.each_text(|_, path, text| {
            cancelled = cancelled.take().or_else(|| context.check(OPERATION).err());
            // A page that a build added in between is one for the next time.
            let Some(page) = vault.page_at(path).filter(|_| cancelled.is_none()) else { return };
            self.words.read(text, &mut words);
            let mut found = Vec::new();
            self.names.find(&words, |mention| {
                if is_wanted(mention.id as usize) {
                    found.push(mention);
                }
            });
            if found.is_empty() {
                return;
            }
            let stored = &vault.pages[page];
            let mut taken: Vec<_> = stored.links.iter().map(|link| link.span.range()).collect();
            // Other formats have no marks in their texts.
            if is_markdown(path) {
                taken.extend(prose::no_prose(text, prose::body_start(stored, text)));
            }
            let found = unlinked(found, taken);
            if !found.is_empty() {
                sink(page, found);
            }
        })?;
        cancelled.map_or(Ok(()), Err::<(), Error>)
    }
}

fn of_page(found: &Found, limit: usize, context: &Context) -> Result<Mentions> {
    found.check_whole()?;
    let Found { wiki, vault, catalog, page: target, behind, .. } = found;
    let stored = &vault.pages[*target];
    let mut all = AllNames::of(vault);
    let own: Vec<(usize, String)> = vault.names.page(*target).map(|page| all.add(page)).unwrap_or_default();
    let mut places = Vec::new();
    all.each(
        vault,
        catalog,
        context,
        |id| all.owners[id].contains(target),
        |page, mentions| {
            if page != *target {
                places.push((page, mentions));
            }
        },
    )?;
    places.sort_by_key(|(page, _)| *page);
    let path = |page: &usize| vault.pages[*page].path.clone();
    let shared_with = |id: usize| all.owners[id].iter().filter(|page| *page != target).map(path).collect();
    let mut mentions = Mentions {
        wiki: wiki.clone(),
        page: stored.path.clone(),
        title: stored.title.clone(),
        names: own
            .iter()
            .map(|(id, name)| MentionedName { name: name.clone(), shared_with: shared_with(*id) })
            .collect(),
        pages: places.len(),
        mentions: Vec::new(),
        more: 0,
        behind: behind.clone(),
    };
    let names: HashMap<usize, &String> = own.iter().map(|(id, name)| (*id, name)).collect();
    for (page, found) in places {
        let room = limit - mentions.mentions.len();
        mentions.more += found.len().saturating_sub(room);
        if room == 0 {
            continue;
        }
        let source = Source::read(catalog, &vault.pages[page])?;
        mentions.mentions.extend(found.into_iter().take(room).map(|mention| PageMention {
            path: path(&page),
            title: vault.pages[page].title.clone(),
            at: source.at(mention.span.start),
            name: names.get(&(mention.id as usize)).map_or_else(String::new, |name| (*name).clone()),
            snippet: source.excerpt(Span::new(mention.span.start, mention.span.end)),
        }));
    }
    Ok(mentions)
}

/// An edge for each place at which a page is named without a link, by a name that no other page bears and that is no common
/// word of the vault.
pub(super) fn edges(vault: &Vault, catalog: &Catalog, context: &Context) -> Result<Vec<Edge>> {
    let all = AllNames::of(vault);
    let mut found = Vec::new();
    let mut pages_with = vec![0_usize; all.owners.len()];
    all.each(
        vault,
        catalog,
        context,
        |id| all.owners[id].len() == 1,
        |page, mentions| {
            let mut ids: Vec<u32> = mentions.iter().map(|mention| mention.id).collect();
            ids.sort_unstable();
            ids.dedup();
            ids.into_iter().for_each(|id| pages_with[id as usize] += 1);
            found.push((page, mentions));
        },
    )?;
    let most = COMMON_PAGES.max((COMMON_SHARE * vault.pages.len() as f64) as usize);
    let mut edges = Vec::new();
    for (from, mentions) in found {
        for Mention { id, span, .. } in mentions {
            let to = all.owners[id as usize][0];
            if to != from && pages_with[id as usize] <= most {
                edges.push(Edge { from, to, proof: Proof::Mention(Span::new(span.start, span.end)) });
            }
        }
    }
    Ok(edges)
}
