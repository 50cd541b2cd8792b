//! The page for people: static files inside the program, at `/` and below `/page/`.
//!
//! They hold nothing that is worth a token, so they are served to everybody; what the page shows it asks of the same addresses
//! as any other program, with the token of its reader.

mod files;
mod serve;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;

use files::{FILES, INDEX};
use serve::Served;

/// The routes of the page. They need no state, so they fit beside routes with any.
///
/// Files are compressed here, once.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.iter().fold(Router::new(), |router, file| {
        let path = if file.name == INDEX { "/".to_owned() } else { format!("/page/{}", file.name) };
        let served = Arc::new(Served::new(file));
        router.route(&path, get(move |headers: HeaderMap| std::future::ready(served.answer(&headers))))
    })
}
