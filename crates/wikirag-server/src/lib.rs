//! The engine for callers that are no shell: programs by HTTP, agents by the Model Context Protocol, people by a page.
//!
//! * [`page`]: the page for people, at `/`;
//! * [`service`]: what can be asked, by whom. Every way in goes through it, so there is one rule of who sees what;
//! * [`access`]: who may come in by HTTP: names of the server, tokens, rates;
//! * [`http`]: programs and the page;
//! * [`mcp`]: agents by the Model Context Protocol, over stdin and stdout or HTTP.

pub mod access;
pub mod http;
pub mod mcp;
pub mod page;
pub mod service;
