//! Walking and copying folders.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::tool::Result;

/// Calls `visit` with each file below `root` and its path there, with `/`, in order of names. Folders for which `enter`
/// says no are left out. Symbolic links are not followed.
pub(crate) fn walk(
    root: &Path,
    enter: &dyn Fn(&str) -> bool,
    visit: &mut dyn FnMut(&str, &Path) -> Result<()>,
) -> Result<()> {
    walk_below(root, "", enter, visit)
}

fn walk_below(
    folder: &Path,
    prefix: &str,
    enter: &dyn Fn(&str) -> bool,
    visit: &mut dyn FnMut(&str, &Path) -> Result<()>,
) -> Result<()> {
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() && enter(&path) {
            walk_below(&entry.path(), &format!("{path}/"), enter, visit)?;
        } else if kind.is_file() {
            visit(&path, &entry.path())?;
        }
    }
    Ok(())
}

/// Copies the files below `from` into `to`, which is emptied first, leaving out folders for which `enter` says no.
pub(crate) fn copy(from: &Path, to: &Path, enter: &dyn Fn(&str) -> bool) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    walk(from, enter, &mut |path, file| {
        let target = to.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(file, &target).map_err(|error| format!("{path}: {error}"))?;
        Ok(())
    })
}

/// The SHA-256 of a file in hexadecimal digits.
pub(crate) fn sha256(path: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut copy = || -> io::Result<()> {
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 1 << 18];
        loop {
            match io::Read::read(&mut file, &mut buffer)? {
                0 => return Ok(()),
                count => hasher.update(&buffer[..count]),
            }
        }
    };
    copy().map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a folder of the workspace holds sources rather than something made from them.
pub(crate) fn is_source_folder(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, ".ci" | ".cargo" | ".config" | ".github") || !(name.starts_with('.') || path == "target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_folders_are_no_sources() {
        assert!(is_source_folder("crates/wikirag"));
        assert!(is_source_folder(".ci"));
        assert!(is_source_folder("plugins/target"));
        assert!(!is_source_folder("target"));
        assert!(!is_source_folder(".git"));
        assert!(!is_source_folder("examples/food/.index"));
    }
}
