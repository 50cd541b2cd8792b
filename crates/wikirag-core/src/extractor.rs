//! Entities and relations out of passages.

use async_trait::async_trait;

use crate::{Context, Result};

/// A thing that a passage speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Its name as written.
    pub name: String,
    /// What it is (`person`, `place`, `tool`), or empty.
    pub kind: String,
    /// What the passage says of it.
    pub description: String,
}

/// How two entities of a passage belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Name of the first.
    pub from: String,
    /// Name of the second.
    pub to: String,
    /// What the passage says of the two.
    pub description: String,
}

/// All that was found in one passage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extraction {
    /// Things.
    pub entities: Vec<Entity>,
    /// How they belong together; both ends are among the entities.
    pub relations: Vec<Relation>,
}

/// Finds entities and relations.
#[async_trait]
pub trait Extractor: Send + Sync {
    /// Equal fingerprints give equal extractions; for cache keys.
    fn fingerprint(&self) -> &str;

    /// Looks at one passage.
    ///
    /// # Errors
    /// Where the model fails or its output cannot be understood; the caller counts it.
    async fn extract(&self, passage: &str, context: &Context) -> Result<Extraction>;
}

const _: fn(&dyn Extractor) = |_| {};
