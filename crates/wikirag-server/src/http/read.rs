//! Reading requests. What is not understood is refused in the one shape of errors; nothing is ignored.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use wikirag_core::{Error, ErrorKind};

use super::desk::Desk;
use super::failure::Failure;
use crate::mcp::{arguments, schema};

/// The body of a request, in JSON.
pub(crate) struct Body<T>(pub(crate) T);

/// What stands behind the `?` of a request.
pub(crate) struct Asked<T>(pub(crate) T);

/// The wiki and the path in a request for a page.
pub(crate) struct Page {
    pub(crate) wiki: String,
    pub(crate) path: String,
}

impl<T: DeserializeOwned + JsonSchema> FromRequest<Arc<Desk>> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, desk: &Arc<Desk>) -> Result<Self, Failure> {
        match json(request, desk).await? {
            Value::Object(fields) => understand(fields).map(Self),
            _ => Err(Failure::new(StatusCode::BAD_REQUEST, "usage", "the body is no JSON object")),
        }
    }
}

impl<T: DeserializeOwned + JsonSchema> FromRequestParts<Arc<Desk>> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Desk>) -> Result<Self, Failure> {
        type Pairs = axum::extract::Query<Vec<(String, String)>>;
        let bad = |message: &str| Failure::new(StatusCode::BAD_REQUEST, "usage", message);
        let Ok(axum::extract::Query(pairs)) = Pairs::try_from_uri(&parts.uri) else {
            return Err(bad("what stands behind the `?` cannot be read"));
        };
        let schema = schema::of_input::<T>();
        let mut fields = Map::new();
        for (name, text) in pairs {
            let kind = schema.get("properties").and_then(|known| known.get(&name)).and_then(|one| one["type"].as_str());
            let value = match kind {
                Some("integer") => text.parse::<i64>().ok().map(Value::from),
                Some("boolean") => text.parse::<bool>().ok().map(Value::from),
                _ => None,
            };
            let value = value.unwrap_or(Value::String(text));
            if fields.insert(name, value).is_some() {
                return Err(bad("a name stands twice behind the `?`"));
            }
        }
        understand(fields).map(Self)
    }
}

impl FromRequestParts<Arc<Desk>> for Page {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, desk: &Arc<Desk>) -> Result<Self, Failure> {
        match Path::<(String, String)>::from_request_parts(parts, desk).await {
            Ok(Path((wiki, path))) => Ok(Self { wiki, path }),
            Err(_) => Err(Failure::new(StatusCode::BAD_REQUEST, "usage", "the path is no text in UTF-8")),
        }
    }
}

/// The body of a request as JSON, whatever it is.
///
/// # Errors
/// Of another type, too large, too slow, or no JSON.
pub(crate) async fn json(request: Request, desk: &Arc<Desk>) -> Result<Value, Failure> {
    if !is_json(request.headers()) {
        let failure = Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", "the body is not said to be JSON");
        return Err(failure.help("send `Content-Type: application/json`"));
    }
    let too_slow = |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "timed-out", "the body did not come in time");
    let read =
        tokio::time::timeout(desk.limits.request_time, Bytes::from_request(request, desk)).await.map_err(too_slow)?;
    let bytes = read.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(_) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("the body is larger than {} bytes", desk.limits.body);
            Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
        }
        _ => Failure::new(StatusCode::BAD_REQUEST, "usage", "the body cannot be read"),
    })?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("the body is no JSON: line {}, column {}", error.line(), error.column());
        Failure::new(StatusCode::BAD_REQUEST, "usage", message)
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || kind.starts_with("application/") && kind.ends_with("+json")
}

/// The request that these fields are.
fn understand<T: DeserializeOwned + JsonSchema>(fields: Map<String, Value>) -> Result<T, Failure> {
    let checked = arguments::check(&schema::of_input::<T>(), fields)?;
    serde_json::from_value(Value::Object(checked)).map_err(|_| {
        // The check before says all that a caller can do wrong, but for the size of numbers.
        Failure::from(Error::new(ErrorKind::Usage, "read request", "a field has a value that is not possible"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::{By, QueryRequest};

    fn read(value: Value) -> Result<QueryRequest, Failure> {
        let Value::Object(fields) = value else { panic!("an object") };
        understand(fields)
    }

    #[test]
    fn what_is_understood_is_the_request() {
        let request = read(json!({"question": "basil", "limit": 3.0, "by": "document", "rag": null})).unwrap();
        assert_eq!((request.question.as_str(), request.limit, request.by), ("basil", Some(3), By::Document));
    }

    #[test]
    fn what_is_not_understood_is_refused_with_what_may_be_meant() {
        for (value, said) in [
            (json!({"question": "basil", "limt": 3}), "did you mean `limit`?"),
            (json!({}), "`question` is missing"),
            (json!({"question": 7}), "`question` is the number 7"),
            (json!({"question": "a", "by": "chapter"}), "`passage`, `document`"),
            (json!({"question": "a", "limit": -1}), ""),
            (json!({"question": "a", "limit": 1e300}), ""),
            (json!({"question": "a", "wikis": ["a", 1]}), "`wikis[]` is the number 1"),
        ] {
            let failure = read(value).unwrap_err();
            assert_eq!(failure.status, StatusCode::BAD_REQUEST);
            assert!(failure.fault.message.contains(said), "{failure:?}");
        }
    }

    #[test]
    fn other_types_are_no_json() {
        for (kind, is_one) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("application/ld+json", true),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
            ("", false),
            ("text/json", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, kind.parse().unwrap());
            assert_eq!(is_json(&headers), is_one, "{kind}");
        }
        assert!(!is_json(&HeaderMap::new()));
    }
}
