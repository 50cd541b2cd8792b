//! Contradictions that pages declare.

use wikirag_core::Metadata;

use super::check::Check;
use super::finding::Severity;
use super::sink::{Sink, Spot};
use super::subject::Subject;
use crate::disagree::{Kind, Passage, declared, declared_elsewhere};

/// Pages whose front matter names another one under `contradicts:`, and those that name a page which is not there. Which of two
/// pages is right only people can say; until they have, this stands.
pub(super) struct Contradiction;

impl Check for Contradiction {
    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        let declaring = |meta: &Metadata| meta.contains_key("contradicts");
        if !subject.vault.pages.iter().any(|page| declaring(&page.meta)) {
            return;
        }
        let passages: Vec<Passage<'_>> = subject
            .vault
            .pages
            .iter()
            .map(|page| Passage {
                wiki: subject.manifest.name.as_str(),
                path: &page.path,
                title: &page.title,
                headings: &[],
                text: "",
                meta: &page.meta,
                language: None,
            })
            .collect();
        let spot = Spot::Key("contradicts");
        let remedy = "settle which is right, mend the other, and take the line out";
        for one in declared(&passages).into_iter().filter(|one| one.kind == Kind::Declared) {
            for (page, other, line) in [(one.first, one.second, &one.what[0]), (one.second, one.first, &one.what[1])] {
                // The other side of a declaration carries the title of its page.
                if declaring(passages[page].meta) && line.starts_with("contradicts: ") {
                    let message = format!("contradicts `{}` by its own front matter", passages[other].path);
                    sink.add(page, spot.clone(), Severity::Warning, message, remedy);
                }
            }
        }
        for one in declared_elsewhere(&passages).into_iter().filter(|one| one.kind == Kind::Declared) {
            let message = format!("contradicts `{}`, which names no one page of this wiki", one.target);
            sink.add(one.passage, spot.clone(), Severity::Warning, message, remedy);
        }
    }
}
