use std::collections::BTreeSet;

use proptest::prelude::*;
use wikirag_core::{DocId, Link, LinkKind, Metadata, Span};
use wikirag_sqlite::StoredPage;
use wikirag_vault::Resolution;

use super::edges::{Edges, Proof};
use super::walk::walk;
use super::*;

fn page(path: &str, links: &[(LinkKind, &str)]) -> StoredPage {
    let link = |(at, (kind, target)): (usize, &(LinkKind, &str))| Link {
        span: Span::new(10 * at, 10 * at + 5),
        kind: *kind,
        target: (*target).to_owned(),
    };
    StoredPage {
        document: DocId(0),
        path: path.to_owned(),
        title: path.trim_end_matches(".md").rsplit('/').next().unwrap().to_owned(),
        aliases: Vec::new(),
        tags: Vec::new(),
        language: String::new(),
        role: String::new(),
        navigation: false,
        meta: Metadata::new(),
        modified_ns: 0,
        characters: 0,
        links: links.iter().enumerate().map(link).collect(),
    }
}

fn vault(mut pages: Vec<StoredPage>) -> Vault {
    pages.sort_by(|one, other| one.path.cmp(&other.path));
    Vault::new(pages, Vec::new())
}

/// Pages that link to others by their names.
fn linked(pages: &[(&str, &[&str])]) -> Vault {
    let page = |(name, targets): &(&str, &[&str])| {
        let links: Vec<_> = targets.iter().map(|target| (LinkKind::Wiki, *target)).collect();
        page(&format!("{name}.md"), &links)
    };
    vault(pages.iter().map(page).collect())
}

/// Paths of what is reached, with distances.
fn reached(vault: &Vault, depth: u32, direction: Direction) -> Vec<(&str, u32)> {
    let edges = Edges::new(vault, Vec::new(), false);
    let path = |node: usize| vault.pages[node].path.trim_end_matches(".md");
    walk(&edges, 0, depth, direction).iter().map(|reached| (path(reached.node), reached.distance)).collect()
}

#[test]
fn the_nearest_come_first_then_those_with_most_neighbours() {
    let vault =
        linked(&[("a", &["b", "c", "a", "gone"]), ("b", &["d"]), ("c", &["d", "e"]), ("e", &["a"]), ("f", &["a"])]);
    assert_eq!(reached(&vault, 0, Direction::Both), [("a", 0)]);
    // No page `d` is there, so `c` has two neighbours and `b` one.
    assert_eq!(reached(&vault, 1, Direction::Both), [("a", 0), ("c", 1), ("e", 1), ("b", 1), ("f", 1)]);
    assert_eq!(reached(&vault, 2, Direction::Out), [("a", 0), ("c", 1), ("b", 1), ("e", 2)]);
    assert_eq!(reached(&vault, 2, Direction::In), [("a", 0), ("e", 1), ("f", 1), ("c", 2)]);
}

#[test]
fn an_ambiguous_link_is_no_edge() {
    let vault = vault(vec![page("a.md", &[(LinkKind::Wiki, "n")]), page("x/n.md", &[]), page("y/n.md", &[])]);
    assert_eq!(reached(&vault, 3, Direction::Both), [("a", 0)]);
    let found = vault.links().with_meaning(|meaning| matches!(meaning, Resolution::Ambiguous { .. }));
    assert_eq!(found, [(0, 0)]);
}

#[test]
fn tags_are_nodes_without_case() {
    let mut pages = vec![page("a.md", &[]), page("b.md", &[]), page("c.md", &[])];
    pages[0].tags = vec!["Herb".to_owned(), "herb".to_owned()];
    pages[1].tags = vec!["HERB".to_owned(), "tree".to_owned()];
    let vault = vault(pages);
    let edges = Edges::new(&vault, Vec::new(), true);
    let tags: Vec<_> = (0..edges.nodes()).filter_map(|node| edges.tag(node)).collect();
    assert_eq!(tags, ["Herb", "tree"]);
    let nodes: Vec<_> = walk(&edges, 0, 3, Direction::Both).iter().map(|reached| reached.node).collect();
    assert_eq!(nodes, [0, 3, 1, 4]);
    assert!(edges.from(0).iter().all(|edge| edge.proof == Proof::Tag) && edges.from(0).len() == 1);
}

/// Ten thousand pages of one name, each with a link to that name, share one list of what it may mean.
#[test]
fn links_of_one_meaning_share_it() {
    let folders = 10_000;
    let pages = (0..folders).map(|folder| {
        page(&format!("{folder:05}/index.md"), &[(LinkKind::Wiki, "index"), (LinkKind::Inline, "index.md")])
    });
    let vault = vault(pages.collect());
    let mut ambiguous = 0;
    let found = vault.links().with_meaning(|meaning| {
        let is_ambiguous = matches!(meaning, Resolution::Ambiguous { pages, .. } if pages.len() == folders);
        ambiguous += usize::from(is_ambiguous);
        is_ambiguous
    });
    assert_eq!((ambiguous, found.len()), (1, folders));
}

const PATHS: [&str; 6] = ["a.md", "b.md", "x/a.md", "x/b.html", "x/y/a.md", "y/c.md"];
const TARGETS: [&str; 14] =
    ["a", "A.md", "./a", "../a.md", "x/a", "#h", "a#h", "?q", "b", "<a.md>", "/a", "c", " ./a", "../a?q"];

fn any_vault() -> impl Strategy<Value = Vault> {
    let kind = prop::sample::select(vec![LinkKind::Wiki, LinkKind::Embed, LinkKind::Inline]);
    let links = prop::collection::vec((kind, prop::sample::select(TARGETS.to_vec())), 0..6);
    prop::collection::vec(links, PATHS.len())
        .prop_map(|links| vault(PATHS.iter().zip(&links).map(|(path, links)| page(path, links)).collect()))
}

proptest! {
    #[test]
    fn what_is_remembered_is_what_would_be_found(vault in any_vault()) {
        for (at, page) in vault.pages.iter().enumerate() {
            for (link, meaning) in vault.links_of(at) {
                prop_assert_eq!(meaning, &vault.names.resolve(&page.path, link.kind, &link.target));
            }
        }
    }

    #[test]
    fn meanings_have_all_that_their_links_lead_to(vault in any_vault()) {
        let pages = || 0..vault.pages.len();
        let led = |from, meaning: &Resolution| meaning.pages().iter().map(|to| (from, *to)).collect::<Vec<_>>();
        let by_link = pages().flat_map(|from| vault.links_of(from).flat_map(move |(_, meaning)| led(from, meaning)));
        let meanings: Vec<_> = vault.links().by_meaning().collect();
        prop_assert!(meanings.iter().all(|(_, from)| from.is_sorted_by(|one, next| one < next)));
        let by_meaning = meanings.iter().flat_map(|(meaning, from)| from.iter().flat_map(move |from| led(*from, meaning)));
        prop_assert_eq!(by_meaning.collect::<BTreeSet<_>>(), by_link.collect::<BTreeSet<_>>());
    }

    #[test]
    fn every_node_is_led_to_by_one_before_it(vault in any_vault(), root in 0..PATHS.len(), depth in 0_u32..4) {
        let edges = Edges::new(&vault, Vec::new(), false);
        for direction in [Direction::Out, Direction::In, Direction::Both] {
            let nodes = walk(&edges, root, depth, direction);
            prop_assert_eq!(nodes[0].node, root);
            for (at, reached) in nodes.iter().enumerate().skip(1) {
                let joins = |from: usize, to: usize| edges.from(from).iter().any(|edge| edge.to == to);
                let is_led_to = nodes[..at].iter().any(|before| {
                    let out = direction != Direction::In && joins(before.node, reached.node);
                    let into = direction != Direction::Out && joins(reached.node, before.node);
                    before.distance + 1 == reached.distance && (out || into)
                });
                prop_assert!(is_led_to && reached.distance <= depth);
                prop_assert!(edges.to(reached.node).all(|edge| edge.to == reached.node));
            }
        }
    }
}
