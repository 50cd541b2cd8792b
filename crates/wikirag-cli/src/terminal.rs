//! What the two output streams can take.

use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// Whether output may be decorated. Data goes to stdout and everything else to stderr, and each is judged by itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    /// Colours and links on stdout.
    pub(crate) out_color: bool,
    /// Colours on stderr.
    pub(crate) err_color: bool,
    /// Progress bars, on stderr.
    pub(crate) progress: bool,
    /// Characters of a line of running text on stdout.
    pub(crate) width: usize,
}

/// The longest line that reads well, and that of output which is no terminal.
const WIDEST: usize = 100;

impl Terminal {
    /// `NO_COLOR`, `CI` and `TERM=dumb` forbid everything that is not asked for by name.
    pub(crate) fn new(color: Color, quiet: bool) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let plain = set("CI") || dumb;
        let allowed = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !plain && !set("NO_COLOR"),
        };
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        Self { out_color: allowed(out), err_color: allowed(err), progress: err && !plain && !quiet, width: width() }
    }
}

fn width() -> usize {
    let columns = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    columns.map_or(WIDEST, |columns| columns.min(WIDEST))
}

/// Styles of the program's output.
pub(crate) mod style {
    use super::{AnsiColor, Style};

    /// Words that match the question.
    pub(crate) const MARK: Style = AnsiColor::Yellow.on_default().bold();
    /// Paths.
    pub(crate) const PATH: Style = AnsiColor::Cyan.on_default();
    /// What matters less.
    pub(crate) const DIM: Style = Style::new().dimmed();
    /// Titles.
    pub(crate) const BOLD: Style = Style::new().bold();
    /// Errors.
    pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
    /// Warnings and hints.
    pub(crate) const HINT: Style = AnsiColor::Yellow.on_default();
}

/// `text` in `style`, where colours are allowed.
pub(crate) fn paint(color: bool, style: Style, text: &str) -> String {
    if color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
