//! Folders to archives, and the sums of both.

use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::files;
use crate::tool::Result;

/// The file of sums, in each archive and beside them.
const SUMS: &str = "SHA256SUMS";

/// An archive, and what is in it.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    /// Path inside and size unpacked.
    parts: Vec<(String, u64)>,
}

impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}  {:.1} MB", self.path.display(), megabytes(self.bytes))?;
        // Licences are many and small.
        let (small, large): (Vec<_>, Vec<_>) = self.parts.iter().partition(|(_, bytes)| *bytes < 100_000);
        for (path, bytes) in large {
            writeln!(f, "  {:>7.2} MB  {path}", megabytes(*bytes))?;
        }
        let bytes: u64 = small.iter().map(|(_, bytes)| bytes).sum();
        writeln!(f, "  {:>7.2} MB  {} more files", megabytes(bytes), small.len())
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Writes the sums of `folder` into it, then the folder into the archive `to`. Owners and times are left out, so that
/// equal folders give equal archives.
pub(super) fn pack(folder: &Path, to: &Path) -> Result<Packed> {
    let mut parts = Vec::new();
    let mut sums = String::new();
    files::walk(folder, &|_| true, &mut |path, file| {
        parts.push((path.to_owned(), fs::metadata(file)?.len()));
        sums.push_str(&format!("{}  {path}\n", files::sha256(file)?));
        Ok(())
    })?;
    fs::write(folder.join(SUMS), sums)?;
    let name = folder.file_name().ok_or("a folder without a name")?;
    let mut archive = tar::Builder::new(GzEncoder::new(File::create(to)?, Compression::best()));
    archive.mode(tar::HeaderMode::Deterministic);
    archive.append_dir_all(name, folder)?;
    archive.into_inner()?.finish()?.sync_all()?;
    Ok(Packed { path: to.to_owned(), bytes: fs::metadata(to)?.len(), parts })
}

/// Writes the sums of the archives into the folder they lie in.
pub(super) fn write_sums<'a>(folder: &Path, archives: impl Iterator<Item = &'a Path>) -> Result<()> {
    let mut sums = File::create(folder.join(SUMS))?;
    for archive in archives {
        let name = archive.file_name().unwrap_or_default().to_string_lossy();
        writeln!(sums, "{}  {name}", files::sha256(archive)?)?;
    }
    Ok(())
}
