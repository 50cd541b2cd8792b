//! Which links lead to other documents of the wiki.

use wikirag_core::{Link, LinkKind, Span};

/// The target of a wikilink as written between the brackets, without alias; `None` where there is none.
///
/// Inside a table the bar must be escaped (`[[note\|alias]]`), and the parser leaves the backslash to us.
pub(crate) fn wiki_target(written: &str) -> Option<&str> {
    let target = written.split('|').next().unwrap_or(written);
    let target = target.strip_suffix('\\').unwrap_or(target).trim();
    // Obsidian takes no wikilink over the end of a line.
    (!target.is_empty() && !target.contains(['\n', '\r'])).then_some(target)
}

/// Whether an inline link or image may lead to another document: it names neither a scheme nor a host.
pub(crate) fn is_relative(target: &str) -> bool {
    let scheme = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    let has_scheme = target.split_once(':').is_some_and(|(head, _)| {
        head.starts_with(|first: char| first.is_ascii_alphabetic()) && head.chars().all(scheme)
    });
    !target.trim().is_empty() && !has_scheme && !target.starts_with("//")
}

/// The wikilinks in the front matter `text[span]`: Obsidian follows `related: "[[Page A]]"` as it follows links in the body.
pub(crate) fn front_matter_links(text: &str, span: Span) -> Vec<Link> {
    let mut links = Vec::new();
    let mut from = span.start;
    while let Some(start) = text[from..span.end].find("[[").map(|at| from + at) {
        let inside = start + 2;
        // The innermost pair counts: `[[[x]]` opens at the last two brackets. No link runs over a line.
        let stop = text[inside..span.end].find(['[', ']', '\n', '\r']).map_or(span.end, |at| inside + at);
        from = stop.max(start + 1);
        if text[stop..span.end].starts_with("]]")
            && let Some(target) = wiki_target(&text[inside..stop])
        {
            let is_embed = text[span.start..start].ends_with('!');
            let (kind, start) = if is_embed { (LinkKind::Embed, start - 1) } else { (LinkKind::Wiki, start) };
            links.push(Link { span: Span::new(start, stop + 2), kind, target: target.to_owned() });
        } else if text[stop..span.end].starts_with('[') && stop == inside {
            from = start + 1;
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_without_alias() {
        assert_eq!(wiki_target("a|b|c"), Some("a"));
        assert_eq!(wiki_target("a\\|b"), Some("a"));
        assert_eq!(wiki_target(" Note#H1#H2 "), Some("Note#H1#H2"));
        assert_eq!(wiki_target(" "), None);
        assert_eq!(wiki_target("|alias"), None);
        assert_eq!(wiki_target("new\nline"), None);
    }

    #[test]
    fn relative_targets() {
        for target in ["a.md", "../a%20b.md#c", "#part", "/root.md", "a/b:c.md", "日本.md"] {
            assert!(is_relative(target), "{target}");
        }
        for target in
            ["https://a.b", "mailto:a@b.c", "obsidian://open", "//host/a", "", " ", "data:image/png;base64,AA"]
        {
            assert!(!is_relative(target), "{target}");
        }
    }

    #[test]
    fn links_in_front_matter() {
        let text = "related: [\"[[Page A]]\", \"[[Page B|alias]]\"]\nraw: [[C#d]]\ncover: ![[x.png]]\nopen: [[\nno: [[ ]]\nt: [[[T]]]\n";
        let links = front_matter_links(text, Span::new(0, text.len()));
        let found: Vec<_> =
            links.iter().map(|link| (link.kind, link.target.as_str(), &text[link.span.range()])).collect();
        assert_eq!(
            found,
            [
                (LinkKind::Wiki, "Page A", "[[Page A]]"),
                (LinkKind::Wiki, "Page B", "[[Page B|alias]]"),
                (LinkKind::Wiki, "C#d", "[[C#d]]"),
                (LinkKind::Embed, "x.png", "![[x.png]]"),
                (LinkKind::Wiki, "T", "[[T]]"),
            ]
        );
    }

    #[test]
    fn many_open_brackets_take_linear_time() {
        let text = "[".repeat(1_000_000);
        assert_eq!(front_matter_links(&text, Span::new(0, text.len())), []);
    }
}
