//! Programs and pages by HTTP.
//!
//! * [`serve`]: runs until the process is told to stop;
//! * [`router`]: the same without a socket, to be mounted elsewhere;
//! * every answer goes through the [`Service`], at the clearance of whoever asks.

mod api;
mod config;
mod desk;
mod failure;
mod gate;
mod journal;
mod listen;
mod logs;
mod metrics;
mod read;
mod routes;
mod writer;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;
use wikirag_core::{Error, ErrorKind, Result};

pub use config::{Config, Limits};
pub use logs::{LogFormat, write_logs};

use crate::mcp::ToolSet;
use crate::service::Service;
use desk::{Desk, Shared};
use routes::Routes;

/// Serves a service, and `tools` to agents, until the process is told to stop (SIGINT, SIGTERM), then ends what runs. `ready` is told where it listens, as soon as it does.
///
/// # Errors
/// [`ErrorKind::Usage`] for an address that others can reach, without tokens; [`ErrorKind::Io`] where the address cannot be had.
pub fn serve(
    service: Service,
    tools: ToolSet,
    config: &Config,
    ready: impl FnOnce(SocketAddr) -> Result<()>,
) -> Result<()> {
    let app = router(service, tools, config)?;
    let failed = |error: std::io::Error| Error::new(ErrorKind::Io, "serve", error.to_string());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(config.address).await.map_err(|error| {
            failed(error)
                .with("address", config.address)
                .help("another program may listen there; take another `--port`")
        })?;
        let address = listener.local_addr().map_err(failed)?;
        let stop = stop_asked()?;
        tracing::info!(%address, "listening");
        ready(address)?;
        listen::serve(listener, app, &config.limits, stop).await;
        tracing::info!("stopped");
        Ok(())
    });
    // What was cut off goes on until it looks at the time; nobody waits for it.
    runtime.shutdown_background();
    served
}

/// All routes, with what goes around them. Requests must carry where they came from, which those of [`serve`] do; others are strangers.
///
/// # Errors
/// As [`serve`].
pub fn router(service: Service, tools: ToolSet, config: &Config) -> Result<Router> {
    let desk: Shared = Arc::new(Desk::new(service, config)?);
    let Routes { open, closed } = routes::all(&desk, tools);
    let all = open.merge(closed.layer(from_fn_with_state(Arc::clone(&desk), journal::admit)));
    let all = all.fallback(journal::no_route).method_not_allowed_fallback(journal::no_method);
    let body = axum::extract::DefaultBodyLimit::max(desk.limits.body);
    Ok(all.layer(body).layer(from_fn_with_state(Arc::clone(&desk), journal::write)).with_state(desk))
}

/// Is done when the process is told to stop.
fn stop_asked() -> Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let failed = |error: std::io::Error| Error::new(ErrorKind::Io, "serve", error.to_string());
        let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
