use proptest::prelude::*;

use super::*;

const PAGE: &str = "Ownership is a set of rules that govern how a program manages memory. All programs have to manage the way they \
    use the memory of a computer while running. Some languages have garbage collection that regularly looks for memory that is \
    unused as the program runs; in other languages, the programmer must explicitly allocate and free the memory.";

fn grouped(passages: &[&str]) -> Vec<Group> {
    let analyser = Analyser::new(None);
    let sketches: Vec<Sketch> = passages.iter().map(|passage| Sketch::of(&analyser, passage)).collect();
    group(sketches.iter())
}

/// The places of each group.
fn places(passages: &[&str]) -> Vec<Vec<usize>> {
    let places = |group: Group| group.members.iter().map(|member| member.place).collect();
    grouped(passages).into_iter().map(places).collect()
}

#[test]
fn an_edition_with_a_changed_phrase_is_the_same_page() {
    let edition = PAGE.replace("unused", "idle");
    let other = "Basil wants sun and water, and to be pinched before it flowers, or the leaves turn bitter.";
    assert_eq!(places(&[PAGE, other, &edition]), [vec![0, 2], vec![1]]);
    assert_eq!(grouped(&[PAGE, PAGE])[0].members[1].similarity, 1.0);
    let markup = PAGE.to_uppercase().replace(". ", ".\n\n> ");
    assert_eq!(places(&[PAGE, &markup]), [vec![0, 1]]);
}

#[test]
fn what_states_something_else_is_no_copy() {
    for (one, other) in [
        ("must explicitly allocate", "must not explicitly allocate"),
        ("must explicitly allocate", "mustn't explicitly allocate"),
        ("Some languages", "2 languages"),
        ("while running", "while running on version 1.2"),
    ] {
        assert_eq!(places(&[PAGE, &PAGE.replace(one, other)]).len(), 2, "{other}");
    }
    let with = |fact: &str| PAGE.replace("while running", &format!("since {fact}"));
    for (one, other) in [
        ("1.2.3", "1.2.4"),
        ("2 May 2024", "3 May 2024"),
        ("May", "June"),
        ("version 1 and 2", "version 2 and 1"),
        ("٣", "٤"),
    ] {
        assert_eq!(places(&[&with(one), &with(other)]).len(), 2, "{one} {other}");
        assert_eq!(places(&[&with(one), &with(one)]).len(), 1, "{one}");
    }
    let chinese = "这个程序可以在运行时自动管理内存，所有的语言都有自己的规则。";
    assert_eq!(places(&[chinese, &chinese.replace("可以", "不可以")]).len(), 2);
    assert_eq!(places(&[chinese, chinese]).len(), 1);
}

#[test]
fn what_has_no_words_resembles_nothing() {
    assert_eq!(places(&["", "", "...", "a", "a"]), [vec![0], vec![1], vec![2], vec![3, 4]]);
}

#[test]
fn hundreds_of_copies_are_one_group() {
    let copies: Vec<&str> = std::iter::repeat_n(PAGE, 900).collect();
    assert_eq!(grouped(&copies)[0].members.len(), 900);
}

/// Passages of few words, so that many resemble each other.
fn passages() -> impl Strategy<Value = Vec<String>> {
    let passage = prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "not", "1"]), 0..14);
    prop::collection::vec(passage.prop_map(|words| words.join(" ")), 0..14)
}

/// Which page each page is a copy of, and whether its facts differ.
fn copies(pages: &[(&str, &str)]) -> Vec<Option<(usize, bool)>> {
    let analyser = Analyser::new(None);
    let sketches: Vec<Sketch> = pages.iter().map(|(title, text)| Sketch::of_page(&analyser, title, text)).collect();
    let mut copies = Copies::of_pages(sketches.iter());
    sketches.iter().map(|one| copies.add(one).map(|copy| (copy.group, copy.has_other_facts))).collect()
}

#[test]
fn pages_of_one_template_are_no_copies_and_copies_under_another_title_are() {
    let about = |name: &str| format!("{PAGE} {name} has no such rules. {} Ask {name} why.", PAGE.to_uppercase());
    let (rust, zig) = (about("Rust"), about("Zig"));
    assert_eq!(copies(&[("Rust", &rust), ("Zig", &zig)]), [None, None]);
    assert_eq!(copies(&[("Rust", &rust), ("Ownership", &rust)]), [None, Some((0, false))]);
    let long = format!("{rust} {} {}", zig.replace("Zig", "Rust"), "All in all it is a matter of taste, and of time. ");
    assert_eq!(copies(&[("Rust", &long), ("Rust", &long.replacen("set of", "set of 7", 1))]), [None, Some((0, true))]);
    assert_eq!(copies(&[("A", "One two."), ("B", "One two.")]), [None, None]);
}

proptest! {
    #[test]
    fn each_passage_is_in_one_group_and_firsts_come_in_order(passages in passages()) {
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        let groups = places(&passages);
        let mut all: Vec<usize> = groups.concat();
        all.sort_unstable();
        prop_assert_eq!(all, (0..passages.len()).collect::<Vec<_>>());
        prop_assert!(groups.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        prop_assert!(groups.iter().all(|group| group.is_sorted()));
    }

    #[test]
    fn which_two_are_alike_does_not_depend_on_their_order(one in "\\PC{0,80}", other in "\\PC{0,80}") {
        let alike = |pair: [&str; 2]| grouped(&pair).first().map(|group| group.members.last().copied());
        prop_assert_eq!(alike([&one, &other]), alike([&other, &one]));
        let other = format!("{one} x");
        prop_assert_eq!(alike([&one, &other]), alike([&other, &one]));
    }

    #[test]
    fn the_index_of_sequences_finds_what_comparing_all_would(passages in passages()) {
        let analyser = Analyser::new(None);
        let sketches: Vec<Sketch> = passages.iter().map(|passage| Sketch::of(&analyser, passage)).collect();
        let mut firsts: Vec<usize> = Vec::new();
        for (place, sketch) in sketches.iter().enumerate() {
            let is_like = |first: &usize| {
                let first = &sketches[*first];
                first.facts == sketch.facts && first.similarity(sketch, usize::MAX, 0.0) >= LEAST_SIMILARITY
            };
            if !firsts.iter().any(is_like) {
                firsts.push(place);
            }
        }
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        prop_assert_eq!(places(&passages).iter().map(|group| group[0]).collect::<Vec<_>>(), firsts);
    }
}
