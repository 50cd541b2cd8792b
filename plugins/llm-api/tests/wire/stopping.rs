//! Calls that end before they are done.

use std::thread;
use std::time::Duration;

use futures_lite::future;
use wikirag_core::{Context, ErrorKind};
use wikirag_testkit::fakes::chat_service::{ChatService, Reply, Rest};
use wikirag_testkit::{block_on, json};

use crate::{generator, prompt, says};

#[test]
fn a_call_can_be_cancelled_whatever_its_service_does() {
    let falls_silent = Reply::Stream { bytes: says("one").into_bytes(), cut: 9, rest: Rest::Hang };
    // Each with limits of its own that no test would live to see.
    for (reply, settings, hangs) in [
        (Reply::Hang, json!({"first_seconds": 3600}), true),
        (falls_silent, json!({"first_seconds": 3600, "between_seconds": 3600}), true),
        (Reply::Refuse(503, ""), json!({"pause_seconds": 30}), false),
        (Reply::RefuseWith(429, vec![("retry-after", "250".to_owned())], String::new()), json!({}), false),
    ] {
        let service = ChatService::new([reply]);
        let generator = generator(&service, settings);
        let context = Context::new();
        thread::scope(|scope| {
            let call = scope.spawn(|| block_on(generator.generate(&prompt(), &mut |_| (), &context)));
            service.wait_for(1);
            context.cancel.cancel();
            assert_eq!(call.join().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
        });
        if hangs {
            service.wait_for_given_up(1);
        }
    }
}

#[test]
fn the_deadline_ends_a_call_whose_service_hangs() {
    let service = ChatService::new([Reply::Hang]);
    let context = Context::new().with_time_limit(Duration::from_millis(200));
    let error = block_on(generator(&service, json!({})).generate(&prompt(), &mut |_| (), &context)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    // It is the caller's limit, and no setting.
    assert!(!error.to_string().contains("timeout_seconds"), "{error}");
    service.wait_for_given_up(1);
}

/// As a server does whose client went away.
#[test]
fn a_call_that_nobody_waits_for_closes_its_connection() {
    let bytes = says("one").into_bytes();
    let service = ChatService::new([Reply::Stream { bytes, cut: 99, rest: Rest::Hang }]);
    let generator = generator(&service, json!({"first_seconds": 3600}));
    let (asked, context) = (prompt(), Context::new());
    let mut ignore = |_: &str| ();
    let mut call = generator.generate(&asked, &mut ignore, &context);
    block_on(async {
        assert!(future::poll_once(&mut call).await.is_none());
    });
    service.wait_for(1);
    drop(call);
    service.wait_for_given_up(1);
}
