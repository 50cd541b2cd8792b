//! What a tap may cost.

use std::time::Duration;

use wikirag_core::{Error, ErrorKind, Result};

/// What the clone of one tap may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time for one tap, from the first question to its remote to the last file written. Default: ten minutes.
    pub time: Duration,
    /// Bytes that git may fetch, and bytes that the files of the commit may have. Default: 2 GB.
    pub bytes: u64,
    /// Files that the commit may hold. Default: 200,000.
    pub files: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(600), bytes: 2_000_000_000, files: 200_000 }
    }
}

impl Limits {
    /// # Errors
    /// [`ErrorKind::Invalid`] where these are more bytes than allowed.
    pub(crate) fn check_bytes(&self, bytes: u64) -> Result<()> {
        if bytes <= self.bytes {
            return Ok(());
        }
        let message = format!("the repository holds more than {} MB", self.bytes / 1_000_000);
        Err(Error::new(ErrorKind::Invalid, "take commit", message).help("give another number with `--max-mb`"))
    }
}
