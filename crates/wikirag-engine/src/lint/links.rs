//! Links that lead nowhere, to a place that is not there, or to several pages.

use std::collections::HashMap;

use wikirag_core::{Link, LinkKind};
use wikirag_vault::{Anchor, Resolution, has_anchor, is_markdown};

use super::check::Check;
use super::finding::Severity;
use super::sink::{Sink, Spot};
use super::subject::Subject;
use crate::settings::suggest::shorten;

/// Pages or files that a message names; of more it gives the number.
const NAMED: usize = 4;

/// Links to a page or file that is not there.
///
/// A wikilink to a page that is not written yet is a warning, since people link to pages before they write them; a path that
/// leads to no file is an error. What lies beyond the folder of the wiki, or in a part of it that the wiki leaves out, cannot be known and
/// is not told.
pub(super) struct Broken;

/// Links that several pages or files fit, so that programs may disagree on which is meant.
pub(super) struct Ambiguous;

/// Places in one page, and who links to them: a page, and which of its links.
type Wanted = HashMap<Anchor, Vec<(usize, usize)>>;

/// Links to a heading or block that its Markdown page has not.
#[derive(Default)]
pub(super) struct Anchors {
    /// By the page that is linked to. Told once, before the first text.
    wanted: Option<HashMap<usize, Wanted>>,
}

impl Check for Broken {
    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        each(subject, |page, link, resolution| {
            if *resolution != Resolution::Missing || is_beyond(subject, &subject.vault.pages[page].path, link) {
                return;
            }
            let written = shorten(&link.target);
            let (severity, message, remedy) = match link.kind {
                LinkKind::Wiki => {
                    (Severity::Warning, format!("there is no page `{written}`"), "write the page, or mend the link")
                }
                LinkKind::Embed => (
                    Severity::Error,
                    format!("there is no page or file `{written}` to embed"),
                    "add the file, or mend the path",
                ),
                LinkKind::Inline => {
                    (Severity::Error, format!("there is no file `{written}`"), "mend the path, or take the link out")
                }
            };
            sink.add(page, Spot::Byte(link.span.start), severity, message, remedy);
        });
    }
}

impl Check for Ambiguous {
    fn whole(&mut self, subject: &Subject, sink: &mut Sink) {
        each(subject, |page, link, resolution| {
            let path = |page: &usize| subject.vault.pages[*page].path.as_str();
            let (count, named): (usize, Vec<&str>) = match resolution {
                Resolution::Ambiguous { pages, .. } => (pages.len(), pages.iter().take(NAMED).map(path).collect()),
                Resolution::AmbiguousFile(files) => {
                    (files.len(), files.iter().take(NAMED).map(String::as_str).collect())
                }
                Resolution::Page { .. } | Resolution::File(_) | Resolution::Missing => return,
            };
            let more = if count > NAMED { ", ..." } else { "" };
            let message = format!("`{}` fits {count}: {}{more}", shorten(&link.target), named.join(", "));
            let remedy = "write as much of the path as tells which is meant";
            sink.add(page, Spot::Byte(link.span.start), Severity::Warning, message, remedy);
        });
    }
}

impl Check for Anchors {
    fn page(&mut self, subject: &Subject, page: usize, text: &str, sink: &mut Sink) {
        let wanted = self.wanted.get_or_insert_with(|| wanted(subject));
        for (anchor, links) in wanted.remove(&page).into_iter().flatten() {
            if has_anchor(text, &anchor) {
                continue;
            }
            for (from, link) in links {
                let what = if matches!(anchor, Anchor::Block(_)) { "block" } else { "heading" };
                let path = &subject.vault.pages[page].path;
                let message = format!("`{path}` has no {what} `{}`", shorten(&anchor.to_string()));
                let at = subject.vault.pages[from].links[link].span.start;
                sink.add(
                    from,
                    Spot::Byte(at),
                    Severity::Warning,
                    message,
                    format!("mend what follows the `#`, or add the {what}"),
                );
            }
        }
    }
}

/// Places in Markdown pages that links point to. In other formats nobody can tell from the text where such a place is.
fn wanted(subject: &Subject) -> HashMap<usize, Wanted> {
    let mut wanted = HashMap::<usize, Wanted>::new();
    for from in 0..subject.vault.pages.len() {
        for (at, (_, meaning)) in subject.vault.links_of(from).enumerate() {
            if let Resolution::Page { page, anchor: Some(anchor), .. } = meaning
                && is_markdown(&subject.vault.pages[*page].path)
            {
                wanted.entry(*page).or_default().entry(anchor.clone()).or_default().push((from, at));
            }
        }
    }
    wanted
}

fn each(subject: &Subject, mut sink: impl FnMut(usize, &Link, &Resolution)) {
    for page in 0..subject.vault.pages.len() {
        subject.vault.links_of(page).for_each(|(link, meaning)| sink(page, link, meaning));
    }
}

/// What templates put into a target, to be replaced later.
const TEMPLATES: [&str; 3] = ["<%", "{", "*"];

/// Whether nobody can tell what a link leads to: a path out of the wiki, a folder of it, a part that is left out; or a link of a
/// template.
fn is_beyond(subject: &Subject, from: &str, link: &Link) -> bool {
    if TEMPLATES.iter().any(|mark| link.target.contains(mark)) {
        return true;
    }
    if link.kind == LinkKind::Wiki {
        return false;
    }
    let target = link.target.split(['#', '?']).next().unwrap_or_default();
    // `<jane@example.org>` is a link to an address, and no file.
    if target.contains('@') && !target.contains('/') {
        return true;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let base = if target.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return true;
                }
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let is_folder = |path: &str| {
        let folder = format!("{path}/");
        let at = subject.files.partition_point(|file| file.path < folder);
        subject.files.get(at).is_some_and(|file| file.path.starts_with(&folder))
    };
    // The ledger lists a folder that is left out with a slash at its end, and nothing of what is in it.
    let is_left_out = |depth: usize| {
        let folder = format!("{}/", parts[..depth].join("/"));
        subject.files.binary_search_by(|file| file.path.as_str().cmp(&folder)).is_ok()
    };
    path.is_empty() || is_folder(&path) || (1..=parts.len()).any(is_left_out)
}
