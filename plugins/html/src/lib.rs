//! Plugin `html`: a reader of web pages.
//!
//! A page goes through four steps, each in a module of its own:
//!
//! 1. `tree`: the tokens of the page, nested as a browser would nest them, in one flat list;
//! 2. `measure`: how much text, how many links, headings and tables lie below each element;
//! 3. `noise`: which elements are no part of what the page says: menus, banners, hidden parts;
//! 4. `render`: the rest as text with blocks, links and the lines of the file it comes from, by way of `flow`.
//!
//! No step recurses and none looks at a part of the page more than a fixed number of times, so neither a hundred thousand
//! nested elements nor a megabyte of broken tags does harm.

mod charset;
mod elements;
mod flow;
mod links;
mod measure;
mod meta;
mod noise;
mod reader;
mod render;
mod tag;
mod tokens;
mod tree;

use wikirag_core::{Capability, Plugin};

pub use reader::HtmlReader;

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "html",
    version: env!("CARGO_PKG_VERSION"),
    summary: "reads HTML and XHTML: headings, text, lists, tables and code, without menus and other chrome",
    personal: &[],
    provides: &[Capability::Reader { format: 1, make: |setup| Ok(Box::new(HtmlReader::new(&setup.settings)?)) }],
};

wikirag_core::submit!(PLUGIN);
