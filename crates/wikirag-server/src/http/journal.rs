//! What goes around every request: an id, a line in the log, figures, the names under which the server may be called, and who asks.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::desk::{Desk, Shared};
use super::failure::Failure;
use crate::access::{Denied, Stranger};
use crate::service::Caller;

/// The address that a request came from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct From(pub(crate) IpAddr);

/// The number of a request since the start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Id(pub(crate) u64);

/// Who asked, on the way out.
#[derive(Debug, Clone)]
struct By(String);

static IDS: AtomicU64 = AtomicU64::new(1);

/// Written when it is dropped: also where the caller went away before the answer, and the answer is dropped on its way.
struct Entry {
    desk: Shared,
    id: u64,
    method: String,
    route: String,
    started: Instant,
    status: StatusCode,
    caller: Option<String>,
}

/// The status that logs and figures give to a request whose caller did not wait. It is never sent.
const GONE: u16 = 499;

impl Drop for Entry {
    fn drop(&mut self) {
        let took = self.started.elapsed();
        let Self { id, method, route, status, .. } = self;
        let (status, caller) = (status.as_u16(), self.caller.as_deref());
        self.desk.metrics.ended(route, status, took);
        let took_ms = took.as_secs_f64() * 1e3;
        tracing::info!(id, %method, %route, status, took_ms, caller, "request");
    }
}

/// The outermost layer.
pub(crate) async fn write(State(desk): State<Shared>, mut request: Request, next: Next) -> Response {
    let id = IDS.fetch_add(1, Ordering::Relaxed);
    // Never the path itself, which may name a page that others must not know of.
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let method = request.method().as_str().chars().take(16).collect();
    desk.metrics.began();
    let started = Instant::now();
    let status = StatusCode::from_u16(GONE).unwrap_or_default();
    let mut entry = Entry { desk, id, method, route, started, status, caller: None };
    request.extensions_mut().insert(Id(id));
    let mut response = match check_site(&entry.desk, &request) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    entry.status = response.status();
    entry.caller = response.extensions_mut().remove::<By>().map(|By(name)| name);
    let headers = response.headers_mut();
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Pages of other sites may not even embed what they cannot read.
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    response
}

fn check_site(desk: &Desk, request: &Request) -> Result<(), Failure> {
    let refused = |code, message: &str| Failure::new(StatusCode::FORBIDDEN, code, message);
    desk.sites.check(request.uri(), request.headers()).map_err(|stranger| match stranger {
        Stranger::Host => refused("host", "the server is not called by this name")
            .help("call it as localhost, or start it with `--allow-host NAME`"),
        Stranger::Origin => refused("origin", "a page of another site may not ask"),
    })
}

/// The layer around all that tells of wikis: finds who asks.
pub(crate) async fn admit(State(desk): State<Shared>, mut request: Request, next: Next) -> Response {
    // Whoever did not come over a socket of ours has no address, and is nobody.
    let from = request.extensions().get::<From>().map_or(IpAddr::from([0, 0, 0, 0]), |From(address)| *address);
    match desk.door.admit(from, request.headers(), Instant::now()) {
        Ok(caller) => {
            let name = caller.name.clone();
            request.extensions_mut().insert::<Caller>(caller);
            let mut response = next.run(request).await;
            response.extensions_mut().insert(By(name));
            response
        }
        Err(Denied::Unknown) => Failure::new(StatusCode::UNAUTHORIZED, "unauthorized", "a valid token is needed")
            .help("send `Authorization: Bearer TOKEN`")
            .into_response(),
        Err(Denied::TooOften(wait)) => {
            Failure::new(StatusCode::TOO_MANY_REQUESTS, "too-often", "this token has asked as often as it may")
                .retry_in(wait)
                .into_response()
        }
    }
}

/// For paths that mean nothing.
pub(crate) async fn no_route() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "no-route", "there is nothing at this path").help("see /openapi.json")
}

/// For methods that a path does not know.
pub(crate) async fn no_method() -> Failure {
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "no-method", "this path is not asked by this method")
        .help("see the header `Allow`")
}
