//! `*.rag.yaml`: which wikis are searched together, and what the composition may see.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::QueryOptions;
use serde::{Deserialize, Deserializer};
use wikirag_core::{Error, ErrorKind, Result, Sensitivity};

use super::plugin_choice::ChoiceText;
use super::shapes::{OneOrMany, WordOr};
use super::{PluginChoice, text_file, yaml};
use crate::settings::suggest;

/// What the names of composition files end with.
pub const FILE_ENDING: &str = ".rag.yaml";

const OPERATION: &str = "read composition";

/// The stage of `rerank` where a composition says nothing of it.
pub const DEFAULT_RERANK: &str = "trust";

/// The plugin that fuses lists where nothing else is said, in programs that have it: by scores they are fused better than by ranks
/// (`docs/quality.md`).
pub const DEFAULT_FUSER: &str = "combsum";

/// The one that a program without [`DEFAULT_FUSER`] takes.
pub const RANK_FUSER: &str = "rrf";

/// The most wikis of one composition.
const MAX_WIKIS: usize = 10_000;

/// The manifest of a composition. Every field that is not `path` is a key of the file; only `wikis` must be there.
#[derive(Debug, Clone, PartialEq)]
pub struct RagManifest {
    /// How answers call it. Default: the name of the file without `.rag.yaml`, `rag` if that is nothing.
    pub name: String,
    /// What it may see: a wiki above it makes loading fail. `public`, `internal`, `confidential` or `restricted`.
    /// Default: `internal`.
    pub clearance: Sensitivity,
    /// The wikis, at least one, none twice. Each is a name, a path relative to the file, or a table with `wiki` and
    /// `weight`.
    pub wikis: Vec<RagEntry>,
    /// Which of the wikis are asked, and how their lists are weighed: `auto` asks the sixteen that promise most, leaves out those that know
    /// nothing of the question, and weighs by evidence; `top:N` asks the N that promise most; `all` asks all alike. Default: `auto`.
    pub route: Route,
    /// What makes one list of the lists of the layers of a wiki, and of those of the wikis. See [`PluginChoice`]. Default: [`DEFAULT_FUSER`] where
    /// the program has it, else [`RANK_FUSER`].
    pub fuse: Option<PluginChoice>,
    /// What looks at the best hits a second time: stages, one after the other. One of them may stand without a list; `none`
    /// means no stage. See [`PluginChoice`]. Default: [`DEFAULT_RERANK`] where the program has that plugin.
    pub rerank: Option<Vec<PluginChoice>>,
    /// How many hits an answer has, from 1. Default: the setting `limit`.
    pub limit: Option<usize>,
    /// How many passages of one document an answer has while other documents have some, from 1. Default: the setting
    /// `per_document`.
    pub per_document: Option<usize>,
    /// The file, absolute.
    pub path: PathBuf,
}

/// One wiki of a composition.
#[derive(Debug, Clone, PartialEq)]
pub struct RagEntry {
    /// The key `wiki`: a name or a path, as written.
    pub reference: String,
    /// The key `weight`: how much its hits count beside those of the others; finite and above 0. Default: 1.
    pub weight: f64,
}

/// See [`RagManifest::route`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Route {
    /// Those that promise most for the question, weighed by evidence.
    #[default]
    Auto,
    /// All, each with the weight that the composition gives it.
    All,
    /// So many of those that promise most, at least 1, weighed as by `Auto`.
    Top(usize),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RagFile {
    #[serde(default)]
    name: Option<String>,
    // Not an option: `clearance:` with nothing behind it is a mistake and must not be taken for the default.
    #[serde(default)]
    clearance: Sensitivity,
    wikis: Vec<WordOr<EntryTable>>,
    #[serde(default)]
    route: Route,
    #[serde(default)]
    fuse: Option<ChoiceText>,
    #[serde(default)]
    rerank: Option<OneOrMany<ChoiceText>>,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    per_document: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryTable {
    wiki: String,
    #[serde(default = "one")]
    weight: f64,
}

fn one() -> f64 {
    1.0
}

impl FromStr for Route {
    type Err = Error;

    /// `auto`, `all`, or `top:N`; a blank may stand for the colon.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let number = || text.strip_prefix("top")?.strip_prefix([':', ' '])?.trim().parse::<usize>().ok();
        match text {
            "auto" => Ok(Self::Auto),
            "all" => Ok(Self::All),
            _ => number().filter(|number| *number >= 1).map(Self::Top).ok_or_else(|| {
                let text = suggest::shorten(text);
                let message = format!("the route `{text}` is none of auto, all, top:N (N from 1)");
                Error::new(ErrorKind::Usage, "read route", message)
            }),
        }
    }
}

impl<'de> Deserialize<'de> for Route {
    /// The text form, or `{top: N}`, which is how YAML understands `route: top: N` on two lines.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match WordOr::<TopTable>::deserialize(deserializer)? {
            WordOr::Word(text) => text,
            WordOr::Table(table) => format!("top:{}", table.top),
        };
        text.parse().map_err(|error: Error| serde::de::Error::custom(error.message()))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopTable {
    top: usize,
}

/// Whether `path` is called as a composition file is.
#[must_use]
pub fn is_rag_path(path: &Path) -> bool {
    stem(path).is_some()
}

/// How the composition at `path` is called where its file gives no name: `food` for `a/food.rag.yaml`.
#[must_use]
pub fn default_name(path: &Path) -> String {
    stem(path).filter(|name| !name.is_empty()).unwrap_or_else(|| "rag".to_owned())
}

impl RagManifest {
    /// Reads the file at `path`, which is absolute. Whether its wikis exist and may be seen is not looked at here.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is no file; [`ErrorKind::Invalid`] naming file, line where it is known, and
    /// what is off; [`ErrorKind::Io`] where it cannot be read.
    pub fn load(path: &Path) -> Result<Self> {
        let text = text_file::read(path, OPERATION)?.ok_or_else(|| {
            Error::new(ErrorKind::NotFound, OPERATION, "there is no such file").with("path", path.display())
        })?;
        Self::from_text(&text, path)
    }

    /// Understands `text`, which is what stands in the file at `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`], as for [`RagManifest::load`].
    pub fn from_text(text: &str, path: &Path) -> Result<Self> {
        let file: RagFile = yaml::parse(text, path, OPERATION)?;
        let invalid = |message: String| Error::new(ErrorKind::Invalid, OPERATION, message).with("path", path.display());
        let choice = |key: &str, text: ChoiceText, base: &str| {
            PluginChoice::read(text, &PluginChoice::named(base), format!("{}: {key}", path.display()))
                .map_err(|fault| invalid(format!("`{key}`: {fault}")))
        };
        if file.wikis.is_empty() {
            return Err(invalid("`wikis` is empty".to_owned()).help("list at least one wiki"));
        }
        if file.wikis.len() > MAX_WIKIS {
            return Err(invalid(format!("`wikis` lists {}, {MAX_WIKIS} are allowed", file.wikis.len())));
        }
        if file.limit.is_some_and(|limit| !(1..=QueryOptions::MAX_LIMIT).contains(&limit)) {
            return Err(invalid("`limit` lies between 1 and 1000".to_owned()));
        }
        let name = file.name.map(|name| name.trim().to_owned());
        if name.as_ref().is_some_and(|name| name.is_empty() || name.chars().any(char::is_control)) {
            return Err(invalid("`name` is no name".to_owned()));
        }
        if file.per_document == Some(0) {
            return Err(invalid("`per_document` is at least 1".to_owned()));
        }
        let stage = |text: ChoiceText| match text {
            WordOr::Table(table) if !table.contains_key("name") => {
                Err(invalid("`rerank`: the key `name` is missing".to_owned()))
            }
            text => choice("rerank", text, ""),
        };
        let rerank = match file.rerank {
            Some(OneOrMany(stages)) if stages == [WordOr::Word("none".to_owned())] => Some(Vec::new()),
            Some(OneOrMany(stages)) => Some(stages.into_iter().map(stage).collect::<Result<Vec<_>>>()?),
            None => None,
        };
        if let Some(twice) = rerank.iter().flatten().find(|stage| stage.name == "none") {
            return Err(
                invalid(format!("`rerank`: `{}` stands among others", twice.name)).help("write `rerank: none` alone")
            );
        }
        Ok(Self {
            name: name.unwrap_or_else(|| default_name(path)),
            clearance: file.clearance,
            wikis: file.wikis.into_iter().map(entry).collect::<Result<_, _>>().map_err(invalid)?,
            route: file.route,
            fuse: file.fuse.map(|text| choice("fuse", text, DEFAULT_FUSER)).transpose()?,
            rerank,
            limit: file.limit,
            per_document: file.per_document,
            path: path.to_owned(),
        })
    }
}

fn entry(text: WordOr<EntryTable>) -> Result<RagEntry, String> {
    let (reference, weight) = match text {
        WordOr::Word(reference) => (reference, one()),
        WordOr::Table(table) => (table.wiki, table.weight),
    };
    let reference = reference.trim().to_owned();
    if reference.is_empty() || reference.contains('\0') {
        return Err("`wikis` holds an entry that is neither a name nor a path".to_owned());
    }
    if !(weight.is_finite() && weight > 0.0) {
        let reference = suggest::shorten(&reference);
        return Err(format!("the weight of `{reference}` is {weight}; it must be finite and above 0"));
    }
    Ok(RagEntry { reference, weight })
}

/// `food` of `a/food.rag.yaml`.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    // ASCII only, so that places in the one are places in the other.
    let lower = name.to_ascii_lowercase();
    let stem = lower.strip_suffix(FILE_ENDING).or_else(|| lower.strip_suffix(".rag.yml"))?;
    name.get(..stem.len()).map(str::to_owned)
}

#[cfg(test)]
#[path = "rag_tests.rs"]
mod tests;
