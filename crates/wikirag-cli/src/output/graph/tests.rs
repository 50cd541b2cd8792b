use wikirag::WikiName;
use wikirag::lint::At;
use wikirag::vault::{Direction, Edge, EdgeKind, Node, NodeKind, PageGraph, Unresolved};

use super::*;

/// Titles that break formats in which they are not escaped.
const ODD: [&str; 12] = [
    "Plain",
    "a \"quoted\" title",
    "brackets ] ) } [[x]] (y) {z}",
    "back\\slash \\\" \\N",
    "emoji 🗂️ 漢字",
    "two\nlines\r\nand\ttabs",
    "<b>&amp; 'x' ]]> --> <!--",
    "; end",
    "#quot; #35; %% `code`",
    "bell \u{7} esc \u{1b}[31m nul \u{0} \u{202e} \u{ffff}",
    "",
    "|pipe| -->|\"x\"| n9",
];

fn odd() -> PageGraph {
    let node = |(at, title): (usize, &&str)| Node {
        id: format!("{title}/{at}.md"),
        kind: if at == 3 { NodeKind::Tag } else { NodeKind::Page },
        title: (*title).to_owned(),
        summary: (*title).to_owned(),
        distance: u32::from(at > 0),
        degree: at,
    };
    let nodes: Vec<Node> = ODD.iter().enumerate().map(node).collect();
    let edge = |(at, title): (usize, &&str)| Edge {
        from: nodes[0].id.clone(),
        to: nodes[at].id.clone(),
        kind: EdgeKind::Wikilink,
        at: At::Line(7),
        anchor: Some(format!("#{title}")),
        text: Some((*title).to_owned()),
        times: 1,
    };
    PageGraph {
        wiki: WikiName::new("odd").unwrap(),
        page: nodes[1].id.clone(),
        depth: 1,
        direction: Direction::Both,
        edges: ODD.iter().enumerate().skip(1).map(edge).collect(),
        more: 87,
        unresolved: vec![Unresolved {
            path: "a\nb.md".to_owned(),
            at: At::Line(1),
            target: "\u{1b}x".to_owned(),
            candidates: vec!["x/n.md".to_owned(), "y/n.md".to_owned()],
        }],
        behind: None,
        nodes,
    }
}

/// Reads a string in double quotes, in which a backslash takes the next sign with it.
fn quoted(text: &str) -> (String, &str) {
    let mut content = String::new();
    let mut signs = text.strip_prefix('"').unwrap_or_else(|| panic!("no quote: {text}")).char_indices();
    while let Some((at, c)) = signs.next() {
        match c {
            '"' => return (content, &text[at + 2..]),
            '\\' => content.extend(signs.next().map(|(_, c)| c)),
            c => content.push(c),
        }
    }
    panic!("never closed: {text}")
}

fn is_plain(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() && c != '\n')
}

#[test]
fn dot_is_well_formed() {
    let graph = odd();
    let text = dot(&graph);
    assert!(is_plain(&text) && text.ends_with("  // 87 more\n}\n"), "{text}");
    let (_, rest) = quoted(text.strip_prefix("digraph ").unwrap());
    assert!(rest.starts_with(" {\n"), "{rest}");
    let mut statements = 0;
    for line in text.lines().filter(|line| line.starts_with("  n") && !line.starts_with("  node")) {
        let (name, mut rest) = line.trim().split_once(" [").unwrap();
        assert!(name.split(" -> ").all(|name| name[1..].parse::<usize>().is_ok()), "{line}");
        loop {
            let (key, after) = rest.split_once('=').unwrap();
            assert!(key.chars().all(char::is_alphabetic), "{line}");
            rest = if after.starts_with('"') { quoted(after).1 } else { after.trim_start_matches(char::is_alphabetic) };
            match rest.strip_prefix(", ") {
                Some(next) => rest = next,
                None => break,
            }
        }
        assert_eq!(rest, "];", "{line}");
        statements += 1;
    }
    assert_eq!(statements, graph.nodes.len() + graph.edges.len());
    let title = text.lines().find(|line| line.starts_with("  n3 ")).and_then(|line| line.split_once("label="));
    assert_eq!(quoted(title.unwrap().1).0, ODD[3]);
}

#[test]
fn mermaid_is_well_formed() {
    let graph = odd();
    let text = mermaid(&graph);
    let mut lines = text.lines();
    assert!(is_plain(&text) && lines.next() == Some("graph LR"));
    for (number, node) in graph.nodes.iter().enumerate() {
        let (open, close) = if node.kind == NodeKind::Tag { ("([\"", "\"])") } else { ("[\"", "\"]") };
        let line = lines.next().unwrap();
        let label = line.strip_prefix(&format!("  n{number}{open}")).and_then(|rest| rest.strip_suffix(close)).unwrap();
        // A number between `#` and `;` is a sign; no sign that is markup stands alone.
        let mut read = String::new();
        for (at, part) in label.split('#').enumerate() {
            let (code, rest) = if at == 0 {
                (None, part)
            } else {
                part.split_once(';').map(|(code, rest)| (Some(code), rest)).unwrap()
            };
            read.extend(code.map(|code| char::from_u32(code.parse().unwrap()).unwrap()));
            assert!(!rest.contains(['"', '<', '>', '&', '`', ';']), "{line}");
            read.push_str(rest);
        }
        assert_eq!(read.trim(), flat(&node.title));
    }
    for edge in 1..graph.nodes.len() {
        assert_eq!(lines.next(), Some(&*format!("  n0 -->|\"wikilink\"| n{edge}")));
    }
    assert_eq!((lines.next(), lines.next()), (Some("%% 87 more"), None));
}

/// Checks that `text` is well-formed XML as far as it is used here, and gives the texts between tags.
fn xml(text: &str) -> Vec<String> {
    let is_allowed = |c: char| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(is_allowed), "{text}");
    let read = |text: &str| {
        assert!(!text.contains("]]>") && !text.contains('>'), "{text}");
        let mut read = String::new();
        for (at, part) in text.split('&').enumerate() {
            let part = if at == 0 {
                part
            } else {
                let (name, rest) = part.split_once(';').unwrap();
                let names = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"')];
                read.push(names.iter().find(|known| known.0 == name).unwrap().1);
                rest
            };
            read.push_str(part);
        }
        read
    };
    let (mut open, mut texts) = (Vec::new(), Vec::new());
    for (at, part) in text.split('<').enumerate() {
        if at == 0 || part.starts_with("?xml ") {
            assert!(at > 0 || part.is_empty());
            continue;
        }
        if let Some(comment) = part.strip_prefix("!--") {
            assert!(comment.trim_end().strip_suffix("-->").is_some_and(|inside| !inside.contains("--")), "{part}");
            continue;
        }
        let (tag, content) = part.split_once('>').unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.to_owned()));
        } else {
            let (name, attributes) = tag.trim_end_matches('/').split_once(' ').unwrap_or((tag, ""));
            let values: Vec<&str> = attributes.split('"').collect();
            assert!(values.len() % 2 == 1 && values.last() == Some(&""), "{tag}");
            values.iter().skip(1).step_by(2).for_each(|value| _ = read(value));
            if !tag.ends_with('/') {
                open.push(name.to_owned());
            }
        }
        texts.extend(Some(read(content)).filter(|content| !content.trim().is_empty()));
    }
    assert!(open.is_empty(), "{open:?}");
    texts
}

#[test]
fn graphml_is_well_formed() {
    let graph = odd();
    let text = graphml(&graph);
    let texts = xml(&text);
    for title in ODD.iter().filter(|title| !title.is_empty()) {
        let shown = flat(title).replace('\u{ffff}', "\u{fffd}");
        assert!(texts.contains(&shown), "{shown}");
    }
    let count = |tag: &str| text.matches(tag).count();
    assert_eq!((count("<node "), count("<edge ")), (graph.nodes.len(), graph.edges.len()));
}

#[test]
fn the_tree_shows_every_page_once_and_no_control_characters() {
    let graph = odd();
    let text = text(&graph, false);
    assert!(is_plain(&text), "{text}");
    for node in &graph.nodes[1..] {
        let step = format!("  -> {}  ", crate::output::clean(&node.id));
        assert_eq!(text.matches(&step).count(), 1, "{step}\n{text}");
    }
    assert!(text.contains("a\u{fffd}b.md:1: \u{fffd}x may be x/n.md, y/n.md"), "{text}");
}
