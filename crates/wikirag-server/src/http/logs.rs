//! The log: one line a request, on stderr.

use std::io;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// How lines of the log are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object a line.
    #[default]
    Json,
    /// For people.
    Text,
}

/// Sends the log of this program to stderr, once in a process; a program that embeds the server has a log of its own.
///
/// Libraries beneath have no say: some of them write out what was sent, and no question may be in the log by accident.
pub fn write_logs(format: LogFormat) {
    let ours = Targets::new().with_target("wikirag_server", LevelFilter::INFO);
    let base = fmt::layer().with_writer(io::stderr).with_ansi(false).with_target(false).log_internal_errors(false);
    let layer: Box<dyn tracing_subscriber::Layer<_> + Send + Sync> = match format {
        LogFormat::Json => Box::new(base.json().flatten_event(true).with_current_span(false).with_span_list(false)),
        LogFormat::Text => Box::new(base),
    };
    // Where somebody has set up a log already, that one is written.
    let _ = tracing_subscriber::registry().with(layer).with(ours).try_init();
}
