//! Levels 0 to 2: what leads to pages.

use wikirag_core::Result;
use wikirag_text::estimate_tokens;

use super::fill::Room;
use super::pages::{Fit, Part};
use super::shelf::folder_of;
use super::{DrillBlock, Load, Stop};
use crate::brief;
use crate::cut::Cuts;

/// The least part of a level that a wiki or folder is given. Below that a head and two lines do not fit.
const LEAST_PART: usize = 100;

/// Folders that are looked at, those of the best results first.
const MOST_FOLDERS: usize = 5;

impl Load<'_> {
    /// Level 0.
    pub(super) fn hot(&mut self, room: &mut Room) -> Result<Stop> {
        let hot: Vec<_> =
            self.shelves.iter().enumerate().filter_map(|(place, shelf)| Some((place, shelf.hot()?))).collect();
        let count = hot.len();
        for (done, (place, path)) in hot.into_iter().enumerate() {
            self.lines_of(room, place, &path, part(room, count - done))?;
        }
        Ok(ended(room, "no wiki has a page `hot.md`; `wikirag hot` proposes one"))
    }

    /// Level 1.
    pub(super) fn index(&mut self, room: &mut Room) -> Result<Stop> {
        let count = self.shelves.len();
        for place in 0..count {
            let most = part(room, count - place);
            self.index_of(room, place, "", most)?;
        }
        Ok(ended(room, "no wiki has pages"))
    }

    /// Level 2.
    pub(super) fn domain(&mut self, room: &mut Room) -> Result<Stop> {
        let mut folders: Vec<(usize, String)> = Vec::new();
        for (place, result) in &self.results {
            let folder = (*place, folder_of(&result.path).to_owned());
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders.truncate(MOST_FOLDERS);
        let count = folders.len();
        for (done, (place, folder)) in folders.into_iter().enumerate() {
            let most = part(room, count - done);
            self.index_of(room, place, &folder, most)?;
        }
        Ok(ended(room, "the question leads to no folder that the index has not told"))
    }

    /// What tells what a folder holds: its index pages, or else a list of it.
    fn index_of(&mut self, room: &mut Room, shelf: usize, folder: &str, most: usize) -> Result<()> {
        let before = room.tokens;
        let indexes = self.shelf(shelf)?.indexes(folder);
        let is_empty = |text: &str| !text.contains(char::is_alphanumeric);
        let mut is_told = false;
        for path in &indexes {
            let text = self.shelf(shelf)?.text(path)?;
            is_told |= text.is_some_and(|text| !text.body.slice(&text.text).is_none_or(is_empty));
            self.lines_of(room, shelf, path, most.saturating_sub(room.tokens - before))?;
        }
        if !is_told && self.listed.insert((shelf, folder.to_owned())) {
            self.list(room, shelf, folder, most)?;
        }
        Ok(())
    }

    /// The lines of a page from its top, as many as fit into `most` tokens.
    fn lines_of(&mut self, room: &mut Room, shelf: usize, path: &str, most: usize) -> Result<()> {
        let Some(text) = self.shelf(shelf)?.text(path)? else { return Ok(()) };
        let before = room.tokens;
        for span in self.loaded.gaps(shelf, path, &text.text, text.body) {
            let part = Part { shelf, path, trail: &[], span };
            let most = most.saturating_sub(room.tokens - before);
            if self.load(room, &part, Cuts::Lines, most)? != Fit::Whole {
                break;
            }
        }
        Ok(())
    }

    /// A list of what a folder holds: the folders in the root, and the pages with what they are about. Pages among the results come
    /// first, by their titles alone, since their text is loaded itself.
    fn list(&mut self, room: &mut Room, place: usize, folder: &str, most: usize) -> Result<()> {
        let found: Vec<String> =
            self.results.iter().filter(|(shelf, _)| *shelf == place).map(|(_, result)| result.path.clone()).collect();
        let shelf = self.shelf(place)?;
        let hot = shelf.hot();
        let mut pages: Vec<(usize, String, String)> = shelf
            .inside(folder)
            .filter(|page| Some(&page.path) != hot.as_ref())
            .map(|page| {
                let rank = found.iter().position(|path| *path == page.path).unwrap_or(usize::MAX);
                (rank, page.path.clone(), brief::line(&page.title))
            })
            .collect();
        pages.sort();
        let folders = if folder.is_empty() { shelf.folders() } else { Vec::new() };
        let count = pages.len() + folders.iter().map(|(_, count)| count).sum::<usize>();
        if count < 2 {
            // A list of one page says no more than the page.
            return Ok(());
        }
        let (wiki, citation) = (shelf.name.clone(), format!("{}/{folder}", shelf.name));
        let head = brief::line(&format!("[{citation}] list made from titles, pages: {count}"));
        let mut list = List { text: String::new(), least: 0, most: most.min(room.left()) };
        for (name, count) in &folders {
            list.add(&format!("- {}/ ({count})", brief::line(name)));
        }
        for (rank, path, title) in &pages {
            if list.is_over() {
                break;
            }
            let name = brief::line(path.rsplit('/').next().unwrap_or(path));
            let name = if says(&name, title) { name } else { format!("{title} ({name})") };
            let about = if *rank == usize::MAX { self.shelf(place)?.about(path)? } else { String::new() };
            list.add(&if about.is_empty() { format!("- {name}") } else { format!("- {name}: {about}") });
        }
        let fits = room.fitting(&head, &list.text, Cuts::Lines, most);
        room.is_full |= fits < list.text.len();
        if fits > 0 {
            let text = list.text[..fits].to_owned();
            self.cover.see(&text);
            let path = folder.to_owned();
            room.add(DrillBlock { citation, wiki, path, place: None, made: true, head, tokens: 0, text });
        }
        Ok(())
    }
}

/// A list in the making, until it is sure that it will not fit.
struct List {
    text: String,
    /// Tokens that it has at the least.
    least: usize,
    most: usize,
}

impl List {
    fn add(&mut self, line: &str) {
        if !self.is_over() {
            // Each line alone is rounded up, by less than one.
            self.least += estimate_tokens(line).saturating_sub(1);
            let end = if self.text.is_empty() { "" } else { "\n" };
            self.text.push_str(end);
            self.text.push_str(line);
        }
    }

    const fn is_over(&self) -> bool {
        self.least > self.most
    }
}

/// Whether a file name says what the title does.
fn says(name: &str, title: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, _)| stem.eq_ignore_ascii_case(title))
}

/// What one of so many may take of what is left.
fn part(room: &Room, of: usize) -> usize {
    (room.left() / of.max(1)).max(LEAST_PART)
}

fn ended(room: &Room, none: &'static str) -> Stop {
    match (room.is_full, room.blocks.is_empty()) {
        (true, _) => Stop::Full,
        (false, true) => Stop::Nothing(none),
        (false, false) => Stop::Done,
    }
}
