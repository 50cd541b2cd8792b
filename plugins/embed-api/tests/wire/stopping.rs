//! Calls that end before they are done, and what is never begun.

use std::thread;
use std::time::Duration;

use wikirag_core::{Context, ErrorKind, Readiness, Role};
use wikirag_testkit::{block_on, json, make};

use crate::fake::{Embedders as _, Fake, Play};
use crate::{are_those_of, embed, passages};

#[test]
fn the_deadline_ends_a_call_whose_service_hangs() {
    let service = Fake::new().plays([Play::Hang]);
    let context = Context::new().with_time_limit(Duration::from_millis(200));
    for role in [Role::Passage, Role::Query] {
        let error = block_on(service.embedder(json!({})).embed(&["copper"], role, &context)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}");
    }
}

#[test]
fn a_call_can_be_cancelled_while_its_service_hangs() {
    // With a limit of its own that no test would live to see.
    cancelled(Play::Hang, json!({"timeout_seconds": 3600}));
}

#[test]
fn a_call_can_be_cancelled_while_it_waits_to_try_again() {
    cancelled(Play::Refuse(503, Vec::new(), ""), json!({"pause_seconds": 30}));
    cancelled(Play::Refuse(429, vec![("retry-after", "250".to_owned())], ""), json!({}));
}

fn cancelled(play: Play, settings: serde_json::Value) {
    let service = Fake::new().plays([play]);
    let embedder = service.embedder(settings);
    let context = Context::new();
    thread::scope(|scope| {
        let call = scope.spawn(|| block_on(embedder.embed(&["copper", "river"], Role::Passage, &context)));
        service.wait_for(1);
        context.cancel.cancel();
        assert_eq!(call.join().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
    });
}

#[test]
fn a_question_has_a_limit_for_all_its_attempts() {
    let service = Fake::new().plays([Play::Hang]);
    let embedder = service.embedder(json!({"question_seconds": 0.2}));
    let error = embed(&*embedder, &["copper"], Role::Query).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}");
    assert!(error.to_string().contains("question_seconds"), "{error}");
}

#[test]
fn the_limit_of_questions_is_not_one_of_passages() {
    let service = Fake::new();
    let rows = passages(&*service.embedder(json!({"question_seconds": 0.001})), &["copper"]).unwrap();
    assert!(are_those_of(&rows, &["copper"]));
}

#[test]
fn nothing_is_sent_unless_there_is_something_to_send_and_leave_to_do_so() {
    let service = Fake::new();
    let embedder = service.embedder(json!({}));
    assert_eq!(embedder.readiness(), Readiness::Ready);
    assert!(!embedder.fingerprint().is_empty());
    assert!(passages(&*embedder, &[]).unwrap().is_empty());

    let without_key = service.embedder(json!({"key_env": "WIKIRAG_NO_SUCH_KEY"}));
    assert_eq!(without_key.readiness().reasons()[0].code, "key-missing");
    for role in [Role::Passage, Role::Query] {
        let error = embed(&*without_key, &["copper"], role).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert!(error.to_string().contains("WIKIRAG_NO_SUCH_KEY"), "{error}");
    }
    assert_eq!(service.connections(), 0);
}

#[test]
fn without_settings_there_is_no_embedder() {
    let setup = make::setup([wikirag_embed_api::PLUGIN], json!({})).unwrap();
    let error = setup.host.registry().embedder("embed-api", &setup).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("`url` is not set"), "{error}");
}
