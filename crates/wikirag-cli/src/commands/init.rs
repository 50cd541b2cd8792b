//! `wikirag init`

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use wikirag::manifest::{rag, wiki};
use wikirag::{Error, ErrorKind, Result, WikiName};

use crate::args::Init;
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Init) -> Result<ExitStatus> {
    let level = args.sensitivity.as_deref().unwrap_or("internal");
    let (file, text) = if rag::is_rag_path(&args.path) {
        (args.path.clone(), composition(args, level)?)
    } else if args.wikis.is_empty() {
        (args.path.join(wiki::FILE_NAME), manifest(args, level)?)
    } else {
        let message = format!("wikis are listed by a composition, and `{}` is none", args.path.display());
        return Err(Error::new(ErrorKind::Usage, "init", message).help(format!(
            "name it `{}{}`",
            args.path.display(),
            rag::FILE_ENDING
        )));
    };
    write_new(&file, &text)?;
    session.print(&format!("wrote {}\n", file.display()))?;
    Ok(ExitStatus::Fine)
}

/// A string that YAML reads as that string, whatever is in it: JSON strings are YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn manifest(args: &Init, level: &str) -> Result<String> {
    fs::create_dir_all(&args.path).map_err(|error| failed(&args.path, &error))?;
    let folder = fs::canonicalize(&args.path).map_err(|error| failed(&args.path, &error))?;
    let name = match (&args.name, folder.file_name()) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.to_string_lossy().into_owned(),
        (None, None) => return Err(Error::new(ErrorKind::Usage, "init", "the folder has no name").help("give --name")),
    };
    let name = WikiName::new(&name)?;
    Ok(format!("name: {}\nsensitivity: {level}\n", quoted(name.as_str())))
}

fn composition(args: &Init, level: &str) -> Result<String> {
    if args.wikis.is_empty() {
        let example = format!("wikirag init {} food garden", args.path.display());
        return Err(Error::new(ErrorKind::Usage, "init", "a composition lists at least one wiki").help(example));
    }
    let file = args.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = file.strip_suffix(rag::FILE_ENDING).unwrap_or(&file);
    let name = args.name.as_deref().unwrap_or(stem);
    let wikis: String = args.wikis.iter().map(|wiki| format!("  - {}\n", quoted(wiki))).collect();
    Ok(format!("name: {}\nclearance: {level}\nwikis:\n{wikis}", quoted(name)))
}

/// Never writes over what is there.
fn write_new(file: &Path, text: &str) -> Result<()> {
    let opened = OpenOptions::new().write(true).create_new(true).open(file);
    opened.and_then(|mut out| out.write_all(text.as_bytes())).map_err(|error| {
        let error = failed(&PathBuf::from(file), &error);
        if file.exists() { error.help("it is there already; edit it") } else { error }
    })
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, "write manifest", error.to_string()).with("path", path.display())
}
