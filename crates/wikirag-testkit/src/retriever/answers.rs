//! What an answer looks like.

use std::collections::BTreeSet;
use std::sync::Arc;

use wikirag_core::{ChunkRecord, Query, RankedList, Retriever, TermStatistics};

use super::{Subject, probes, search, shortened};
use crate::check::{Broken, Outcome, ensure};
use crate::fakes::{corpus, own_word, record};
use crate::{MemoryFeed, questions};

const COUNT: u64 = 40;

/// Looks at the answers to questions of many kinds, with few and with all hits wanted.
fn each_answer(subject: &Subject, look: impl Fn(&RankedList) -> Outcome) -> Outcome {
    let mut records = corpus(11, COUNT);
    // Equal chunks, with ids that are not in the order of arrival: they tie in most layers.
    records
        .extend([907, 903, 905, 901].map(|id| ChunkRecord { title: String::new(), ..record(id, "river copper tie") }));
    let index = subject.fresh(&records)?;
    for question in probes(&records).iter().map(String::as_str).chain(["tie"]) {
        for want in [3, 1000] {
            let at = format_args!("question {:?}, {want} wanted", shortened(question)).to_string();
            look(&search(&*index.retriever, question, want)?).map_err(|broken| broken.at(at))?;
        }
    }
    Ok(())
}

/// An index of no chunks gives no hits, and no error either.
///
/// # Errors
/// Where the promise is broken.
pub fn an_empty_index_gives_no_hits(subject: &Subject) -> Outcome {
    let index = subject.fresh(&[])?;
    for question in ["river", "", "anything at all"] {
        let list = search(&*index.retriever, question, 10)?;
        ensure!(list.hits.is_empty(), "an index of no chunks answers {question:?} with {:?}", list.hits);
    }
    Ok(())
}

/// Asked the whole text of a chunk, with enough hits wanted, a layer finds the chunk.
///
/// # Errors
/// Where the promise is broken.
pub fn the_text_of_a_chunk_finds_it(subject: &Subject) -> Outcome {
    let records = corpus(12, COUNT);
    let index = subject.fresh(&records)?;
    for record in &records {
        let list = search(&*index.retriever, &record.text, records.len())?;
        ensure!(
            list.hits.iter().any(|hit| hit.chunk == record.id),
            "chunk {} is not found by its own text {:?}",
            record.id,
            shortened(&record.text)
        );
    }
    Ok(())
}

/// Scores never rise from one hit to the next.
///
/// # Errors
/// Where the promise is broken.
pub fn hits_come_best_first(subject: &Subject) -> Outcome {
    each_answer(subject, |list| {
        let rise = list.hits.windows(2).find(|pair| pair[0].score < pair[1].score);
        ensure!(rise.is_none(), "a better hit stands behind a worse one: {rise:?}");
        Ok(())
    })
}

/// Hits of equal score come by ascending chunk id.
///
/// # Errors
/// Where the promise is broken.
pub fn ties_come_by_chunk_id(subject: &Subject) -> Outcome {
    each_answer(subject, |list| {
        let tie = list.hits.windows(2).find(|pair| pair[0].score == pair[1].score && pair[0].chunk > pair[1].chunk);
        ensure!(tie.is_none(), "two hits of equal score are not in the order of their ids: {tie:?}");
        Ok(())
    })
}

/// No chunk comes twice.
///
/// # Errors
/// Where the promise is broken.
pub fn no_chunk_comes_twice(subject: &Subject) -> Outcome {
    each_answer(subject, |list| {
        let mut seen = BTreeSet::new();
        let twice = list.hits.iter().find(|hit| !seen.insert(hit.chunk));
        ensure!(twice.is_none(), "this chunk comes twice: {twice:?}");
        Ok(())
    })
}

/// At most `want` hits come. 0 and far more than there are may be wanted.
///
/// # Errors
/// Where the promise is broken.
pub fn want_is_a_limit(subject: &Subject) -> Outcome {
    let records = corpus(13, COUNT);
    let index = subject.fresh(&records)?;
    for question in ["river", &records[0].text, ""] {
        for want in [0, 1, 2, 10, records.len(), records.len() + 1, 1_000_000, usize::MAX] {
            let list = search(&*index.retriever, question, want)?;
            ensure!(list.hits.len() <= want, "{want} hits wanted, {} came", list.hits.len());
        }
    }
    Ok(())
}

/// Any text is a question: it gives hits or none, never an error.
///
/// # Errors
/// Where the promise is broken.
pub fn any_question_is_valid(subject: &Subject) -> Outcome {
    let index = subject.fresh(&corpus(14, COUNT))?;
    for question in questions::naughty() {
        search(&*index.retriever, &question, 10)?;
    }
    Ok(())
}

fn statistics(retriever: &dyn Retriever, question: &str) -> Outcome<Option<TermStatistics>> {
    let query = Query::new(question, 10);
    retriever
        .term_statistics(&query)
        .map_err(|error| Broken::from(error).at(format_args!("term statistics of {:?}", shortened(question))))
}

/// Where a layer knows about words: it counts all chunks, no word is in more chunks than there are, no word comes twice,
/// a word that is in one chunk is counted once, and any question may be asked of an empty index too.
///
/// # Errors
/// Where the promise is broken.
pub fn term_statistics_are_true(subject: &Subject) -> Outcome {
    let records = corpus(15, COUNT);
    let index = subject.fresh(&records)?;
    for question in questions::naughty().into_iter().chain(probes(&records)) {
        let Some(known) = statistics(&*index.retriever, &question)? else { return Ok(()) };
        ensure!(known.chunks == COUNT, "{COUNT} chunks are there, the statistics count {}", known.chunks);
        let often = known.terms.iter().find(|term| term.chunk_frequency > known.chunks);
        ensure!(often.is_none(), "of {} chunks more than all hold a word: {often:?}", known.chunks);
        let distinct: BTreeSet<_> = known.terms.iter().map(|term| &term.term).collect();
        ensure!(distinct.len() == known.terms.len(), "a word comes twice in {:?}", known.terms);
    }
    let own = own_word(7);
    let known = statistics(&*index.retriever, &own)?.unwrap_or_default();
    ensure!(
        known.terms.iter().any(|term| term.chunk_frequency == 1),
        "one chunk holds {own:?}, the statistics know {:?}",
        known.terms
    );
    let empty = subject.index(&Arc::new(MemoryFeed::new("empty")))?;
    let known = statistics(&*empty.retriever, "river")?.unwrap_or_default();
    ensure!(
        known.chunks == 0 && known.terms.iter().all(|term| term.chunk_frequency == 0),
        "nothing is there, the statistics know {known:?}"
    );
    Ok(())
}
