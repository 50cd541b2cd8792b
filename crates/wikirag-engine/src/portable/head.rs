//! What stands at the beginning of an archive, and what is demanded of it before anything is unpacked.

use std::collections::HashSet;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use wikirag_core::{Error, ErrorKind, PortableIndex, Result, Sensitivity, WikiName};

use super::settings;
use crate::layers::CATALOG_FILE;

/// The most files of an archive. A layer has a handful.
const MOST_FILES: usize = 10_000;

/// The longest path of a file, in bytes, and the most folders and names in it.
const LONGEST_PATH: usize = 200;
const DEEPEST: usize = 4;

/// How many bytes may come out of one byte of the archive, and how many are let through whatever the archive weighs. Catalogs come to
/// a third or a fifth of their size; what is far beyond was made to fill a disk.
pub(super) const MOST_RATIO: u64 = 100;
const ALWAYS: u64 = 64 << 20;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Version of the program that wrote the archive.
    pub program: String,
    /// Name of the wiki. It is no part of the digest: a folder without a manifest is called like the folder.
    #[serde(deserialize_with = "name")]
    pub wiki: WikiName,
    /// The sum of `contents`, as hexadecimal digits: blake3 of its JSON. Equal documents have equal digests.
    pub digest: String,
    /// What is in the archive.
    pub contents: Contents,
}

/// What is in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// The level in force where it was exported. An import never lowers it.
    pub sensitivity: Sensitivity,
    /// The keys of `.wiki.yaml` that say how documents are chosen and read, as YAML. Neither name nor source nor sensitivity is among
    /// them.
    pub manifest: String,
    /// The catalog.
    pub catalog: CatalogPart,
    /// The layers, sorted by name.
    pub layers: Vec<LayerPart>,
    /// The files, sorted by path in small letters: no two of them are one file anywhere.
    pub files: Vec<FilePart>,
}

/// The catalog of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogPart {
    /// Version of its form.
    pub format: u32,
    /// Documents.
    pub documents: u64,
    /// Passages.
    pub chunks: u64,
    /// Characters of the texts.
    pub characters: u64,
}

/// A layer of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerPart {
    /// Name of its plugin.
    pub name: String,
    /// Version of its form, and its model.
    pub index: PortableIndex,
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilePart {
    /// Below the index folder, with `/`.
    pub path: String,
    /// Length.
    pub bytes: u64,
    /// blake3 of its content, as hexadecimal digits.
    pub hash: String,
}

/// A name of a wiki that may be one.
fn name<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<WikiName, D::Error> {
    WikiName::new(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

impl Head {
    /// A head with its digest.
    pub(super) fn new(wiki: WikiName, contents: Contents) -> Result<Self> {
        let digest = contents.digest()?;
        Ok(Self { program: env!("CARGO_PKG_VERSION").to_owned(), wiki, digest, contents })
    }

    /// Bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.contents.files.iter().map(|file| file.bytes).fold(0, u64::saturating_add)
    }

    /// Looks whether an archive of `length` bytes may have this head.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`] where the digest is another one, [`ErrorKind::Invalid`] for what no export writes.
    pub(super) fn check(&self, length: u64) -> Result<()> {
        let Contents { manifest, layers, files, .. } = &self.contents;
        if self.contents.digest()? != self.digest {
            return Err(damaged("its contents are not those of its digest"));
        }
        if files.len() > MOST_FILES {
            return Err(invalid(format!("it holds {} files", files.len())));
        }
        let names: HashSet<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
        if names.len() != layers.len() {
            return Err(invalid("it holds a layer twice"));
        }
        if let Some(file) = files.iter().find(|file| !is_place(&file.path, &names)) {
            return Err(invalid(format!("no file of an index lies at {:?}", shortened(&file.path))));
        }
        if !files.is_sorted_by(|a, b| a.path.to_ascii_lowercase() < b.path.to_ascii_lowercase()) {
            return Err(invalid("its files are not in order, or one of them is there twice"));
        }
        if !files.iter().any(|file| file.path == CATALOG_FILE) {
            return Err(invalid("it holds no catalog"));
        }
        let most = length.saturating_mul(MOST_RATIO).max(ALWAYS);
        if self.bytes() > most {
            let message = format!("{} bytes are to come out of {length}", self.bytes());
            return Err(invalid(message).help("it was made to fill a disk, or by no export"));
        }
        settings::check(manifest)
    }
}

impl Contents {
    /// See [`Head::digest`].
    fn digest(&self) -> Result<String> {
        let json = serde_json::to_vec(self).map_err(|error| {
            Error::new(ErrorKind::Internal, "sum archive", "its contents are none that JSON can tell").caused_by(error)
        })?;
        Ok(blake3::hash(&json).to_hex().to_string())
    }
}

/// Whether a file of an index may lie at `path`: the catalog, or something in the folder of a layer. Names are of letters, digits and a
/// few marks that every system takes for part of a name, so no path leads out of the folder.
fn is_place(path: &str, layers: &HashSet<&str>) -> bool {
    let mut names = path.split('/');
    let is_layers = names.next().is_some_and(|first| layers.contains(first)) && names.next().is_some();
    let is_short = path.len() <= LONGEST_PATH && path.split('/').count() <= DEEPEST;
    (path == CATALOG_FILE || is_layers) && is_short && path.split('/').all(is_name)
}

fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    // Windows takes `a.` for `a`.
    !name.is_empty() && !name.ends_with('.') && name.bytes().all(is_plain)
}

/// What stands in an error of a name that a stranger chose.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

pub(super) fn damaged(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Damaged, OPERATION, format!("the archive is not what was written: {}", what.into()))
        .help("get it again")
}

pub(super) fn invalid(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, OPERATION, format!("the archive is none that may be unpacked: {}", what.into()))
}

pub(super) const OPERATION: &str = "read archive";
