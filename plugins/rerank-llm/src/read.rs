//! What the model wrote.

/// Characters of a reason.
const LONGEST: usize = 160;

/// A passage at its place in the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Of the passage among those that were shown, from 0.
    pub(crate) place: usize,
    /// In one line; empty where none is given.
    pub(crate) reason: String,
}

/// The passages that `text` places, the best first, out of so many: each the first time it comes.
///
/// A line counts where it begins with a number, be it `3`, `[3]`, `3.`, `**3**` or `- [3]`. A line of numbers alone (`3 > 1 > 2`) is an
/// order without reasons.
pub(crate) fn placed(text: &str, count: usize) -> Vec<Placed> {
    let mut placed: Vec<Placed> = Vec::new();
    let mut add = |number: usize, reason: String| {
        if let Some(place) = number.checked_sub(1).filter(|place| *place < count)
            && !placed.iter().any(|one| one.place == place)
        {
            placed.push(Placed { place, reason });
        }
    };
    for line in text.lines() {
        let numbers = only_numbers(line);
        if numbers.len() > 1 {
            numbers.into_iter().for_each(|number| add(number, String::new()));
        } else if let Some((number, reason)) = numbered(line) {
            add(number, reason);
        }
    }
    placed
}

/// The numbers of a line that holds nothing else.
fn only_numbers(line: &str) -> Vec<usize> {
    let is_other = |c: char| !c.is_ascii_digit() && !matches!(c, ' ' | '[' | ']' | '>' | ',' | '(' | ')');
    if line.contains(is_other) {
        return Vec::new();
    }
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

fn numbered(line: &str) -> Option<(usize, String)> {
    let rest = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*' | '[' | '(' | '#' | '`'));
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let rest = &rest[digits..];
    // `3D printing` is no number of a passage.
    if rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let is_mark = |c: char| c.is_whitespace() || matches!(c, ']' | ')' | '.' | '|' | ':' | '-' | '*' | '–' | '—' | '`');
    let reason: String = rest.trim_start_matches(is_mark).chars().take(LONGEST).collect();
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    Some((number, reason.trim().chars().map(plain).collect()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places(text: &str) -> Vec<(usize, String)> {
        placed(text, 5).into_iter().map(|one| (one.place + 1, one.reason)).collect()
    }

    #[test]
    fn orders_are_read_as_models_write_them() {
        let told = |list: &[(usize, &str)]| list.iter().map(|(at, why)| (*at, (*why).to_owned())).collect::<Vec<_>>();
        let text = "Here is the order:\n3 | names the port\n[1] | says why\n- **2**: near\n3 | again\n9 | none\n4.\n";
        assert_eq!(places(text), told(&[(3, "names the port"), (1, "says why"), (2, "near"), (4, "")]));
        assert_eq!(places("[2] > [1] > [5]"), told(&[(2, ""), (1, ""), (5, "")]));
        assert_eq!(places("I cannot do that.\n3D printing is\n0 | no"), []);
    }

    proptest! {
        #[test]
        fn any_text_places_each_passage_once(text in "([0-9]{1,3}|[|\\[\\]. \n>*-]|\\PC){0,60}", count in 0..8_usize) {
            let found = placed(&text, count);
            let mut places: Vec<usize> = found.iter().map(|one| one.place).collect();
            places.sort_unstable();
            places.dedup();
            prop_assert_eq!(places.len(), found.len());
            prop_assert!(places.iter().all(|place| *place < count));
            prop_assert!(found.iter().all(|one| !one.reason.contains('\n') && one.reason.chars().count() <= LONGEST));
        }
    }
}
