//! Reading and writing the page. This is the one place of the program that writes a document.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use wikirag_core::{Error, ErrorKind, Result};

use crate::LocatedWiki;
use crate::manifest::text_file::is_absent;

const OPERATION: &str = "write hot cache";

/// Whether the page of this wiki may be written at all.
pub(super) fn check(wiki: &LocatedWiki) -> Result<()> {
    let Some(source) = &wiki.manifest.source else { return Ok(()) };
    Err(Error::new(ErrorKind::Invalid, OPERATION, "the documents of the wiki lie elsewhere and are only read")
        .with("wiki", &wiki.manifest.name)
        .with("path", source.display())
        .help("leave out --write and save the proposal yourself, or name the folder instead of the wiki"))
}

/// The page that stands, or `None`.
pub(super) fn read(file: &Path) -> Result<Option<String>> {
    let failed = |message: String| Error::new(ErrorKind::Io, "read hot cache", message).with("path", file.display());
    match fs::symlink_metadata(file) {
        Ok(metadata) if metadata.is_file() => {}
        // A link may lead out of the wiki, and what is behind it is not a document of it.
        Ok(_) => return Err(failed("it is no file".to_owned()).help("move it away")),
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error.to_string())),
    }
    let bytes = fs::read(file).map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map(Some).map_err(|_| {
        Error::new(ErrorKind::Invalid, "read hot cache", "it is no UTF-8 text")
            .with("path", file.display())
            .help("save it as UTF-8, or move it away")
    })
}

/// Writes the page beside the one that stands, which was `present`, and puts it in its place: others see the old page or the new
/// one, whenever the program is stopped.
pub(super) fn write(file: &Path, present: Option<&str>, text: &str) -> Result<()> {
    let failed = |error: io::Error| {
        Error::new(ErrorKind::Io, OPERATION, error.to_string())
            .with("path", file.display())
            .help("may you write into the folder? Without --write the proposal is only printed")
    };
    let name = format!(".{}.{}.tmp", crate::drill::HOT_PAGE, std::process::id());
    let half = file.with_file_name(name);
    let written = File::create(&half).and_then(|mut half| {
        half.write_all(text.as_bytes())?;
        if let Ok(metadata) = fs::metadata(file) {
            half.set_permissions(metadata.permissions())?;
        }
        half.sync_all()
    });
    let placed = written.map_err(failed).and_then(|()| {
        if read(file)?.as_deref() != present {
            return Err(Error::new(ErrorKind::Busy, OPERATION, "somebody wrote to it at the same time")
                .with("path", file.display())
                .help("run the command again"));
        }
        fs::rename(&half, file).map_err(failed)
    });
    if placed.is_err() {
        // The first error is the one to tell of.
        let _ = fs::remove_file(&half);
    }
    placed
}
