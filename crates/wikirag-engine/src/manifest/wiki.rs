//! `.wiki.yaml`: what a wiki is called, what belongs to it and who may see it.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Sensitivity, WikiName};
use wikirag_text::Language;

use super::lint::LintText;
use super::plugin_choice::ChoiceText;
use super::shapes::Words;
use super::{Documents, LintManifest, Patterns, PluginChoice, WikiKind, text_file, yaml};
use crate::settings::suggest;

/// The name of the manifest in the root folder of a wiki. A folder below that has one of its own is another wiki.
pub const FILE_NAME: &str = ".wiki.yaml";

const OPERATION: &str = "read wiki manifest";

/// The manifest of a wiki. Every field that is not `root` or `path` is a key of the file; all keys may be missing, and
/// so may the file.
#[derive(Debug, Clone, PartialEq)]
pub struct WikiManifest {
    /// How compositions and citations call the wiki. Default: the name of the folder.
    pub name: WikiName,
    /// The name for people. Default: the name.
    pub title: String,
    /// What it is a collection of: `notes` or `skills`. Default: `notes`.
    pub kind: WikiKind,
    /// Words to sort wikis by. Default: none.
    pub tags: Vec<String>,
    /// Who may see it: `public`, `internal`, `confidential` or `restricted`. Default: `internal`, and never less than
    /// what the wiki around the folder says.
    pub sensitivity: Sensitivity,
    /// The language of the documents as an ISO 639 code (`en`, `eng`). Default: detected for each document.
    pub language: Option<Language>,
    /// Patterns of the files that belong to it, where it is not all that can be read. See [`Patterns`]. Default: none,
    /// which means all.
    pub include: Patterns,
    /// Patterns of the files that do not belong to it; wins over `include`. Default: none.
    pub exclude: Patterns,
    /// Patterns of files that are kept for navigation and not returned as content. Default: `_*`.
    pub meta: Patterns,
    /// What is done with pages that are mostly links: `navigation` keeps them as `meta` does, `content` returns them.
    /// Default: `navigation`.
    pub index_pages: IndexPages,
    /// The ways of searching it: a list of layers, or `auto` for every retriever that is linked into the program. Default:
    /// `auto`.
    pub layers: Layers,
    /// What cuts the documents into passages. See [`PluginChoice`]. Default: `markdown`, with the settings of [`WikiKind::chunker`].
    pub chunker: PluginChoice,
    /// What kind of documents lie where, and how they are cut: a list of rules of which the first that matches holds.
    /// Default: none; all is `curated`.
    pub roles: Vec<RoleRule>,
    /// What `wikirag lint` demands, and how much each fault counts. Default: nothing is demanded, and faults count as
    /// [`CHECKS`](crate::lint::CHECKS) says.
    pub lint: LintManifest,
    /// Where the documents lie, if not beside the manifest: an absolute path. Only for wikis made by name.
    pub source: Option<PathBuf>,
    /// Whether the documents are on this machine: `present` or `absent`, which `wikirag import` writes where they are not. Default:
    /// `present`.
    pub documents: Documents,
    /// The folder of the manifest, absolute.
    pub root: PathBuf,
    /// The file, if there is one.
    pub path: Option<PathBuf>,
    /// What the file itself says of `sensitivity`.
    pub(crate) stated_sensitivity: Option<Sensitivity>,
}

/// See [`WikiManifest::index_pages`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexPages {
    /// Kept for navigation, not returned as content.
    #[default]
    Navigation,
    /// Returned like any other page.
    Content,
}

/// See [`WikiManifest::layers`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Layers {
    /// Every retriever that is linked into the program.
    #[default]
    Auto,
    /// These, by the names of their plugins; not empty, none twice.
    Named(Vec<String>),
}

/// One rule of [`WikiManifest::roles`].
#[derive(Debug, Clone, PartialEq)]
pub struct RoleRule {
    /// The files it holds for: one pattern or a list.
    pub paths: Patterns,
    /// What kind of documents they are: `curated` or `raw`.
    pub role: Role,
    /// How they are cut. Settings that are not given here are those of the wiki's `chunker`. Default: as the wiki's.
    pub chunker: Option<PluginChoice>,
}

/// What kind of document a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Written to be read.
    #[default]
    Curated,
    /// Collected: logs, transcripts, clippings.
    Raw,
}

impl Role {
    /// The word used in manifests.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Curated => "curated",
            Self::Raw => "raw",
        }
    }
}

/// The file as it stands: which key was given, and its value before it is understood.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WikiFile {
    name: Option<String>,
    title: Option<String>,
    kind: Option<WikiKind>,
    tags: Option<Words>,
    #[serde(deserialize_with = "stated")]
    sensitivity: Option<Sensitivity>,
    language: Option<String>,
    include: Option<Words>,
    exclude: Option<Words>,
    meta: Option<Words>,
    index_pages: Option<IndexPages>,
    layers: Option<Words>,
    chunker: Option<ChoiceText>,
    roles: Option<Vec<RoleText>>,
    lint: Option<LintText>,
    source: Option<PathBuf>,
    documents: Option<Documents>,
}

/// The one key that is looked for in a file that is broken.
#[derive(Debug, Deserialize)]
struct SourceOnly {
    source: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleText {
    paths: Words,
    role: Role,
    #[serde(default)]
    chunker: Option<ChoiceText>,
}

/// `sensitivity:` with nothing behind it is no statement but a mistake, and must not be taken for the default.
fn stated<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Sensitivity>, D::Error> {
    Sensitivity::deserialize(deserializer).map(Some)
}

impl WikiFile {
    /// Reads the manifest in `folder`, or `None` where there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(FILE_NAME);
        match text_file::read(&path, OPERATION)? {
            Some(text) => yaml::parse(&text, &path, OPERATION).map(Some),
            None => Ok(None),
        }
    }

    /// The `source` of the manifest in `folder`, which [`WikiFile::read`] cannot read, if that key at least is beyond
    /// doubt: either the file is YAML, whatever else stands in it, or one line of it gives a `source`.
    pub(crate) fn source_of_broken(folder: &Path) -> Option<PathBuf> {
        let path = folder.join(FILE_NAME);
        let text = text_file::read(&path, OPERATION).ok()??;
        let source_in = |text: &str| yaml::parse::<SourceOnly>(text, &path, OPERATION).ok()?.source;
        let source = source_in(&text).or_else(|| {
            let mut lines = text.lines().filter(|line| line.starts_with("source:"));
            lines.next().filter(|_| lines.next().is_none()).and_then(source_in)
        });
        source.filter(|source| source.is_absolute())
    }

    /// The name it gives.
    pub(crate) fn name(&self) -> Option<String> {
        text(self.name.clone())
    }

    /// What the file says of `sensitivity`.
    pub(crate) fn sensitivity(&self) -> Option<Sensitivity> {
        self.sensitivity
    }

    /// These keys, and those of `base` where they are not given.
    pub(crate) fn or(self, base: Self) -> Self {
        Self {
            name: self.name,
            title: self.title.or(base.title),
            kind: self.kind.or(base.kind),
            tags: self.tags.or(base.tags),
            sensitivity: self.sensitivity.or(base.sensitivity),
            language: self.language.or(base.language),
            include: self.include.or(base.include),
            exclude: self.exclude.or(base.exclude),
            meta: self.meta.or(base.meta),
            index_pages: self.index_pages.or(base.index_pages),
            layers: self.layers.or(base.layers),
            chunker: self.chunker.or(base.chunker),
            roles: self.roles.or(base.roles),
            lint: self.lint.or(base.lint),
            source: self.source,
            documents: self.documents,
        }
    }

    /// What the file says of `documents`.
    pub(crate) fn documents(&self) -> Option<Documents> {
        self.documents
    }

    /// Where the file says that the documents lie.
    pub(crate) fn source(&self) -> Option<&Path> {
        self.source.as_deref()
    }
}

impl WikiManifest {
    /// The manifest of the wiki in `folder`, which is an absolute path. Defaults where there is no file.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming file, line where it is known, and what is off; [`ErrorKind::Io`] where the file
    /// cannot be read.
    pub fn load(folder: &Path) -> Result<Self> {
        let file = WikiFile::read(folder)?;
        let path = file.is_some().then(|| folder.join(FILE_NAME));
        Self::from_file(file.unwrap_or_default(), folder, path)
    }

    /// Understands `text`, which is what stands in the manifest of the wiki in `folder`.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`], as for [`WikiManifest::load`].
    pub fn from_text(text: &str, folder: &Path) -> Result<Self> {
        let path = folder.join(FILE_NAME);
        Self::from_file(yaml::parse(text, &path, OPERATION)?, folder, Some(path))
    }

    /// Understands what stands in the file.
    pub(crate) fn from_file(file: WikiFile, folder: &Path, path: Option<PathBuf>) -> Result<Self> {
        let place = path.clone().unwrap_or_else(|| folder.to_owned());
        let invalid =
            |message: String| Error::new(ErrorKind::Invalid, OPERATION, message).with("path", place.display());
        let patterns = |key: &str, words: Option<Words>| {
            let words = words.map_or_else(Vec::new, |words| words.0);
            Patterns::new(words).map_err(|fault| invalid(format!("`{key}`: {fault}")))
        };
        let name = match &file.name {
            Some(name) => WikiName::new(name),
            None => WikiName::new(&folder.file_name().unwrap_or_default().to_string_lossy())
                .map_err(|error| error.help(format!("give the wiki a `name` in {FILE_NAME}"))),
        };
        let name = name.map_err(|error| error.with("path", place.display()))?;
        let kind = file.kind.unwrap_or_default();
        let chunker = match file.chunker {
            None => kind.chunker(),
            Some(text) => {
                let origin = format!("{}: chunker", place.display());
                PluginChoice::read(text, &kind.chunker(), origin)
                    .map_err(|fault| invalid(format!("`chunker`: {fault}")))?
            }
        };
        let roles = file.roles.unwrap_or_default().into_iter().enumerate().map(|(index, rule)| {
            let key = format!("roles[{index}]");
            if rule.paths.0.is_empty() {
                return Err(invalid(format!("`{key}`: `paths` is empty")));
            }
            let own = rule.chunker.map(|text| {
                PluginChoice::read(text, &chunker, format!("{}: {key}.chunker", place.display()))
                    .map_err(|fault| invalid(format!("`{key}.chunker`: {fault}")))
            });
            Ok(RoleRule {
                paths: patterns(&format!("{key}.paths"), Some(rule.paths))?,
                role: rule.role,
                chunker: own.transpose()?,
            })
        });
        let roles = roles.collect::<Result<_>>()?;
        let lint = file.lint.unwrap_or_default().understood(OPERATION);
        let lint = lint.map_err(|error| error.with("path", place.display()))?;
        if file.source.as_ref().is_some_and(|source| !source.is_absolute()) {
            return Err(invalid("`source` is no absolute path".to_owned()));
        }
        Ok(Self {
            title: text(file.title).unwrap_or_else(|| name.to_string()),
            name,
            kind,
            tags: names("tags", file.tags.unwrap_or_default()).map_err(invalid)?,
            sensitivity: file.sensitivity.unwrap_or_default(),
            language: file.language.as_deref().map(language).transpose().map_err(invalid)?,
            include: patterns("include", file.include)?,
            exclude: patterns("exclude", file.exclude)?,
            meta: match file.meta {
                Some(meta) => patterns("meta", Some(meta))?,
                None => Patterns::index_pages(),
            },
            index_pages: file.index_pages.unwrap_or_default(),
            layers: file.layers.map_or(Ok(Layers::Auto), layers).map_err(invalid)?,
            chunker,
            roles,
            lint,
            source: file.source,
            documents: file.documents.unwrap_or_default(),
            root: folder.to_owned(),
            path,
            stated_sensitivity: file.sensitivity,
        })
    }

    /// What kind of document lies at `path` (relative to the documents, with `/`), and how it is cut.
    #[must_use]
    pub fn role_of(&self, path: &str) -> (Role, &PluginChoice) {
        match self.roles.iter().find(|rule| rule.paths.matches(path)) {
            Some(rule) => (rule.role, rule.chunker.as_ref().unwrap_or(&self.chunker)),
            None => (Role::default(), &self.chunker),
        }
    }

    /// Whether the file at `path` (relative to the documents, with `/`) belongs to the wiki.
    #[must_use]
    pub fn includes(&self, path: &str) -> bool {
        (self.include.is_empty() || self.include.matches(path)) && !self.exclude.matches(path)
    }
}

fn text(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Words without white space around them, none empty, none twice.
pub(super) fn names(key: &str, words: Words) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::with_capacity(words.0.len());
    let mut seen = std::collections::HashSet::new();
    for word in words.0 {
        let word = word.trim();
        if word.is_empty() || word.chars().any(char::is_control) {
            return Err(format!("`{key}` holds {:?}, which is no name", suggest::shorten(word)));
        }
        if seen.insert(word.to_owned()) {
            names.push(word.to_owned());
        }
    }
    Ok(names)
}

fn layers(words: Words) -> Result<Layers, String> {
    let names = names("layers", words)?;
    match names.as_slice() {
        [] => Err("`layers` is empty, so nothing could be searched".to_owned()),
        [auto] if auto == "auto" => Ok(Layers::Auto),
        names if names.iter().any(|name| name == "auto") => Err("`layers` is `auto` or a list, not both".to_owned()),
        _ => Ok(Layers::Named(names)),
    }
}

fn language(code: &str) -> Result<Language, String> {
    Language::from_code(code.trim()).ok_or_else(|| {
        format!("`language`: `{}` is no ISO 639 code of a language that is known here", suggest::shorten(code))
    })
}

#[cfg(test)]
#[path = "wiki_tests.rs"]
mod tests;
