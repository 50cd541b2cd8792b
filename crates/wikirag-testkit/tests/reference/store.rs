//! The one file of the reference layer: a line with length and hash of the body, and the body as JSON.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use serde_json::{Value, json};
use wikirag_core::{ChunkId, Error, ErrorKind, Result};

use super::Fault;

#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    pub(super) catalog: String,
    pub(super) position: u64,
    /// In the order of arrival.
    pub(super) chunks: Vec<Stored>,
    /// Chunks that were removed: only for [`Fault::BuriesForEver`].
    pub(super) graves: Vec<ChunkId>,
}

#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) id: ChunkId,
    pub(super) text: Arc<str>,
    /// The distinct words of the text.
    pub(super) words: Arc<HashSet<String>>,
}

impl Stored {
    pub(super) fn new(id: ChunkId, text: &str) -> Self {
        Self { id, text: text.into(), words: Arc::new(text.split_whitespace().map(str::to_owned).collect()) }
    }
}

impl Index {
    /// What `file` holds, or `None` where there is none.
    pub(super) fn read(file: &Path, fault: Option<Fault>) -> Result<Option<Self>> {
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(Error::new(ErrorKind::Io, "read index", "the file cannot be read").caused_by(error));
            }
        };
        let head_end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..head_end]);
        let body = bytes.get(head_end + 1..).unwrap_or_default();
        let mut parts = head.split(' ').map(|part| part.parse::<u64>().ok());
        let length = parts.next().flatten();
        if length != Some(body.len() as u64) {
            return match fault {
                Some(Fault::TakesShortForEmpty) => Ok(Some(Self::default())),
                Some(Fault::PanicsOnShort) => panic!("the file ends too early"),
                _ => Err(damaged("its length is not what was written")),
            };
        }
        if parts.next().flatten() != Some(hash(body)) && fault != Some(Fault::TrustsItsFile) {
            return Err(damaged("its hash is not what was written"));
        }
        let body = serde_json::from_str(&String::from_utf8_lossy(body)).map_err(|_| damaged("it is no JSON"))?;
        Ok(Some(Self::from_json(&body).ok_or_else(|| damaged("a field is missing"))?))
    }

    /// Writes beside `file` and renames, so that a reader sees the old file or the new one.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let body = self.to_json().to_string();
        let write = || {
            fs::create_dir_all(file.parent().unwrap())?;
            let new = file.with_extension("new");
            fs::write(&new, format!("{} {}\n{body}", body.len(), hash(body.as_bytes())))?;
            fs::rename(new, file)
        };
        write().map_err(|error| Error::new(ErrorKind::Io, "write index", "the file cannot be written").caused_by(error))
    }

    fn to_json(&self) -> Value {
        let chunks: Vec<_> = self.chunks.iter().map(|chunk| json!([chunk.id, &*chunk.text])).collect();
        json!({ "catalog": self.catalog, "position": self.position, "chunks": chunks, "graves": self.graves })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let stored = |value: &Value| Some(Stored::new(ChunkId(value[0].as_u64()?), value[1].as_str()?));
        Some(Self {
            catalog: value["catalog"].as_str()?.to_owned(),
            position: value["position"].as_u64()?,
            chunks: value["chunks"].as_array()?.iter().map(stored).collect::<Option<_>>()?,
            graves: value["graves"].as_array()?.iter().map(|id| id.as_u64().map(ChunkId)).collect::<Option<_>>()?,
        })
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

fn damaged(how: &'static str) -> Error {
    Error::new(ErrorKind::Damaged, "read index", how)
}
