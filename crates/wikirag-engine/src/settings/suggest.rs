//! "Did you mean": the known word nearest to a misspelt one.

/// Longer words are not compared: the distance costs the product of both lengths, and no name of ours is so long.
const MAX_BYTES: usize = 128;

/// The candidates within a third of `word`'s length in edits (one edit for short words), nearest first, then by
/// name. Case does not count as an edit.
pub(crate) fn near<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if word.len() > MAX_BYTES {
        return Vec::new();
    }
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= MAX_BYTES)
        .map(|candidate| (strsim::osa_distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The remedy for an unknown key: the nearest known one, else the list of all.
pub(crate) fn remedy(word: &str, known: &[&str]) -> String {
    match near(word, known.iter().copied()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the keys are: {}", known.join(", ")),
    }
}

/// `text` for an error message: one line, and not longer than a person reads.
pub(crate) fn shorten(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let mut short: String = text.chars().take(MAX_CHARS).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first() {
        assert_eq!(near("titel", ["tags", "title", "tile"]), ["title"]);
        assert_eq!(near("fod", ["food", "foot", "fad"]), ["fad", "food"]);
        assert_eq!(near("Limit", ["limit"]), ["limit"]);
        assert!(near("zebra", ["title", "tags"]).is_empty());
        assert!(near(&"x".repeat(1 << 20), ["x"]).is_empty());
    }

    #[test]
    fn long_and_odd_text_is_made_readable() {
        assert_eq!(shorten("a\nb"), "a\u{fffd}b");
        assert_eq!(shorten(&"x".repeat(100)).chars().count(), 81);
    }
}
