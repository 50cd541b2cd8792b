//! Whether the documents of a wiki are on this machine.

use serde::Deserialize;

/// See [`WikiManifest::documents`](super::WikiManifest::documents).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Documents {
    /// They lie in the folder of the wiki, or in its `source`.
    #[default]
    Present,
    /// The index is all there is. It answers, and no build looks for what is not there.
    Absent,
}
