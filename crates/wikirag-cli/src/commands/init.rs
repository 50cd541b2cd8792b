//! `wikirag init`

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use wikirag::manifest::yaml::quoted;
use wikirag::manifest::{rag, wiki};
use wikirag::{Error, ErrorKind, Result, WikiName};

use crate::args::Init;
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Init) -> Result<ExitStatus> {
    let (file, text) = if rag::is_rag_path(&args.path) {
        (args.path.clone(), composition(args)?)
    } else if args.wikis.is_empty() {
        (args.path.join(wiki::FILE_NAME), manifest(args)?)
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

/// The line that sets `key` to the level that was asked for. Where none was there is no line: a level that is written down
/// holds in place of that of the wiki around the folder, and a default must not lower that.
fn level(key: &str, args: &Init) -> String {
    args.sensitivity.as_deref().map_or_else(String::new, |level| format!("{key}: {level}\n"))
}

fn manifest(args: &Init) -> Result<String> {
    fs::create_dir_all(&args.path).map_err(|error| failed(&args.path, &error))?;
    let folder = fs::canonicalize(&args.path).map_err(|error| failed(&args.path, &error))?;
    let name = match (&args.name, folder.file_name()) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.to_string_lossy().into_owned(),
        (None, None) => return Err(Error::new(ErrorKind::Usage, "init", "the folder has no name").help("give --name")),
    };
    let name = WikiName::new(&name)?;
    Ok(format!("name: {}\n{}", quoted(name.as_str()), level("sensitivity", args)))
}

fn composition(args: &Init) -> Result<String> {
    if args.wikis.is_empty() {
        let example = format!("wikirag init {} food garden", args.path.display());
        return Err(Error::new(ErrorKind::Usage, "init", "a composition lists at least one wiki").help(example));
    }
    let name = args.name.clone().unwrap_or_else(|| rag::default_name(&args.path));
    let wikis: String = args.wikis.iter().map(|wiki| format!("  - {}\n", quoted(wiki))).collect();
    Ok(format!("name: {}\n{}wikis:\n{wikis}", quoted(&name), level("clearance", args)))
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
