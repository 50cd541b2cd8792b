//! What an entry is called, what it is for and what kind it is: what its file says, else what its place does.

use serde_json::Value;
use wikirag_core::{DocumentText, Metadata};

use super::SkillKind;
use crate::{brief, head};

/// Characters of a description that was found in the text and not declared.
const FOUND: usize = 300;

/// What a file says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// As declared; empty where nothing is.
    pub(crate) description: String,
    pub(crate) kind: SkillKind,
}

impl Entry {
    /// Of the file at `path`, which is an entry by its place.
    pub(crate) fn of(path: &str, document: &DocumentText) -> Self {
        let stem = stem(path);
        let head = Head { meta: &document.meta, text: &document.text };
        let name = head.get(&["name"]).unwrap_or_else(|| match SkillKind::makes_folder(path) {
            // Its first heading says more than most folders, and less reliably.
            true => stem.to_owned(),
            false => document.title(stem).to_owned(),
        });
        let declared = head.get(&["kind", "type"]).and_then(|word| SkillKind::known(&word));
        Self {
            name,
            description: head.get(&["description", "summary"]).unwrap_or_default(),
            kind: declared.or_else(|| SkillKind::of_place(path)).unwrap_or(SkillKind::Skill),
        }
    }

    /// What an entry with this front matter and text is for: declared, else its first paragraph. One line.
    pub(crate) fn description_of(meta: &Metadata, text: &str) -> String {
        let declared = Head { meta, text }.get(&["description", "summary"]);
        declared.unwrap_or_else(|| brief::first_paragraph(head::body(text), FOUND))
    }
}

/// What identifies a file without a name: that of the folder for a `SKILL.md`, else that of the file.
fn stem(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    if SkillKind::makes_folder(path) && !folder.is_empty() {
        return folder.rsplit('/').next().unwrap_or(folder);
    }
    file.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(file)
}

/// The front matter of an entry.
struct Head<'a> {
    /// As the reader understood it.
    meta: &'a Metadata,
    text: &'a str,
}

impl Head<'_> {
    /// The first of these keys with a text, in one line.
    ///
    /// A description with a colon in it, or a pattern as `globs: *.ts`, makes front matter that is no YAML. The reader tells of it;
    /// what is needed here can be had from the lines all the same.
    fn get(&self, keys: &[&str]) -> Option<String> {
        let understood = |key: &str| self.meta.get(key).and_then(Value::as_str).map(one_line);
        let written = |key: &str| {
            let at = head::key(self.text, key).filter(|_| self.meta.is_empty())?;
            let (_, value) = self.text[at..].lines().next()?.split_once(':')?;
            Some(one_line(value.trim().trim_matches(['"', '\''])))
        };
        keys.iter().find_map(|key| understood(key).or_else(|| written(key)).filter(|said| !said.is_empty()))
    }
}

/// White space folded.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn document(meta: &Value, text: &str) -> DocumentText {
        let meta = meta.as_object().cloned().unwrap_or_default();
        DocumentText { meta, text: text.to_owned(), ..DocumentText::default() }
    }

    #[test]
    fn what_a_file_says_wins() {
        let said = document(&json!({"name": "tidy", "description": "Tidies\n  up", "type": "Workflow"}), "");
        let entry = Entry::of("commands/x.md", &said);
        assert_eq!((entry.name.as_str(), entry.description.as_str()), ("tidy", "Tidies up"));
        assert_eq!(entry.kind, SkillKind::Workflow);
        let odd = document(&json!({"name": 7, "description": [], "kind": "feature"}), "");
        assert_eq!(
            Entry::of("commands/x.md", &odd),
            Entry { name: "x".into(), description: String::new(), kind: SkillKind::Command }
        );
    }

    #[test]
    fn what_a_file_does_not_say_its_place_does() {
        let silent = document(&json!({}), "");
        for (path, name) in [("a/pdf/SKILL.md", "pdf"), ("SKILL.md", "SKILL"), ("rules/web.react.mdc", "web")] {
            assert_eq!(Entry::of(path, &silent).name, name);
        }
    }

    #[test]
    fn broken_front_matter_is_read_by_lines() {
        let text = "---\nname: ts\ndescription: Use when: always\nglobs: *.ts\n---\n# Title\nBody\n";
        let entry = Entry::of("rules/x.mdc", &document(&json!({}), text));
        assert_eq!((entry.name.as_str(), entry.description.as_str()), ("ts", "Use when: always"));
        assert_eq!(Entry::description_of(&Metadata::new(), text), "Use when: always");
        assert_eq!(Entry::description_of(&Metadata::new(), "# Title\n\nWhat it *does*.\n"), "What it *does*.");
    }

    proptest! {
        #[test]
        fn any_file_is_some_entry(path in "\\PC{0,12}(SKILL.md|.mdc)?", text in "(---\n)?(\\PC|\n|:){0,40}(---\n)?") {
            let entry = Entry::of(&path, &document(&json!({}), &text));
            prop_assert!(!entry.description.contains('\n') && !entry.name.contains('\n'));
        }
    }
}
