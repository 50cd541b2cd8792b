//! Patterns for paths below the root of a wiki.

use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::settings::suggest;

/// Bounds, so that no manifest makes matching slow.
const MAX_PATTERNS: usize = 1_000;
const MAX_BYTES: usize = 1_000;

/// A set of patterns for paths below the root of a wiki, in the manner of `.gitignore`:
///
/// * `*` and `?` match within one name, `**` across folders, `[ab]` and `{a,b}` choose;
/// * a pattern without `/` matches a file or folder of that name at any depth (`_*`, `*.tmp`);
/// * a pattern with `/` matches the path from the root (`drafts/*.md`, `/README.md`);
/// * what matches a folder covers all that lies in it; with a `/` at its end it matches folders only.
#[derive(Debug, Clone)]
pub struct Patterns {
    sources: Vec<String>,
    set: GlobSet,
}

impl Patterns {
    /// Takes patterns as they stand in a manifest. The error is the fault in words.
    pub(super) fn new(sources: Vec<String>) -> Result<Self, String> {
        if sources.len() > MAX_PATTERNS {
            return Err(format!("there are {} patterns, {MAX_PATTERNS} are allowed", sources.len()));
        }
        let mut builder = GlobSetBuilder::new();
        for source in &sources {
            let fault = |fault: &str| format!("the pattern `{}` {fault}", suggest::shorten(source));
            for glob in globs(source).map_err(fault)? {
                let glob = GlobBuilder::new(&glob).literal_separator(true).build();
                builder.add(glob.map_err(|error| fault(&format!("does not parse: {}", error.kind())))?);
            }
        }
        let set = builder.build().map_err(|error| format!("the patterns are too much: {}", error.kind()))?;
        Ok(Self { sources, set })
    }

    /// What `meta` is by default: files and folders whose name begins with `_`. Made once, since a composition reads a thousand
    /// manifests and most say nothing of it.
    #[expect(clippy::expect_used, reason = "the pattern is a constant, and every test that reads a manifest makes it")]
    pub(super) fn index_pages() -> Self {
        static DEFAULT: LazyLock<Patterns> =
            LazyLock::new(|| Patterns::new(vec!["_*".to_owned()]).expect("a pattern that parses"));
        DEFAULT.clone()
    }

    /// Whether a pattern matches `path`, which is relative to the root with `/` between names, or a folder it lies in.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.set.is_match(path)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The patterns as they stand in the manifest.
    #[must_use]
    pub fn sources(&self) -> &[String] {
        &self.sources
    }
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Self) -> bool {
        self.sources == other.sources
    }
}

/// The globs over whole paths that one pattern stands for.
fn globs(source: &str) -> Result<Vec<String>, &'static str> {
    if source.len() > MAX_BYTES {
        return Err("is longer than 1000 bytes");
    }
    let pattern = source.strip_prefix("./").unwrap_or(source);
    let folders_only = pattern.ends_with('/');
    let anchored = pattern.trim_end_matches('/').contains('/');
    let body = pattern.trim_matches('/');
    if body.is_empty() {
        return Err("matches nothing");
    }
    if body.split('/').any(|name| name == "..") {
        return Err("leaves the wiki");
    }
    let body = if anchored { body.to_owned() } else { format!("**/{body}") };
    let inside = format!("{body}/**");
    Ok(if folders_only { vec![inside] } else { vec![body, inside] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Patterns::new(vec![pattern.to_owned()]).unwrap().matches(path)
    }

    #[test]
    fn a_name_matches_at_any_depth_and_covers_folders() {
        for path in ["_x.md", "a/_x.md", "_x/a.md", "a/_x/b/c.md"] {
            assert!(matches("_*", path), "{path}");
        }
        for path in ["x_.md", "a/x.md", "a_/x.md"] {
            assert!(!matches("_*", path), "{path}");
        }
    }

    #[test]
    fn a_path_matches_from_the_root() {
        assert!(matches("drafts/*.md", "drafts/a.md") && matches("./drafts/*.md", "drafts/a.md"));
        assert!(!matches("drafts/*.md", "x/drafts/a.md") && !matches("drafts/*.md", "drafts/b/a.md"));
        assert!(matches("drafts/**", "drafts/b/a.md") && matches("**/drafts/**", "x/drafts/b/a.md"));
        assert!(matches("/README.md", "README.md") && !matches("/README.md", "a/README.md"));
        assert!(matches("drafts/", "x/drafts/a.md") && !matches("drafts/", "drafts"));
        assert!(matches("{a,b}/x", "b/x/y.md") && matches("日*", "x/日本.md"));
    }

    #[test]
    fn senseless_and_huge_patterns_are_refused() {
        let long = "x".repeat(1_001);
        for bad in ["", "/", "./", "../x", "a/../b", "[", "{a", long.as_str()] {
            assert!(Patterns::new(vec![bad.to_owned()]).is_err(), "{bad}");
        }
        assert!(Patterns::new(vec!["x".to_owned(); MAX_PATTERNS + 1]).is_err());
        assert!(Patterns::new(Vec::new()).unwrap().is_empty());
    }
}
