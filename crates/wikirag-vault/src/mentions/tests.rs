use proptest::prelude::*;

use super::*;
use crate::words::NameWords;

fn vault(names: &[&str]) -> Names {
    let words = NameWords::new();
    let mut trie = Names::new();
    for (id, name) in (0..).zip(names) {
        assert_eq!(trie.insert(&words.of(name), id), None, "{name}");
    }
    trie
}

/// What is found in `text`, as it stands there, with the name it was found by.
fn found<'a>(names: &[&'a str], text: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    vault(names).find(&NameWords::new().of(text), |mention| {
        found.push((&text[mention.span], names[mention.id as usize]));
    });
    found
}

#[test]
fn the_longest_name_from_the_left() {
    let names = ["New York", "York", "New York Times", "Times Square"];
    assert_eq!(
        found(&names, "The new york times of New\nYork, in York; NEW-YORK times square."),
        [
            ("new york times", "New York Times"),
            ("New\nYork", "New York"),
            ("York", "York"),
            ("NEW-YORK times", "New York Times"),
        ]
    );
    // A longer name that breaks off gives way to the one before it, and what follows is looked at anew.
    assert_eq!(found(&["a1 b1", "a1 b1 c1 d1", "c1 e1"], "a1 b1 c1 e1"), [("a1 b1", "a1 b1"), ("c1 e1", "c1 e1")]);
}

#[test]
fn whole_words_without_case_and_accents() {
    let names = ["Café", "ran"];
    assert_eq!(found(&names, "Cafeteria, CAFE, cafe\u{301}s; orange ran."), [("CAFE", "Café"), ("ran", "ran")]);
    assert_eq!(found(&["Zoë Müller"], "zoe mu\u{308}ller"), [("zoe mu\u{308}ller", "Zoë Müller")]);
}

#[test]
fn an_s_behind_a_name() {
    let text = "Nolan’s film at WENDY'S house";
    assert_eq!(found(&["Nolan", "Wendy's House"], text), [("Nolan’s", "Nolan"), ("WENDY'S house", "Wendy's House")]);
}

#[test]
fn scripts_without_spaces() {
    let names = ["東京大学", "学生", "京都"];
    assert_eq!(
        found(&names, "彼は東京大学生です。学生は京都へ"),
        [("東京大学", "東京大学"), ("学生", "学生"), ("京都", "京都")]
    );
    assert_eq!(found(&["서울"], "서울은 크다"), [("서울", "서울")]);
    assert_eq!(
        found(&["종이", "집에서"], "종이컵, 종이. 집에서"),
        [("종이", "종이"), ("종이", "종이"), ("집에서", "집에서")]
    );
}

#[test]
fn all_names_also_within_others() {
    let names = ["New York", "York Times", "York", "New York Times", "東京", "京都"];
    let text = "New York Times 東京都";
    let mut found = Vec::new();
    vault(&names).find_all(&NameWords::new().of(text), |mention| found.push(names[mention.id as usize]));
    assert_eq!(found, ["New York", "New York Times", "York", "York Times", "東京", "京都"]);
}

#[test]
fn names_come_and_go() {
    let words = NameWords::new();
    let (york, times) = (words.of("New York"), words.of("New York Times"));
    let mut names = Names::new();
    assert_eq!((names.insert(&york, 1), names.insert(&times, 2), names.insert(&york, 3)), (None, None, Some(1)));
    assert_eq!((names.get(&york), names.get(&words.of("new")), names.len()), (Some(3), None, 2));
    assert_eq!((names.remove(&words.of("new")), names.remove(&york), names.remove(&york)), (None, Some(3), None));
    assert_eq!(names.get(&times), Some(2));
    assert_eq!((names.remove(&times), names.len(), names.beginnings.len()), (Some(2), 0, 0));
}

#[test]
fn what_is_no_name_is_not_taken() {
    let words = NameWords::new();
    let mut names = Names::new();
    names.insert(&[], 1);
    names.insert(&words.of(&"ab ".repeat(MAX_NAME_WORDS + 1)), 1);
    names.insert(&words.of("ab"), u32::MAX);
    assert!(names.is_empty() && names.beginnings.is_empty());
}

#[test]
fn a_beginning_takes_sixteen_bytes() {
    assert_eq!(size_of::<(u64, Beginning)>(), 16);
}

#[test]
fn mentions_in_links_are_dropped() {
    let mention = |span: Range<usize>| Mention { id: 0, span, first: 0, last: 0 };
    let spans = |links: &[Range<usize>]| -> Vec<Range<usize>> {
        let mentions = [0..3, 5..8, 10..13, 20..23].map(mention);
        unlinked(mentions, links.iter().cloned()).into_iter().map(|mention| mention.span).collect()
    };
    assert_eq!(spans(&[]), [0..3, 5..8, 10..13, 20..23]);
    assert_eq!(spans(&[10..13, 3..5]), [0..3, 5..8, 20..23]);
    assert_eq!(spans(&[4..15, 6..7]), [0..3, 20..23]);
    assert_eq!(spans(&[2..3, 7..7, 22..30]), [5..8, 10..13]);
}

proptest! {
    #[test]
    fn found_words_are_those_of_the_name(
        names in prop::collection::vec("[ab'sé]{1,3}( [ab]{1,2}){0,3}|[東京大]{2,4}|\\PC{1,6}", 1..12),
        text in "([ab'sé]{1,3}|[東京大]{1,5}|\\PC)( [ab]{1,2}| [東京大]{1,4}|\\PC){0,20}",
    ) {
        let words = NameWords::new();
        let mut trie = Names::new();
        let names: Vec<Vec<Word>> = names.iter().map(|name| words.of(name)).collect();
        for (id, name) in (0..).zip(&names) {
            trie.insert(name, id);
        }
        let of_text = words.of(&text);
        let mut end = 0;
        trie.find(&of_text, |mention| {
            let Mention { id, span, first, last } = mention;
            assert!(text.get(span.clone()).is_some_and(|source| !source.is_empty()));
            assert!(span.start >= end, "{span:?} begins before {end}");
            end = span.end;
            let name = &names[id as usize];
            assert_eq!(name.len(), last - first + 1);
            let keys = |words: &[Word]| words.iter().map(|word| word.key).collect::<Vec<_>>();
            assert_eq!(keys(name), keys(&of_text[first..=last]));
        });
    }

    #[test]
    fn every_name_that_stands_there_is_among_all(
        names in prop::collection::vec("[ab]{2}( [ab]{2}){0,3}", 1..8),
        text in "[ab]{2}( [ab]{2}){0,12}",
    ) {
        let words = NameWords::new();
        let names: Vec<Vec<Word>> = names.iter().map(|name| words.of(name)).collect();
        let mut trie = Names::new();
        names.iter().for_each(|name| _ = trie.insert(name, u32::try_from(trie.len()).unwrap()));
        let of_text = words.of(&text);
        let keys = |words: &[Word]| words.iter().map(|word| word.key).collect::<Vec<_>>();
        let there = |name: &[Word]| of_text.windows(name.len()).filter(|window| keys(window) == keys(name)).count();
        let distinct: std::collections::HashSet<_> = names.iter().map(|name| keys(name)).collect();
        let expected: usize = distinct.iter().map(|keys| {
            there(names.iter().find(|name| name.iter().map(|word| word.key).eq(keys.iter().copied())).unwrap())
        }).sum();
        let mut found = 0;
        trie.find_all(&of_text, |_| found += 1);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_name_alone_is_found(name in "\\PC{1,12}|[a-c'sé東京 ]{2,12}") {
        let words = NameWords::new();
        if let Some(of_name) = words.name(&name) {
            let mut trie = Names::new();
            trie.insert(&of_name, 7);
            let mut found = Vec::new();
            trie.find(&of_name, |mention| found.push((mention.id, mention.first, mention.last)));
            prop_assert_eq!(found, [(7, 0, of_name.len() - 1)]);
            trie.remove(&of_name);
            prop_assert!(trie.beginnings.is_empty());
        }
    }
}
