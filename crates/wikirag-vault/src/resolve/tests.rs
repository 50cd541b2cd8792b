use proptest::prelude::*;

use super::*;
use crate::pages::Page;

fn page(path: &str) -> Page {
    Page { path: path.to_owned(), title: format!("Title of {path}"), aliases: Vec::new() }
}

fn vault(paths: &[&str], files: &[&str]) -> Pages {
    Pages::new(paths.iter().map(|path| page(path)).collect(), files.iter().map(|&file| file.to_owned()))
}

/// What a link means, in short: paths with `=` for one page, `file:`, `?` before several, `-` for nothing.
fn shown(pages: &Pages, resolution: Resolution) -> String {
    let path = |index: usize| pages.page(index).unwrap().path.clone();
    let anchor = |anchor: Option<Anchor>| anchor.map_or_else(String::new, |anchor| anchor.to_string());
    match resolution {
        Resolution::Page { page, by, anchor: place } => format!("{by:?} {}{}", path(page), anchor(place)),
        Resolution::File(file) => format!("File {file}"),
        Resolution::Ambiguous { pages: several, by, anchor: place } => {
            assert!(several.len() > 1);
            format!("{by:?}? {}{}", several.into_iter().map(path).collect::<Vec<_>>().join(", "), anchor(place))
        }
        Resolution::AmbiguousFile(files) => format!("File? {}", files.join(", ")),
        Resolution::Missing => "-".to_owned(),
    }
}

#[track_caller]
fn check(pages: &Pages, kind: LinkKind, from: &str, cases: &[(&str, &str)]) {
    for (target, meant) in cases {
        assert_eq!(shown(pages, pages.resolve(from, kind, target)), *meant, "{kind:?} {target:?} on {from:?}");
    }
}

/// Case B37 of the issues this program was measured by: links that other programs lost.
#[test]
fn links_by_shortest_unique_path() {
    let mut all: Vec<Page> =
        ["note.md", "deep/note.md", "a/twin.md", "b/twin.md", "folder/My Page.md", "x/folder/My Page.md"]
            .map(page)
            .into();
    all[4].aliases.push("Mine".to_owned());
    let pages = Pages::new(all, []);
    check(
        &pages,
        LinkKind::Wiki,
        "a/twin.md",
        &[
            // The target lies at the root.
            ("note", "Name note.md"),
            // Two files of equal name: never guessed, not even from the same folder.
            ("twin", "Name? a/twin.md, b/twin.md"),
            ("b/twin", "Path b/twin.md"),
            ("folder/My Page", "Path folder/My Page.md"),
            ("x/folder/my page", "Path x/folder/My Page.md"),
            // Case, and the ending.
            ("Note", "Name note.md"),
            ("NOTE.MD", "Name note.md"),
            ("deep/Note.md", "Path deep/note.md"),
            ("mine", "Alias folder/My Page.md"),
        ],
    );
    check(
        &pages,
        LinkKind::Inline,
        "deep/note.md",
        &[
            ("../folder/My%20Page.md", "Path folder/My Page.md"),
            ("My%20Page", "Name? folder/My Page.md, x/folder/My Page.md"),
        ],
    );
}

#[test]
fn wikilinks_by_paths() {
    let pages = vault(
        &[
            "a/b/c.md",
            "x/b/c.md",
            "xb/c.md",
            "b/c.md",
            "a/only.md",
            "dendron.topic.sub.md",
            "a/notes.txt",
            "a/notes.txt.md",
            "a/v1.2.md",
        ],
        &["img/p.png", "a/img/p.png", "one.png", "a/two.pdf"],
    );
    check(
        &pages,
        LinkKind::Wiki,
        "a/b/c.md",
        &[
            ("b/c", "Path b/c.md"),
            ("a/b/c", "Path a/b/c.md"),
            ("c", "Name? a/b/c.md, b/c.md, x/b/c.md, xb/c.md"),
            ("c.md#H", "Name? a/b/c.md, b/c.md, x/b/c.md, xb/c.md#H"),
            ("./c", "Path a/b/c.md"),
            ("../only", "Path a/only.md"),
            ("./../b/./c.md", "Path a/b/c.md"),
            ("../../../only", "-"),
            ("./only", "-"),
            ("/a/only", "Path a/only.md"),
            ("/only", "-"),
            ("nly", "-"),
            ("only/", "-"),
            ("a//only", "Path a/only.md"),
            ("only.txt", "-"),
            // A dot in a name is no ending; a whole name comes before one without its ending.
            ("dendron.topic.sub", "Name dendron.topic.sub.md"),
            ("Dendron.Topic.Sub.md", "Name dendron.topic.sub.md"),
            ("dendron.topic", "-"),
            ("notes.txt", "Name a/notes.txt"),
            ("notes", "Name a/notes.txt"),
            ("v1.2", "Name a/v1.2.md"),
            // Attachments.
            ("one.png", "File one.png"),
            ("two.PDF", "File a/two.pdf"),
            ("two", "-"),
            ("img/p.png", "File img/p.png"),
            ("p.png", "File? a/img/p.png, img/p.png"),
            ("../img/p.png", "File a/img/p.png"),
            // The page itself.
            ("", "Path a/b/c.md"),
            ("#A#B", "Path a/b/c.md#A#B"),
            ("#^x", "Path a/b/c.md#^x"),
            ("only#", "Name a/only.md"),
            ("only # A", "Name a/only.md#A"),
        ],
    );
    check(&pages, LinkKind::Wiki, "not/there.md", &[("#A", "-"), ("", "-"), ("./c", "-")]);
}

#[test]
fn a_name_without_ending_means_markdown_first() {
    let pages = vault(&["a/Note.md", "Note.pdf", "Twin.rst", "b/Twin.txt", "c/Other.rst", "d/Other.txt"], &[]);
    check(
        &pages,
        LinkKind::Wiki,
        "a/Note.md",
        &[
            ("Note", "Name a/Note.md"),
            ("Note.pdf#page=3", "Name Note.pdf"),
            ("Twin", "Name Twin.rst"),
            ("Other", "Name? c/Other.rst, d/Other.txt"),
            ("Other.rst#page=3", "Name c/Other.rst#page=3"),
        ],
    );
}

#[test]
fn aliases_come_before_titles() {
    let named = |path: &str, title: &str, aliases: &[&str]| Page {
        path: path.to_owned(),
        title: title.to_owned(),
        aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
    };
    let all = vec![
        named("a/1.md", "First  Page", &["Uno", "TCP/IP", "Uno"]),
        named("a/2.md", "Uno", &["Shared"]),
        named("a/3.md", "Dos", &["shared"]),
        named("a/4.md", "Dos", &[]),
        named("a/5.md", "C#", &["", "F# notes"]),
    ];
    let pages = Pages::new(all, ["pic.png".to_owned()]);
    let cases = [
        ("uno", "Alias a/1.md"),
        ("tcp/ip", "Alias a/1.md"),
        ("Shared#H", "Alias? a/2.md, a/3.md#H"),
        ("dos", "Title? a/3.md, a/4.md"),
        ("first\tpage", "Title a/1.md"),
        ("Quatro", "-"),
    ];
    check(&pages, LinkKind::Wiki, "a/1.md", &cases);
    for (name, meant) in cases.into_iter().chain([
        ("C#", "Title a/5.md"),
        ("f# NOTES", "Alias a/5.md"),
        ("a/1", "Path a/1.md"),
        (" 4 ", "Name a/4.md"),
        ("./a/4.md", "Path a/4.md"),
        ("pic.png", "File pic.png"),
        ("", "-"),
    ]) {
        assert_eq!(shown(&pages, pages.find(name)), meant, "{name}");
    }
    check(&pages, LinkKind::Inline, "a/1.md", &[("uno", "-"), ("Dos", "-"), ("2", "Path a/2.md")]);
}

#[test]
fn inline_links() {
    let pages = vault(
        &[
            "guide/start.md",
            "guide/index.md",
            "start.md",
            "api/README.md",
            "api/call.rst",
            "deep/er/lonely.md",
            "What?.md",
            "SUMMARY.md",
            "guide/100%.md",
            "own.html",
            "intro.md",
            "intro/more.md",
        ],
        &["guide/pic one.png", "top.png"],
    );
    check(
        &pages,
        LinkKind::Inline,
        "guide/start.md",
        &[
            ("start.md", "Path guide/start.md"),
            ("start", "Path guide/start.md"),
            ("/start.md#a%20b", "Path start.md#a b"),
            ("../start", "Path start.md"),
            ("<../start.md>", "Path start.md"),
            ("./", "Path guide/index.md"),
            (".", "Path guide/index.md"),
            ("../guide", "Path guide/index.md"),
            ("../api/", "Path api/README.md"),
            ("../api/index.html#x", "Path api/README.md#x"),
            ("../api/call.html", "Path api/call.rst"),
            ("../own.html", "Path own.html"),
            ("index.html", "Path guide/index.md"),
            ("../intro", "Path intro.md"),
            ("../intro/", "Path intro.md"),
            ("lonely.md", "Name deep/er/lonely.md"),
            ("er/lonely", "Path deep/er/lonely.md"),
            ("./lonely.md", "-"),
            ("start.md?v=2#h", "Path guide/start.md#h"),
            ("?v=2#h", "Path guide/start.md#h"),
            ("../What?", "Path What?.md"),
            ("../What%3F.md", "Path What?.md"),
            ("100%.md", "Path guide/100%.md"),
            ("100%25", "Path guide/100%.md"),
            ("pic%20one.png", "File guide/pic one.png"),
            ("top.png", "File top.png"),
            ("../../start.md", "-"),
            ("..", "-"),
            ("#part", "Path guide/start.md#part"),
            ("", "Path guide/start.md"),
            ("https://example.org/start", "-"),
            ("mailto:a@b.c", "-"),
        ],
    );
}

#[test]
fn embeds_are_wikilinks_first() {
    let pages = vault(
        &["docs/a.md", "docs/a.html", "img/a.md", "x/b.md", "y/b.md"],
        &["img/p q.png", "docs/img/p q.png", "docs/only me.png", "docs/deep/z.png", "o/z.png"],
    );
    check(
        &pages,
        LinkKind::Embed,
        "docs/a.md",
        &[
            ("img/p q.png", "File img/p q.png"),
            ("img/p%20q.png", "File docs/img/p q.png"),
            ("only%20me.png", "File docs/only me.png"),
            ("p q.png", "File? docs/img/p q.png, img/p q.png"),
            ("z.png", "File? docs/deep/z.png, o/z.png"),
            ("b", "Name? x/b.md, y/b.md"),
            ("none.png", "-"),
        ],
    );
    check(&pages, LinkKind::Embed, "docs/deep/other.md", &[("z.png", "File docs/deep/z.png")]);
    // No other format has wikilinks.
    check(&pages, LinkKind::Embed, "docs/a.html", &[("img/p q.png", "File docs/img/p q.png")]);
}

#[test]
fn spelling_decides_where_nothing_else_differs() {
    let pages = vault(
        &["Note.md", "note.md", "u\u{308}ber/Ä.md", "🗂\u{fe0f} Hub/📥 In.md", "a/NO\u{a0}BREAK.md"],
        &["Pic.png", "pic.PNG"],
    );
    check(
        &pages,
        LinkKind::Wiki,
        "",
        &[
            ("Note", "Name Note.md"),
            ("note", "Name note.md"),
            ("NOTE", "Name? Note.md, note.md"),
            ("\u{fc}ber/a\u{308}", "Path u\u{308}ber/Ä.md"),
            ("ÜBER/Ä", "Path u\u{308}ber/Ä.md"),
            ("🗂\u{fe0f} hub/📥 in", "Path 🗂\u{fe0f} Hub/📥 In.md"),
            ("📥 In", "Name 🗂\u{fe0f} Hub/📥 In.md"),
            ("🗂 Hub/📥 In", "-"),
            ("no break", "Name a/NO\u{a0}BREAK.md"),
            ("Pic.png", "File Pic.png"),
            ("pic.png", "File? Pic.png, pic.PNG"),
        ],
    );
}

#[test]
fn what_is_a_page_is_no_file() {
    let pages = vault(&["a.md"], &["a.md", "b.md", "b.md"]);
    assert_eq!(shown(&pages, pages.find("a.md")), "Name a.md");
    assert_eq!(shown(&pages, pages.find("b.md")), "File b.md");
    assert_eq!((pages.len(), pages.is_empty(), pages.iter().count()), (1, false, 1));
}

fn paths() -> impl Strategy<Value = Vec<String>> {
    let component = prop_oneof!["[ab]{1,2}", "[aAbé.]{1,3}x", "日本|e\u{301}|É|ﬁ|🗂\u{fe0f}|İ"];
    let path = (prop::collection::vec(component, 1..4), prop_oneof![Just("md"), Just("MD"), Just("rst"), Just("b")]);
    prop::collection::hash_set(path.prop_map(|(parts, ending)| format!("{}.{ending}", parts.join("/"))), 1..14)
        .prop_map(|paths| paths.into_iter().collect())
}

proptest! {
    #[test]
    fn the_shortest_unique_path_gives_the_page_back(paths in paths()) {
        let pages = Pages::new(paths.iter().map(|path| page(path)).collect(), []);
        let is_same = |one: &str, other: &str| wikirag_text::caseless(one) == wikirag_text::caseless(other);
        for (index, path) in paths.iter().enumerate() {
            // Without its ending and from the last component on, as short as no other page has it.
            let parts: Vec<&str> = path.split('/').collect();
            let tails = |path: &str, tail: &str| (0..=path.matches('/').count()).any(|skip| {
                let rest = path.splitn(skip + 1, '/').last().unwrap_or_default();
                is_same(rest, tail) || is_same(without_ending(rest), tail)
            });
            let unique = (0..parts.len()).rev().map(|from| parts[from..].join("/")).find(|tail| {
                !paths.iter().any(|other| other != path && (tails(other, tail) || tails(other, without_ending(tail))))
            });
            let is_page = |target: &str, kind| {
                matches!(pages.resolve("", kind, target), Resolution::Page { page, .. } if page == index)
            };
            if let Some(tail) = &unique {
                prop_assert!(is_page(tail, LinkKind::Wiki), "{tail:?} of {path:?} in {paths:?}");
                prop_assert!(is_page(without_ending(tail), LinkKind::Wiki), "{tail:?} of {path:?} in {paths:?}");
                prop_assert!(is_page(&tail.to_uppercase(), LinkKind::Wiki) || tail.contains(['İ', 'ﬁ']));
            }
            // The whole path always is unique: it wins over all that end in it, and its spelling over others.
            for kind in [LinkKind::Wiki, LinkKind::Inline, LinkKind::Embed] {
                prop_assert!(is_page(path, kind), "{path:?} in {paths:?}");
            }
            let from_the_root = format!("/{path}");
            prop_assert!(is_page(&from_the_root, LinkKind::Wiki));
        }
    }

    #[test]
    fn takes_anything(
        paths in prop::collection::vec("\\PC{0,8}|[a./ ]{0,6}", 0..6),
        from in "\\PC{0,6}|[a./]{0,5}",
        target in "\\PC{0,12}|[a./#?%<>^2 ]{0,10}",
    ) {
        let page = |path: &String| Page { path: path.clone(), title: path.clone(), aliases: paths.clone() };
        let pages = Pages::new(paths.iter().map(page).collect(), paths.clone());
        for from in paths.iter().chain([&from]) {
            for target in paths.iter().chain([&target]) {
                for kind in [LinkKind::Wiki, LinkKind::Inline, LinkKind::Embed] {
                    let there = |page: &usize| pages.page(*page).is_some();
                    match pages.resolve(from, kind, target) {
                        Resolution::Page { page, .. } => prop_assert!(there(&page)),
                        Resolution::Ambiguous { pages, .. } => prop_assert!(pages.len() > 1 && pages.iter().all(there)),
                        Resolution::AmbiguousFile(files) => prop_assert!(files.len() > 1),
                        Resolution::File(_) | Resolution::Missing => {}
                    }
                }
                let _ = pages.find(target);
            }
        }
    }
}
