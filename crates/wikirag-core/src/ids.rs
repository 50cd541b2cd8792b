//! Typed ids: a chunk id is never taken for a document id, nor a wiki's place in a list for its name.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind, Result};

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// A document of one wiki. Kept across edits for as long as its path stays the same.
    DocId(u64)
}
number! {
    /// A chunk of one wiki. Derived from the path of its document, its text and how often that text came before
    /// in the document, so the same folder gives the same ids on every machine, whatever was edited before.
    /// Below 2^63, so that SQLite can keep it as a row id.
    ChunkId(u64)
}
number! {
    /// How many builds have changed the catalog. 0 means that nothing was ever built.
    Generation(u64)
}
number! {
    /// A place in the change feed of one catalog. 0 lies before the first change.
    FeedPosition(u64)
}
number! {
    /// The place of a wiki in the composition that is being searched, from 0.
    WikiSlot(u32)
}

/// Which catalog a layer followed. A catalog made anew has another id, so a layer that followed the old
/// one sees that its positions mean nothing any more.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CatalogId(pub String);

impl fmt::Display for CatalogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The name of a wiki: what a composition lists and what a citation begins with.
///
/// Not empty, at most 128 bytes, no control character and none of `/ \ : * ? " < > |`, and neither `.` nor
/// `..`: a name can be a folder name on every system and can never be taken for a path or a pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct WikiName(Arc<str>);

impl WikiName {
    /// The longest name, in bytes.
    pub const MAX_BYTES: usize = 128;

    /// Checks and takes a name. White space around it is not part of it.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the rule that was broken.
    pub fn new(name: &str) -> Result<Self> {
        let name = name.trim();
        let fault = if name.is_empty() {
            Some("it is empty".to_owned())
        } else if name.len() > Self::MAX_BYTES {
            Some(format!("it has {} bytes, {} are allowed", name.len(), Self::MAX_BYTES))
        } else if name == "." || name == ".." {
            Some("it is a path".to_owned())
        } else {
            name.chars().find(|c| c.is_control() || r#"/\:*?"<>|"#.contains(*c)).map(|c| format!("it holds {c:?}"))
        };
        match fault {
            None => Ok(Self(name.into())),
            Some(fault) => {
                Err(Error::new(ErrorKind::Invalid, "take wiki name", format!("{name:?} is no wiki name: {fault}")))
            }
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WikiName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for good in ["food", "Rust book", "日本語", "a.b", " padded "] {
            assert!(WikiName::new(good).is_ok(), "{good:?}");
        }
        let long = "x".repeat(129);
        for bad in ["", "  ", "a/b", "..", ".", "*", "a\nb", "c:\\x", long.as_str()] {
            assert_eq!(WikiName::new(bad).unwrap_err().kind(), ErrorKind::Invalid, "{bad:?}");
        }
    }
}
