//! What leads where.

use wikirag_core::{ChunkId, ChunkRecord, Context};
use wikirag_testkit::{MemoryFeed, block_on};

use crate::{Indexed, head_link, page};

#[test]
fn what_a_hit_names_is_found_without_a_word_of_the_question() {
    let index = Indexed::new([
        page(1, "The Goose Woman", "A silent film directed by Clarence Brown."),
        page(2, "Clarence Brown", "He was born in Clinton."),
        page(3, "Somebody Else", "Born elsewhere."),
    ]);
    assert_eq!(index.found("Where was the director of the goose woman born?", &[1]), [1, 2]);
    // By the name in the question alone.
    assert_eq!(index.found("Who directed The Goose Woman?", &[]), [1, 2]);
    assert_eq!(index.found("nothing of all that", &[]), [0; 0]);
}

/// And back: from a page to those that name it.
#[test]
fn a_page_leads_to_those_that_name_it() {
    let index = Indexed::new([
        page(1, "Basil", "A herb."),
        page(2, "Pesto", "Made of Basil and oil."),
        page(3, "Soup", "Made of water."),
    ]);
    assert_eq!(index.found("?", &[1]), [1, 2]);
}

/// [B21] Links in the front matter are edges, with and without an alias.
#[test]
fn links_in_the_front_matter_lead_on() {
    let linked = ChunkRecord {
        links: ["Page A", "Page B|alias"].iter().map(|target| head_link(target.split('|').next().unwrap())).collect(),
        ..page(1, "Start", "Nothing is named here.")
    };
    let index = Indexed::new([linked, page(2, "Page A", "one"), page(3, "Page B", "two"), page(4, "Page C", "three")]);
    assert_eq!(index.found("?", &[1]), [1, 2, 3]);
}

#[test]
fn what_may_mean_several_pages_leads_to_each_with_its_share() {
    let namesake = |id, folder: &str| ChunkRecord { path: format!("{folder}/mercury.md"), ..page(id, "Mercury", "") };
    let index = Indexed::new([
        page(1, "Start", "Mercury and Venus."),
        namesake(2, "planets"),
        namesake(3, "metals"),
        page(4, "Venus", "bright"),
    ]);
    let found = index.ask("?", &[1]);
    let score = |id| found.iter().find(|hit| hit.chunk == ChunkId(id)).unwrap().score.get();
    assert!((score(2) - score(3)).abs() < 1e-12, "{found:?}");
    assert!(score(4) > score(2), "{found:?}");
}

/// Scores are on the scale of the hits that the walk began from: where no edge leads on, they are nearly theirs.
#[test]
fn what_leads_nowhere_keeps_its_share_of_the_best() {
    let index = Indexed::new((1..6).map(|id| page(id, &format!("Page {id}"), "Nothing.")));
    let found = index.ask("?", &[3, 1, 5]);
    let shares: Vec<f64> = found.iter().map(|hit| hit.score.get() / found[0].score.get()).collect();
    assert_eq!(found.iter().map(|hit| hit.chunk.0).collect::<Vec<_>>(), [3, 1, 5]);
    for (share, given) in shares.iter().zip([1.0, 1.0 / 2.0, 1.0 / 3.0]) {
        assert!((0.85..=1.0).contains(&(share / given)), "{shares:?}");
    }
}

/// What every folder has a page of is the name of none.
#[test]
fn what_many_pages_are_called_is_no_name() {
    let readme = |id| ChunkRecord { path: format!("{id}/README.md"), ..page(id, &format!("Part {id}"), "See README.") };
    let index = Indexed::new((1..40).map(readme));
    assert_eq!(index.found("what does README say", &[3]), [3]);
    assert_eq!(index.found("what does Part 7 say", &[]), [7]);
}

#[test]
fn names_are_names_where_they_are_written_as_such() {
    let index = Indexed::new([
        page(1, "Start", "We did a peer review."),
        page(2, "Other", "We follow Peer Review here."),
        page(3, "Peer Review", "A method."),
    ]);
    assert_eq!(index.found("?", &[1]), [1]);
    assert_eq!(index.found("?", &[2]), [2, 3]);
}

#[test]
fn a_longer_name_hides_the_shorter_in_it() {
    let index = Indexed::new([
        page(1, "Start", "She lives in New York City."),
        page(2, "New York", "A state."),
        page(3, "New York City", "A city."),
    ]);
    assert_eq!(index.found("?", &[1]), [1, 3]);
}

/// A page that comes later finds those that have named it all along; one that goes is nothing but words again.
#[test]
fn a_changed_page_changes_its_edges_alone() {
    let index = Indexed::new([page(1, "Start", "By Clarence Brown, in Clinton."), page(2, "Clinton", "A town.")]);
    assert_eq!(index.found("?", &[1]), [1, 2]);
    index.feed.put(page(3, "Clarence Brown", "A director."));
    index.sync();
    assert_eq!(index.found("?", &[1]), [1, 2, 3]);
    index.feed.put(ChunkRecord { document: wikirag_core::DocId(2), ..page(2, "Springfield", "A town.") });
    index.sync();
    assert_eq!(index.found("?", &[1]), [1, 3]);
    index.feed.delete(ChunkId(3));
    index.sync();
    assert_eq!(index.found("?", &[1]), [1]);
}

#[test]
fn where_hardly_any_page_is_named_the_layer_has_no_say() {
    let alone = (10..60).map(|id| page(id, &format!("Page number {id}"), "Nothing."));
    let named = [page(1, "Start", "By Clarence Brown."), page(2, "Clarence Brown", "A director.")];
    let index = Indexed::of(MemoryFeed::of("a", named.into_iter().chain(alone)), serde_json::json!({}));
    assert_eq!(index.found("?", &[1]), [0; 0]);
    let query = wikirag_core::Query::new("?", 5);
    assert!(index.retriever.weight(&query).abs() < 1e-12);
    assert_eq!(Indexed::of(MemoryFeed::of("a", []), serde_json::json!({})).found("?", &[1]), [0; 0]);
}

#[test]
fn themes_reach_what_no_edge_of_the_start_reaches() {
    let circle = |id: u64, names: [&str; 2]| {
        page(id, ["Alpha", "Beta", "Gamma", "Delta"][id as usize - 1], &names.join(" and "))
    };
    let records = || {
        [
            circle(1, ["Beta", "Gamma"]),
            circle(2, ["Gamma", "Delta"]),
            circle(3, ["Delta", "Beta"]),
            circle(4, ["Beta", "Gamma"]),
            page(5, "Apart", "Nothing."),
        ]
    };
    let with = |mode: &str| {
        Indexed::of(MemoryFeed::of("a", records()), serde_json::json!({"reach": 0, "mode": mode, "restart": 1.0}))
    };
    assert_eq!(with("local").found("?", &[1]), [1]);
    let mut themes = with("global").found("?", &[1]);
    themes.sort_unstable();
    assert_eq!(themes, [1, 2, 3, 4]);
    assert_eq!(with("mix").found("?", &[1])[0], 1);
}

#[test]
fn tags_and_rare_names_join_passages_where_they_count() {
    let tagged = |id, title: &str| ChunkRecord { tags: vec!["Herbs".to_owned()], ..page(id, title, "text") };
    let records = [
        tagged(1, "One"),
        tagged(2, "Two"),
        page(3, "Three", "Written by Ada Marie Lovelace."),
        page(4, "Four", "In the time of Ada Marie Lovelace's youth."),
        page(5, "Five", "Calls atomic_write_json."),
        page(6, "Six", "See atomic_write_json for more."),
    ];
    let edges = serde_json::json!({"reach": 0, "edges": {"tag": 1, "term": 1}});
    let index = Indexed::of(MemoryFeed::of("a", records.clone()), edges);
    assert_eq!(
        (index.found("?", &[1]), index.found("?", &[3]), index.found("?", &[5])),
        (vec![1, 2], vec![3, 4], vec![5, 6])
    );
    let none = serde_json::json!({"reach": 0, "edges": {"tag": 0, "term": 0}});
    assert_eq!(Indexed::of(MemoryFeed::of("a", records), none).found("?", &[1]), [1]);
}

#[test]
fn damage_is_named_and_a_search_says_so() {
    let index = Indexed::new([page(1, "Start", "By Clarence Brown."), page(2, "Clarence Brown", "A director.")]);
    let file = index.layer.dir().join("graph.db");
    std::fs::write(&file, "no database").unwrap();
    let error = block_on(index.retriever.verify()).unwrap_err();
    assert!(error.to_string().contains("graph.db"), "{error}");
    let query = wikirag_core::Query::new("?", 5);
    assert!(block_on(index.retriever.search(&query, &Context::new())).is_err());
    assert!(!index.retriever.readiness().is_usable());
}
