//! Agents by the Model Context Protocol.
//!
//! * [`ToolSet`]: the tools, by name, in the order in which they were added; a program adds its own with [`ToolSet::add`];
//! * [`Server`]: tools, documents as resources, prompts and completion, for whoever calls;
//! * [`stdio`]: one client at the other end of stdin and stdout;
//! * [`routes`]: many clients by HTTP.
//!
//! Nothing here decides who may see what: that is [`Service`](crate::service::Service) alone.

pub(crate) mod arguments;
mod complete;
mod http;
mod progress;
mod prompts;
mod resources;
mod run;
pub(crate) mod schema;
mod server;
mod stdio;
mod tools;
mod toolset;
mod uri;

#[cfg(test)]
mod tests;

pub use http::routes;
pub use server::{Callers, Server};
pub use stdio::{Ended, stdio};
pub use toolset::{Call, Tool, ToolSet};
