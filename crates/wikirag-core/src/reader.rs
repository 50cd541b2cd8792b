//! File bytes in, text and structure out.

use crate::{DocumentText, Result};

/// One file of a wiki, as the reader gets it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Path below the root of the wiki, with `/`. For messages and for the choice of a dialect, not for opening.
    pub path: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
}

/// Reads one family of file formats. Pure: the same bytes give the same document.
///
/// Promises, of which the engine checks the first two after each call and the conformance suite all:
/// * every span lies in the text and cuts no character;
/// * blocks are in order and do not overlap;
/// * every word of the text lies in a block.
pub trait Reader: Send + Sync {
    /// File name endings it reads, lower case, without the dot.
    fn extensions(&self) -> &[&'static str];

    /// Reads one file. Oddities are warnings of the document; an error means that the file cannot be used at all.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) with the reason and, where there is one, the remedy.
    fn read(&self, source: Source<'_>) -> Result<DocumentText>;
}

const _: fn(&dyn Reader) = |_| {};
