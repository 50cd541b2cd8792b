//! The form of `hot.md`: which parts are ours, and what an item of ours is.

use std::ops::Range;

/// A section that the program keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Section {
    Recent,
    Open,
}

impl Section {
    pub(super) const ALL: [Self; 2] = [Self::Recent, Self::Open];

    /// Its heading, of level 2.
    pub(super) const fn heading(self) -> &'static str {
        match self {
            Self::Recent => "Recent changes",
            Self::Open => "Open threads",
        }
    }

    fn of(line: &str) -> Option<Self> {
        let title = line.strip_prefix("## ")?.trim();
        Self::ALL.into_iter().find(|section| title.eq_ignore_ascii_case(section.heading()))
    }
}

/// The page that stands.
#[derive(Debug, Default)]
pub(super) struct HotPage<'t> {
    pub(super) parts: Vec<PagePart<'t>>,
    /// `\n` or `\r\n`.
    pub(super) line_end: &'static str,
}

/// A stretch of the page.
#[derive(Debug, PartialEq)]
pub(super) enum PagePart<'t> {
    /// Of people's own: kept byte by byte.
    Theirs(&'t str),
    /// One of our sections: its heading as it stands, and its items.
    Ours { section: Section, heading: &'t str, items: Vec<Item> },
}

/// An item of one of our sections, or a paragraph in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// Its lines, joined by `\n`, without one at the end.
    pub(super) text: String,
    /// What it is about.
    pub(super) about: About,
}

/// What tells whether an item still stands for something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum About {
    /// A page, by the link at its beginning.
    Page(String),
    /// An open task of a page, by the link in brackets at its end.
    Task(String, String),
    /// Words of people.
    Nothing,
}

impl<'t> HotPage<'t> {
    /// Takes a page apart. Put together again, its parts are the page, but for blank lines between the items of our sections.
    pub(super) fn parse(text: &'t str) -> Self {
        let mut page = Self { parts: Vec::new(), line_end: if text.contains("\r\n") { "\r\n" } else { "\n" } };
        let (mut theirs, mut ours): (Range<usize>, Option<Range<usize>>) = (0..0, None);
        let mut seen = Vec::new();
        let (mut at, mut in_fence) = (0, false);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            if line.trim_start().starts_with("```") {
                in_fence = !in_fence;
            }
            let is_heading = !in_fence && line.starts_with('#');
            // A section that stands twice is ours once.
            let section = Section::of(line).filter(|section| is_heading && !seen.contains(section));
            if is_heading && let Some(open) = ours.take() {
                page.close(text, open);
                theirs = start..start;
            }
            if let Some(section) = section {
                page.keep(text, theirs.clone());
                seen.push(section);
                page.parts.push(PagePart::Ours { section, heading: line.trim_end(), items: Vec::new() });
                ours = Some(at..at);
            } else if let Some(open) = &mut ours {
                open.end = at;
            } else {
                theirs.end = at;
            }
        }
        match ours {
            Some(open) => page.close(text, open),
            None => page.keep(text, theirs),
        }
        page
    }

    fn keep(&mut self, text: &'t str, range: Range<usize>) {
        if let Some(text) = text.get(range).filter(|text| !text.is_empty()) {
            self.parts.push(PagePart::Theirs(text));
        }
    }

    /// Fills the section that was opened last.
    fn close(&mut self, text: &str, range: Range<usize>) {
        if let Some(PagePart::Ours { items, .. }) = self.parts.last_mut() {
            *items = items_of(text.get(range).unwrap_or_default());
        }
    }
}

/// List items, and paragraphs between them.
fn items_of(text: &str) -> Vec<Item> {
    let mut items: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines().map(str::trim_end) {
        let is_item = ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark));
        match items.last_mut() {
            _ if line.is_empty() => is_open = false,
            // Lines below an item belong to it, and so do indented ones behind a blank line.
            Some(last) if !is_item && (is_open || line.starts_with([' ', '\t'])) => {
                last.push('\n');
                last.push_str(line);
                is_open = true;
            }
            _ => {
                items.push(line.to_owned());
                is_open = true;
            }
        }
    }
    items.into_iter().map(|text| Item { about: about(&text), text }).collect()
}

fn about(item: &str) -> About {
    let line = item.lines().next().unwrap_or_default().trim();
    let body = line.trim_start_matches(['-', '*', '+']).trim_start();
    if let Some(task) = body.strip_prefix("[ ] ")
        && let Some((task, link)) = task.rsplit_once(" ([[")
        && let Some(link) = link.strip_suffix("]])")
    {
        return About::Task(target(link).to_owned(), task.trim().to_owned());
    }
    let dated = body.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').trim_start();
    match dated.strip_prefix("[[").and_then(|rest| rest.split_once("]]")) {
        Some((link, _)) => About::Page(target(link).to_owned()),
        None => About::Nothing,
    }
}

/// The page of a wikilink, without heading and alias.
fn target(link: &str) -> &str {
    link.split(['|', '#']).next().unwrap_or_default().trim()
}

/// The link to a page: its path without `.md`, and its title where that is another word.
pub(super) fn link(path: &str, title: &str) -> String {
    let path = path.strip_suffix(".md").unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let title = title.replace(['[', ']', '|', '\n', '\r'], " ");
    let title = title.trim();
    if title.is_empty() || title == path || path == name && title == name {
        return format!("[[{path}]]");
    }
    format!("[[{path}|{title}]]")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sections_of_ours_are_told_from_theirs() {
        let text = "---\na: 1\n---\n# Hot\n\nMine.\n\n## Recent changes\n\n- 2026-11-30 [[a/b|B]]: one\n  more\n* call Bob\n\nA word.\n\n\
                    ## Ideas\n- [ ] x\n```\n## Open threads\n```\n## open THREADS\n- [ ] sow it ([[b]])\n- [[c#d]]: draft\n\n## Recent changes\n- y\n";
        let page = HotPage::parse(text);
        let [
            PagePart::Theirs(head),
            PagePart::Ours { section, items, .. },
            PagePart::Theirs(ideas),
            open,
            PagePart::Theirs(twice),
        ] = page.parts.as_slice()
        else {
            panic!("{page:?}")
        };
        assert!(head.ends_with("Mine.\n\n") && ideas.starts_with("## Ideas") && *twice == "## Recent changes\n- y\n");
        assert_eq!(*section, Section::Recent);
        let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        assert_eq!(texts, ["- 2026-11-30 [[a/b|B]]: one\n  more", "* call Bob", "A word."]);
        assert_eq!((&items[0].about, &items[1].about), (&About::Page("a/b".into()), &About::Nothing));
        let PagePart::Ours { section: Section::Open, items, .. } = open else { panic!("{open:?}") };
        assert_eq!(items[0].about, About::Task("b".into(), "sow it".into()));
        assert_eq!(items[1].about, About::Page("c".into()));
    }

    #[test]
    fn links_name_path_and_title() {
        assert_eq!(link("a/b.md", "The [B]"), "[[a/b|The  B]]");
        assert_eq!(link("b.md", "b"), "[[b]]");
        assert_eq!(link("a/b.pdf", "a/b.pdf"), "[[a/b.pdf]]");
    }

    proptest! {
        #[test]
        fn what_is_theirs_stays(text in "(\\PC{0,9}|\n|\r\n|- |## |## Recent changes\n|## Open threads\n|```\n){0,24}") {
            let page = HotPage::parse(&text);
            let theirs: String = page.parts.iter().filter_map(|part| match part {
                PagePart::Theirs(text) => Some(*text),
                PagePart::Ours { .. } => None,
            }).collect();
            let ours = page.parts.len() - page.parts.iter().filter(|part| matches!(part, PagePart::Theirs(_))).count();
            prop_assert!(theirs.len() <= text.len() && ours <= 2);
            if ours == 0 {
                prop_assert_eq!(theirs, text);
            }
        }
    }
}
