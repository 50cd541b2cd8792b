//! The recipes that are known: those built in, and the user's own files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind as IoKind, Read};
use std::path::{Path, PathBuf};

use wikirag_core::{Error, ErrorKind, Result};

use crate::{Recipe, form};

/// Name and text of each recipe in this program.
const BUILT_IN: &[(&str, &str)] = &[
    ("all-minilm-l6-v2", include_str!("../recipes/all-minilm-l6-v2.toml")),
    ("all-minilm-l6-v2-weight-only", include_str!("../recipes/all-minilm-l6-v2-weight-only.toml")),
];

/// The models that serve where none is named, the best first. The first one is quicker and has to be built; the second
/// one is the same model in a form that can be downloaded.
pub(crate) const DEFAULTS: &[&str] = &["all-minilm-l6-v2", "all-minilm-l6-v2-weight-only"];

/// No recipe is longer, so a file that is was put there by mistake.
const MAX_BYTES: u64 = 1 << 20;

const OPERATION: &str = "read recipe";

/// All recipes, by name. `folder` holds the user's; it need not exist.
pub(crate) fn all(folder: &Path) -> Result<Vec<Recipe>> {
    let mut recipes = BTreeMap::new();
    for name in BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).chain(names_in(folder)?) {
        if !recipes.contains_key(&name) {
            recipes.insert(name.clone(), one(folder, &name)?);
        }
    }
    Ok(recipes.into_values().collect())
}

/// The recipe `name`. Other files of the folder are not read, so a broken one does not stand in its way.
pub(crate) fn one(folder: &Path, name: &str) -> Result<Recipe> {
    if !form::is_name(name) {
        return Err(unknown(folder, name));
    }
    let path = folder.join(format!("{name}.toml"));
    let built_in = BUILT_IN.iter().find(|(known, _)| *known == name);
    match (built_in, read(&path)?) {
        (Some(_), Some(_)) => Err(Error::new(ErrorKind::Invalid, OPERATION, format!("`{name}` is built in as well"))
            .with("path", path.display())
            .help("give the file and its `name` another one")),
        (Some((_, text)), None) => {
            Recipe::parse(text, &path).map_err(|error| Error::new(ErrorKind::Internal, OPERATION, error.to_string()))
        }
        (None, Some(text)) => {
            let recipe = Recipe::parse(&text, &path)?;
            if recipe.name != name {
                let message = format!("`name` is `{}`, which is not that of the file", recipe.name);
                return Err(Error::new(ErrorKind::Invalid, OPERATION, message)
                    .with("path", path.display())
                    .help(format!("call the file {}.toml", recipe.name)));
            }
            Ok(recipe)
        }
        (None, None) => Err(unknown(folder, name)),
    }
}

fn unknown(folder: &Path, name: &str) -> Error {
    let mut known: Vec<String> = BUILT_IN.iter().map(|(known, _)| (*known).to_owned()).collect();
    // The names are a courtesy here; where the folder cannot be read, that error is not the one to tell.
    known.extend(names_in(folder).unwrap_or_default());
    known.sort();
    let message = format!("there is no model `{}`", name.escape_debug());
    let help = format!("there are: {}; one of your own is a file in {}", known.join(", "), folder.display());
    Error::new(ErrorKind::NotFound, "find model", message).help(help)
}

/// Stems of the user's files, in order.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == IoKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = PathBuf::from(entry.map_err(|error| unreadable(folder, &error))?.file_name());
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        match path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| form::is_name(stem)) {
            Some(stem) => names.push(stem.to_owned()),
            None => {
                return Err(Error::new(ErrorKind::Invalid, OPERATION, "the name of the file is no name of a model")
                    .with("path", folder.join(path).display())
                    .help("use lower-case letters, digits, `-`, `_` and `.`"));
            }
        }
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Result<Option<String>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == IoKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(path, &error)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("a recipe has at most {MAX_BYTES} bytes");
        return Err(Error::new(ErrorKind::Invalid, OPERATION, message).with("path", path.display()));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| {
        Error::new(ErrorKind::Invalid, OPERATION, "the file is no text in UTF-8").with("path", path.display())
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, OPERATION, error.to_string()).with("path", path.display())
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
