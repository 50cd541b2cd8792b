//! A hot cache that has grown too large.

use super::check::Check;
use super::finding::Severity;
use super::sink::{Sink, Spot};
use super::subject::Subject;
use crate::brief::words;
use crate::drill::HOT_PAGE;
use crate::head::body;

/// Words that it may have.
const MOST_WORDS: usize = 500;

/// `hot.md` at the root of the wiki, where it has more than [`MOST_WORDS`] words without its front matter.
pub(super) struct HotCache;

impl Check for HotCache {
    fn page(&mut self, subject: &Subject, page: usize, text: &str, sink: &mut Sink) {
        if !subject.vault.pages[page].path.eq_ignore_ascii_case(HOT_PAGE) {
            return;
        }
        let words = words(body(text));
        if words > MOST_WORDS {
            let message = format!("the hot cache has {words} words, of which {MOST_WORDS} are allowed");
            let remedy = "leave out what is no longer in work; `wikirag hot` proposes a shorter one";
            sink.add(page, Spot::Page, Severity::Warning, message, remedy);
        }
    }
}
