//! Links to other documents, images and included files.

use wikirag_core::{Block, BlockKind, Link, LinkKind, Span};

use crate::lines::{Line, lines};
use crate::marks::{Explicit, explicit};

/// The links in a block, in order of their place.
///
/// Like the other readers it takes only what may lead to a file of the wiki: addresses with a scheme or a host do not.
/// Names of sections (`name_`, `:ref:`) lead to wherever they are declared, which is not to be seen in this file.
pub(crate) fn in_block(text: &str, block: &Block) -> Vec<Link> {
    let mut links = Vec::new();
    // Where a table of contents is open: how deep its directive stands.
    let mut contents: Option<usize> = None;
    let mut target: Option<Line<'_>> = None;
    for line in lines(text, block.span.start, block.span.end).filter(|line| !line.is_blank()) {
        // The address of a target may stand below its name.
        if let Some(name) = target.take().filter(|name| name.indent < line.indent) {
            let span = Span::new(name.words_start(), line.end());
            links.extend(link(span, LinkKind::Inline, line.words));
            continue;
        }
        contents = contents.filter(|&indent| line.indent > indent);
        let whole = Span::new(line.words_start(), line.end());
        if contents.is_some() {
            links.extend(entry(line.words).and_then(|target| link(whole, LinkKind::Inline, target)));
            continue;
        }
        match explicit(line.words) {
            Some(Explicit::Target("")) => target = Some(line),
            Some(Explicit::Target(uri)) => links.extend(link(whole, LinkKind::Inline, uri)),
            Some(Explicit::Directive { name, argument }) => match name {
                "image" | "figure" | "include" | "literalinclude" => {
                    links.extend(link(whole, LinkKind::Embed, argument));
                }
                "toctree" => contents = Some(line.indent),
                _ => {}
            },
            Some(Explicit::Note | Explicit::Comment) | None => {}
        }
    }
    if !matches!(block.kind, BlockKind::Code | BlockKind::FrontMatter) {
        links.extend(inline(text, block.span));
        links.sort_by_key(|link| link.span.start);
    }
    links
}

/// The target of a line in a table of contents: `path` or `Title <path>`. Options, patterns and `self` name no one file.
fn entry(words: &str) -> Option<&str> {
    let target = angled(words).map_or(words, |(_, target)| target);
    (!words.starts_with(':') && !target.contains('*') && target != "self").then_some(target)
}

/// `text` and `target` of `text <target>`.
fn angled(inner: &str) -> Option<(&str, &str)> {
    let (text, target) = inner.strip_suffix('>')?.rsplit_once('<')?;
    Some((text.trim_end(), target))
}

/// Links inside of lines: `` `text <target>`_ `` and `` :doc:`target` ``.
fn inline(text: &str, span: Span) -> Vec<Link> {
    let mut links = Vec::new();
    let bytes = &text.as_bytes()[..span.end];
    let mut at = span.start;
    let find = |from: usize| bytes[from..].iter().position(|&byte| byte == b'`').map(|found| from + found);
    while let Some(open) = find(at) {
        let run = bytes[open..].iter().take_while(|&&byte| byte == b'`').count();
        at = open + run;
        if run > 1 {
            // A literal ends with two; what is between has no links. One that does not end is none.
            at = text[at..span.end].find("``").map_or(span.end, |end| at + end + 2);
            continue;
        }
        let Some(close) = find(at) else { break };
        let inner = &text[at..close];
        at = close + 1;
        // A line without words ends a paragraph, and all markup in it: what follows begins anew.
        if inner.lines().skip(1).any(|line| line.trim().is_empty()) {
            at = close;
            continue;
        }
        let before = &text[span.start..open];
        let is_doc = before.ends_with(":doc:");
        let end = close + 1 + bytes[close + 1..].iter().take_while(|&&byte| byte == b'_').take(2).count();
        let target = match angled(inner) {
            // `text <name_>`_ leads to where the name leads.
            Some((_, target)) if is_doc || end > close + 1 && !target.ends_with('_') => target,
            None if is_doc => inner,
            _ => continue,
        };
        let start = if is_doc { open - ":doc:".len() } else { open };
        links.extend(link(Span::new(start, end), LinkKind::Inline, target));
        at = end;
    }
    links
}

/// The link, where it may lead to a file of the wiki. White space in an address is but a broken line.
fn link(span: Span, kind: LinkKind, target: &str) -> Option<Link> {
    let target: String = target.split_whitespace().collect();
    // An address in backticks is the name of another target, and so is one with an underscore behind.
    (is_relative(&target) && !target.ends_with('_')).then_some(Link { span, kind, target })
}

/// Whether the address names neither a scheme nor a host.
fn is_relative(target: &str) -> bool {
    let is_scheme_letter = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    let has_scheme = target.split_once(':').is_some_and(|(head, _)| {
        head.starts_with(|first: char| first.is_ascii_alphabetic()) && head.chars().all(is_scheme_letter)
    });
    !target.is_empty() && !has_scheme && !target.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(LinkKind, String, &str)> {
        let blocks = crate::blocks::parse(text, 0).blocks;
        let links = blocks.iter().flat_map(|block| in_block(text, block));
        links.map(|link| (link.kind, link.target, &text[link.span.range()])).collect()
    }

    #[test]
    fn links_inside_of_lines() {
        let text = "See `the other\n<other.rst>`_, `x <https://x.example>`__, :doc:`a/b`, :doc:`C <c>`, `n <name_>`_,\n\
                    ``literal `a <b>`_`` and `role`. A `lone mark.\n\nNext `d <d.rst>`__.\n";
        assert_eq!(
            found(text),
            [
                (LinkKind::Inline, "other.rst".into(), "`the other\n<other.rst>`_"),
                (LinkKind::Inline, "a/b".into(), ":doc:`a/b`"),
                (LinkKind::Inline, "c".into(), ":doc:`C <c>`"),
                (LinkKind::Inline, "d.rst".into(), "`d <d.rst>`__"),
            ]
        );
    }

    #[test]
    fn targets_images_and_contents() {
        let text = ".. _a: a.rst\n.. _b:\n   b.rst\n.. _c: a_\n.. _here:\n\n.. image:: i.png\n   :alt: words\n\n- x\n\n  .. figure:: f.png\n\n\
                    .. toctree::\n   :maxdepth: 2\n\n   intro\n   Guide <guide/index>\n   self\n   api/*\n\n.. code-block:: rst\n\n   `no <link>`_\n";
        let targets: Vec<_> = found(text).into_iter().map(|(kind, target, _)| (kind, target)).collect();
        let inline = |target: &str| (LinkKind::Inline, target.to_owned());
        let embed = |target: &str| (LinkKind::Embed, target.to_owned());
        assert_eq!(
            targets,
            [inline("a.rst"), inline("b.rst"), embed("i.png"), embed("f.png"), inline("intro"), inline("guide/index")]
        );
    }

    #[test]
    fn many_open_marks_take_linear_time() {
        for part in ["` ", "`` ", "`<", ":doc:`", "`\n\n"] {
            let text = part.repeat(200_000);
            let block = Block { span: Span::new(0, text.len()), kind: BlockKind::Paragraph, cuts: Vec::new() };
            assert!(in_block(&text, &block).len() <= text.len());
        }
    }
}
