//! `wikirag serve`

use std::net::SocketAddr;

use wikirag::Result;
use wikirag_server::access::Tokens;
use wikirag_server::http::{self, Config, write_logs};
use wikirag_server::mcp::ToolSet;
use wikirag_server::service::Service;

use super::current_dir;
use crate::args::{LogFormat, Serve};
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Serve) -> Result<ExitStatus> {
    let config = Config {
        address: SocketAddr::new(args.address, args.port),
        tokens: args.tokens.as_deref().map(Tokens::load).transpose()?,
        is_open_here: args.open_loopback,
        hosts: args.hosts.clone(),
        logs_questions: args.log_questions,
        ..Config::local(args.port)
    };
    let service = Service::new(session.engine()?, &args.targets, current_dir()?)?;
    write_logs(match args.log_format {
        LogFormat::Json => http::LogFormat::Json,
        LogFormat::Text => http::LogFormat::Text,
    });
    // One line, so that whoever started it with port 0 can read where it is.
    http::serve(service, ToolSet::standard(), &config, |address| session.print(&format!("http://{address}\n")))?;
    Ok(ExitStatus::Fine)
}
