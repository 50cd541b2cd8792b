//! `tap.yaml`: what the program remembers of a tap.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::manifest::text_file;
use wikirag_engine::manifest::yaml::{self, quoted};

use crate::source::{Source, is_branch};

const FILE: &str = "tap.yaml";
const OPERATION: &str = "read tap";

/// Raised when a key changes its meaning.
const VERSION: u32 = 1;

/// What is kept of a tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TapFile {
    pub(crate) source: Source,
    /// The branch that somebody asked for.
    pub(crate) branch: Option<String>,
    /// The branch that the remote had checked out when it was asked last.
    pub(crate) head: Option<String>,
    /// When the clone was brought up to date, RFC 3339 in UTC. `None` for a folder.
    pub(crate) updated: Option<String>,
    /// Why that went wrong the last time, if it did.
    pub(crate) failed: Option<String>,
}

/// The file as it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    /// Looked at before.
    #[serde(rename = "version")]
    _version: u32,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    repository: Option<PathBuf>,
    #[serde(default)]
    folder: Option<PathBuf>,
    #[serde(default)]
    branch: Option<String>,
    #[serde(default)]
    head: Option<String>,
    #[serde(default)]
    updated: Option<String>,
    #[serde(default)]
    failed: Option<String>,
}

/// The one key that every version has.
#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

impl TapFile {
    /// Reads the file in the folder of a tap. `None` where there is none.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where it does not say what it must; [`ErrorKind::Io`] where it cannot be read.
    pub(crate) fn read(home: &Path) -> Result<Option<Self>> {
        let path = home.join(FILE);
        match text_file::read(&path, OPERATION)? {
            Some(text) => Self::parse(&text, &path).map(Some),
            None => Ok(None),
        }
    }

    fn parse(text: &str, path: &Path) -> Result<Self> {
        let invalid = |message: String| Error::new(ErrorKind::Invalid, OPERATION, message).with("path", path.display());
        let version = yaml::parse::<VersionOnly>(text, path, OPERATION)?.version;
        if version != VERSION {
            return Err(invalid(format!("it is of version {version}, this program knows {VERSION}")));
        }
        let text: Text = yaml::parse(text, path, OPERATION)?;
        let source = match (text.url, text.repository, text.folder) {
            (Some(url), None, None) => Source::of_url(&url).map_err(|error| error.with("path", path.display()))?,
            (None, Some(path), None) if path.is_absolute() => Source::Repository(path),
            (None, None, Some(path)) if path.is_absolute() => Source::Folder(path),
            _ => return Err(invalid("one of `url`, `repository` and `folder` says where it comes from".to_owned())),
        };
        if text.branch.as_deref().is_some_and(|branch| !is_branch(branch)) {
            return Err(invalid("`branch` is no name of a branch".to_owned()));
        }
        Ok(Self { source, branch: text.branch, head: text.head, updated: text.updated, failed: text.failed })
    }

    /// Writes the file into the folder of a tap.
    ///
    /// # Errors
    /// [`ErrorKind::Io`]; [`ErrorKind::Invalid`] where a path is no UTF-8.
    pub(crate) fn write(&self, home: &Path) -> Result<()> {
        let path = home.join(FILE);
        text_file::write(&path, &self.text()?).map_err(|error| {
            Error::new(ErrorKind::Io, "write tap", "the file cannot be written")
                .with("path", path.display())
                .caused_by(error)
        })
    }

    fn text(&self) -> Result<String> {
        let of_path = |path: &PathBuf| {
            path.to_str().map(str::to_owned).ok_or_else(|| {
                Error::new(ErrorKind::Invalid, "write tap", "the path is no UTF-8 text").with("path", path.display())
            })
        };
        let (key, value) = match &self.source {
            Source::Url(url) => ("url", url.clone()),
            Source::Repository(path) => ("repository", of_path(path)?),
            Source::Folder(path) => ("folder", of_path(path)?),
        };
        let mut text = format!("version: {VERSION}\n{key}: {}\n", quoted(&value));
        let optional =
            [("branch", &self.branch), ("head", &self.head), ("updated", &self.updated), ("failed", &self.failed)];
        for (key, value) in optional {
            if let Some(value) = value {
                text.push_str(&format!("{key}: {}\n", quoted(value)));
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<TapFile> {
        TapFile::parse(text, Path::new("tap.yaml"))
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in [
            "",
            "version: 1",
            "version: 2\nurl: https://example.org/a",
            "version: 1\nurl: https://example.org/a\nfolder: /b",
            "version: 1\nurl: --upload-pack=x",
            "version: 1\nurl: ext::sh",
            "version: 1\nfolder: a",
            "version: 1\nfolder: /a\nother: 1",
            "version: 1\nrepository: /a\nbranch: --x",
        ] {
            assert_eq!(parse(text).unwrap_err().kind(), ErrorKind::Invalid, "{text}");
        }
        assert!(parse("version: 2\nnew: 1").unwrap_err().message().contains("version 2"));
    }

    fn optional() -> impl Strategy<Value = Option<String>> {
        proptest::option::of(any::<String>())
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            url in "https://[a-z]{1,9}/[a-zé%:@\"'#]{1,9}", path in "[^\\\\/\u{0}]{1,20}", kind in 0..3, on_branch in any::<bool>(),
            head in optional(), updated in optional(), failed in optional(),
        ) {
            // Absolute on every system.
            let path = std::env::temp_dir().join(path);
            let source = match kind {
                0 => Source::Url(url),
                1 => Source::Repository(path),
                _ => Source::Folder(path),
            };
            let file = TapFile { source, branch: on_branch.then(|| "a/b".to_owned()), head, updated, failed };
            prop_assert_eq!(parse(&file.text().unwrap()).unwrap(), file);
        }
    }
}
