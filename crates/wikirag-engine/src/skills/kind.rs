//! What kinds of entries there are, and which file is which: one table.

use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_vault::is_markdown;

/// What an entry of a wiki of skills is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SkillKind {
    /// Instructions for a kind of task, with whatever files they need.
    Skill,
    /// What holds whenever certain files are worked on.
    Rule,
    /// Steps, one after the other.
    Workflow,
    /// A prompt with a name.
    Command,
    /// A role that a model takes.
    Agent,
}

/// Files of these names are entries, wherever they lie. Compared without case.
const NAMES: [(&str, SkillKind); 1] = [("skill.md", SkillKind::Skill)];

/// Files whose names end so are entries, wherever they lie but in the folder of a skill. Compared without case.
const ENDINGS: [(&str, SkillKind); 6] = [
    (".mdc", SkillKind::Rule),
    (".instructions.md", SkillKind::Rule),
    (".workflow.md", SkillKind::Workflow),
    (".prompt.md", SkillKind::Command),
    (".agent.md", SkillKind::Agent),
    (".chatmode.md", SkillKind::Agent),
];

/// Markdown files in folders of these names are entries, but in the folder of a skill. The nearest such folder decides.
const FOLDERS: [(&str, SkillKind); 5] = [
    ("rules", SkillKind::Rule),
    ("workflows", SkillKind::Workflow),
    ("commands", SkillKind::Command),
    ("prompts", SkillKind::Command),
    ("agents", SkillKind::Agent),
];

/// Files of these names are about the folder that they lie in: no entries. Compared without case and ending.
const ABOUT: [&str; 14] = [
    "agents",
    "changelog",
    "claude",
    "code_of_conduct",
    "contributing",
    "gemini",
    "index",
    "licence",
    "license",
    "notice",
    "readme",
    "release-notes",
    "security",
    "template",
];

impl SkillKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Skill, Self::Rule, Self::Workflow, Self::Command, Self::Agent];

    /// The word in answers and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Rule => "rule",
            Self::Workflow => "workflow",
            Self::Command => "command",
            Self::Agent => "agent",
        }
    }

    /// Reads [`SkillKind::as_str`].
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for any other word.
    pub fn parse(word: &str) -> Result<Self> {
        Self::known(word).ok_or_else(|| {
            let all = Self::ALL.map(Self::as_str).join(", ");
            let word: String = word.chars().take(40).collect();
            Error::new(ErrorKind::Usage, "read kind", format!("{word:?} is none of {all}"))
        })
    }

    /// The kind that a file says it is; `None` for a word that means something else.
    pub(crate) fn known(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// What the file at `path` (with `/`) is by its name and place. Whether it lies in the folder of a skill is not looked at.
    pub(super) fn of_place(path: &str) -> Option<Self> {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default().to_lowercase();
        let found = |table: &[(&str, Self)], fits: &dyn Fn(&str) -> bool| {
            table.iter().find(|(word, _)| fits(word)).map(|(_, kind)| *kind)
        };
        if let Some(kind) = found(&NAMES, &|word| word == name) {
            return Some(kind);
        }
        let stem = name.split('.').next().unwrap_or_default();
        // `_template.md` and the like are there for whoever writes entries.
        if name.starts_with('_') || ABOUT.contains(&stem) || !is_markdown(&name) {
            return None;
        }
        let by_ending = found(&ENDINGS, &|word| name.ends_with(word) && name.len() > word.len());
        by_ending.or_else(|| parts.find_map(|folder| found(&FOLDERS, &|word| folder.eq_ignore_ascii_case(word))))
    }

    /// Whether a file of this name makes its folder that of a skill.
    pub(super) fn makes_folder(path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or_default();
        NAMES.iter().any(|(word, _)| name.eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_is_an_entry() {
        use SkillKind::{Agent, Command, Rule, Skill, Workflow};
        for (path, kind) in [
            ("SKILL.md", Some(Skill)),
            ("a/b/skill.md", Some(Skill)),
            (".cursor/rules/react.mdc", Some(Rule)),
            ("rules/react.md", Some(Rule)),
            ("Rules/web/react.md", Some(Rule)),
            ("docs/ts.instructions.md", Some(Rule)),
            ("workflows/release.md", Some(Workflow)),
            ("plugins/x/commands/git/commit.md", Some(Command)),
            ("plugins/x/agents/reviewer.md", Some(Agent)),
            ("agents/commands/a.md", Some(Command)),
            ("review.chatmode.md", Some(Agent)),
            ("README.md", None),
            ("agents/README.md", None),
            ("agents/AGENTS.md", None),
            ("commands/LICENSE.txt", None),
            ("commands/notes.txt", None),
            ("rules/_template.md", None),
            ("docs/guide.md", None),
            ("skills/a.md", None),
            (".mdc", None),
            ("", None),
        ] {
            assert_eq!(SkillKind::of_place(path), kind, "{path}");
        }
    }

    #[test]
    fn words_are_read_back() {
        for kind in SkillKind::ALL {
            assert_eq!(SkillKind::parse(kind.as_str()).unwrap(), kind);
        }
        assert_eq!(SkillKind::known(" Rule "), Some(SkillKind::Rule));
        assert!(SkillKind::parse("recipe").unwrap_err().message().contains("skill, rule"));
    }
}
