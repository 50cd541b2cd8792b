//! Texts that are longer than the model takes.

use wikirag_text::estimate_tokens;

/// `text` in pieces of at most `most` estimated tokens, about equally long, cut between words where there are any.
/// Nothing but white space is left out.
pub(crate) fn cut(text: &str, most: usize) -> Vec<&str> {
    let mut left = estimate_tokens(text);
    if left <= most {
        return vec![text];
    }
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        if left <= most {
            // Estimates are rounded up, so what is left was counted too low by a bit for each piece.
            left = estimate_tokens(rest);
        }
        if left <= most {
            pieces.push(rest);
            break;
        }
        let equal = left.div_ceil(left.div_ceil(most));
        let end = between_words(rest, longest(rest, equal));
        let (piece, after) = rest.split_at(end);
        left = left.saturating_sub(estimate_tokens(piece));
        pieces.push(piece.trim_end());
        rest = after.trim_start();
    }
    pieces
}

/// `text` in two, for a service that counts more tokens than were estimated. `None`: it is one character.
pub(crate) fn halves(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let middle = text.floor_char_boundary(text.len() / 2).max(first_char(text));
    let (left, right) = text.split_at(between_words(text, middle));
    let (left, right) = (left.trim_end(), right.trim_start());
    (!left.is_empty() && !right.is_empty()).then_some((left, right))
}

/// Where the longest beginning of `text` ends that has at most `tokens`. It has one character at least.
fn longest(text: &str, tokens: usize) -> usize {
    let fits = |end: usize| estimate_tokens(&text[..end]) <= tokens;
    let mut good = first_char(text);
    // Eight bytes a token are more than most texts have; where they are not, twice as many are tried.
    let mut bad = text.ceil_char_boundary(tokens.saturating_mul(8));
    while fits(bad) {
        if bad == text.len() {
            return bad;
        }
        good = bad;
        bad = text.ceil_char_boundary(bad.saturating_mul(2));
    }
    loop {
        let middle = text.floor_char_boundary(good.midpoint(bad));
        if middle <= good {
            return good;
        }
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
}

/// `end`, or the end of the word before it. A word that takes up half of the piece is cut.
fn between_words(text: &str, end: usize) -> usize {
    if text[end..].starts_with(char::is_whitespace) {
        return end;
    }
    let half = text.floor_char_boundary(end / 2);
    text[half..end].rfind(char::is_whitespace).map_or(end, |at| half + at).max(first_char(text))
}

fn first_char(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// One vector for a text whose pieces have `vectors`: their mean, weighted, of unit length. Without vectors it is empty.
pub(crate) fn mean<'a>(vectors: impl IntoIterator<Item = (&'a [f32], usize)>) -> Vec<f32> {
    let mut vectors = vectors.into_iter();
    let Some((first, weight)) = vectors.next() else {
        return Vec::new();
    };
    let mut sum: Vec<f64> = first.iter().map(|&value| f64::from(value) * weight as f64).collect();
    let mut one = true;
    for (vector, weight) in vectors {
        one = false;
        for (sum, &value) in sum.iter_mut().zip(vector) {
            *sum += f64::from(value) * weight as f64;
        }
    }
    if one {
        return first.to_vec();
    }
    // Pieces that point into opposite directions have no mean; the text is what it begins with.
    unit(&sum).unwrap_or_else(|| first.to_vec())
}

/// `values` scaled to unit length, unless that cannot be done.
pub(crate) fn unit(values: &[f64]) -> Option<Vec<f32>> {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    // Below it nothing is left but rounding. Not a number is not above it either.
    if !(largest > 1e-30 && largest.is_finite()) || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let length = values.iter().map(|value| (value / largest).powi(2)).sum::<f64>().sqrt() * largest;
    Some(values.iter().map(|value| (value / length) as f32).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_stay_whole_and_pieces_are_alike() {
        assert_eq!(cut("  as it is ", 16), ["  as it is "]);
        assert_eq!(cut("", 16), [""]);
        let text = "the cat sat on a mat ".repeat(10);
        let pieces = cut(&text, 16);
        assert_eq!(pieces.len(), 4);
        assert!(pieces.iter().all(|piece| (13..=16).contains(&estimate_tokens(piece))), "{pieces:?}");
        assert_eq!(pieces.join(" "), text.trim());
    }

    #[test]
    fn what_has_no_spaces_is_cut_anywhere() {
        let text = "水".repeat(100);
        let pieces = cut(&text, 16);
        assert_eq!(pieces.concat(), text);
        assert_eq!(pieces.len(), 7);
        let noise = "x".repeat(10_000);
        assert_eq!(cut(&noise, 100).concat(), noise);
    }

    #[test]
    fn halves_get_smaller_until_there_are_none() {
        assert_eq!(halves("one two three"), Some(("one", "two three")));
        assert_eq!(halves("ab"), Some(("a", "b")));
        assert_eq!(halves("水火"), Some(("水", "火")));
        for text in ["", " ", "a", "é", "👩"] {
            assert_eq!(halves(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_mean_is_weighted_and_of_unit_length() {
        assert_eq!(mean([(&[0.6, 0.8][..], 3)]), [0.6, 0.8]);
        assert_eq!(mean([(&[1.0, 0.0][..], 3), (&[0.0, 1.0][..], 4)]), [0.6, 0.8]);
        assert_eq!(mean([(&[1.0, 0.0][..], 1), (&[-1.0, 0.0][..], 1)]), [1.0, 0.0]);
        assert_eq!(mean([]), [0.0; 0]);
    }

    #[test]
    fn only_what_has_a_direction_is_scaled() {
        assert_eq!(unit(&[3e-20, 4e-20]).unwrap(), [0.6, 0.8]);
        assert_eq!(unit(&[3e300, 4e300]).unwrap(), [0.6, 0.8]);
        for values in [&[0.0, 0.0][..], &[1e-40], &[f64::NAN, 1.0], &[f64::INFINITY], &[]] {
            assert_eq!(unit(values), None, "{values:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_too_long(text in "(\\PC{0,12}[ \n]{0,3}){0,40}", most in 1_usize..40) {
            let pieces = cut(&text, most);
            let without_spaces = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
            prop_assert_eq!(without_spaces(&pieces.concat()), without_spaces(&text));
            for piece in pieces {
                prop_assert!(estimate_tokens(piece) <= most || piece.chars().count() == 1, "{piece:?}");
            }
            if let Some((left, right)) = halves(&text) {
                prop_assert_eq!(without_spaces(&[left, right].concat()), without_spaces(&text));
            }
        }
    }
}
