//! What a link means.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// What a link or a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// One page.
    Page {
        /// Its index in [`Pages`](crate::Pages).
        page: usize,
        /// What it was found by.
        by: By,
        /// The place in it. Whether it is there only its text tells, see [`has_anchor`](crate::has_anchor).
        anchor: Option<Anchor>,
    },
    /// A file that is no page, by its path below the root.
    File(String),
    /// Several pages, and nothing says which.
    Ambiguous {
        /// At least two.
        pages: Several,
        /// What they were found by.
        by: By,
        /// The place in the page that is meant.
        anchor: Option<Anchor>,
    },
    /// Several files that are no pages, and nothing says which: their paths, in order. At least two.
    AmbiguousFile(Vec<String>),
    /// Nothing.
    Missing,
}

impl Resolution {
    /// The pages that may be meant, in the order of their paths: none, one, or several.
    #[must_use]
    pub fn pages(&self) -> &[usize] {
        match self {
            Self::Page { page, .. } => std::slice::from_ref(page),
            Self::Ambiguous { pages, .. } => pages,
            Self::File(_) | Self::AmbiguousFile(_) | Self::Missing => &[],
        }
    }
}

/// Indices in [`Pages`](crate::Pages), in the order of the paths.
///
/// Links to one name share them: a clone copies none, so ten thousand links to a name that ten thousand pages bear fit into
/// memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Several(Arc<[usize]>);

impl From<Vec<usize>> for Several {
    fn from(indices: Vec<usize>) -> Self {
        Self(indices.into())
    }
}

impl Deref for Several {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl IntoIterator for Several {
    type Item = usize;
    type IntoIter = std::vec::IntoIter<usize>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::from(&*self.0).into_iter()
    }
}

/// What a page was found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// Its path, whole or from some folder on; also by a link to the page on which it stands.
    Path,
    /// The name of its file.
    Name,
    /// An alias.
    Alias,
    /// Its title.
    Title,
}

/// A place in a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// A heading, after headings above it: `#A#B`. At least one, none empty.
    Heading(Vec<String>),
    /// A block: `#^id`, here without the mark.
    Block(String),
}

impl Anchor {
    /// Reads what follows the first `#` of a target; `None` where nothing does.
    pub(crate) fn parse(fragment: &str) -> Option<Self> {
        let parts: Vec<&str> = fragment.split('#').map(str::trim).filter(|part| !part.is_empty()).collect();
        match parts.last()?.strip_prefix('^') {
            // A block has one name in its page, so headings before it say nothing.
            Some(id) => (!id.is_empty()).then(|| Self::Block(id.to_owned())),
            None => Some(Self::Heading(parts.into_iter().map(str::to_owned).collect())),
        }
    }
}

/// As it is written in a link, from the `#` on.
impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Heading(parts) => parts.iter().try_for_each(|part| write!(f, "#{part}")),
            Self::Block(id) => write!(f, "#^{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read_and_written() {
        let heading = |parts: &[&str]| Some(Anchor::Heading(parts.iter().map(|&part| part.to_owned()).collect()));
        for (fragment, anchor, written) in [
            ("A", heading(&["A"]), "#A"),
            (" A # B ", heading(&["A", "B"]), "#A#B"),
            ("#A##B", heading(&["A", "B"]), "#A#B"),
            ("^x-1", Some(Anchor::Block("x-1".into())), "#^x-1"),
            ("A#^x", Some(Anchor::Block("x".into())), "#^x"),
            ("", None, ""),
            (" # ", None, ""),
            ("^", None, ""),
        ] {
            let read = Anchor::parse(fragment);
            assert_eq!(read, anchor, "{fragment:?}");
            assert_eq!(read.map_or_else(String::new, |anchor| anchor.to_string()), written);
        }
    }
}
