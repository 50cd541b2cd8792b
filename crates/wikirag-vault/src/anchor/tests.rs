use proptest::prelude::*;

use super::*;

const PAGE: &str = concat!(
    "---\n",
    "title: x\n",
    "# no heading\n",
    "---\n",
    "# The **Big** [[Page|Thing]]!\n",
    "\n",
    "text ^block-1\n",
    "\n",
    "## A & B's `code`\n",
    "\n",
    "```md\n",
    "# In code\n",
    "no ^incode\n",
    "```\n",
    "\n",
    "### C# ###\n",
    "\n",
    "> ## Quoted\n",
    "> words ^Quoted1\n",
    "\n",
    "Under lined\n",
    "---\n",
    "\n",
    "## Notes\n",
    "## Notes\n",
    "\n",
    "# 🗂️\n",
    "## Deep [text](http://x.y)\n",
    "## Müller {#mueller}\n",
    "<a id=\"spot\"></a>\n",
    "\n",
    "^alone\n",
    "\n",
    "![[pic.png]]^pic\n",
    "\n",
    "many: 2^10\n",
);

fn holds(text: &str, fragment: &str) -> bool {
    has_anchor(text, &Anchor::parse(fragment).unwrap())
}

#[test]
fn headings() {
    for there in [
        "The Big Page Thing",
        "the big thing",
        "A & B's code",
        "A B s code",
        "a--bs-code",
        "a-bs-code",
        "C#",
        "Quoted",
        "under LINED",
        "notes",
        "notes-1",
        "🗂️",
        "Deep text",
        "Mu\u{308}ller",
        "mueller",
        "spot",
    ] {
        assert!(holds(PAGE, there), "{there}");
    }
    for missing in ["no heading", "In code", "title x", "Big", "notes-2", "🎉", "x", "spo", "text"] {
        assert!(!holds(PAGE, missing), "{missing}");
    }
}

#[test]
fn headings_below_headings() {
    let text = "# A\n## B\n### C\n## D\n# E\n## B2\n### C\n";
    for there in ["A#B", "A#C", "A#B#C", "E#C", "A#D", "B#C"] {
        assert!(holds(text, there), "{there}");
    }
    for missing in ["E#B", "B#A", "D#C", "E#D", "A#E", "A#A"] {
        assert!(!holds(text, missing), "{missing}");
    }
}

#[test]
fn blocks() {
    for there in ["^block-1", "^BLOCK-1", "^quoted1", "^alone", "A heading#^alone", "^pic"] {
        assert!(holds(PAGE, there), "{there}");
    }
    for missing in ["^incode", "^block", "^1", "^title", "^10"] {
        assert!(!holds(PAGE, missing), "{missing}");
    }
}

#[test]
fn what_opens_and_does_not_close() {
    assert!(holds("---\nno front matter\n\n# H\n", "H"));
    assert!(holds("````\n```\n# a\n````\n# H", "H"));
    assert!(!holds("````\n```\n# H\n```\n", "H"));
    assert!(holds("```inline``` code\n# H", "H"));
    assert!(holds("\u{feff}# H\r\n", "h"));
    assert!(!holds("####### H\n#H\n", "H"));
}

proptest! {
    #[test]
    fn any_heading_is_there(
        title in "[a-zéß&*_'.! 日\\[\\]()|-]{1,20}",
        level in 1..=6_usize,
        around in "[a-z\n]{0,20}",
    ) {
        prop_assume!(title.chars().any(char::is_alphanumeric));
        let text = format!("{around}\n\n{} {title}\n\n{around}", "#".repeat(level));
        let anchor = Anchor::Heading(vec![title.trim().to_owned()]);
        prop_assert!(has_anchor(&text, &anchor), "{text:?}");
        prop_assert!(has_anchor(&text.to_uppercase(), &Anchor::Heading(vec![title.replace('ß', "ss")])));
    }

    #[test]
    fn takes_any_text(text in "\\PC{0,60}|[#^`~>\\[\\](){} \n=a-]{0,60}", part in "\\PC{0,10}") {
        let _ = has_anchor(&text, &Anchor::Heading(vec![part.clone(), part.clone()]));
        let _ = has_anchor(&text, &Anchor::Block(part));
        let _ = has_anchor(&text, &Anchor::Heading(Vec::new()));
    }
}
