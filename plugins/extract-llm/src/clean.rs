//! Fields of what a model wrote: where one ends, and what of it is packing.

/// What stands between two fields.
pub(crate) const BETWEEN: &str = "<|>";

/// The fields of `row` by the marks that models make of [`BETWEEN`]: `<|>`, `<|#|>`, `<||>`, and the damaged `<|` and `|>`.
/// A damaged one with white space on both sides is an operator of some programming language and stays.
pub(crate) fn fields(row: &str) -> Vec<&str> {
    let bytes = row.as_bytes();
    let mut fields = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        // All marks are ASCII, so no character is cut.
        let length = mark(bytes, at);
        if length > 0 {
            fields.push(&row[start..at]);
            start = at + length;
            at = start;
        } else {
            at += 1;
        }
    }
    fields.push(&row[start..]);
    fields
}

/// Length of the mark that begins at `at`, 0 where none does.
fn mark(bytes: &[u8], at: usize) -> usize {
    let length = match &bytes[at..] {
        [b'<', b'|', rest @ ..] => {
            let inner = rest.iter().take_while(|byte| matches!(byte, b'|' | b'#')).count();
            if rest.get(inner) == Some(&b'>') {
                return inner + 3;
            }
            inner + 2
        }
        [b'|', b'>', ..] => 2,
        _ => return 0,
    };
    let is_space = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    if is_space(before) && is_space(bytes.get(at + length)) { 0 } else { length }
}

/// A field in one line, without marks, control characters and white space around it, and out of its quotes.
pub(crate) fn clean(field: &str) -> String {
    let plain: String = field.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut text = one_line(&plain);
    // Out of the quotes there may be a mark that was none before, and without it there may be new quotes.
    loop {
        let inner = one_line(&fields(unquoted(&text)).join(" "));
        if inner == text {
            return text;
        }
        text = inner;
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `text` without the pair of quotes around all of it.
fn unquoted(text: &str) -> &str {
    const PAIRS: [(&str, &str); 7] =
        [("\"", "\""), ("'", "'"), ("`", "`"), ("**", "**"), ("“", "”"), ("„", "“"), ("«", "»")];
    PAIRS
        .iter()
        .find_map(|(open, close)| {
            let inner = text.strip_prefix(open)?.strip_suffix(close)?;
            // `"A" and "B"` is not one quotation.
            (!inner.contains(open) && !inner.contains(close)).then_some(inner)
        })
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fields_end_at_marks_and_their_ruins() {
        assert_eq!(fields("entity<|>C#<|>tool"), ["entity", "C#", "tool"]);
        assert_eq!(fields("entity<|#|>a<||>b"), ["entity", "a", "b"]);
        assert_eq!(fields("entity<|a|>b"), ["entity", "a", "b"]);
        assert_eq!(fields("x |> f and f <| x"), ["x |> f and f <| x"]);
        assert_eq!(fields(""), [""]);
    }

    #[test]
    fn packing_is_taken_off() {
        for (field, inner) in [
            (" \"Paris\" ", "Paris"),
            ("**`Paris`**", "Paris"),
            ("“Marie\n  Curie”", "Marie Curie"),
            ("\"A\" and \"B\"", "\"A\" and \"B\""),
            ("5\" disk", "5\" disk"),
            ("a<|>b\0c", "a b c"),
            ("\"", "\""),
            ("'' ''", "'' ''"),
        ] {
            assert_eq!(clean(field), inner, "{field:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_clean_stays_so_between_marks(text in "([<|>#\"'`* \t«»“„”]{1,3}|\\PC|a){0,12}") {
            let clean_text = clean(&text);
            prop_assert_eq!(&clean(&clean_text), &clean_text);
            let row = format!("entity{BETWEEN}{clean_text}{BETWEEN}b");
            prop_assert_eq!(fields(&row), ["entity", clean_text.as_str(), "b"]);
        }
    }
}
