//! The files of the page, as they are in the program.

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct File {
    /// Its name below `/page/`.
    pub(super) name: &'static str,
    /// What it holds.
    pub(super) bytes: &'static [u8],
}

impl File {
    /// By the end of its name; all text is UTF-8.
    pub(super) fn content_type(&self) -> &'static str {
        match self.name.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml",
            _ => "application/octet-stream",
        }
    }
}

/// Names each file once.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(File { name: $name, bytes: include_bytes!(concat!("files/", $name)) }),*]
    };
}

/// The page itself, which is at `/`.
pub(super) const INDEX: &str = "index.html";

/// All files.
pub(super) const FILES: &[File] = files![
    "answer.js",
    "api.js",
    "app.js",
    "ask.js",
    "badges.js",
    "citation.js",
    "conflict.js",
    "document.js",
    "dom.js",
    "explain.js",
    "filters.js",
    "gaps.js",
    "graph.js",
    "help.js",
    "icon.svg",
    "index.html",
    "keys.js",
    "latest.js",
    "layout.js",
    "markdown.js",
    "marks.js",
    "notice.js",
    "reader.js",
    "result.js",
    "search.js",
    "sources.js",
    "sse.js",
    "state.js",
    "style.css",
    "theme.js",
    "token.js",
    "wikis.js",
];
