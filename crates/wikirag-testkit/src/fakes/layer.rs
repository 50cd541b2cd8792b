//! A place for an index that goes away with the test.

use std::io;
use std::path::Path;

use tempfile::TempDir;
use wikirag_core::{LayerSetup, PluginSetup, Section, WikiName};

use crate::Outcome;

/// A [`LayerSetup`] in a folder of its own, which is removed on drop.
pub struct TempLayer {
    // Held for its `Drop`.
    _root: TempDir,
    setup: LayerSetup,
}

/// A [`TempLayer`] without settings and in a program without plugins. Its `dir` does not exist yet, as in a new wiki.
///
/// # Errors
/// Where no temporary folder can be made.
pub fn temp_layer() -> Outcome<TempLayer> {
    let root = tempfile::tempdir()?;
    let setup = LayerSetup {
        plugin: PluginSetup { settings: Section::empty(), host: <_>::default() },
        wiki: WikiName::new("test-wiki")?,
        dir: root.path().join("layer"),
        previous: None,
        write_memory: 64 << 20,
        // More than one, so that an index whose answers depend on the threads is seen.
        write_threads: 2,
    };
    Ok(TempLayer { _root: root, setup })
}

impl TempLayer {
    /// What to make the layer with.
    #[must_use]
    pub fn setup(&self) -> &LayerSetup {
        &self.setup
    }

    /// The folder of the layer; it exists once the layer made it.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.setup.dir
    }

    /// The same index in a folder of its own, byte by byte.
    ///
    /// # Errors
    /// Where files cannot be read or written.
    pub fn copy(&self) -> Outcome<Self> {
        let copy = temp_layer()?;
        copy_folder(self.dir(), copy.dir())?;
        Ok(copy)
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
