//! Any history of changes leads to the answers of an index made at once.

use proptest::prelude::*;
use wikirag_core::{ChunkId, ChunkRecord, DocId, ExtractionReport, Link, LinkKind, Span};
use wikirag_testkit::MemoryFeed;

use crate::{Indexed, head_link};

/// Few names, so that pages take them from each other, name each other, and share them.
const NAMES: [&str; 8] =
    ["New York", "New York City", "City", "peer-review", "Peer Review", "Ran (film)", "東京大学", "O'Neal"];

const TEXTS: [&str; 12] = [
    "{Tide Engine}~{New York} by Ada",
    "a {tide engine}~{peer review}",
    "{O'Neal}~{Odile Varga} GIBBERISH",
    "{Odile Varga}~{tide engine}, {City}",
    "New York City is large, New York larger.",
    "a peer review and a peer-review",
    "Peer Review of Ran",
    "私は東京大学に行く。City",
    "nothing",
    "O'Neal's City and NEW YORK",
    "ran to the city",
    "see New\nYork-City",
];

#[derive(Debug, Clone)]
enum Step {
    Put(Box<ChunkRecord>),
    Delete(u64),
    Sync,
    Extract,
}

/// A passage of one of four pages, three passages each; the passages of one page may tell different titles, as in the middle of a
/// change.
fn record() -> impl Strategy<Value = ChunkRecord> {
    let name = || prop::sample::select(NAMES.to_vec());
    let links = prop::collection::vec((name(), any::<bool>()), 0..3);
    (1..13u64, name(), prop::option::of(name()), prop::sample::select(TEXTS.to_vec()), links).prop_map(
        |(id, title, alias, text, links)| ChunkRecord {
            id: ChunkId(id),
            document: DocId(id % 4),
            path: format!("p{}.md", id % 4),
            title: title.to_owned(),
            aliases: alias.into_iter().map(str::to_owned).collect(),
            tags: vec![format!("t{}", title.len())],
            text: text.to_owned(),
            links: links.into_iter().map(|(target, head)| link(target, head)).collect(),
            ..ChunkRecord::default()
        },
    )
}

fn link(target: &str, head: bool) -> Link {
    if head {
        return head_link(target);
    }
    Link { span: Span::new(0, 3), kind: LinkKind::Wiki, target: target.to_owned() }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => record().prop_map(|record| Step::Put(Box::new(record))),
        2 => (1..13u64).prop_map(Step::Delete),
        2 => Just(Step::Sync),
        1 => Just(Step::Extract),
    ];
    prop::collection::vec(step, 1..40)
}

/// What the catalog does: all passages of a page have its title, aliases and tags, and change with them.
fn of_one_page(feed: &MemoryFeed, record: &ChunkRecord) {
    for other in feed.records().into_iter().filter(|other| other.document == record.document && other.id != record.id) {
        feed.put(ChunkRecord {
            title: record.title.clone(),
            aliases: record.aliases.clone(),
            tags: record.tags.clone(),
            ..other
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn history_leaves_no_trace(steps in steps(), batch in prop::sample::select(vec![1, 3, usize::MAX])) {
        let settings = serde_json::json!({"reach": 0, "edges": {"tag": 0.5, "term": 0.5}});
        let index = Indexed::of(MemoryFeed::new("a").in_batches_of(batch), settings.clone());
        go_through(&index, &steps);
        let fresh = Indexed::of(MemoryFeed::of("b", index.feed.records()), settings);
        must_answer_alike(&index, &fresh)?;
    }

    /// Nor with an extractor, which is asked now and then, for some texts at a time.
    #[test]
    fn nor_does_that_of_an_extractor(
        steps in steps(),
        batch in prop::sample::select(vec![1, 3, usize::MAX]),
        most in prop::sample::select(vec![1, 2, 100]),
    ) {
        let settings = serde_json::json!({"edges": {"tag": 0.5, "entity": 0.5, "relation": 0.7}});
        let mut bound = settings.clone();
        bound["most_extractions"] = most.into();
        let index = Indexed::with_extractor(MemoryFeed::new("a").in_batches_of(batch), "history", bound);
        go_through(&index, &steps);
        while index.extract(true).unwrap().unwrap().pending > 0 {}
        let fresh = Indexed::with_extractor(MemoryFeed::of("b", index.feed.records()), "history", settings);
        let (known, anew) = (index.retriever.extraction().unwrap(), fresh.extract(true).unwrap().unwrap());
        let anew = ExtractionReport { sent: 0, cached: 0, ..anew };
        prop_assert_eq!(known, Some(anew));
        must_answer_alike(&index, &fresh)?;
    }
}

/// Goes through the steps, and follows the feed to its end.
fn go_through(index: &Indexed, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Put(record) => {
                of_one_page(&index.feed, record);
                index.feed.put(ChunkRecord::clone(record));
            }
            Step::Delete(id) => index.feed.delete(ChunkId(*id)),
            Step::Sync => index.sync(),
            Step::Extract => drop(index.extract(true).unwrap()),
        }
    }
    index.sync();
}

fn must_answer_alike(index: &Indexed, fresh: &Indexed) -> Result<(), TestCaseError> {
    for seeds in [vec![], vec![1], vec![5, 2, 7]] {
        for question in
            ["Who reviewed New York City?", "peer-review 東京大学 City", "nothing", "Odile Varga's tide engine"]
        {
            prop_assert_eq!(index.ask(question, &seeds), fresh.ask(question, &seeds));
        }
    }
    prop_assert_eq!(index.retriever.chunks().unwrap(), fresh.retriever.chunks().unwrap());
    wikirag_testkit::block_on(index.retriever.verify()).unwrap();
    Ok(())
}
