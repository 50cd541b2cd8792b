//! Threads that are open in a page.

use wikirag_core::Metadata;

use crate::brief;

/// Headings under which people keep what is open, in small letters.
const HEADINGS: [&str; 10] = [
    "open questions",
    "open question",
    "open threads",
    "open issues",
    "open tasks",
    "todo",
    "todos",
    "to do",
    "next",
    "next steps",
];

/// Values of `status` that say that a page is not done.
const STATES: [&str; 6] = ["open", "draft", "in-progress", "in progress", "wip", "todo"];

/// Something open in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Thread {
    /// An unchecked task, in one line.
    Task(String),
    /// The heading of a section that holds no tasks, and how it begins.
    Section(String, String),
}

/// What is open in a text of Markdown, in its order.
pub(super) fn in_text(text: &str) -> Vec<Thread> {
    let mut threads = Vec::new();
    let mut section: Option<(&str, String)> = None;
    let mut fence = None;
    for line in text.lines() {
        let body = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| body.starts_with(mark));
        if fence.is_some() || mark.is_some() {
            fence = match fence {
                Some(open) if mark == Some(open) => None,
                Some(open) => Some(open),
                None => mark,
            };
            continue;
        }
        if let Some(title) = heading(body) {
            threads.extend(ended(section.take()));
            let name = title.trim_end_matches([':', '?', '!']).trim().to_lowercase();
            section = HEADINGS.contains(&name.as_str()).then(|| (title, String::new()));
        } else if let Some(task) = task(body) {
            // What is open below this heading are the tasks.
            section = None;
            threads.push(Thread::Task(brief::line(task)));
        } else if let Some((_, said)) = &mut section
            && said.is_empty()
        {
            *said = brief::first_sentence(body);
        }
    }
    threads.extend(ended(section));
    threads
}

/// Whether the front matter says that the page is not done, and in which word.
pub(super) fn state(meta: &Metadata) -> Option<String> {
    let state = meta.get("status")?.as_str()?.trim().to_lowercase();
    STATES.contains(&state.as_str()).then_some(state)
}

fn ended(section: Option<(&str, String)>) -> Option<Thread> {
    let (title, said) = section?;
    (!said.is_empty()).then(|| Thread::Section(brief::line(title), said))
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then(|| title.trim_matches(['#', ' ']))
}

/// The words of an unchecked task.
fn task(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['>', ' ']);
    let unnumbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = match unnumbered.len() == line.len() {
        true => ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)),
        false => [". ", ") "].iter().find_map(|mark| unnumbered.strip_prefix(mark)),
    };
    item?.trim_start().strip_prefix("[ ] ").map(str::trim).filter(|task| task.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tasks_and_sections() {
        let text = "# Basil\n- [ ] sow it\n- [x] done\n> 1. [ ] buy  pots\n- [ ]\n```\n- [ ] code\n```\n## Open questions\n\n\
                    - Which pot? And when?\n- more\n## TODO:\n* [ ] water\n## Next\n## To do\nWrite this up.\n### Notes\n- [ ] ask ([[x]])\n";
        let task = |text: &str| Thread::Task(text.to_owned());
        let section = |title: &str, said: &str| Thread::Section(title.to_owned(), said.to_owned());
        assert_eq!(
            in_text(text),
            [
                task("sow it"),
                task("buy pots"),
                section("Open questions", "Which pot?"),
                task("water"),
                section("To do", "Write this up."),
                task("ask ([[x]])"),
            ]
        );
        let meta = |text: &str| serde_json::from_str::<Metadata>(text).unwrap();
        assert_eq!(state(&meta(r#"{"status": " In-Progress "}"#)).as_deref(), Some("in-progress"));
        assert_eq!(state(&meta(r#"{"status": "stable"}"#)), None);
        assert_eq!(state(&meta(r#"{"status": ["open"]}"#)), None);
    }

    proptest! {
        #[test]
        fn any_text(text in "(\\PC{0,9}|\n|- \\[ \\] |## |# TODO\n|```\n|1\\. ){0,24}") {
            for thread in in_text(&text) {
                let (Thread::Task(said) | Thread::Section(_, said)) = thread;
                prop_assert!(!said.is_empty() && !said.contains('\n'));
            }
        }
    }
}
