//! What the links of all pages mean, each target once.

use std::collections::HashMap;

use wikirag_core::{Link, LinkKind};
use wikirag_sqlite::StoredPage;
use wikirag_vault::{Pages, Resolution};

/// The links of all pages, resolved.
///
/// Links of one meaning share it: ten thousand links to a name that ten thousand pages bear would not fit into memory otherwise.
#[derive(Debug)]
pub(crate) struct Links {
    meanings: Vec<Resolution>,
    /// By page and link the place in `meanings`.
    of_pages: Vec<Vec<u32>>,
}

/// All that a target is resolved by, where it can be remembered: how it is written, what it is seen from, the target.
type Key<'a> = (LinkKind, &'a str, &'a str, &'a str);

impl Links {
    /// Resolves the links of `pages`, which are those of `names` in the same order.
    pub(super) fn of(pages: &[StoredPage], names: &Pages) -> Self {
        let mut known: HashMap<Key<'_>, u32> = HashMap::new();
        let mut meanings = Vec::new();
        let mut resolve = |page: &StoredPage, link: &Link| {
            // No vault has 2^32 links; the last meaning would stand for what is beyond.
            let next = u32::try_from(meanings.len()).unwrap_or(u32::MAX);
            meanings.push(names.resolve(&page.path, link.kind, &link.target));
            next
        };
        let of_pages = pages
            .iter()
            .map(|page| {
                let of_link = |link| match key(page, link) {
                    Some(key) => *known.entry(key).or_insert_with(|| resolve(page, link)),
                    None => resolve(page, link),
                };
                page.links.iter().map(of_link).collect()
            })
            .collect();
        Self { meanings, of_pages }
    }

    /// What the links of a page mean, in their order.
    pub(super) fn of_page(&self, page: usize) -> impl Iterator<Item = &Resolution> {
        self.of_pages[page].iter().map(|meaning| &self.meanings[*meaning as usize])
    }

    /// Each meaning, with the pages that hold links of it: ascending, each once.
    pub(crate) fn by_meaning(&self) -> impl Iterator<Item = (&Resolution, Vec<usize>)> {
        let mut holders = vec![Vec::new(); self.meanings.len()];
        for (page, links) in self.of_pages.iter().enumerate() {
            for meaning in links {
                let holders = &mut holders[*meaning as usize];
                if holders.last() != Some(&page) {
                    holders.push(page);
                }
            }
        }
        self.meanings.iter().zip(holders)
    }

    /// The links of all pages for whose meaning `is_wanted` holds, which is asked once for each meaning: page and place among
    /// its links.
    pub(super) fn with_meaning(&self, mut is_wanted: impl FnMut(&Resolution) -> bool) -> Vec<(usize, usize)> {
        let wanted: Vec<bool> = self.meanings.iter().map(&mut is_wanted).collect();
        let mut found = Vec::new();
        for (page, links) in self.of_pages.iter().enumerate() {
            found.extend(
                links
                    .iter()
                    .enumerate()
                    .filter(|(_, meaning)| wanted[**meaning as usize])
                    .map(|(link, _)| (page, link)),
            );
        }
        found
    }
}

/// What two links have in common that must mean the same; `None` where only the page itself tells.
fn key<'a>(page: &'a StoredPage, link: &'a Link) -> Option<Key<'a>> {
    let target = link.target.as_str();
    match link.kind {
        _ if target.trim_start().starts_with(['#', '?', '<']) => None,
        // What a wikilink means is the same all over the vault, unless it says where to look.
        LinkKind::Wiki if !target.trim_start().starts_with('.') => Some((link.kind, "", "", target)),
        LinkKind::Wiki | LinkKind::Embed | LinkKind::Inline => {
            let (folder, name) = page.path.rsplit_once('/').unwrap_or(("", &page.path));
            // Embeds are another thing in pages that are no Markdown.
            Some((link.kind, folder, name.rsplit_once('.').map_or("", |(_, ending)| ending), target))
        }
    }
}
