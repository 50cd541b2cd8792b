//! Links: how many of a vault are resolved, by the program and by a count of its own.
//!
//! The count reads the folder itself, with a scanner and a resolver that were written from the rules in `docs/vault.md` and share no
//! code with the program. Every link that leads nowhere or may mean several pages is printed with its file and line, and every one
//! that the two do not agree on.

mod resolve;
mod scan;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use futures_lite::future::block_on;
use wikirag::core::LinkKind;
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{BuildOptions, Context, Engine, Result};
use wikirag_sqlite::{Catalog, FileState};
use wikirag_vault::{Page, Pages, Resolution};

use crate::{Table, wiki};

/// What a link means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaning {
    /// This page or file.
    One(String),
    /// One of these.
    Several(Vec<String>),
    Nothing,
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(path) => f.write_str(path),
            Self::Several(paths) => write!(f, "one of {}", paths.join(", ")),
            Self::Nothing => f.write_str("nothing"),
        }
    }
}

/// A link: file, line, what it is, target.
pub(crate) type Place = (String, usize, &'static str, String);

/// How often a link of a line stands there with each meaning.
type Count = BTreeMap<Place, BTreeMap<Meaning, usize>>;

/// Counts the links in `folders`; indexes lie below `work`.
pub(crate) fn measure(folders: &[PathBuf], work: &Path, table: &mut Table) -> Result<()> {
    let mut lines = String::new();
    for (at, folder) in folders.iter().enumerate() {
        let folder = &folder.canonicalize().map_err(|error| crate::failed("find folder", error))?;
        let (program, seconds) = by_program(folder, &work.join(at.to_string()))?;
        let own = by_own_count(folder).map_err(|error| crate::failed("read folder", error))?;
        let name = folder.display();
        for (who, count) in [("the program", &program), ("the own count", &own)] {
            let [one, several, nothing] = sums(count);
            let links = one + several + nothing;
            let share = 100.0 * one as f64 / (links as f64).max(1.0);
            let remark = format!("{links} links: {one} resolved, {several} ambiguous, {nothing} broken");
            table.row(&format!("{name}, by {who}"), format!("{share:.3} % resolved"), remark);
        }
        table.row(
            &format!("{name}, resolving all"),
            format!("{seconds:.3} s"),
            "pages out of the catalog, names, links",
        );
        list(&program, &own, &mut lines);
    }
    table.0.push_str(&lines);
    Ok(())
}

/// Links that mean one page, several, and none.
fn sums(count: &Count) -> [usize; 3] {
    let mut sums = [0; 3];
    for (meaning, times) in count.values().flatten() {
        sums[match meaning {
            Meaning::One(_) => 0,
            Meaning::Several(_) => 1,
            Meaning::Nothing => 2,
        }] += times;
    }
    sums
}

/// Writes out every link that is not resolved, and every one on which the counts differ.
fn list(program: &Count, own: &Count, out: &mut String) {
    let places: BTreeSet<&Place> = program.keys().chain(own.keys()).collect();
    let none = BTreeMap::new();
    for place in places {
        let (path, line, kind, target) = place;
        let (by_program, by_own) = (program.get(place).unwrap_or(&none), own.get(place).unwrap_or(&none));
        if by_program != by_own {
            let said = |count: &BTreeMap<Meaning, usize>| match count.is_empty() {
                true => "no link".to_owned(),
                false => {
                    count.iter().map(|(meaning, times)| format!("{times} x {meaning}")).collect::<Vec<_>>().join(", ")
                }
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "differs {path}:{line} {kind} {target}: program {}; own {}",
                said(by_program),
                said(by_own)
            );
        }
        for (meaning, times) in by_program {
            let state = match meaning {
                Meaning::One(_) => continue,
                Meaning::Several(_) => "ambiguous",
                Meaning::Nothing => "broken",
            };
            let _ = writeln!(out, "{state} {path}:{line} {kind} {target}: {times} x {meaning}");
        }
    }
}

/// What the program makes of the links, and how long it takes from the catalog on.
fn by_program(folder: &Path, work: &Path) -> Result<(Count, f64)> {
    let mut options = LoadOptions::new(folder);
    options.data_dir = Some(work.join("data"));
    options.flags.push(("layers".to_owned(), "bm25".to_owned()));
    options.flags.push(("index_dir".to_owned(), work.join("index").to_string_lossy().into_owned()));
    let engine = Engine::with_linked_plugins(Settings::load(&options)?)?;
    let wiki = wiki(&engine, folder)?;
    block_on(engine.build(&wiki, BuildOptions::default(), &Context::new()))?;
    let catalog = Catalog::open(&wiki.index_dir.join("catalog.db"))?;
    let started = Instant::now();
    let stored = catalog.pages()?;
    let files = catalog.files()?.into_iter().filter(|file| file.state != FileState::Indexed).map(|file| file.path);
    let named = stored.iter().map(|page| Page {
        path: page.path.clone(),
        title: page.title.clone(),
        aliases: page.aliases.clone(),
    });
    let pages = Pages::new(named.collect(), files);
    let resolve = |page: &wikirag_sqlite::StoredPage| -> Vec<Resolution> {
        page.links.iter().map(|link| pages.resolve(&page.path, link.kind, &link.target)).collect()
    };
    let resolved: Vec<Vec<Resolution>> = stored.iter().map(resolve).collect();
    let seconds = started.elapsed().as_secs_f64();
    let mut count = Count::new();
    for (page, resolved) in stored.iter().zip(resolved) {
        let text = catalog.document(&page.path)?.map_or_else(String::new, |document| document.text);
        for (link, resolution) in page.links.iter().zip(resolved) {
            let line = 1 + text.bytes().take(link.span.start).filter(|byte| *byte == b'\n').count();
            let place = (page.path.clone(), line, kind_of(link.kind), link.target.clone());
            *count.entry(place).or_default().entry(meaning_of(&pages, resolution)).or_default() += 1;
        }
    }
    Ok((count, seconds))
}

const fn kind_of(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Wiki => "wiki",
        LinkKind::Embed => "embed",
        LinkKind::Inline => "inline",
    }
}

fn meaning_of(pages: &Pages, resolution: Resolution) -> Meaning {
    let path = |page: usize| pages.page(page).map_or_else(String::new, |page| page.path.clone());
    match resolution {
        Resolution::Page { page, .. } => Meaning::One(path(page)),
        Resolution::File(file) => Meaning::One(file),
        Resolution::Ambiguous { pages, .. } => Meaning::Several(pages.into_iter().map(path).collect()),
        Resolution::AmbiguousFile(files) => Meaning::Several(files),
        Resolution::Missing => Meaning::Nothing,
    }
}

/// What a reading of the folder makes of the links, with nothing of the program.
fn by_own_count(folder: &Path) -> std::io::Result<Count> {
    let mut texts = BTreeMap::new();
    let mut others = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(below)? {
            let path = entry?.path();
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            if name.split('/').any(|part| part.starts_with('.')) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".md") {
                texts.insert(name, String::from_utf8_lossy(&std::fs::read(&path)?).into_owned());
            } else {
                others.push(name);
            }
        }
    }
    let vault = resolve::Vault::new(&texts, others);
    let mut count = Count::new();
    for (path, text) in &texts {
        for scan::Link { line, kind, target } in scan::links(text) {
            let meaning = vault.resolve(path, kind, &target);
            *count.entry((path.clone(), line, kind, target)).or_default().entry(meaning).or_default() += 1;
        }
    }
    Ok(count)
}
