//! What the words of one line say about the block that they begin. The rules are those of the reStructuredText
//! specification of docutils.

/// The mark of a line of punctuation, as it stands under a title, and its length; `None` where the line is none.
pub(crate) fn adornment(words: &str) -> Option<(char, usize)> {
    let first = words.chars().next().filter(char::is_ascii_punctuation)?;
    // Two dots begin a comment, two colons a literal block.
    let is_mark =
        words.len() >= 2 && words != ".." && words != "::" && words.bytes().all(|byte| char::from(byte) == first);
    is_mark.then_some((first, words.len()))
}

/// The bullet that the line begins with.
pub(crate) fn bullet(words: &str) -> Option<char> {
    let mut letters = words.chars();
    let bullet = letters.next().filter(|first| matches!(first, '-' | '*' | '+' | '•' | '‣' | '⁃'))?;
    letters.next().is_none_or(char::is_whitespace).then_some(bullet)
}

/// Whether the line begins with a number or letter of a list: `1.`, `(a)`, `iv)`, `#.`.
pub(crate) fn is_enumerated(words: &str) -> bool {
    let (inner, is_open) = words.strip_prefix('(').map_or((words, false), |inner| (inner, true));
    let Some(end) = inner.find(['.', ')']) else { return false };
    let (number, rest) = inner.split_at(end);
    let is_number = match number.len() {
        0 => false,
        1 => number == "#" || number.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        2..=9 => {
            number.bytes().all(|byte| byte.is_ascii_digit())
                || number.bytes().all(|byte| b"ivxlcdm".contains(&byte.to_ascii_lowercase()))
        }
        _ => false,
    };
    let is_closed = !is_open || rest.starts_with(')');
    is_number && is_closed && rest[1..].chars().next().is_none_or(char::is_whitespace)
}

/// Whether the line begins an item of a list of any kind.
pub(crate) fn is_item(words: &str) -> bool {
    bullet(words).is_some() || is_enumerated(words) || field(words).is_some()
}

/// The name of the field that the line begins with, and what follows: `:Author: Ada` is `Author` and `Ada`.
pub(crate) fn field(words: &str) -> Option<(&str, &str)> {
    let inner = words.strip_prefix(':')?;
    let end = inner
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|&at| !inner[..at].ends_with('\\') && inner[at + 1..].chars().next().is_none_or(char::is_whitespace))?;
    let name = &inner[..end];
    // A role, as in ":ref:`name` and more: so", is no field, and neither is "::".
    let is_name = !name.is_empty() && !name.starts_with([' ', ':']) && !name.ends_with(' ') && !name.contains('`');
    is_name.then(|| (name, inner[end + 1..].trim()))
}

/// Whether the line is the upper border of a grid table: `+---+---+`.
pub(crate) fn is_grid_border(words: &str) -> bool {
    let is_border = |byte| matches!(byte, b'+' | b'-' | b'=');
    words.len() >= 3 && words.starts_with("+-") && words.ends_with('+') && words.bytes().all(is_border)
}

/// Whether the line is a border of a simple table with two columns at least: `===  ===`.
pub(crate) fn is_simple_border(words: &str) -> bool {
    words.starts_with('=') && words.contains(' ') && words.bytes().all(|byte| matches!(byte, b'=' | b' '))
}

/// What stands behind two dots at the begin of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Explicit<'a> {
    /// `.. _name: uri`, or `__ uri`. The address may stand on the next line.
    Target(&'a str),
    /// `.. [1] text`: a footnote or a citation.
    Note,
    /// `.. name:: argument`, or `.. |words| name:: argument`.
    Directive {
        /// `image`, `code-block`, `py:function`.
        name: &'a str,
        /// What follows on the line.
        argument: &'a str,
    },
    /// Anything else.
    Comment,
}

/// Reads a line that begins with two dots; `None` for all others.
pub(crate) fn explicit(words: &str) -> Option<Explicit<'_>> {
    if let Some(uri) = words.strip_prefix("__ ") {
        return Some(Explicit::Target(uri.trim()));
    }
    let rest = words.strip_prefix("..")?;
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let rest = rest.trim_start();
    if let Some(target) = rest.strip_prefix('_') {
        // A name in backticks may hold colons.
        let name = target.strip_prefix('`').and_then(|quoted| quoted.find('`')).map_or(0, |end| end + 2);
        return Some(match target[name..].find(": ").map(|at| name + at) {
            Some(colon) => Explicit::Target(target[colon + 1..].trim()),
            None if target.ends_with(':') => Explicit::Target(""),
            None => Explicit::Comment,
        });
    }
    if rest.starts_with('[') && rest.contains(']') {
        return Some(Explicit::Note);
    }
    let substituted =
        rest.strip_prefix('|').and_then(|inner| inner.split_once('|')).map(|(_, after)| after.trim_start());
    Some(directive(substituted.unwrap_or(rest)).unwrap_or(Explicit::Comment))
}

fn directive(rest: &str) -> Option<Explicit<'_>> {
    let (name, argument) = rest.split_once("::")?;
    let name = name.strip_suffix(' ').unwrap_or(name);
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+.:".contains(&byte));
    let is_end = argument.is_empty() || argument.starts_with(char::is_whitespace);
    (is_name && is_end).then(|| Explicit::Directive { name, argument: argument.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adornments() {
        assert_eq!(adornment("===="), Some(('=', 4)));
        assert_eq!(adornment("\"\"\""), Some(('"', 3)));
        for words in ["", "..", "::", "-", "=-=", "== ==", "aaaa", "……"] {
            assert_eq!(adornment(words), None, "{words}");
        }
    }

    #[test]
    fn items() {
        for words in ["- a", "*", "• a", "1. a", "(iv) a", "#. a", "a) b", "12)", ":Author: Ada", ":a b:"] {
            assert!(is_item(words), "{words}");
        }
        for words in
            ["-a", "**a**", "1.5 a", "(a b", "(a. b", "etc. a", ":ref:`a` b: c", "::", ":a", "", "1234567890. a"]
        {
            assert!(!is_item(words), "{words}");
        }
        assert_eq!(field(":a:b: c"), Some(("a:b", "c")));
    }

    #[test]
    fn explicit_markup() {
        let directive = |name, argument| Some(Explicit::Directive { name, argument });
        assert_eq!(explicit(".. note::"), directive("note", ""));
        assert_eq!(explicit("..  py:function:: f(x)"), directive("py:function", "f(x)"));
        assert_eq!(explicit(".. |logo| image:: a.png"), directive("image", "a.png"));
        assert_eq!(explicit(".. _a b: c.rst"), Some(Explicit::Target("c.rst")));
        assert_eq!(explicit(".. _`a: b`: c.rst"), Some(Explicit::Target("c.rst")));
        assert_eq!(explicit(".. _a:"), Some(Explicit::Target("")));
        assert_eq!(explicit("__ c.rst"), Some(Explicit::Target("c.rst")));
        assert_eq!(explicit(".. [#a] words"), Some(Explicit::Note));
        assert_eq!(explicit(".. see std::vec"), Some(Explicit::Comment));
        assert_eq!(explicit(".. std::vec"), Some(Explicit::Comment));
        assert_eq!(explicit(".."), Some(Explicit::Comment));
        assert_eq!((explicit("... a"), explicit("..a")), (None, None));
    }
}
