//! The engine for callers that are no shell: programs by HTTP, agents by the Model Context Protocol, people by a page.
//!
//! * [`service`]: what can be asked, by whom. Every way in goes through it, so there is one rule of who sees what;

pub mod service;
