//! Services that are slow, busy, broken or small.

use std::net::TcpListener;

use wikirag_core::{Context, ErrorKind, Retry, Role};
use wikirag_testkit::{block_on, json};

use crate::fake::{Embedders as _, Fake, Play, unit_vector};
use crate::{are_those_of, cosine, embed, passages};

const TEXTS: [&str; 4] = ["copper from the hills", "the river", "a stone oven", "zebras on the plain"];

fn refuse(status: u16) -> Play {
    Play::Refuse(status, Vec::new(), r#"{"error": {"message": "not now"}}"#)
}

fn refuse_for(status: u16, header: &'static str, value: &str) -> Play {
    Play::Refuse(status, vec![(header, value.to_owned())], "busy")
}

/// Case B56.
#[test]
fn a_service_that_times_out_once_is_asked_again() {
    let service = Fake::new().plays([Play::Hang]);
    // The second attempt has the same limit, so it is one that a busy machine keeps.
    let rows = passages(&*service.embedder(json!({"timeout_seconds": 1})), &TEXTS).unwrap();
    assert!(are_those_of(&rows, &TEXTS));
    assert_eq!(service.requests(), 2);
}

#[test]
fn a_service_that_always_times_out_may_be_asked_later() {
    let service = Fake::new().plays([Play::Hang, Play::Hang]);
    let embedder = service.embedder(json!({"timeout_seconds": 0.1, "retries": 1}));
    let error = passages(&*embedder, &TEXTS).unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::TimedOut, Retry::Temporary));
    assert!(error.to_string().contains("0.1 s") && error.to_string().contains("attempts: 2"), "{error}");
}

#[test]
fn what_passes_is_tried_again() {
    let plays: [fn() -> Play; 9] = [
        || refuse(408),
        || refuse(429),
        || refuse(500),
        || refuse(502),
        || refuse(503),
        || refuse(504),
        || Play::Close,
        || Play::HalfBody,
        || refuse_for(429, "retry-after", "0"),
    ];
    for play in plays {
        let service = Fake::new().plays([play(), play()]);
        let rows = passages(&*service.embedder(json!({})), &TEXTS).unwrap();
        assert!(are_those_of(&rows, &TEXTS));
        assert_eq!(service.requests(), 3);
    }
}

#[test]
fn what_stays_is_told_at_once() {
    for status in [400, 401, 403, 404, 405, 422, 501] {
        let service = Fake::new().plays([refuse(status)]);
        let error = passages(&*service.embedder(json!({})), &TEXTS).unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Permanent));
        assert!(error.to_string().contains(&format!("{status}: not now")), "{error}");
        assert_eq!(service.requests(), 1);
    }
}

#[test]
fn trying_again_ends() {
    let service = Fake::new().plays([refuse(503), refuse(503), refuse(503)]);
    let error = passages(&*service.embedder(json!({"retries": 2})), &TEXTS).unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary));
    assert!(error.to_string().contains("503") && error.to_string().contains("attempts: 3"), "{error}");
    assert_eq!(service.requests(), 3);
}

#[test]
fn a_service_that_asks_for_an_hour_is_left_alone() {
    for header in ["retry-after", "x-ratelimit-reset-requests"] {
        let mut headers = vec![(header, if header == "retry-after" { "3600" } else { "1h0m0s" }.to_owned())];
        headers.push(("x-ratelimit-remaining-requests", "0".to_owned()));
        let service = Fake::new().plays([Play::Refuse(429, headers, "busy")]);
        let embedder = service.embedder(json!({}));
        // Neither this call nor the next one sends anything more.
        for _ in 0..2 {
            let error = passages(&*embedder, &TEXTS).unwrap_err();
            assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary));
            assert!(error.to_string().contains("asks to wait") && error.to_string().contains("3600 s"), "{error}");
        }
        assert_eq!(service.requests(), 1);
    }
}

#[test]
fn nobody_waits_for_what_comes_after_the_deadline() {
    let service = Fake::new().plays([refuse_for(429, "retry-after", "200")]);
    let context = Context::new().with_time_limit(std::time::Duration::from_secs(100));
    let error = block_on(service.embedder(json!({})).embed(&TEXTS, Role::Passage, &context)).unwrap_err();
    assert!(error.to_string().contains("200 s"), "{error}");
    assert_eq!(service.requests(), 1);
}

#[test]
fn a_service_that_is_not_there_may_be_later() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let elsewhere = Fake::new();
    let embedder = elsewhere.embedder(json!({"url": format!("http://127.0.0.1:{port}/v1"), "retries": 1}));
    let error = passages(&*embedder, &TEXTS).unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary));
    assert!(error.to_string().contains(&format!("127.0.0.1:{port}")), "{error}");
}

#[test]
fn a_service_without_encryption_is_not_talked_to_where_there_should_be_some() {
    let service = Fake::new();
    let url = service.url().replace("http:", "https:");
    let error = passages(&*service.embedder(json!({"url": url, "retries": 0})), &TEXTS).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains(&url), "{error}");
    assert_eq!((service.requests(), service.connections()), (0, 1));
}

#[test]
fn batches_that_are_too_large_are_halved() {
    let service = Fake::with(|rules| rules.max_batch = 3);
    let texts: Vec<String> = (0..40).map(|number| format!("text number{number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert!(are_those_of(&passages(&*service.embedder(json!({"batch": 17})), &texts).unwrap(), &texts));
}

#[test]
fn texts_that_are_too_large_are_halved_and_nothing_is_cut() {
    let service = Fake::with(|rules| rules.max_words = 3);
    let long = "copper river stone oven copper river stone oven zebra plain zebra plain";
    let rows = passages(&*service.embedder(json!({})), &["copper", long, "oven"]).unwrap();
    assert!(cosine(&rows[1], &unit_vector(long)) > 0.97);
    assert!(are_those_of(&[rows[0].clone(), rows[2].clone()], &["copper", "oven"]));
}

#[test]
fn what_is_too_large_as_one_character_is_an_error() {
    let service = Fake::with(|rules| rules.max_words = 0);
    let error = passages(&*service.embedder(json!({})), &TEXTS).unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Permanent));
    assert!(error.to_string().contains("context length"), "{error}");
}

#[test]
fn requests_run_side_by_side_and_not_more_than_allowed() {
    // Each of the first two is answered when the other one has come.
    let service = Fake::new().plays([Play::AnswerAfter(2), Play::AnswerAfter(2)]);
    let embedder = service.embedder(json!({"batch": 1, "parallel": 2, "retries": 0}));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert!(are_those_of(&passages(&*embedder, &TEXTS).unwrap(), &TEXTS)));
        }
    });
    assert_eq!((service.requests(), service.most_under_way()), (12, 2));
}

#[test]
fn the_first_failure_ends_the_call() {
    let service = Fake::new().plays([Play::Answer, refuse(400)]);
    let error = passages(&*service.embedder(json!({"batch": 1, "parallel": 1})), &TEXTS).unwrap_err();
    assert!(error.to_string().contains("400"), "{error}");
    assert_eq!(service.requests(), 2);
}

#[test]
fn a_question_that_failed_is_asked_again() {
    let service = Fake::new().plays([refuse(400)]);
    let embedder = service.embedder(json!({}));
    assert!(embed(&*embedder, &["copper"], Role::Query).is_err());
    assert!(are_those_of(&embed(&*embedder, &["copper"], Role::Query).unwrap(), &["copper"]));
}
