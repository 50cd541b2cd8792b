//! Services that are slow, busy, broken or small.

use std::net::TcpListener;

use wikirag_core::{ErrorKind, Retry};
use wikirag_testkit::fakes::chat_service::{ChatService, Reply, Rest};
use wikirag_testkit::json;

use crate::{answer, ask, generator, says};

fn refuse_for(status: u16, header: &'static str, value: &str) -> Reply {
    Reply::RefuseWith(status, vec![(header, value.to_owned())], "busy".to_owned())
}

#[test]
fn what_passes_is_tried_again() {
    for reply in [
        Reply::Refuse(408, "not now"),
        Reply::Refuse(429, "not now"),
        Reply::Refuse(500, "not now"),
        Reply::Refuse(502, "not now"),
        Reply::Refuse(503, "not now"),
        Reply::Refuse(504, "not now"),
        Reply::Refuse(529, "Overloaded"),
        refuse_for(429, "retry-after", "0"),
        Reply::Close,
    ] {
        let service = ChatService::new([reply.clone(), reply, Reply::Say("one".to_owned())]);
        assert_eq!((answer(&service, json!({})).text.as_str(), service.requests()), ("one", 3));
    }
}

#[test]
fn what_stays_is_told_at_once() {
    for status in [400, 401, 403, 404, 405, 422, 501] {
        let service = ChatService::new([Reply::Refuse(status, "no such thing")]);
        let error = ask(&*generator(&service, json!({}))).0.unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Permanent));
        assert!(error.to_string().contains(&format!("{status}: no such thing")), "{error}");
        assert!(error.to_string().contains("model: small-talker"), "{error}");
        assert_eq!(service.requests(), 1);
    }
}

#[test]
fn a_prompt_that_is_too_long_is_the_callers_to_shorten() {
    let words = "request (6031 tokens) exceeds the available context size (4096 tokens), try increasing it";
    let service = ChatService::new([Reply::Refuse(400, words)]);
    let error = ask(&*generator(&service, json!({}))).0.unwrap_err();
    assert_eq!((error.kind(), error.retry(), service.requests()), (ErrorKind::Invalid, Retry::Permanent, 1));
    assert!(error.to_string().contains("6031 tokens") && error.to_string().contains("less context"), "{error}");
}

#[test]
fn trying_again_ends() {
    let service = ChatService::new([Reply::Refuse(503, "a"), Reply::Refuse(503, "b"), Reply::Refuse(503, "c")]);
    let error = ask(&*generator(&service, json!({"retries": 2}))).0.unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary));
    assert!(error.to_string().contains("503: c") && error.to_string().contains("attempts: 3"), "{error}");
    assert_eq!(service.requests(), 3);
}

#[test]
fn a_service_that_asks_for_an_hour_is_left_alone() {
    let service = ChatService::new([refuse_for(429, "retry-after", "3600")]);
    let generator = generator(&service, json!({}));
    // Neither this call nor the next one sends anything more.
    for _ in 0..2 {
        let error = ask(&*generator).0.unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary));
        assert!(error.to_string().contains("3600 s"), "{error}");
    }
    assert_eq!(service.requests(), 1);
}

#[test]
fn a_service_that_is_silent_at_first_is_asked_again() {
    let service = ChatService::new([Reply::Hang, Reply::Say("one".to_owned())]);
    let limits = json!({"first_seconds": 1, "between_seconds": 1});
    assert_eq!((answer(&service, limits).text.as_str(), service.requests()), ("one", 2));
}

#[test]
fn a_service_that_is_silent_may_be_asked_later() {
    let service = ChatService::new([Reply::Hang]);
    let limits = json!({"first_seconds": 0.1, "between_seconds": 0.1, "retries": 0});
    let error = ask(&*generator(&service, limits)).0.unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::TimedOut, Retry::Temporary));
    assert!(error.to_string().contains("0.1 s") && error.to_string().contains("first_seconds"), "{error}");
}

#[test]
fn a_service_that_falls_silent_is_given_up() {
    let bytes = says("one").into_bytes();
    let service = ChatService::new([Reply::Stream { bytes, cut: 99, rest: Rest::Hang }]);
    let (written, pieces) = ask(&*generator(&service, json!({"between_seconds": 0.2})));
    let error = written.unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::TimedOut, Retry::Temporary));
    assert!(error.to_string().contains("said nothing for 0.2 s"), "{error}");
    assert_eq!((pieces.len(), service.requests()), (1, 1));
    service.wait_for_given_up(1);
}

#[test]
fn there_is_a_limit_for_all_attempts() {
    let service = ChatService::new([Reply::Hang]);
    let error = ask(&*generator(&service, json!({"timeout_seconds": 0.2}))).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}");
    assert!(error.to_string().contains("timeout_seconds"), "{error}");
}

#[test]
fn a_service_that_is_not_there_may_be_later() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = json!({"url": format!("http://127.0.0.1:{port}/v1"), "retries": 1});
    let error = ask(&*generator(&ChatService::new([]), settings)).0.unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary));
    assert!(error.to_string().contains(&format!("127.0.0.1:{port}")), "{error}");
}

#[test]
fn a_service_without_encryption_is_not_talked_to_where_there_should_be_some() {
    let service = ChatService::new([]);
    let url = service.url().replace("http:", "https:");
    let error = ask(&*generator(&service, json!({"url": url, "retries": 0}))).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert_eq!((service.requests(), service.connections()), (0, 1));
}
