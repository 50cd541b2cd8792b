//! What the page should say: what stands, what is new, and what there is room for.

use std::collections::{HashMap, HashSet};

use wikirag_core::{DocId, Result};
use wikirag_sqlite::Catalog;

use super::form::{About, HotPage, Item, PagePart, Section, link};
use super::recent::Dated;
use super::threads::{self, Thread};
use super::{DroppedItem, MOST_WORDS};
use crate::brief::{self, words};

/// New items of a section that come before what the program wrote there earlier, and new ones in all.
const FIRST: usize = 5;
const MOST_NEW: usize = 12;

/// Threads of one page, so that a page of tasks does not hide those of the others.
const MOST_OF_A_PAGE: usize = 3;

/// What a proposal is made from.
pub(super) struct Sources<'a> {
    pub(super) catalog: &'a Catalog,
    /// The newest first.
    pub(super) pages: &'a [Dated],
    pub(super) threads: &'a HashMap<DocId, Vec<Thread>>,
}

/// A proposal.
pub(super) struct Proposed {
    pub(super) text: String,
    pub(super) dropped: Vec<DroppedItem>,
}

/// An item that may stand in the proposal.
struct Candidate {
    section: Section,
    item: Item,
    /// Whether it stands in the page, perhaps in other words.
    stood: bool,
    /// The order of the section: people's words, then what is new, then what was new before.
    order: (u8, usize),
}

/// Makes the page of a wiki called `title` from the one that stands.
pub(super) fn propose(page: &HotPage<'_>, sources: &Sources<'_>, title: &str) -> Result<Proposed> {
    let new = [(Section::Recent, sources.recent()?), (Section::Open, sources.open())];
    let Standing { people, earlier, renewed, mut dropped } = standing(page, sources, &new);
    let (mut first, mut again, mut later) = (Vec::new(), Vec::new(), Vec::new());
    let longest = new.iter().map(|(_, items)| items.len()).max().unwrap_or(0);
    for place in 0..longest {
        for (section, items) in &new {
            let Some(item) = items.get(place) else { continue };
            let stood = renewed.contains(&(*section, item.about.clone()));
            let candidate = Candidate { section: *section, item: item.clone(), stood, order: (1, place) };
            match (place < FIRST, stood) {
                (true, _) => first.push(candidate),
                (false, true) => again.push(candidate),
                (false, false) => later.push(candidate),
            }
        }
    }
    let order = people.into_iter().chain(first).chain(again).chain(earlier).chain(later);
    let text = fill(page, order, title, &mut dropped);
    Ok(Proposed { text, dropped })
}

/// The items of the page that stands.
#[derive(Default)]
struct Standing {
    /// Words of people.
    people: Vec<Candidate>,
    /// What the program wrote earlier, and has nothing newer of.
    earlier: Vec<Candidate>,
    /// What it has something newer of.
    renewed: HashSet<(Section, About)>,
    /// What stands for nothing any more.
    dropped: Vec<DroppedItem>,
}

fn standing(page: &HotPage<'_>, sources: &Sources<'_>, new: &[(Section, Vec<Item>)]) -> Standing {
    let is_new = |section: Section, about: &About| {
        new.iter().any(|(own, items)| *own == section && items.iter().any(|item| item.about == *about))
    };
    let mut standing = Standing::default();
    let ours = page.parts.iter().filter_map(|part| match part {
        PagePart::Ours { section, items, .. } => Some((*section, items)),
        PagePart::Theirs(_) => None,
    });
    let items = ours.flat_map(|(section, items)| items.iter().map(move |item| (section, item)));
    for (place, (section, item)) in items.enumerate() {
        let mut drop = |reason| standing.dropped.push(DroppedItem { text: item.text.clone(), reason });
        let candidate = |rank| Candidate { section, item: item.clone(), stood: true, order: (rank, place) };
        match &item.about {
            About::Nothing => standing.people.push(candidate(0)),
            about if is_new(section, about) => {
                standing.renewed.insert((section, about.clone()));
            }
            About::Page(target) | About::Task(target, _) if sources.page(target).is_none() => drop("gone"),
            About::Task(target, task) if !sources.is_open(target, task) => drop("closed"),
            About::Page(_) | About::Task(..) => standing.earlier.push(candidate(2)),
        }
    }
    standing
}

/// Takes candidates in their order while there is room, and puts the page together.
fn fill(
    page: &HotPage<'_>,
    order: impl Iterator<Item = Candidate>,
    title: &str,
    dropped: &mut Vec<DroppedItem>,
) -> String {
    let theirs = page.parts.iter().map(|part| match part {
        PagePart::Theirs(text) => words(text),
        PagePart::Ours { heading, .. } => words(heading),
    });
    let is_new = page.parts.is_empty();
    let head = format!("# {}: hot cache\n\n", brief::line(title));
    let has =
        |section| page.parts.iter().any(|part| matches!(part, PagePart::Ours { section: own, .. } if *own == section));
    let missing: Vec<Section> = Section::ALL.into_iter().filter(|section| !has(*section)).collect();
    let mut used = theirs.sum::<usize>() + if is_new { words(&head) } else { 0 };
    let heading_words = |section: Section| words(section.heading()) + 1;
    let mut headed: Vec<Section> = Section::ALL.into_iter().filter(|section| has(*section)).collect();
    let mut taken: Vec<Candidate> = Vec::new();
    for candidate in order {
        let heading = if headed.contains(&candidate.section) { 0 } else { heading_words(candidate.section) };
        let cost = words(&candidate.item.text) + heading;
        if used + cost <= MOST_WORDS {
            used += cost;
            headed.push(candidate.section);
            taken.push(candidate);
        } else if candidate.stood {
            dropped.push(DroppedItem { text: candidate.item.text, reason: "full" });
        }
    }
    let list = |section: Section| {
        let mut items: Vec<&Candidate> = taken.iter().filter(|candidate| candidate.section == section).collect();
        items.sort_by_key(|candidate| candidate.order);
        items.iter().map(|candidate| format!("{}\n", candidate.item.text)).collect::<String>()
    };
    let mut text = String::new();
    let own = |piece: String, text: &mut String| text.push_str(&piece.replace('\n', page.line_end));
    for (place, part) in page.parts.iter().enumerate() {
        match part {
            PagePart::Theirs(theirs) => text.push_str(theirs),
            PagePart::Ours { section, heading, .. } => {
                let end = if place + 1 < page.parts.len() { "\n" } else { "" };
                own(format!("{heading}\n\n{}{end}", list(*section)), &mut text);
            }
        }
    }
    let mut lead = if is_new { head } else { String::new() };
    for section in missing.into_iter().filter(|section| headed.contains(section)) {
        if lead.is_empty() && !text.is_empty() {
            lead = if text.ends_with('\n') { "\n".to_owned() } else { "\n\n".to_owned() };
        }
        own(format!("{lead}## {}\n\n{}", section.heading(), list(section)), &mut text);
        lead = "\n".to_owned();
    }
    text
}

impl Sources<'_> {
    /// The pages that changed last, with what they are about.
    fn recent(&self) -> Result<Vec<Item>> {
        let pages = self.pages.iter().filter(|dated| !dated.page.navigation).take(MOST_NEW);
        let item = |dated: &Dated| {
            let page = &dated.page;
            let said = match brief::stated(&page.meta) {
                Some(stated) => stated,
                None => self.first_sentence(&page.path)?,
            };
            let said = if said.is_empty() { said } else { format!(": {said}") };
            let text = format!("- {} {}{said}", dated.day, link(&page.path, &page.title));
            Ok(Item { text, about: About::Page(name(&page.path).to_owned()) })
        };
        pages.map(item).collect()
    }

    fn first_sentence(&self, path: &str) -> Result<String> {
        let stored = self.catalog.document(path)?;
        let body = stored.as_ref().and_then(|stored| stored.text.get(stored.chunks.first()?.span.start..));
        Ok(brief::first_sentence(body.unwrap_or_default()))
    }

    /// What is open, of the pages that changed last first.
    fn open(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for Dated { page, .. } in self.pages {
            let link = link(&page.path, &page.title);
            let threads = self.threads.get(&page.document).into_iter().flatten();
            let about_page = || About::Page(name(&page.path).to_owned());
            let mut said_of_page = false;
            let mut of_page: Vec<Item> = Vec::new();
            for thread in threads {
                let item = match thread {
                    Thread::Task(task) => {
                        let about = About::Task(name(&page.path).to_owned(), task.clone());
                        Item { text: format!("- [ ] {task} ([[{}]])", name(&page.path)), about }
                    }
                    Thread::Section(title, said) if !said_of_page => {
                        said_of_page = true;
                        Item { text: format!("- {link}: {title}: {said}"), about: about_page() }
                    }
                    Thread::Section(..) => continue,
                };
                if of_page.iter().all(|other| other.about != item.about) {
                    of_page.push(item);
                }
            }
            if let Some(state) = threads::state(&page.meta).filter(|_| !said_of_page) {
                of_page.push(Item { text: format!("- {link}: {state}"), about: about_page() });
            }
            of_page.truncate(MOST_OF_A_PAGE);
            items.extend(of_page);
            if items.len() >= MOST_NEW {
                break;
            }
        }
        items.truncate(MOST_NEW);
        items
    }

    /// The page that a link of ours or of somebody else means: by path, else by file name, title or alias.
    fn page(&self, target: &str) -> Option<&Dated> {
        let pages = || self.pages.iter();
        let by_path = pages().find(|dated| dated.page.path == target || name(&dated.page.path) == target);
        let is_called = |dated: &&Dated| {
            let stem = name(&dated.page.path).rsplit('/').next().unwrap_or_default();
            let names = [stem, dated.page.title.as_str()].into_iter();
            names.chain(dated.page.aliases.iter().map(String::as_str)).any(|name| name.eq_ignore_ascii_case(target))
        };
        by_path.or_else(|| pages().find(is_called))
    }

    fn is_open(&self, target: &str, task: &str) -> bool {
        let threads = self.page(target).and_then(|dated| self.threads.get(&dated.page.document));
        threads.into_iter().flatten().any(|thread| *thread == Thread::Task(task.to_owned()))
    }
}

/// A path as links have it.
fn name(path: &str) -> &str {
    path.strip_suffix(".md").unwrap_or(path)
}
