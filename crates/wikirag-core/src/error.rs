//! One error for the whole engine: what went wrong, where, and how to mend it.

use std::borrow::Cow;
use std::fmt;

/// The result of every fallible call of the engine and its plugins.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of thing went wrong. Callers branch on this, never on the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A word of the caller's is off: an empty question, a limit of zero, an unknown option.
    Usage,
    /// A manifest, a setting or a document does not say what it must.
    Invalid,
    /// Something named does not exist.
    NotFound,
    /// The operating system refused a read or a write.
    Io,
    /// The index of a wiki is not there yet.
    IndexMissing,
    /// An index was made by another version, model or catalog.
    StaleIndex,
    /// A file of an index is not what was written into it.
    Damaged,
    /// Another process holds the wiki's write lock.
    Busy,
    /// The composition does not allow this.
    Refused,
    /// Some of the work was done and some was not; the ledger says which.
    Partial,
    /// The caller asked to stop.
    Cancelled,
    /// The deadline passed.
    TimedOut,
    /// A layer, a model or a service cannot be had now.
    Unavailable,
    /// A promise was broken inside the program: a bug of ours or of a plugin.
    Internal,
}

impl ErrorKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 14] = [
        Self::Usage,
        Self::Invalid,
        Self::NotFound,
        Self::Io,
        Self::IndexMissing,
        Self::StaleIndex,
        Self::Damaged,
        Self::Busy,
        Self::Refused,
        Self::Partial,
        Self::Cancelled,
        Self::TimedOut,
        Self::Unavailable,
        Self::Internal,
    ];

    /// The stable code of this kind, as it stands in JSON output and logs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Invalid => "invalid",
            Self::NotFound => "not-found",
            Self::Io => "io",
            Self::IndexMissing => "index-missing",
            Self::StaleIndex => "stale-index",
            Self::Damaged => "damaged",
            Self::Busy => "busy",
            Self::Refused => "refused",
            Self::Partial => "partial",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed-out",
            Self::Unavailable => "unavailable",
            Self::Internal => "internal",
        }
    }
}

/// Whether the same call may succeed later without anything being mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Trying again changes nothing.
    Permanent,
    /// The cause may pass by itself.
    Temporary,
}

/// An error: kind, retry status, operation, key/value context, remedy and source.
///
/// It is built where the fault is seen and gains context on its way up: a wrapper adds the plugin, the
/// wiki and the path with [`Error::with`], so a message names all of them once.
///
/// ```
/// use wikirag_core::{Error, ErrorKind};
/// let error = Error::new(ErrorKind::Invalid, "read manifest", "`name` is empty")
///     .with("path", "food/.wiki.yaml")
///     .help("give the wiki a name");
/// assert_eq!(error.to_string(), "read manifest: `name` is empty (path: food/.wiki.yaml); give the wiki a name");
/// ```
pub struct Error {
    // Boxed, so that a `Result` on the hot path stays one pointer wide.
    inner: Box<Inner>,
}

struct Inner {
    kind: ErrorKind,
    retry: Retry,
    operation: &'static str,
    message: Cow<'static, str>,
    context: Vec<(&'static str, String)>,
    help: Option<Cow<'static, str>>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// A new, permanent error. `operation` is a verb phrase ("read manifest"), `message` says what is off.
    #[must_use]
    pub fn new(kind: ErrorKind, operation: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        let retry = match kind {
            ErrorKind::Busy | ErrorKind::TimedOut => Retry::Temporary,
            _ => Retry::Permanent,
        };
        Self {
            inner: Box::new(Inner {
                kind,
                retry,
                operation,
                message: message.into(),
                context: Vec::new(),
                help: None,
                source: None,
            }),
        }
    }

    /// Marks the error as one that may pass by itself.
    #[must_use]
    pub fn temporary(mut self) -> Self {
        self.inner.retry = Retry::Temporary;
        self
    }

    /// Adds a fact about the place: the path, the wiki, the plugin. A key that is there already is kept
    /// as it is, since the inner call knows better than the outer one.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        if self.inner.context.iter().all(|(known, _)| *known != key) {
            self.inner.context.push((key, value.to_string()));
        }
        self
    }

    /// Says how to mend it. The first remedy stays.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.inner.help.get_or_insert(help.into());
        self
    }

    /// Keeps the error that caused this one.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.inner.source = Some(source.into());
        self
    }

    /// The kind, for branching.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// Whether trying again may help.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.inner.retry
    }

    /// What was being done.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.inner.operation
    }

    /// What is off, without operation, context and remedy.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// The value of a context key.
    #[must_use]
    pub fn context(&self, key: &str) -> Option<&str> {
        self.inner.context.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str())
    }

    /// The whole error in one line but for the remedy, for places that show the remedy by itself.
    #[must_use]
    pub fn statement(&self) -> String {
        Statement(self).to_string()
    }

    /// The remedy, if one is known.
    #[must_use]
    pub fn remedy(&self) -> Option<&str> {
        self.inner.help.as_deref()
    }
}

/// An error without its remedy.
struct Statement<'a>(&'a Error);

impl fmt::Display for Statement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { operation, message, source, context, .. } = &*self.0.inner;
        write!(f, "{operation}: {message}")?;
        if let Some(source) = source {
            write!(f, ": {source}")?;
        }
        if !context.is_empty() {
            f.write_str(" (")?;
            for (index, (key, value)) in context.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                write!(f, "{comma}{key}: {value}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Statement(self).fmt(f)?;
        match &self.inner.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {self}", self.inner.kind.code())
    }
}

impl std::error::Error for Error {
    // `Display` already prints the source, so a reporter that walks the chain starts below it.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.inner.source.as_ref().and_then(|source| source.source())
    }
}

/// Adds context to the error of a result on its way up.
pub trait ResultExt<T> {
    /// See [`Error::with`].
    ///
    /// # Errors
    /// The same error, with the fact added.
    fn with(self, key: &'static str, value: impl fmt::Display) -> Result<T>;
}

impl<T> ResultExt<T> for Result<T> {
    fn with(self, key: &'static str, value: impl fmt::Display) -> Result<T> {
        self.map_err(|error| error.with(key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_context_and_remedy_stay() {
        let error = Error::new(ErrorKind::Io, "read file", "no such file")
            .with("path", "inner.md")
            .help("inner remedy")
            .with("path", "outer.md")
            .with("wiki", "food")
            .help("outer remedy");
        assert_eq!(error.context("path"), Some("inner.md"));
        assert_eq!(error.to_string(), "read file: no such file (path: inner.md, wiki: food); inner remedy");
    }

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<_> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ErrorKind::ALL.len());
    }

    #[test]
    fn a_result_of_nothing_stays_one_pointer_wide() {
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }
}
