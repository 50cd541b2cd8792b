//! A file on its way to its place.

use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use wikirag_core::{Context, Error, ErrorKind, Result, Step};

use super::{Attempt, OPERATION, Wanted};
use crate::FileSpec;
use crate::temporary::temporary_file;
use crate::verified::hex;

/// Takes the bytes of a file, beside the place it is for, and lets nothing else than that file get there.
///
/// What goes wrong here is of two kinds: the bytes are not the right ones (the source's fault, another may do better), or
/// they cannot be written ([`Sink::take_failure`]; no source would help).
pub(super) struct Sink<'a> {
    file: NamedTempFile,
    target: &'a Path,
    spec: &'a FileSpec,
    context: &'a Context,
    hasher: Sha256,
    written: u64,
    failure: Option<Error>,
}

impl<'a> Sink<'a> {
    pub(super) fn new(wanted: &'a Wanted<'_>, context: &'a Context) -> Result<Self> {
        let folder = wanted.target.parent().unwrap_or(Path::new("."));
        let file = std::fs::create_dir_all(folder)
            .and_then(|()| temporary_file(folder))
            .map_err(|error| local(folder, &error))?;
        Ok(Self {
            file,
            target: &wanted.target,
            spec: wanted.file,
            context,
            hasher: Sha256::new(),
            written: 0,
            failure: None,
        })
    }

    /// What went wrong on this side.
    pub(super) fn take_failure(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Whether all bytes came, and the right ones.
    pub(super) fn verify(&mut self) -> Attempt<()> {
        if self.written != self.spec.bytes {
            return Err(format!("it ended after {} of {} bytes", self.written, self.spec.bytes));
        }
        let found = hex(&self.hasher.finalize_reset());
        if found != self.spec.sha256 {
            return Err(format!("its SHA-256 is {found} and must be {}", self.spec.sha256));
        }
        Ok(())
    }

    /// Puts the file in its place, whole and on disk.
    pub(super) fn place(self) -> Result<()> {
        let Self { file, target, .. } = self;
        file.as_file().sync_all().map_err(|error| local(target, &error))?;
        file.persist(target).map_err(|error| local(target, &error.error))?;
        #[cfg(unix)]
        if let Some(folder) = target.parent() {
            // The name is kept by the folder. Some file systems sync no folders; the file itself is safe by now.
            let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }

    fn fail(&mut self, error: Error) -> io::Error {
        let short = io::Error::other(error.message().to_owned());
        self.failure.get_or_insert(error);
        short
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.context.check(OPERATION) {
            return Err(self.fail(error));
        }
        if self.written.saturating_add(bytes.len() as u64) > self.spec.bytes {
            let message = format!("it is longer than {} bytes", self.spec.bytes);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let count = match self.file.write(bytes) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                let error = local(self.target, &error);
                return Err(self.fail(error));
            }
        };
        self.hasher.update(&bytes[..count]);
        self.written += count as u64;
        let step = Step { stage: &self.spec.name, done: self.written, total: Some(self.spec.bytes) };
        self.context.progress.report(step);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn local(path: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, OPERATION, error.to_string())
        .with("path", path.display())
        .help("the data folder must be writable and have room; the setting `data_dir` moves it")
}
