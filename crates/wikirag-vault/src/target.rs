//! The parts of a target as it is written in a link.

use std::borrow::Cow;

/// A target cut at its first `#`: the path or name, trimmed, and what follows.
pub(crate) fn split(target: &str) -> (&str, &str) {
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    (path.trim(), fragment)
}

/// The target of a Markdown link without its angle brackets.
pub(crate) fn without_brackets(target: &str) -> &str {
    let target = target.trim();
    target.strip_prefix('<').and_then(|target| target.strip_suffix('>')).unwrap_or(target)
}

/// `text` with its percent codes read (`%20`). What is no code stays, and so does the whole text where the codes are
/// no UTF-8.
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match after {
            [high, low, after @ ..] if *first == b'%' => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high << 4 | low);
                    rest = after;
                }
                _ => bytes.push(*first),
            },
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    // A digit of base 16 is below 16.
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_codes() {
        for (written, read) in [
            ("a%20b", "a b"),
            ("%E6%97%A5", "日"),
            ("%e6%97%a5.md", "日.md"),
            ("100%", "100%"),
            ("5%2", "5%2"),
            ("%zz%41", "%zzA"),
            ("%FF", "%FF"),
            ("%%20", "% "),
            ("日%20本", "日 本"),
        ] {
            assert_eq!(decoded(written), read);
        }
    }

    #[test]
    fn parts() {
        assert_eq!(split("a b #c#d"), ("a b", "c#d"));
        assert_eq!(split("#c"), ("", "c"));
        assert_eq!(split(" a "), ("a", ""));
        assert_eq!(without_brackets(" <a b.md> "), "a b.md");
        assert_eq!(without_brackets("<a"), "<a");
        assert_eq!(without_brackets("<"), "<");
    }
}
