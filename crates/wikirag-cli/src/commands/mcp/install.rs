//! `wikirag mcp install`

use std::fs::{self, File};
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use similar::TextDiff;
use wikirag::{Error, ErrorKind, Result};
use wikirag_server::service::Service;

use super::super::current_dir;
use super::clients::{self, Folders};
use super::edit::{self, Launch};
use crate::args::McpInstall;
use crate::exit::ExitStatus;
use crate::output::plain;
use crate::runner::Session;

const OPERATION: &str = "install server";

pub(super) fn run(session: &Session, args: &McpInstall) -> Result<ExitStatus> {
    let cwd = current_dir()?;
    // What cannot be served is told now, and not by a client that shows nothing.
    Service::new(session.engine()?, &args.targets, cwd.clone())?;
    let file = file(args, &cwd)?;
    let shown = file.display();
    let before = read(&file)?;
    let text = before.as_deref().unwrap_or_default();
    let after =
        edit::with_server(text, clients::form(args.client), &args.name, &launch(args, &cwd)?).map_err(|fault| {
            Error::new(ErrorKind::Invalid, OPERATION, format!("the configuration cannot be read: {fault}"))
                .with("path", &shown)
                .help("mend it there first; nothing was written")
        })?;
    if text == after {
        session.tell(&format!("{shown} needs no change"));
        return Ok(ExitStatus::Fine);
    }
    let old = if before.is_some() { shown.to_string() } else { "/dev/null".to_owned() };
    let diff = TextDiff::from_lines(text, &after).unified_diff().header(&old, &shown.to_string()).to_string();
    session.print(&plain(&diff))?;
    if args.dry_run {
        return Ok(ExitStatus::Fine);
    }
    if !args.yes && !agreed(&file)? {
        session.tell("nothing was written");
        return Ok(ExitStatus::Fine);
    }
    write(&file, before.as_deref(), &after)?;
    session.tell(&format!("wrote {shown}; restart the client if it does not see the server"));
    Ok(ExitStatus::Fine)
}

/// The file to write; what a link points to, so that the link stays.
fn file(args: &McpInstall, cwd: &Path) -> Result<PathBuf> {
    let file = if args.project {
        clients::of_project(args.client, cwd).ok_or_else(|| {
            Error::new(ErrorKind::Usage, OPERATION, "this client has no configuration of a project")
                .help("leave out --project to write that of the user")
        })?
    } else {
        let folders = Folders::of_process().ok_or_else(|| {
            Error::new(ErrorKind::Io, OPERATION, "the home folder is not known").help("set HOME, or give --project")
        })?;
        folders.of_user(args.client)
    };
    Ok(fs::canonicalize(&file).unwrap_or(file))
}

/// This program, on what was named. Clients start it from anywhere, so paths are made absolute; names of wikis stay.
fn launch(args: &McpInstall, cwd: &Path) -> Result<Launch> {
    let text = |path: PathBuf| {
        path.into_os_string().into_string().map_err(|path| {
            Error::new(ErrorKind::Invalid, OPERATION, "the path is no UTF-8 text").with("path", path.display())
        })
    };
    let program = std::env::current_exe().map_err(|error| {
        Error::new(ErrorKind::Io, OPERATION, format!("where this program lies is not known: {error}"))
    })?;
    // Linux gives a program that was replaced a name that leads nowhere.
    if !program.exists() {
        let error = Error::new(ErrorKind::Busy, OPERATION, "this program was replaced while it ran");
        return Err(error.with("path", program.display()).help("run the command again"));
    }
    let mut launch = Launch { command: text(program)?, args: vec!["mcp".to_owned()] };
    for target in &args.targets {
        let path = cwd.join(target);
        launch.args.push(if path.exists() { text(fs::canonicalize(&path).unwrap_or(path))? } else { target.clone() });
    }
    Ok(launch)
}

fn read(file: &Path) -> Result<Option<String>> {
    match fs::read(file) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| {
            Error::new(ErrorKind::Invalid, OPERATION, "the configuration is no UTF-8 text").with("path", file.display())
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(file, &error)),
    }
}

fn failed(file: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, OPERATION, error.to_string()).with("path", file.display())
}

fn agreed(file: &Path) -> Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Error::new(ErrorKind::Usage, OPERATION, "nobody is there to agree; nothing was written")
            .help("give --yes to write it, or --dry-run to see it only"));
    }
    let mut answer = String::new();
    let asked = write!(io::stderr().lock(), "Write this to {}? [y/N] ", file.display());
    asked.and_then(|()| io::stdin().lock().read_line(&mut answer)).map_err(|error| failed(file, &error))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Writes beside the file and puts that in its place: a client sees the old text or the new one.
fn write(file: &Path, before: Option<&str>, after: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| failed(file, &error))?;
    }
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let half = file.with_file_name(name);
    let placed = save(&half, file, after).map_err(|error| failed(file, &error)).and_then(|()| {
        if read(file)?.as_deref() != before {
            return Err(Error::new(ErrorKind::Busy, OPERATION, "somebody wrote to it at the same time")
                .with("path", file.display())
                .help("run the command again"));
        }
        fs::rename(&half, file).map_err(|error| failed(file, &error))
    });
    if placed.is_err() {
        // The first error is the one to tell of.
        let _ = fs::remove_file(&half);
    }
    placed
}

/// With the permissions of the file that it is to replace: there may be keys in it. A new one is for its owner alone.
fn save(half: &Path, file: &Path, text: &str) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut half = options.open(half)?;
    half.write_all(text.as_bytes())?;
    if let Ok(metadata) = fs::metadata(file) {
        half.set_permissions(metadata.permissions())?;
    }
    half.sync_all()
}
