//! Chunks to index.

use fastrand::Rng;
use wikirag_core::{ChunkId, ChunkRecord, DocId};

/// A chunk of an English document of its own. Set more with struct update: `ChunkRecord { title, ..record(1, "x") }`.
#[must_use]
pub fn record(id: u64, text: &str) -> ChunkRecord {
    ChunkRecord {
        id: ChunkId(id),
        document: DocId(id),
        path: format!("notes/{id}.md"),
        title: format!("Note {id}"),
        language: "eng".to_owned(),
        text: text.to_owned(),
        ..ChunkRecord::default()
    }
}

/// Words that occur in many chunks, the first ones in most.
const COMMON: [&str; 32] = [
    "river", "mountain", "bread", "engine", "letter", "winter", "garden", "copper", "silver", "orchard", "harbour",
    "lantern", "meadow", "carpet", "violin", "planet", "basket", "timber", "marble", "falcon", "cotton", "pepper",
    "saddle", "anchor", "pillow", "ribbon", "hammer", "candle", "turnip", "walnut", "goblet", "thimble",
];

/// `count` chunks with ids from 1, each with some common words (the lower in the list the rarer) and one word of its own.
/// The same seed gives the same chunks.
#[must_use]
pub fn corpus(seed: u64, count: u64) -> Vec<ChunkRecord> {
    let mut random = Rng::with_seed(seed);
    (1..=count)
        .map(|id| {
            let mut words: Vec<String> = (0..random.usize(4..40))
                .map(|_| {
                    let rarest = random.usize(0..COMMON.len());
                    COMMON[random.usize(0..=rarest)].to_owned()
                })
                .collect();
            let place = random.usize(0..=words.len());
            words.insert(place, own_word(id));
            // A layer that finds passages by the names of their pages has one to find them by.
            ChunkRecord { aliases: vec![own_word(id)], ..record(id, &words.join(" ")) }
        })
        .collect()
}

/// A word of letters only that no other id has, and that no stemmer takes for the form of another.
pub(crate) fn own_word(id: u64) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "ko", "du", "fi", "ga", "hu", "jo", "ka", "lo", "mu", "no", "pa", "ra", "to", "vu", "zo"];
    let mut word = String::from("q");
    word.extend(
        format!("{id:x}").chars().filter_map(|digit| digit.to_digit(16)).map(|digit| SYLLABLES[digit as usize]),
    );
    word.push('k');
    word
}
