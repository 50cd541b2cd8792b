//! `wikirag watch`

use futures_lite::future::block_on;
use serde::Serialize;
use serde_json::Value;
use wikirag::standing::{WatchEvent, WatchOptions};
use wikirag::{BuildReport, CancelFlag, Context, Result};

use super::{build, refresh};
use crate::args::Watch;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, json_line};
use crate::runner::Session;

/// One line for programs.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Line<'e> {
    Watching {
        wiki: &'e str,
        documents: String,
    },
    Rebuilt {
        #[serde(flatten)]
        report: &'e BuildReport,
    },
    Failed {
        wiki: &'e str,
        error: Value,
    },
    Unwatched {
        wiki: &'e str,
        error: Value,
    },
    Left {
        wiki: &'e str,
    },
}

pub(super) fn run(session: &Session, args: &Watch) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let targets = refresh::targets(&args.standing)?;
    // No progress bar: what is drawn by one build would stand until the next.
    let context = Context::new();
    stop_on_signal(&context.cancel)?;
    let mut on_event = |event: WatchEvent<'_>| {
        if args.json {
            return session.print(&json_line(&Versioned::first(line(&event)))?);
        }
        match &event {
            WatchEvent::Watching(wiki) => {
                session.tell(&clean(&format!("watching {} in {}", wiki.manifest.name, wiki.root.display())));
            }
            WatchEvent::Rebuilt(report) => {
                build::tell(session, report);
                session.print(&build::summary(report))?;
            }
            WatchEvent::Failed { wiki, error } => session.warn(&clean(&format!("{wiki}: {error}"))),
            WatchEvent::Unwatched { wiki, error } => {
                session.warn(&clean(&format!("{wiki}: looked at every half a minute only: {error}")));
            }
            WatchEvent::Left(wiki) => session.tell(&clean(&format!("watching {} no more", wiki.manifest.name))),
        }
        Ok(())
    };
    block_on(engine.watch(&targets, WatchOptions::default(), &mut on_event, &context))?;
    session.tell("stopped");
    Ok(ExitStatus::Fine)
}

fn line<'e>(event: &WatchEvent<'e>) -> Line<'e> {
    match *event {
        WatchEvent::Watching(wiki) => {
            Line::Watching { wiki: wiki.manifest.name.as_str(), documents: wiki.root.display().to_string() }
        }
        WatchEvent::Rebuilt(report) => Line::Rebuilt { report },
        WatchEvent::Failed { wiki, error } => Line::Failed { wiki, error: refresh::fault(error) },
        WatchEvent::Unwatched { wiki, error } => Line::Unwatched { wiki, error: refresh::fault(error) },
        WatchEvent::Left(wiki) => Line::Left { wiki: wiki.manifest.name.as_str() },
    }
}

/// The first signal stops the watch at its next safe place, the second one the process, as it would without us.
#[cfg(unix)]
fn stop_on_signal(cancel: &CancelFlag) -> Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use wikirag::{Error, ErrorKind};

    let mut signals = Signals::new([SIGINT, SIGTERM])
        .map_err(|error| Error::new(ErrorKind::Io, "watch", "signals cannot be had").caused_by(error))?;
    let cancel = cancel.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if cancel.is_cancelled() {
                // Where that is not allowed there is nothing else to do.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            cancel.cancel();
        }
    });
    Ok(())
}

/// Elsewhere the system ends the process, which is safe at any moment.
#[cfg(not(unix))]
fn stop_on_signal(_: &CancelFlag) -> Result<()> {
    Ok(())
}
