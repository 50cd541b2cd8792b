//! Which elements are no part of what a page says.
//!
//! The rule is to leave out what is surely chrome and nothing else: by the elements and roles that the standards have for
//! it, and by names that sites give to menus, but only where what is so named consists of links. If little is left of a
//! page, it is taken whole.

use crate::elements::Element;
use crate::measure::{Amount, Measures};
use crate::tree::{Detail, Page};

/// For each node, whether it is left out with all that is in it, though what is in it may be marked as kept.
#[derive(Debug)]
pub(crate) struct Noise {
    is_out: Vec<bool>,
    /// The content of the page: of what lies outside, only titles are read.
    content: Option<(usize, usize)>,
}

/// The share of the page that an element must hold so that nothing else is looked at, in percent.
const MAIN_SHARE: u64 = 50;
/// The share of the page that chrome holds at most, in percent.
const CHROME_SHARE: u64 = 25;
/// The same for what is named like chrome and consists of links. A small page may have menus longer than its text.
const MENU_SHARE: u64 = 75;

impl Noise {
    /// What to leave out of a page.
    pub(crate) fn of(page: &Page) -> Self {
        let all = Measures::of(page, |_| false);
        let shown = all.whole().characters;
        let mut noise = Self { is_out: chrome(page, &all), content: None };
        // The measures of a large page are large.
        drop(all);
        let rest = Measures::of(page, |node| noise.is_out[node]);
        let left = rest.whole().characters;
        if left == 0 || left < 200 && u64::from(left) * 100 < u64::from(shown) * 5 {
            // All of it looked like chrome: a list of links is the content of some pages.
            noise.is_out.fill(false);
            return noise;
        }
        noise.content = content(page, &rest, &noise.is_out);
        noise
    }

    /// Whether the node is not read, nor anything in it.
    pub(crate) fn is_out(&self, node: usize) -> bool {
        self.is_out.get(node).copied().unwrap_or_default()
    }

    /// Whether words at this node are read; `is_in_title` where it lies in a heading of level 1.
    pub(crate) fn is_read(&self, node: usize, is_in_title: bool) -> bool {
        is_in_title || self.content.is_none_or(|(start, end)| (start..end).contains(&node))
    }
}

/// The element with the content of the page, where the page names one and it holds the most.
fn content(page: &Page, measures: &Measures, is_out: &[bool]) -> Option<(usize, usize)> {
    let whole = u64::from(measures.whole().characters);
    let mut mains = Vec::new();
    let mut articles = Vec::new();
    let mut shown_from = 0;
    for (index, node) in page.nodes.iter().enumerate() {
        if index < shown_from {
            continue;
        }
        if node.is_hidden || is_out[index] {
            shown_from = node.end;
        } else if node.element == Element::Main || page.detail(index).is_some_and(|detail| is_role(detail, &["main"])) {
            mains.push(index);
        } else if node.element == Element::Article {
            articles.push(index);
            // An article in an article is a comment on it.
            shown_from = node.end;
        }
    }
    let holds_most = |&index: &usize| {
        let characters = measures.between(index, page.nodes[index].end).characters;
        u64::from(characters) * 100 >= whole * MAIN_SHARE
    };
    // Several articles are a list of them; each belongs to the content.
    let article = || (articles.len() == 1).then(|| articles[0]).filter(holds_most);
    let index = mains.into_iter().find(holds_most).or_else(article)?;
    Some((index, page.nodes[index].end))
}

/// Marks the elements that are chrome.
fn chrome(page: &Page, measures: &Measures) -> Vec<bool> {
    let whole = measures.whole();
    let mut is_out = vec![false; page.nodes.len()];
    let (mut section_until, mut judged_from) = (0, 0);
    for (index, node) in page.nodes.iter().enumerate() {
        if index < judged_from {
            continue;
        }
        let amount = measures.between(index, node.end);
        let detail = page.detail(index);
        let part = Part { element: node.element, detail, amount, is_in_section: index < section_until };
        let is_section = matches!(
            node.element,
            Element::Main | Element::Article | Element::Section | Element::Aside | Element::Quote | Element::Cell
        );
        if is_section || detail.is_some_and(|detail| is_role(detail, &["main"])) {
            section_until = section_until.max(node.end);
        }
        if part.is_chrome(whole) || node.element == Element::Anchor && is_mark(page, index) {
            is_out[index] = true;
            judged_from = node.end;
        } else if matches!(node.element, Element::Heading(_)) {
            mark_in_heading(page, measures, index, &mut is_out);
            judged_from = node.end;
        }
    }
    is_out
}

/// What stands in a heading belongs to it, save marks, and buttons beside words: a heading may be a button that unfolds
/// what follows.
fn mark_in_heading(page: &Page, measures: &Measures, heading: usize, is_out: &mut [bool]) {
    let end = page.nodes[heading].end;
    let inside = || (heading + 1..end).map(|index| (index, page.nodes[index].element));
    let mut buttons = 0;
    let mut judged_from = 0;
    for (index, element) in inside() {
        if element == Element::Button && index >= judged_from {
            judged_from = page.nodes[index].end;
            buttons += measures.between(index, judged_from).characters;
        }
    }
    let has_words = buttons < measures.between(heading, end).characters;
    for (index, element) in inside() {
        is_out[index] = element == Element::Anchor && is_mark(page, index) || element == Element::Button && has_words;
    }
}

/// A link that is nothing but a mark to copy the address of a section by.
fn is_mark(page: &Page, anchor: usize) -> bool {
    let is_within = page.detail(anchor).is_some_and(|detail| detail.target.starts_with('#'));
    is_within
        && page.nodes[anchor].end == anchor + 2
        && matches!(page.text(anchor + 1).trim(), "¶" | "#" | "§" | "🔗" | "⚓")
}

/// What is known of an element when it is judged.
struct Part<'a> {
    element: Element,
    detail: Option<&'a Detail>,
    amount: Amount,
    /// Whether a header here is not that of the page, but of a part of it.
    is_in_section: bool,
}

impl Part<'_> {
    fn is_chrome(&self, whole: Amount) -> bool {
        if self.element == Element::Button {
            return true;
        }
        if self.element != Element::Nav && !self.element.is_container() {
            return false;
        }
        // Whatever it is called, it is no chrome if the content or the title of the page is in it.
        if self.amount.mains > 0 || self.amount.titles > 0 && self.amount.titles == whole.titles {
            return false;
        }
        let is_within = |share: u64| u64::from(self.amount.characters) * 100 <= u64::from(whole.characters) * share;
        let is_small = is_within(CHROME_SHARE);
        let is_mostly_links = u64::from(self.amount.linked) * 2 >= u64::from(self.amount.characters);
        match self.element {
            Element::Nav => return is_small || is_mostly_links,
            Element::Footer | Element::Header if !self.is_in_section && is_small => return true,
            Element::Aside if !self.is_in_section && is_small && is_mostly_links => return true,
            _ => {}
        }
        let Some(detail) = self.detail else { return false };
        let is_role_of_chrome = is_role(detail, &["navigation", "search", "menu", "menubar", "toolbar"])
            || !self.is_in_section && is_role(detail, &["banner", "contentinfo", "dialog", "alertdialog"]);
        is_small && is_role_of_chrome
            || is_small && is_mostly_links && is_named(&detail.names, is_name_of_aid)
            || is_within(MENU_SHARE) && is_mostly_links && is_named(&detail.names, is_name_of_menu)
            || is_small && !self.is_in_section && is_consent(&detail.names)
    }
}

fn is_role(detail: &Detail, roles: &[&str]) -> bool {
    detail.role.split_ascii_whitespace().any(|role| roles.iter().any(|known| role.eq_ignore_ascii_case(known)))
}

/// Whether one of the words in the class names is one that `is_known`.
fn is_named(names: &str, is_known: impl Fn(&str) -> bool) -> bool {
    names
        .split(|c: char| c.is_ascii_whitespace() || matches!(c, '-' | '_'))
        .any(|word| is_known(&word.to_ascii_lowercase()))
}

/// Names of what leads around a site.
fn is_name_of_menu(word: &str) -> bool {
    matches!(
        word,
        "breadcrumb"
            | "breadcrumbs"
            | "mainmenu"
            | "menu"
            | "menubar"
            | "nav"
            | "navbar"
            | "navbox"
            | "navigation"
            | "noprint"
            | "nosearch"
            | "pager"
            | "pagination"
            | "searchmenu"
            | "sidebar"
            | "skip"
            | "submenu"
            | "topbar"
            | "topnav"
    )
}

/// Names of what may stand around a text, and of parts of some texts as well.
fn is_name_of_aid(word: &str) -> bool {
    matches!(
        word,
        "contents" | "footer" | "header" | "related" | "share" | "sharing" | "social" | "tabs" | "toc" | "toolbar"
    )
}

/// A box that asks for consent to cookies. A section about cookies may be called so as well, a banner is not.
fn is_consent(names: &str) -> bool {
    let is_about = |word: &str| matches!(word, "cookie" | "cookies" | "gdpr" | "consent");
    let is_box = |word: &str| matches!(word, "banner" | "consent" | "notice" | "bar" | "popup" | "modal" | "overlay");
    let is_both = |word: &str| matches!(word, "cookiebanner" | "cookieconsent" | "cookienotice" | "cookiebar");
    is_named(names, is_both) || is_named(names, is_about) && is_named(names, is_box)
}
