//! From what a person calls a page to the page.

use std::sync::Arc;

use wikirag_core::{Context, Error, ErrorKind, Result, ResultExt, WikiName, offload};
use wikirag_sqlite::Catalog;
use wikirag_vault::{Anchor, Resolution};

use super::Vault;
use crate::current::Current;
use crate::settings::suggest::{near, shorten};
use crate::{Composition, Engine, LocatedWiki};

const OPERATION: &str = "find page";

/// Pages and names that a message lists; of more it gives the number.
const LISTED: usize = 10;

/// A page, and the vault it lies in.
pub(super) struct Found {
    pub(super) wiki: WikiName,
    pub(super) vault: Vault,
    pub(super) catalog: Arc<Catalog>,
    pub(super) page: usize,
    /// The place in it that was named.
    pub(super) anchor: Option<Anchor>,
    /// Why the catalog may be older than the documents.
    pub(super) behind: Option<String>,
}

impl Found {
    /// Checks that no place in the page was named.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] where one was.
    pub(super) fn check_whole(&self) -> Result<()> {
        let Some(anchor) = &self.anchor else { return Ok(()) };
        let message = format!("`{}` is a place in a page, and the whole page is needed", shorten(&anchor.to_string()));
        Err(Error::new(ErrorKind::Usage, OPERATION, message).help("leave out what follows the `#`"))
    }
}

impl Engine {
    /// Finds the page that `name` means in the wikis of a composition and hands it to `work`, which runs off the async runtime.
    /// `wiki/page` is understood as a citation first.
    pub(super) async fn with_page<T: Send + 'static>(
        &self,
        composition: &Composition,
        name: &str,
        refresh: bool,
        context: &Context,
        work: impl Fn(&Found) -> Result<T> + Clone + Send + 'static,
    ) -> Result<T> {
        composition.check()?;
        if name.trim().is_empty() {
            let error = Error::new(ErrorKind::Usage, OPERATION, "no page is named");
            return Err(error.help("give its path, the name of its file, its title or an alias"));
        }
        let wikis = || composition.wikis.iter().map(|wiki| &wiki.located);
        let cited = wikis().find_map(|wiki| {
            let rest = name.trim().strip_prefix(wiki.manifest.name.as_str())?.strip_prefix('/')?;
            Some((wiki, rest.to_owned()))
        });
        if let Some((wiki, rest)) = cited {
            let current = self.current(wiki, refresh, context).await?;
            let opened = (Arc::clone(wiki), current);
            let work = work.clone();
            match offload(move || seek(vec![opened], &rest).and_then(|found| work(&found))).await {
                Err(error) if error.kind() == ErrorKind::NotFound && error.operation() == OPERATION => {}
                answer => return answer,
            }
        }
        let (mut opened, mut fault) = (Vec::new(), None);
        for wiki in wikis() {
            match self.current(wiki, refresh, context).await {
                Ok(current) => opened.push((Arc::clone(wiki), current)),
                Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        let name = name.trim().to_owned();
        let answer = offload(move || seek(opened, &name).and_then(|found| work(&found))).await;
        match (answer, fault) {
            // The page may be in the wiki that cannot be read.
            (Err(error), Some(fault)) if error.kind() == ErrorKind::NotFound && error.operation() == OPERATION => {
                Err(fault)
            }
            (answer, _) => answer,
        }
    }
}

/// The one page that `name` means in one of the wikis.
fn seek(opened: Vec<(Arc<LocatedWiki>, Current)>, name: &str) -> Result<Found> {
    let mut vaults = Vec::with_capacity(opened.len());
    for (wiki, Current { catalog, behind }) in opened {
        let vault = Vault::open(&wiki, &catalog).with("wiki", &wiki.manifest.name)?;
        let meaning = vault.names.find(name);
        vaults.push((wiki.manifest.name.clone(), vault, catalog, behind, meaning));
    }
    let mut candidates = Vec::new();
    for (wiki, vault, .., meaning) in &vaults {
        candidates.extend(meaning.pages().iter().map(|page| format!("{wiki}/{}", vault.pages[*page].path)));
    }
    if candidates.len() > 1 {
        return Err(ambiguous(name, &candidates));
    }
    let mut files = Vec::new();
    let mut names = Vec::new();
    for (wiki, vault, catalog, behind, meaning) in vaults {
        match meaning {
            Resolution::Page { page, anchor, .. } => return Ok(Found { wiki, vault, catalog, page, anchor, behind }),
            Resolution::File(file) => files.push(file),
            Resolution::AmbiguousFile(some) => files.extend(some),
            Resolution::Ambiguous { .. } | Resolution::Missing => names.extend(similar(&vault, name)),
        }
    }
    Err(not_found(name, &files, names))
}

fn ambiguous(name: &str, candidates: &[String]) -> Error {
    let more = match candidates.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let listed: Vec<String> = candidates.iter().take(LISTED).map(|path| shorten(path)).collect();
    let message = format!("`{}` may be {} pages: {}{more}", shorten(name), candidates.len(), listed.join(", "));
    Error::new(ErrorKind::Usage, OPERATION, message).help("name one of these by its path")
}

fn not_found(name: &str, files: &[String], mut names: Vec<String>) -> Error {
    if let Some(file) = files.first() {
        let message = format!("`{}` is a file, and no page that was read", shorten(file));
        return Error::new(ErrorKind::NotFound, OPERATION, message).help("`wikirag status --files` says why");
    }
    names.truncate(LISTED);
    let error = Error::new(ErrorKind::NotFound, OPERATION, format!("there is no page `{}`", shorten(name)));
    match names.as_slice() {
        [] => error.help("give its path, the name of its file, its title or an alias"),
        names => error.help(format!("there is {}", names.join(", "))),
    }
}

/// Pages that are called nearly so, or whose names hold the words, as a person would type them.
fn similar(vault: &Vault, name: &str) -> Vec<String> {
    let bare = name.split('#').next().unwrap_or(name);
    let bare = bare.strip_suffix(".md").unwrap_or(bare);
    let mut paths = Vec::new();
    let labels = vault.pages.iter().flat_map(|page| {
        let stem = page.path.rsplit_once('.').map_or(page.path.as_str(), |(stem, _)| stem);
        let base = stem.rsplit('/').next().unwrap_or(stem);
        let labels = [stem, base, page.title.as_str()].into_iter().chain(page.aliases.iter().map(String::as_str));
        labels.map(|label| (label, page.path.as_str()))
    });
    let labels: Vec<(&str, &str)> = labels.collect();
    let mut nearest = near(bare, labels.iter().map(|(label, _)| *label));
    if nearest.is_empty() {
        let wanted = bare.to_lowercase();
        nearest = labels
            .iter()
            .filter(|(label, _)| label.to_lowercase().contains(&wanted))
            .map(|(label, _)| *label)
            .collect();
    }
    for label in nearest {
        for (_, path) in labels.iter().filter(|(other, _)| *other == label) {
            let path = format!("`{}`", shorten(path));
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        if paths.len() >= LISTED {
            break;
        }
    }
    paths
}
