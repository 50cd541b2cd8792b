//! Finding all names of a vault in a text.

use std::collections::HashMap;
use std::ops::Range;

use crate::words::{MAX_NAME_WORDS, Word, extended, name_key};

/// A name found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The id of the name.
    pub id: u32,
    /// Where it stands, in bytes of the text, with the `'s` that its last word may carry. Never cuts a character.
    pub span: Range<usize>,
    /// The index of its first word.
    pub first: usize,
    /// The index of its last word; `first` or later.
    pub last: usize,
}

/// Names by their words: finds every name of a vault in a text in one pass.
///
/// A trie of words, kept as one table from the hash of each beginning of a name to what is known of it. A million
/// beginnings take 19 to 39 MB, and half as much again for the moment in which the table grows. Hashes are not compared
/// with the words they stand for: a text of a million words meets a wrong one among three million beginnings with odds
/// of 1 to 6,000,000.
///
/// An id is that of a name, not of a page: several pages may own one name, and which of them is meant, or that nobody
/// can tell, is a matter of the caller, who keeps the owners.
#[derive(Debug, Clone, Default)]
pub struct Names {
    beginnings: HashMap<u64, Beginning>,
    names: usize,
}

#[derive(Debug, Clone, Copy)]
struct Beginning {
    /// The name that ends here, or [`NO_NAME`].
    id: u32,
    /// How many names begin so, one that ends here among them.
    names: u32,
}

/// Stands for no name. An `Option` would take half as much memory again.
const NO_NAME: u32 = u32::MAX;

impl Names {
    /// No names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names
    }

    /// Whether there is no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names == 0
    }

    /// The id of the name of these words.
    #[must_use]
    pub fn get(&self, name: &[Word]) -> Option<u32> {
        self.beginnings.get(&name_key(name)).map(|beginning| beginning.id).filter(|id| *id != NO_NAME)
    }

    /// Adds a name, and gives the id that it had before and has no more. `id` is below `u32::MAX`.
    ///
    /// No words and more than [`MAX_NAME_WORDS`] are no name, nor is `u32::MAX` an id: such a call does nothing.
    /// [`NameWords::name`](crate::NameWords::name) gives names only.
    pub fn insert(&mut self, name: &[Word], id: u32) -> Option<u32> {
        if name.is_empty() || name.len() > MAX_NAME_WORDS || id == NO_NAME {
            return None;
        }
        let before = self.get(name);
        let mut key = 0;
        for word in name {
            key = extended(key, word.key);
            let beginning = self.beginnings.entry(key).or_insert(Beginning { id: NO_NAME, names: 0 });
            beginning.names += u32::from(before.is_none());
        }
        if let Some(last) = self.beginnings.get_mut(&key) {
            last.id = id;
        }
        self.names += usize::from(before.is_none());
        before
    }

    /// Takes a name out, and gives the id that it had.
    pub fn remove(&mut self, name: &[Word]) -> Option<u32> {
        let id = self.get(name)?;
        if let Some(last) = self.beginnings.get_mut(&name_key(name)) {
            last.id = NO_NAME;
        }
        let mut key = 0;
        for word in name {
            key = extended(key, word.key);
            if let Some(beginning) = self.beginnings.get_mut(&key) {
                beginning.names -= 1;
                if beginning.names == 0 {
                    self.beginnings.remove(&key);
                }
            }
        }
        self.names -= 1;
        Some(id)
    }

    /// Calls `sink` with each name in a text, given by its words, in the order of the text.
    ///
    /// Of names that begin at one word the longest is found, and the next is looked for behind it: mentions do not
    /// overlap, and a name that is part of a longer one is found where it stands without the rest. Takes time linear in
    /// the words, times at most [`MAX_NAME_WORDS`] in texts that keep beginning names.
    pub fn find(&self, words: &[Word], mut sink: impl FnMut(Mention)) {
        let mut first = 0;
        // Neighbouring pairs of characters share one, so the word after a mention may begin within it.
        let mut free_from = 0;
        while let Some(word) = words.get(first) {
            let found = if word.span.start < free_from { None } else { self.longest(words, first) };
            match found {
                Some(mention) => {
                    (first, free_from) = (mention.last + 1, mention.span.end);
                    sink(mention);
                }
                None => first += 1,
            }
        }
    }

    /// Calls `sink` with every name in a text, also with those that are parts of others or overlap them: what a passage
    /// is found by must not depend on which other names there are. By their first words, shorter ones first. Time as
    /// for [`find`](Self::find), with the same bound.
    pub fn find_all(&self, words: &[Word], mut sink: impl FnMut(Mention)) {
        (0..words.len()).for_each(|first| self.each(words, first, &mut sink));
    }

    /// The longest name that begins at the word `first`.
    fn longest(&self, words: &[Word], first: usize) -> Option<Mention> {
        let mut longest = None;
        self.each(words, first, &mut |mention| longest = Some(mention));
        longest
    }

    /// The names that begin at the word `first`, shorter ones first.
    fn each(&self, words: &[Word], first: usize, sink: &mut impl FnMut(Mention)) {
        let mut key = 0;
        let mut start = None;
        for (last, word) in words.iter().enumerate().skip(first) {
            let start = *start.get_or_insert(word.span.start);
            key = extended(key, word.key);
            let Some(beginning) = self.beginnings.get(&key) else { break };
            if beginning.id != NO_NAME {
                sink(Mention { id: beginning.id, span: start..word.span.end, first, last });
            }
        }
    }
}

/// The mentions that touch none of `links`, the bytes where the links of the text stand, in any order. Code is no link:
/// whoever does not want names in code adds where it stands. Linear, up to sorting the links.
#[must_use]
pub fn unlinked(
    mentions: impl IntoIterator<Item = Mention>,
    links: impl IntoIterator<Item = Range<usize>>,
) -> Vec<Mention> {
    let mut links: Vec<Range<usize>> = links.into_iter().filter(|link| !link.is_empty()).collect();
    links.sort_unstable_by_key(|link| link.start);
    // Links may hold others, so each ends where the last of those before it does.
    let mut end = 0;
    for link in &mut links {
        end = end.max(link.end);
        link.end = end;
    }
    let is_free = |mention: &Mention| {
        let before = links.partition_point(|link| link.start < mention.span.end);
        before.checked_sub(1).is_none_or(|last| links[last].end <= mention.span.start)
    };
    mentions.into_iter().filter(is_free).collect()
}

#[cfg(test)]
mod tests;
