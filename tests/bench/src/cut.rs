//! Folders of real notes, cut into many wikis.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use futures_lite::future::block_on;
use wikirag::locate::{self, Missing};
use wikirag::{BuildOptions, Composition, Context, Engine, Result};

use crate::{failed, wiki};

/// The Markdown and reStructuredText files below each of the folders, sorted by path.
pub(crate) fn notes(folders: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>> {
    folders.iter().map(|folder| notes_of(folder)).collect()
}

fn notes_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut pending, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| failed("read corpus", error))? {
            let entry = entry.map_err(|error| failed("read corpus", error))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| failed("read corpus", error))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                pending.push(path);
            } else if kind.is_file()
                && path.extension().is_some_and(|extension| extension == "md" || extension == "rst")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Cuts what lies below the folders into `count` wikis of about as many notes, none of which holds notes of two folders, and writes
/// them below `to`. Gives their folders. There may be one more or less than asked for.
pub(crate) fn cut(folders: &[PathBuf], count: usize, to: &Path) -> Result<Vec<PathBuf>> {
    let notes = notes(folders)?;
    let all: usize = notes.iter().map(Vec::len).sum();
    let mut wikis = Vec::new();
    for notes in notes.iter().filter(|notes| !notes.is_empty()) {
        let parts = ((count * notes.len() + all / 2) / all).clamp(1, notes.len());
        for part in 0..parts {
            let wiki = to.join(format!("part-{:04}", wikis.len()));
            write_wiki(&notes[notes.len() * part / parts..notes.len() * (part + 1) / parts], &wiki)?;
            wikis.push(wiki);
        }
    }
    Ok(wikis)
}

/// Copies notes into a folder of their own, side by side. What is called `SKILL.md` gets the name of its folder, which says what it is about.
/// Gives their new names.
pub(crate) fn write_wiki(notes: &[PathBuf], folder: &Path) -> Result<Vec<String>> {
    fs::create_dir_all(folder).map_err(|error| failed("write wiki", error))?;
    let (mut taken, mut names) = (HashSet::new(), Vec::new());
    for note in notes {
        let mut name = name_of(note);
        if name == "SKILL.md" {
            name = note.parent().map_or(name, |folder| format!("{}.md", name_of(folder)));
        }
        while !taken.insert(name.to_lowercase()) {
            name.insert_str(0, "again-");
        }
        fs::copy(note, folder.join(&name)).map_err(|error| failed("write wiki", error))?;
        names.push(name);
    }
    Ok(names)
}

/// The last part of a path.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Builds those of the wikis that are not built.
pub(crate) fn build(engine: &Engine, wikis: &[PathBuf]) -> Result<()> {
    for folder in wikis {
        let wiki = wiki(engine, folder)?;
        block_on(engine.build(&wiki, BuildOptions::default(), &Context::new()))?;
    }
    Ok(())
}

/// Writes a composition of wikis that may be anywhere, and loads it.
pub(crate) fn compose<'a>(
    engine: &Engine,
    path: &Path,
    wikis: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<Composition> {
    let mut text = "wikis:\n".to_owned();
    for wiki in wikis {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  - '{}'", wiki.display().to_string().replace('\'', "''"));
    }
    fs::write(path, text).map_err(|error| failed("write composition", error))?;
    load(engine, path)
}

/// Loads a composition.
pub(crate) fn load(engine: &Engine, path: &Path) -> Result<Composition> {
    let folder = path.parent().unwrap_or(Path::new("."));
    locate::composition(&path.to_string_lossy(), folder, engine.settings(), Missing::Refuse)
}
