//! Social security numbers of the United States, where the line says that they are.

use std::ops::Range;

/// What a line calls them, in lower case.
const NAMES: [&str; 2] = ["ssn", "social security"];

/// Numbers that were printed as examples, and were never given to anybody.
const EXAMPLES: [&str; 3] = ["078-05-1120", "219-09-9999", "123-45-6789"];

/// Hands over where numbers of the form `123-45-6789` stand that could have been given: no group is all zeros, and the first is
/// neither 666 nor from 900 on.
pub(super) fn find(text: &str, sink: &mut impl FnMut(Range<usize>)) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.bytes().filter(u8::is_ascii_digit).count() >= 9 && is_named(line) {
            for (at, _) in line.match_indices('-') {
                let Some(from) = at.checked_sub(3) else { continue };
                if line.get(from..from + 11).is_some_and(is_number) && is_alone(line, from) {
                    sink(start + from..start + from + 11);
                }
            }
        }
        start += line.len();
    }
}

fn is_named(line: &str) -> bool {
    let line = line.to_lowercase();
    NAMES.iter().any(|name| line.contains(name))
}

fn is_alone(line: &str, from: usize) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-');
    !is_part(line[..from].chars().next_back()) && !is_part(line[from + 11..].chars().next())
}

fn is_number(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let [area, group, serial] = groups.as_slice() else { return false };
    let lengths = (area.len(), group.len(), serial.len()) == (3, 2, 4);
    let are_digits = groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_digit()));
    let are_given = *area != "000" && *area != "666" && !area.starts_with('9') && *group != "00" && *serial != "0000";
    lengths && are_digits && are_given && !EXAMPLES.contains(&text)
}
