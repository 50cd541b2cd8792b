//! No more passages than wanted, without losing text.

use wikirag_core::Span;

use super::Passage;

/// Joins neighbours, from the start, until there are `most` passages, none over the smallest size that does it: they stay as even
/// as the cuts allow, and no more of them are joined than must be.
pub(super) fn at_most(most: usize, passages: Vec<Passage>) -> Vec<Passage> {
    if passages.len() <= most {
        return passages;
    }
    let excess = passages.len() - most;
    let mut too_small = 0;
    let mut enough: usize = passages.iter().map(|passage| passage.tokens.max(1)).sum();
    while too_small + 1 < enough {
        let size = too_small.midpoint(enough);
        if joined(&passages, size, excess).count() <= most {
            enough = size;
        } else {
            too_small = size;
        }
    }
    joined(&passages, enough, excess).collect()
}

/// Neighbours joined, greedily from the start, as long as they are at most `size` tokens together, and at most `joins` times.
fn joined(passages: &[Passage], size: usize, mut joins: usize) -> impl Iterator<Item = Passage> {
    let mut rest = passages.iter().copied().peekable();
    std::iter::from_fn(move || {
        let mut whole = rest.next()?;
        while let Some(next) = rest.next_if(|next| joins > 0 && whole.tokens.max(1) + next.tokens.max(1) <= size) {
            joins -= 1;
            whole.span = Span::new(whole.span.start, next.span.end);
            whole.tokens = whole.tokens.max(1) + next.tokens.max(1);
        }
        Some(whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(sizes: &[usize]) -> Vec<Passage> {
        let passage = |(index, &tokens): (usize, &usize)| Passage {
            span: Span::new(index * 10, index * 10 + 9),
            tokens,
            stretch: index,
        };
        sizes.iter().enumerate().map(passage).collect()
    }

    #[test]
    fn few_stay_as_they_are() {
        assert_eq!(at_most(3, row(&[5, 5, 5])), row(&[5, 5, 5]));
    }

    #[test]
    fn no_more_are_joined_than_must_be() {
        assert_eq!(
            at_most(5, row(&[30; 6])).iter().map(|passage| passage.tokens).collect::<Vec<_>>(),
            [60, 30, 30, 30, 30]
        );
    }

    #[test]
    fn many_become_even() {
        let grown = at_most(2, row(&[5, 5, 5, 5, 0, 0]));
        let spans: Vec<_> = grown.iter().map(|passage| (passage.span.start, passage.span.end)).collect();
        assert_eq!(spans, [(0, 19), (20, 59)]);
        assert_eq!(at_most(1, row(&[0, 0, 0])).len(), 1);
    }
}
