//! Marking citations while an answer is still being written.

use super::cite::{citations, may_go_on, next_start, open_start};

/// What stands behind a citation that leads nowhere.
pub(super) const MARK: &str = " [not among the sources]";

/// Takes an answer piece by piece and gives it on with a mark behind each invented citation. What may be the beginning of a
/// citation is held back until it is one or cannot be one any more, so the pieces may be cut anywhere.
pub(super) struct Marking<F> {
    /// Whether what is cited is there.
    is_known: F,
    held: String,
    /// What was given on, the whole text so far.
    pub(super) text: String,
    /// Citations that were marked.
    pub(super) invented: usize,
}

impl<F: Fn(&str, Option<(u32, u32)>) -> bool> Marking<F> {
    pub(super) const fn new(is_known: F) -> Self {
        Self { is_known, held: String::new(), text: String::new(), invented: 0 }
    }

    /// Takes a piece; gives what can be shown now.
    pub(super) fn take(&mut self, piece: &str) -> &str {
        self.held.push_str(piece);
        let mut until = self.held.len();
        // The first citation that is not closed, and may still be.
        let mut at = 0;
        while let Some(start) = next_start(&self.held, at) {
            let closed = citations(&self.held[start..]).into_iter().find(|cited| cited.span.start == 0);
            at = match closed {
                Some(cited) => start + cited.span.end,
                None if !may_go_on(&self.held[start..]) => start + 1,
                None => {
                    until = start;
                    break;
                }
            };
        }
        if until == self.held.len()
            && let Some(start) = open_start(&self.held).filter(|start| *start >= at)
        {
            until = start;
        }
        self.give(until)
    }

    /// The rest, when there is no more.
    pub(super) fn end(&mut self) -> &str {
        self.give(self.held.len())
    }

    fn give(&mut self, until: usize) -> &str {
        let rest = self.held.split_off(until);
        let shown = std::mem::replace(&mut self.held, rest);
        let start = self.text.len();
        let cited = citations(&shown);
        let mut at = 0;
        for group in cited.chunk_by(|one, other| one.span == other.span) {
            let Some(span) = group.first().map(|one| one.span.clone()) else { continue };
            self.text.push_str(&shown[at..span.end]);
            at = span.end;
            let invented = group.iter().filter(|one| !(self.is_known)(&one.target, one.pages)).count();
            if invented > 0 {
                self.invented += invented;
                self.text.push_str(MARK);
            }
        }
        self.text.push_str(&shown[at..]);
        &self.text[start..]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(text: &str) -> (String, usize) {
        let mut marking = Marking::new(|target, _| target == "a");
        marking.take(text);
        marking.end();
        (marking.text, marking.invented)
    }

    #[test]
    fn invented_citations_are_marked() {
        let (text, invented) = whole("So [[a]], not so [[b]]. (Source: a; c) [[");
        assert_eq!(text, format!("So [[a]], not so [[b]]{MARK}. (Source: a; c){MARK} [["));
        assert_eq!(invented, 2);
    }

    #[test]
    fn only_what_may_begin_a_citation_is_held_back() {
        let mut marking = Marking::new(|_, _| true);
        assert_eq!(marking.take("Sow in May ["), "Sow in May ");
        assert_eq!(marking.take("1] and (Sou"), "[1] and ");
        assert_eq!(marking.take("p is"), "(Soup is");
        assert_eq!(marking.take(" hot [[a"), " hot ");
        assert_eq!(marking.take("]] so [[[a"), "[[a]] so [");
        assert_eq!(marking.take("]]"), "[[a]]");
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_pieces_are_cut(
            text in "(\\[\\[|\\]\\]|\\(Source: |a|b|;|\\)|\\PC|\n){0,20}",
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            cuts.retain(|cut| text.is_char_boundary(*cut));
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let mut marking = Marking::new(|target, _| target == "a");
            let mut shown = String::new();
            for pair in cuts.windows(2) {
                shown.push_str(marking.take(&text[pair[0]..pair[1]]));
            }
            shown.push_str(marking.end());
            prop_assert_eq!(&shown, &marking.text);
            prop_assert_eq!((shown, marking.invented), whole(&text));
        }
    }
}
