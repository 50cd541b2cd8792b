//! Reading the small text files that people write, manifests and settings; and writing one whole.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use wikirag_core::{Error, ErrorKind, Result};

/// The longest manifest or settings file, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// The text of `path` without a byte order mark, or `None` where there is no such file.
///
/// # Errors
/// [`ErrorKind::Invalid`] where it is longer than [`MAX_BYTES`], no UTF-8 or no file; [`ErrorKind::Io`] where it
/// cannot be read.
pub fn read(path: &Path, operation: &'static str) -> Result<Option<String>> {
    let invalid =
        |message: &'static str| Error::new(ErrorKind::Invalid, operation, message).with("path", path.display());
    let failed = |error: io::Error| {
        Error::new(ErrorKind::Io, operation, "the file cannot be read").with("path", path.display()).caused_by(error)
    };
    // Looked at before it is opened: opening a pipe would wait for a writer.
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(invalid("it is no file")),
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(invalid("it is longer than 1 MiB"));
    }
    let text = String::from_utf8(bytes).map_err(|_| invalid("it is no UTF-8 text"))?;
    Ok(Some(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }))
}

/// Writes the whole file or none of it, in the place of one that may be there.
///
/// # Errors
/// Those of the operating system; what was there is still there then.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let half = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = File::create(&half).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let written = written.and_then(|()| fs::rename(&half, path));
    if written.is_err() {
        // The first error is the one to tell of.
        let _ = fs::remove_file(&half);
    }
    written
}

/// Whether the error says that nothing of that name is there.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_text_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert_eq!(read(&path, "read").unwrap(), None);
        assert_eq!(read(&path.join("below"), "read").unwrap(), None);
        std::fs::write(&path, "\u{feff}x: 1").unwrap();
        assert_eq!(read(&path, "read").unwrap().as_deref(), Some("x: 1"));
        assert_eq!(read(&path.join("below-a-file"), "read").unwrap(), None);
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read(&path, "read").unwrap_err().to_string().contains("UTF-8"));
        std::fs::write(&path, vec![b' '; MAX_BYTES as usize + 1]).unwrap();
        assert!(read(&path, "read").unwrap_err().to_string().contains("1 MiB"));
        assert_eq!(read(folder.path(), "read").unwrap_err().kind(), ErrorKind::Invalid);
    }
}
