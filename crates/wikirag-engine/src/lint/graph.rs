//! Pages that nothing leads to, and groups of pages that nothing joins with the others.

use super::check::Check;
use super::finding::Severity;
use super::sink::{Sink, Spot};
use super::subject::Subject;

/// Names of files that one opens without following a link.
const ENTRIES: [&str; 9] = ["index", "readme", "home", "start", "main", "overview", "hot", "log", "skill"];

/// Pages that no other page links to.
///
/// Not looked at are pages that one comes to in another way: those kept for navigation, those that are called as [`ENTRIES`]
/// are, and those of the role `raw`. Where links join less than half of the pages, the wiki is not held together by them, and its
/// pages are found by searching.
pub(super) struct Orphan;

/// Groups of two pages or more that link to each other and are joined by no link, in either direction, with the largest group.
pub(super) struct Isolated;

impl Check for Orphan {
    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        let mut leads = vec![false; subject.vault.pages.len()];
        let mut is_led_to = leads.clone();
        // Of a link that several pages fit one is meant, and nobody knows which.
        for (meaning, from) in subject.vault.links().by_meaning() {
            for page in &from {
                leads[*page] |= meaning.pages().iter().any(|to| to != page);
            }
            for page in meaning.pages() {
                is_led_to[*page] |= from.iter().any(|from| from != page);
            }
        }
        let joined = leads.iter().zip(&is_led_to).filter(|(leads, is_led_to)| **leads || **is_led_to).count();
        if 2 * joined < subject.vault.pages.len() {
            return;
        }
        for page in 0..subject.vault.pages.len() {
            if is_led_to[page] || is_entry(subject, page) {
                continue;
            }
            let (severity, message) = if leads[page] {
                (Severity::Note, "no other page links to this one")
            } else {
                (Severity::Warning, "no other page links to this one, and it links to none")
            };
            sink.add(page, Spot::Page, severity, message, "link to it from the page that it belongs to");
        }
    }
}

impl Check for Isolated {
    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        let mut groups = Groups::new(subject.vault.pages.len());
        for (meaning, from) in subject.vault.links().by_meaning() {
            let Some(first) = meaning.pages().first() else { continue };
            from.iter().chain(meaning.pages()).for_each(|page| groups.join(*first, *page));
        }
        let mut members = vec![Vec::new(); subject.vault.pages.len()];
        for page in 0..subject.vault.pages.len() {
            members[groups.of(page)].push(page);
        }
        // Of groups of one size the one with the first page is the main part.
        let Some(main) = (0..members.len()).rev().max_by_key(|group| members[*group].len()) else { return };
        for (group, members) in members.iter().enumerate() {
            let [first, others @ ..] = members.as_slice() else { continue };
            if group == main || others.is_empty() || members.iter().all(|page| subject.is_raw(*page)) {
                continue;
            }
            let named: Vec<&str> = others.iter().take(3).map(|page| subject.vault.pages[*page].path.as_str()).collect();
            let more = if others.len() > named.len() { ", ..." } else { "" };
            let message = format!(
                "{} pages link to each other and are joined with no others: this one, {}{more}",
                members.len(),
                named.join(", ")
            );
            sink.add(*first, Spot::Page, Severity::Warning, message, "link to one of them from the rest of the wiki");
            others.iter().for_each(|page| sink.also(*page));
        }
    }
}

/// Whether one comes to the page without a link.
fn is_entry(subject: &Subject, page: usize) -> bool {
    let stored = &subject.vault.pages[page];
    let name = stored.path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default().trim_start_matches('_');
    stored.navigation || subject.is_raw(page) || ENTRIES.iter().any(|entry| stem.eq_ignore_ascii_case(entry))
}

/// Disjoint sets by union and find.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The group of one, by its least member.
    fn of(&mut self, mut one: usize) -> usize {
        while self.0[one] != one {
            self.0[one] = self.0[self.0[one]];
            one = self.0[one];
        }
        one
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}
