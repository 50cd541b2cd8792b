//! Pages that say what another one says, and pages of one title.

use std::collections::HashMap;

use wikirag_text::{Analyser, caseless};

use super::check::Check;
use super::finding::Severity;
use super::sink::{Sink, Spot};
use super::subject::Subject;
use crate::head::body;
use crate::search::similar::{Copies, Sketch};

/// Pages that are near-copies of another one, and pages that have the title of another one.
///
/// Front matter and the first heading are left out of the comparison. Pages that share four fifths of their word sequences are
/// near-copies; where numbers, dates or negations differ it takes
/// nine tenths, and where each says a name of its own that the other does not say, nearly all. See [`Copies`].
pub(super) struct Duplicate {
    analyser: Analyser,
    /// What is compared of each page.
    sketches: Vec<(usize, Sketch)>,
}

impl Default for Duplicate {
    fn default() -> Self {
        Self { analyser: Analyser::new(None), sketches: Vec::new() }
    }
}

impl Check for Duplicate {
    fn page(&mut self, subject: &Subject, page: usize, text: &str, _: &mut Sink) {
        let sketch = Sketch::of_page(&self.analyser, &subject.vault.pages[page].title, without_title(body(text)));
        self.sketches.push((page, sketch));
    }

    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        let mut sketches = std::mem::take(&mut self.sketches);
        // By path, so that it does not matter which page was written first.
        sketches.sort_by_key(|(page, _)| *page);
        let mut copies = Copies::of_pages(sketches.iter().map(|(_, sketch)| sketch));
        let mut is_copy = vec![false; subject.vault.pages.len()];
        // The pages that are no copies, in the order in which they were added.
        let mut firsts = Vec::new();
        for (page, sketch) in sketches.iter().map(|(page, sketch)| (*page, sketch)) {
            let Some(copy) = copies.add(sketch) else {
                firsts.push(page);
                continue;
            };
            is_copy[page] = true;
            let first = &subject.vault.pages[firsts[copy.group]].path;
            // Rounded down: 100 means that all is the same.
            let percent = (copy.similarity * 100.0).floor();
            let but = if copy.has_other_facts { ", but numbers, dates or negations differ" } else { "" };
            let message = format!("says what `{first}` says: {percent} % is the same{but}");
            sink.add(
                page,
                Spot::Page,
                Severity::Warning,
                message,
                "keep one of them, and link to it instead of the other",
            );
        }
        let mut titles = HashMap::<String, usize>::new();
        for (page, stored) in subject.vault.pages.iter().enumerate() {
            // A title that is the name of the file may be any word: `README`, `index`.
            if is_copy[page] || subject.is_raw(page) || is_stem(&stored.path, &stored.title) {
                continue;
            }
            match titles.entry(caseless(stored.title.trim()).into_owned()) {
                std::collections::hash_map::Entry::Vacant(free) => _ = free.insert(page),
                std::collections::hash_map::Entry::Occupied(first) => {
                    let first = &subject.vault.pages[*first.get()].path;
                    let message = format!("has the title of `{first}`: {}", stored.title.trim());
                    let remedy = "give each a title that tells them apart, or make one page of both";
                    sink.add(page, Spot::Page, Severity::Note, message, remedy);
                }
            }
        }
    }
}

fn is_stem(path: &str, title: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_prefix(title).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The text without a heading of the first level that it begins with.
fn without_title(text: &str) -> &str {
    let text = text.trim_start();
    if text.starts_with("# ") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text }
}
