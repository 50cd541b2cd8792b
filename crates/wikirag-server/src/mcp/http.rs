//! Many clients by HTTP.

use std::sync::Arc;

use axum::Router;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::Server;

/// The server at the path `/` of a router, to be nested at `/mcp` behind the layers that find the caller and check Host and Origin: who
/// may call, and by which name of this machine, is decided there alone.
///
/// No session is kept: each request tells all that it needs, so that nothing is lost in a restart, nothing piles up, and each request runs
/// at the clearance of whoever sent it. A client that goes away ends its request.
pub fn routes(server: Server) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config);
    Router::new().fallback_service(service)
}
