//! Which files of a folder are entries, and why the others are none.

use std::collections::BTreeSet;

use super::SkillKind;

/// The folders of skills among the files of a wiki. What lies in one of them and is no skill itself belongs to that skill.
#[derive(Debug, Default)]
pub(crate) struct SkillFolders<'a>(BTreeSet<&'a str>);

/// Why a file is no entry: a stable code, and a sentence for people.
pub(crate) type NoEntry = (&'static str, String);

impl<'a> SkillFolders<'a> {
    /// Finds them among these paths (with `/`).
    ///
    /// The root is none of them: a repository with a skill of its own at the top may hold commands and agents as well.
    pub(crate) fn among(paths: impl Iterator<Item = &'a str>) -> Self {
        let folder = |path: &'a str| path.rsplit_once('/').map(|(folder, _)| folder);
        Self(paths.filter(|path| SkillKind::makes_folder(path)).filter_map(folder).collect())
    }

    /// The folder of the skill that `path` belongs to, the nearest one.
    fn around(&self, path: &str) -> Option<&'a str> {
        let folders = path.rmatch_indices('/').map(|(end, _)| &path[..end]);
        folders.into_iter().find_map(|folder| self.0.get(folder).copied())
    }

    /// Why the file at `path` is no entry; `None` where it is one.
    pub(crate) fn refuses(&self, path: &str) -> Option<NoEntry> {
        if SkillKind::makes_folder(path) {
            return None;
        }
        if let Some(folder) = self.around(path) {
            return Some(("resource", format!("it belongs to the skill in `{folder}`")));
        }
        SkillKind::of_place(path).is_none().then(|| {
            let detail =
                "it is no SKILL.md, and its name and folder are not those of a rule, workflow, command or agent";
            ("no-entry", detail.to_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reason(path: &str, among: &[&str]) -> Option<&'static str> {
        SkillFolders::among(among.iter().copied()).refuses(path).map(|(reason, _)| reason)
    }

    #[test]
    fn what_lies_in_the_folder_of_a_skill_belongs_to_it() {
        let files = ["SKILL.md", "skills/a/SKILL.md", "skills/a/sub/SKILL.md"];
        assert_eq!(reason("skills/a/SKILL.md", &files), None);
        assert_eq!(reason("skills/a/sub/SKILL.md", &files), None);
        assert_eq!(reason("skills/a/agents/grader.md", &files), Some("resource"));
        assert_eq!(reason("skills/a/sub/deep/x.mdc", &files), Some("resource"));
        assert_eq!(reason("agents/grader.md", &files), None);
        assert_eq!(reason("skills/ab/rules/x.md", &files), None);
        assert_eq!(reason("docs/guide.md", &files), Some("no-entry"));
        assert_eq!(reason("README.md", &files), Some("no-entry"));
    }

    proptest! {
        #[test]
        fn any_paths_will_do(paths in prop::collection::vec("[a-z./é]{0,12}(SKILL.md|/rules/x.md)?", 0..9)) {
            let folders = SkillFolders::among(paths.iter().map(String::as_str));
            for path in &paths {
                let _ = folders.refuses(path);
            }
        }
    }
}
