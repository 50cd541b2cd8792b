//! Why answers end, and those that do not.

use wikirag_core::{Ended, ErrorKind, Retry};
use wikirag_testkit::fakes::chat_service::{ChatService, Reply, Rest, Rules};
use wikirag_testkit::json;

use crate::{DONE, answer, ask, ends, generator, says};

#[test]
fn why_it_ended_is_told() {
    for (reason, expected) in [
        ("stop", Ended::Complete),
        ("length", Ended::Cut),
        ("content_filter", Ended::Refused),
        ("tool_calls", Ended::Unclear),
    ] {
        let service = ChatService::new([Reply::stream(&[&says("one"), &*ends(reason), DONE].concat())]);
        let written = answer(&service, json!({}));
        assert_eq!((&*written.text, written.ended), ("one", expected), "{reason}");
    }
    for (reason, expected) in [("end_turn", Ended::Complete), ("max_tokens", Ended::Cut), ("refusal", Ended::Refused)] {
        let delta = json!({"type": "message_delta", "delta": {"stop_reason": reason}});
        let service = ChatService::anthropic([Reply::stream(&format!("data: {delta}\n\n"))]);
        assert_eq!(answer(&service, json!({})).ended, expected, "{reason}");
    }
}

#[test]
fn a_refusal_is_told_with_its_words() {
    let refusal = json!({"choices": [{"delta": {"refusal": "I cannot help."}, "finish_reason": null}]});
    let service = ChatService::new([Reply::stream(&format!("data: {refusal}\n\n{}{DONE}", ends("stop")))]);
    let written = answer(&service, json!({}));
    assert_eq!((&*written.text, written.ended), ("I cannot help.", Ended::Refused));
}

/// Some services never say why, or do not say that they are done.
#[test]
fn an_end_of_either_kind_is_one() {
    let service = ChatService::new([
        Reply::stream(&[&says("one"), DONE].concat()),
        Reply::stream(&[says("one"), ends("stop")].concat()),
    ]);
    let generator = generator(&service, json!({}));
    let endings: Vec<_> = (0..2).map(|_| ask(&*generator).0.unwrap().ended).collect();
    assert_eq!(endings, [Ended::Unclear, Ended::Complete]);
}

/// The model had ended; whatever becomes of the connection, the answer is whole.
#[test]
fn what_ended_is_whole_however_the_connection_goes_on() {
    for rest in [Rest::Vanish, Rest::Hang] {
        let bytes = [says("one"), ends("stop")].concat().into_bytes();
        let service = ChatService::new([Reply::Stream { bytes, cut: 50, rest }]);
        let written = answer(&service, json!({"between_seconds": 0.2}));
        assert_eq!((&*written.text, written.ended, service.requests()), ("one", Ended::Complete, 1));
    }
}

#[test]
fn an_answer_that_breaks_off_is_an_error_and_not_begun_again() {
    for rest in [Rest::End, Rest::Vanish] {
        let bytes = says("one").into_bytes();
        let service = ChatService::new([Reply::Stream { bytes, cut: 50, rest }]);
        let (written, pieces) = ask(&*generator(&service, json!({})));
        let error = written.unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary), "{error}");
        assert_eq!((pieces, service.requests()), (vec!["one".to_owned()], 1));
    }
}

#[test]
fn an_answer_that_breaks_off_before_its_first_piece_is_begun_again() {
    let role = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
    for rest in [Rest::End, Rest::Vanish] {
        let bytes = role.as_bytes().to_vec();
        let service = ChatService::new([Reply::Stream { bytes, cut: 50, rest }, Reply::Say("one".to_owned())]);
        assert_eq!((answer(&service, json!({})).text.as_str(), service.requests()), ("one", 2), "{rest:?}");
    }
}

#[test]
fn an_error_within_the_stream_is_told() {
    let openai = json!({"error": {"code": 502, "message": "Provider disconnected"}});
    let anthropic = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Provider disconnected"}});
    let delta = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "one"}});
    for (is_anthropic, error, piece) in [(false, openai, says("one")), (true, anthropic, format!("data: {delta}\n\n"))]
    {
        let rules = Rules { anthropic: is_anthropic, ..Rules::default() };
        let error = format!("event: error\ndata: {error}\n\n");
        // Before the first piece it is tried again, after it never.
        let replies = [Reply::stream(&error), Reply::stream(&(piece + &error))];
        let service = ChatService::with(rules, replies);
        let (written, pieces) = ask(&*generator(&service, json!({})));
        let error = written.unwrap_err();
        assert!(error.to_string().contains("Provider disconnected"), "{error}");
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Temporary));
        assert_eq!((pieces.len(), service.requests()), (1, 2));
    }
}

#[test]
fn an_error_within_the_stream_that_lasts_is_told_at_once() {
    let echo = "Invalid prompt: Where did Professor Plum hide the lead pipe before dinner?";
    let service = ChatService::new([Reply::stream(&format!("data: {}\n\n", json!({"error": {"message": echo}})))]);
    let error = ask(&*generator(&service, json!({}))).0.unwrap_err();
    assert!(error.to_string().contains("Invalid prompt: […]"), "{error}");
    assert_eq!((error.retry(), service.requests()), (Retry::Permanent, 1));
}

#[test]
fn what_is_none_of_the_protocol_is_an_error() {
    let long = format!("data: {}\n\n", "x".repeat(2 << 20));
    for (reply, words) in [
        (Reply::stream("data: {\"choices\": [\n\n"), "none of this protocol"),
        (Reply::stream("data: <html>Please log in\n\n"), "Please log in"),
        (
            Reply::stream("data: {\"choices\":[{\"delta\":{\"content\":\"\u{fffd}\\ud800\"}}]}\n\n"),
            "none of this protocol",
        ),
        (Reply::stream(&long), "longer than"),
        (Reply::Body("text/html", "<html>Please log in</html>".to_owned()), "Please log in"),
        (Reply::Body("application/json", String::new()), "none of this protocol"),
        (Reply::Body("application/json", json!({"error": {"message": "no such model"}}).to_string()), "no such model"),
        (Reply::RefuseWith(204, Vec::new(), String::new()), "204"),
    ] {
        let service = ChatService::new([reply]);
        let (written, pieces) = ask(&*generator(&service, json!({})));
        let error = written.unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Permanent), "{error}");
        assert!(error.to_string().contains(words), "{words}: {error}");
        assert!(error.to_string().contains(&format!("{}/chat/completions", service.url())), "{error}");
        assert_eq!((pieces.len(), service.requests()), (0, 1), "{error}");
    }
}

#[test]
fn a_stream_without_end_is_cut_off() {
    let service = ChatService::new([Reply::stream(&": still here\n".repeat(600_000))]);
    let error = ask(&*generator(&service, json!({}))).0.unwrap_err();
    assert!(error.to_string().contains("the answer is longer than"), "{error}");
}
