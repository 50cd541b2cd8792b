//! One file as an answer.

use std::io::Write;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::files::File;

/// What the page may do. Scripts and styles come from here and stand in files of their own, no text becomes markup or code
/// (`require-trusted-types-for`), nothing is fetched from or sent to anywhere else, and no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// Whatever the file is.
const ALWAYS: [(HeaderName, &str); 7] = [
    // Asked for again each time, and sent only where it has changed: after an update no old file meets a new one.
    (CACHE_CONTROL, "no-cache"),
    (CONTENT_SECURITY_POLICY, POLICY),
    (VARY, "accept-encoding"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Links in documents lead away; where from is nobody's business.
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// A file with all that is told of it.
#[derive(Debug)]
pub(super) struct Served {
    content_type: &'static str,
    plain: Form,
    /// `None` where that is no shorter.
    gzip: Option<Form>,
}

/// Bytes and the tag by which a browser knows them again.
#[derive(Debug)]
struct Form {
    bytes: Bytes,
    tag: String,
}

impl Served {
    pub(super) fn new(file: &File) -> Self {
        let tag = blake3::hash(file.bytes).to_hex();
        let tag = tag.get(..16).unwrap_or(&tag);
        let gzip = compressed(file.bytes).filter(|bytes| bytes.len() < file.bytes.len());
        Self {
            content_type: file.content_type(),
            plain: Form { bytes: Bytes::from_static(file.bytes), tag: format!("\"{tag}\"") },
            // Other bytes need another tag.
            gzip: gzip.map(|bytes| Form { bytes: bytes.into(), tag: format!("\"{tag}-gzip\"") }),
        }
    }

    /// The file, or that the browser has it already.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response<Body> {
        let gzip = self.gzip.as_ref().filter(|_| takes_gzip(request));
        let form = gzip.unwrap_or(&self.plain);
        let is_known = values(request, &IF_NONE_MATCH).any(|tag| {
            // A proxy that compressed it marks its tag as a weak one.
            tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == form.tag
        });
        let mut response = Response::new(if is_known { Body::empty() } else { form.bytes.clone().into() });
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.extend(ALWAYS.map(|(name, value)| (name, HeaderValue::from_static(value))));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.extend(HeaderValue::from_str(&form.tag).ok().map(|tag| (ETAG, tag)));
        if gzip.is_some() {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// The values of a header that is a list.
fn values<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(',')).map(str::trim)
}

fn takes_gzip(request: &HeaderMap) -> bool {
    values(request, &ACCEPT_ENCODING).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// `None` where it cannot be; then it goes as it is.
fn compressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
