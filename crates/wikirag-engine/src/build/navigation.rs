//! Pages that lead to other pages: read by people, of no use as an answer.

use wikirag_core::{Block, BlockKind, DocumentText, Link, Span};

/// A page with fewer links is no index page, however short it is.
const LEAST_LINKS: usize = 5;

/// The share of letters and digits inside links from which on a page is an index page.
const LINK_SHARE: f64 = 0.6;

/// Whether the page is an index: mostly links to other pages, and little of its own to say.
///
/// Counted are letters and digits of the body without headings and code.
pub(crate) fn is_mostly_links(document: &DocumentText) -> bool {
    if document.links.len() < LEAST_LINKS {
        return false;
    }
    let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let is_counted =
        |block: &&Block| !matches!(block.kind, BlockKind::FrontMatter | BlockKind::Heading { .. } | BlockKind::Code);
    let words_in = |span: Span| span.slice(&document.text).map_or(0, words);
    let all: usize = document.blocks.iter().filter(is_counted).map(|block| words_in(block.span)).sum();
    let block_of = |link: &Link| {
        let after = document.blocks.partition_point(|block| block.span.start <= link.span.start);
        document.blocks.get(after.checked_sub(1)?).filter(|block| block.span.contains(link.span))
    };
    let counted_links = document.links.iter().filter(|link| block_of(link).as_ref().is_some_and(is_counted));
    let linked: usize = counted_links.map(|link| words_in(link.span)).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of characters, far below 2^52")]
    let share = linked as f64 / all.max(1) as f64;
    share >= LINK_SHARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use wikirag_core::LinkKind;

    fn page(parts: &[(&str, bool)]) -> DocumentText {
        let mut document = DocumentText::default();
        for (text, is_link) in parts {
            let start = document.text.len();
            document.text.push_str(text);
            if *is_link {
                let span = Span::new(start, document.text.len());
                document.links.push(Link { span, kind: LinkKind::Wiki, target: (*text).to_owned() });
            }
        }
        let span = Span::new(0, document.text.len());
        document.blocks.push(Block { span, kind: BlockKind::List, cuts: Vec::new() });
        document
    }

    #[test]
    fn lists_of_links_are_index_pages_and_prose_with_links_is_not() {
        let links = [("[[basil]]", true), (" and ", false)].repeat(6);
        assert!(is_mostly_links(&page(&links)));
        let prose = [("[[basil]]", true), (" wants warm soil and sun on most days ", false)].repeat(6);
        assert!(!is_mostly_links(&page(&prose)));
        assert!(!is_mostly_links(&page(&links[..4])));
    }
}
