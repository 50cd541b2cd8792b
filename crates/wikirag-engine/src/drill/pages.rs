//! Level 3: passages in the order of the results, then what is left of their pages.

use wikirag_core::{Result, Span};

use super::fill::{Room, cost};
use super::kinds::Step;
use super::{DrillBlock, Load, Stop};
use crate::brief;
use crate::cut::Cuts;

impl Load<'_> {
    /// Level 3.
    pub(super) fn page(&mut self, step: &Step, room: &mut Room) -> Result<Stop> {
        if self.results.is_empty() {
            return Ok(Stop::Nothing("the question finds no passage"));
        }
        let mut stop = self.passages(step, room)?;
        // Pages that lie whole before the reader are part of what is enough for some kinds; else they are what is left to try.
        let most = if matches!(stop, Stop::Enough) { step.whole } else { usize::MAX };
        if most > 0 {
            self.whole_pages(step, room, most)?;
            if self.is_enough(step) {
                stop = Stop::Enough;
            } else if room.is_full {
                stop = Stop::Full;
            }
        }
        Ok(stop)
    }

    /// The passages of the results, until it is enough.
    fn passages(&mut self, step: &Step, room: &mut Room) -> Result<Stop> {
        let results = self.results.clone();
        let best = results.first().map_or(0.0, |(_, result)| result.score);
        for (shelf, result) in results {
            if self.is_enough(step) && result.score < step.drop * best {
                return Ok(Stop::Enough);
            }
            let Some(text) = self.shelf(shelf)?.text(&result.path)? else { continue };
            let span = Span::new(result.bytes[0], result.bytes[1]);
            if span.slice(&text.text) != Some(result.text.as_str()) {
                // The page was indexed anew a moment ago.
                continue;
            }
            let mut trail = vec![result.title.as_str()];
            trail.extend(result.headings.iter().map(String::as_str).filter(|heading| *heading != result.title));
            for span in self.loaded.gaps(shelf, &result.path, &text.text, span) {
                let part = Part { shelf, path: &result.path, trail: &trail, span };
                // What was cut fills the level; where nothing fits, a smaller passage further down may.
                if self.load(room, &part, Cuts::Prose, usize::MAX)? == Fit::Cut {
                    return Ok(if self.is_enough(step) { Stop::Enough } else { Stop::Full });
                }
            }
        }
        Ok(if self.is_enough(step) {
            Stop::Enough
        } else if room.is_full {
            Stop::Full
        } else {
            Stop::Done
        })
    }

    /// What is not loaded of the pages of the results: all of a page or nothing.
    fn whole_pages(&mut self, step: &Step, room: &mut Room, most: usize) -> Result<()> {
        let mut seen: Vec<(usize, &str)> = Vec::new();
        for (shelf, result) in self.results.clone() {
            let page = (shelf, result.path.as_str());
            if seen.contains(&page) {
                continue;
            }
            if seen.len() >= most || seen.len() >= step.whole && self.is_enough(step) {
                break;
            }
            seen.push(page);
            let Some(text) = self.shelf(shelf)?.text(&result.path)? else { continue };
            let mut blocks = Vec::new();
            for span in self.loaded.gaps(shelf, &result.path, &text.text, text.body) {
                let part = Part { shelf, path: &result.path, trail: &[], span };
                blocks.push((self.block(&part)?, span));
            }
            let tokens: usize = blocks.iter().map(|(block, _)| cost(&block.head, &block.text)).sum();
            if tokens > room.left() {
                room.is_full = true;
                continue;
            }
            for (block, span) in blocks {
                self.take(room, shelf, block, span);
            }
        }
        Ok(())
    }

    fn is_enough(&self, step: &Step) -> bool {
        self.is_covered(step) && self.loaded.pages() >= step.pages
    }

    /// Loads a part of a page, or as much of it as fits into `most` tokens and into the room.
    pub(super) fn load(&mut self, room: &mut Room, part: &Part<'_>, cuts: Cuts, most: usize) -> Result<Fit> {
        let mut block = self.block(part)?;
        let fits = room.fitting(&block.head, &block.text, cuts, most);
        let is_whole = fits == block.text.len();
        room.is_full |= !is_whole;
        let span = Span::new(part.span.start, part.span.start + fits);
        if !is_whole {
            // The head names the lines.
            block = self.block(&Part { span, ..*part })?;
        }
        if fits == 0 || cost(&block.head, &block.text) > most.min(room.left()) {
            return Ok(Fit::Nothing);
        }
        self.take(room, part.shelf, block, span);
        Ok(if is_whole { Fit::Whole } else { Fit::Cut })
    }

    fn take(&mut self, room: &mut Room, shelf: usize, block: DrillBlock, span: Span) {
        self.cover.see(&block.text);
        self.loaded.add(shelf, &block.path, span);
        room.add(block);
    }

    fn block(&mut self, part: &Part<'_>) -> Result<DrillBlock> {
        let shelf = self.shelf(part.shelf)?;
        let (wiki, path) = (shelf.name.clone(), part.path.to_owned());
        let (place, text) = match shelf.text(&path)? {
            Some(text) => (Some(text.places.of(part.span)), part.span.slice(&text.text).unwrap_or_default().to_owned()),
            None => (None, String::new()),
        };
        let trail = match part.trail {
            [] => shelf.page(&path).map(|page| page.title.clone()).unwrap_or_default(),
            trail => trail.join(" > "),
        };
        let citation = format!("{wiki}/{path}{}", place.map(|place| place.to_string()).unwrap_or_default());
        let head = format!("[{}] {}", citation.replace(char::is_control, " "), brief::line(&trail));
        Ok(DrillBlock { citation, wiki, path, place, made: false, head, tokens: 0, text })
    }
}

/// A part of a page.
#[derive(Clone, Copy)]
pub(super) struct Part<'p> {
    pub(super) shelf: usize,
    pub(super) path: &'p str,
    /// Title and headings; the title of the page where it is empty.
    pub(super) trail: &'p [&'p str],
    pub(super) span: Span,
}

/// How much of a part there was room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Whole,
    Cut,
    Nothing,
}
