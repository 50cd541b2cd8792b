//! The words of a title without its markup.

/// Takes away what marks emphasis, literals, roles and links: ``The ``x`` of `Ada <ada.rst>`_`` is `The x of Ada`.
pub(crate) fn plain(title: &str) -> String {
    let mut words = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find(['`', '*', '\\', '|']) {
        words.push_str(&rest[..at]);
        let mark = rest.as_bytes()[at];
        let run = rest[at..].bytes().take_while(|&byte| byte == mark).count();
        let (marks, after) = rest[at..].split_at(run);
        rest = match mark {
            // What is escaped stands for itself; an escaped space for nothing.
            b'\\' => {
                let escaped = rest[at + 1..].chars().next();
                words.extend(escaped.filter(|letter| !letter.is_whitespace()));
                &rest[at + 1 + escaped.map_or(0, char::len_utf8)..]
            }
            _ => match closed(&words, marks, after) {
                Some(end) => {
                    if marks == "`" {
                        drop_role(&mut words);
                        words.push_str(without_target(&after[..end]));
                    } else {
                        words.push_str(&after[..end]);
                    }
                    let after = &after[end + run..];
                    if mark == b'`' || mark == b'|' { after.trim_start_matches('_') } else { after }
                }
                None => {
                    words.push_str(marks);
                    after
                }
            },
        };
    }
    words.push_str(rest);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where the inline markup ends that `marks` begin, in `after`; `None` where they are ordinary characters: inside of a word,
/// before a space, or without an end.
fn closed(before: &str, marks: &str, after: &str) -> Option<usize> {
    let is_start = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_whitespace);
    if !is_start || marks.len() > 2 {
        return None;
    }
    // A title has a few words; of a line of a million marks, the end of each is not looked for far away.
    let near = after.char_indices().nth(FARTHEST).map_or(after, |(end, _)| &after[..end]);
    near.match_indices(marks).map(|(at, _)| at).find(|&at| {
        let follows = after[at + marks.len()..].chars().next();
        at > 0 && !near[..at].ends_with(char::is_whitespace) && !follows.is_some_and(char::is_alphanumeric)
    })
}

/// Characters from the begin of inline markup in a title to its end, at most.
const FARTHEST: usize = 256;

/// Takes away the role that the words end with: `:ref:`, `:c:func:`.
fn drop_role(words: &mut String) {
    let is_part = |letter: char| letter.is_alphanumeric() || "-_+.:".contains(letter);
    let start =
        words.len() - words.chars().rev().take_while(|&letter| is_part(letter)).map(char::len_utf8).sum::<usize>();
    let role = &words[start..];
    if role.len() > 2 && role.starts_with(':') && role.ends_with(':') {
        words.truncate(start);
    }
}

/// `text` of `text <target>`.
fn without_target(inner: &str) -> &str {
    let text = inner.strip_suffix('>').and_then(|inner| inner.rsplit_once('<')).map(|(text, _)| text.trim_end());
    text.filter(|text| !text.is_empty()).unwrap_or(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_no_markup() {
        let cases = [
            ("The ``x`` of `Ada <ada.rst>`_", "The x of Ada"),
            (":mod:`os` --- *files* (:c:func:`f`)", "os --- files (f)"),
            ("So: `x`", "So: x"),
            ("**Bold**  and |sub|_", "Bold and sub"),
            ("f(*args, **kwargs)", "f(*args, **kwargs)"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("a \\*b\\ c", "a *bc"),
            ("` open", "` open"),
            ("end\\", "end"),
            ("知識 *検索*", "知識 検索"),
        ];
        for (title, words) in cases {
            assert_eq!(plain(title), words, "{title}");
        }
    }
}
