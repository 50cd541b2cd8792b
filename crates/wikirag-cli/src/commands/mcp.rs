//! `wikirag mcp`

mod clients;
mod edit;
mod install;

use wikirag::Result;
use wikirag_server::http::{LogFormat, write_logs};
use wikirag_server::mcp::{Callers, Server, ToolSet, stdio};
use wikirag_server::service::{Caller, Service};

use super::current_dir;
use crate::args::{Mcp, McpCommand};
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Mcp) -> Result<ExitStatus> {
    if let Some(McpCommand::Install(args)) = &args.command {
        return install::run(session, args);
    }
    let service = Service::new(session.engine()?, &args.targets, current_dir()?)?;
    write_logs(LogFormat::Text);
    stdio(Server::new(service, ToolSet::standard(), Callers::Always(Caller::local())))?;
    Ok(ExitStatus::Fine)
}
