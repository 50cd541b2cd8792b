//! The files below a folder at one moment.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes and time of every file below a folder. Two are equal where nobody wrote in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    folder: PathBuf,
    files: BTreeMap<PathBuf, (SystemTime, Vec<u8>)>,
}

impl Snapshot {
    /// The files below `folder` as they are now; none where there is no such folder.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        collect(folder, folder, &mut files);
        Self { folder: folder.to_owned(), files }
    }

    /// The paths below the folder, sorted.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.files.keys().map(|path| path.to_str().unwrap().to_owned()).collect()
    }

    /// The bytes of one file.
    ///
    /// # Panics
    /// Where there is no such file.
    #[must_use]
    pub fn bytes(&self, path: &str) -> &[u8] {
        &self.files[Path::new(path)].1
    }

    /// The same without the files whose names end so.
    #[must_use]
    pub fn without(mut self, ending: &str) -> Self {
        self.files.retain(|path, _| !path.to_str().unwrap().ends_with(ending));
        self
    }

    /// Makes the folder hold these files and no others.
    pub fn restore(&self) {
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).unwrap();
        }
        for (path, (_, bytes)) in &self.files {
            let path = self.folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, (SystemTime, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            collect(root, &path, files);
        } else {
            let modified = entry.metadata().unwrap().modified().unwrap();
            files.insert(path.strip_prefix(root).unwrap().to_owned(), (modified, fs::read(&path).unwrap()));
        }
    }
}
