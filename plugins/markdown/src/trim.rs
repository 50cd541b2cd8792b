//! Spans without white space around them.

use wikirag_core::Span;

/// The span without white space at either end; `None` where nothing else is in it, or where it is no span of `text`.
pub(crate) fn trimmed(text: &str, span: Span) -> Option<Span> {
    let inside = span.slice(text)?;
    let start = span.start + (inside.len() - inside.trim_start().len());
    let end = start + inside.trim().len();
    (start < end).then(|| Span::new(start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_of_any_kind_goes() {
        let text = " \u{3000}\r\na b\n";
        assert_eq!(trimmed(text, Span::new(0, text.len())).unwrap().slice(text), Some("a b"));
        assert_eq!(trimmed(text, Span::new(0, 4)), None);
        assert_eq!(trimmed(text, Span::new(2, 9)), None);
    }
}
