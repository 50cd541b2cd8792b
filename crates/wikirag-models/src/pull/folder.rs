//! Files out of a folder.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use wikirag_core::{Context, Error, ErrorKind, Result};

use super::{OPERATION, Pulled, Sink, Wanted};
use crate::{FileSpec, Recipe, RuntimeRecipe, SourceSpec};

/// Where a file of a model may lie in a folder.
pub(super) fn places_of_model(recipe: &Recipe, file: &FileSpec) -> Vec<PathBuf> {
    let in_own = Path::new(&recipe.name).join(&file.name);
    vec![Path::new("models").join(&in_own), in_own, PathBuf::from(&file.name)]
}

/// Where the library may lie in a folder; also under the name that its makers give it.
pub(super) fn places_of_library(recipe: &RuntimeRecipe, file: &FileSpec) -> Vec<PathBuf> {
    let name = Path::new(&file.name);
    let mut places = vec![Path::new("runtime").join(&recipe.version).join(name), Path::new("lib").join(name)];
    places.push(name.to_owned());
    let members = file.sources.iter().filter_map(|source| match source {
        SourceSpec::Package { member, .. } => Path::new(member).file_name(),
        _ => None,
    });
    places.extend(members.map(PathBuf::from).filter(|member| member != name));
    places
}

/// Copies the file out of `folder`: the first of its places at which there is one.
pub(super) fn get(folder: &Path, wanted: &Wanted<'_>, context: &Context) -> Result<Pulled> {
    if !folder.is_dir() {
        let error = Error::new(ErrorKind::NotFound, OPERATION, "there is no such folder");
        return Err(error.with("path", folder.display()).help("name the folder that the files lie in"));
    }
    let Some(path) = wanted.places.iter().map(|place| folder.join(place)).find(|path| path.is_file()) else {
        let message = format!("there is no `{}` in the folder", wanted.file.name);
        return Err(Error::new(ErrorKind::NotFound, OPERATION, message).with("path", folder.display()));
    };
    let mut sink = Sink::new(wanted, context)?;
    let copied = File::open(&path).and_then(|mut file| io::copy(&mut file, &mut sink));
    sink.take_failure()?;
    let cause = match copied {
        Ok(_) => sink.verify().err().map(|message| (ErrorKind::Damaged, message)),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Some((ErrorKind::Damaged, error.to_string())),
        Err(error) => Some((ErrorKind::Io, error.to_string())),
    };
    if let Some((kind, message)) = cause {
        let help = "it is not the file of this recipe, or only a part of it; get it again where it came from";
        return Err(Error::new(kind, OPERATION, message).with("path", path.display()).help(help));
    }
    sink.place()?;
    Ok(Pulled { path: wanted.target.clone(), source: path.display().to_string() })
}
