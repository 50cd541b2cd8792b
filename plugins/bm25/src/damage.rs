//! What tantivy reports, in our words.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenReadError, OpenWriteError};
use wikirag_core::{Error, ErrorKind, Result};

/// How to mend an index that cannot be read.
const REBUILD: &str = "run `wikirag build --full`";

/// Runs `work`, which reads or writes an index, and says it in our words when tantivy panics.
///
/// tantivy checks the ends of its files when it opens them and trusts their insides after that: a page that a disk has
/// lost makes it index out of bounds or unwrap a failed decoding. Nothing of the state that `work` touches outlives
/// such a panic, so it is safe to go on.
pub(crate) fn guarded<T>(operation: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(damaged(operation, format!("the index cannot be read: {}", panic_text(&*panic)))))
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("tantivy stopped without a word")
}

/// An error of the kind `Damaged`, with its remedy.
pub(crate) fn damaged(operation: &'static str, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Damaged, operation, message.into()).help(REBUILD)
}

/// An error of the kind `StaleIndex`, with its remedy.
pub(crate) fn stale(operation: &'static str, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::StaleIndex, operation, message.into()).help(REBUILD)
}

/// An error of the operating system at `path`.
pub(crate) fn io_error(operation: &'static str, error: io::Error, path: &Path) -> Error {
    let kind = if tells_of_damage(&error) { ErrorKind::Damaged } else { ErrorKind::Io };
    let error = Error::new(kind, operation, error.to_string()).with("path", path.display());
    if kind == ErrorKind::Damaged { error.help(REBUILD) } else { error }
}

/// tantivy reports a file with a wrong end as one of these.
fn tells_of_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// Makes our error of one of tantivy's, met in the index at `dir`.
pub(crate) fn translate(operation: &'static str, error: TantivyError, dir: &Path) -> Error {
    match error {
        TantivyError::OpenReadError(OpenReadError::IoError { io_error: error, filepath }) => {
            io_error(operation, io::Error::new(error.kind(), error.to_string()), &filepath)
        }
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(path)) => {
            damaged(operation, "a file of the index is not there").with("path", path.display())
        }
        TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: error, filepath }) => {
            io_error(operation, io::Error::new(error.kind(), error.to_string()), &filepath)
        }
        TantivyError::IoError(error) => io_error(operation, io::Error::new(error.kind(), error.to_string()), dir),
        TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(_)) | TantivyError::IncompatibleIndex(_) => {
            stale(operation, "the index was written by another version of tantivy").with("path", dir.display())
        }
        TantivyError::LockFailure(LockError::LockBusy, _) => {
            Error::new(ErrorKind::Busy, operation, "another process writes to the index").with("path", dir.display())
        }
        TantivyError::LockFailure(LockError::IoError(error), _) => {
            io_error(operation, io::Error::new(error.kind(), error.to_string()), dir)
        }
        TantivyError::ErrorInThread(_) | TantivyError::SystemError(_) | TantivyError::Poisoned => {
            Error::new(ErrorKind::Internal, operation, error.to_string()).with("path", dir.display())
        }
        other => damaged(operation, other.to_string()).with("path", dir.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let error = guarded::<()>("search", || {
            let empty: &[u8] = &[];
            let _ = empty[std::hint::black_box(3)];
            Ok(())
        })
        .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged);
        assert!(error.to_string().contains("--full"), "{error}");
    }

    #[test]
    fn a_refusal_of_the_system_is_no_damage() {
        let dir = Path::new("x");
        let denied = TantivyError::from(io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(translate("open", denied, dir).kind(), ErrorKind::Io);
        let cut = TantivyError::from(io::Error::from(io::ErrorKind::UnexpectedEof));
        assert_eq!(translate("open", cut, dir).kind(), ErrorKind::Damaged);
    }
}
