//! What is sent, and what is made of what comes back.

use wikirag_core::{Ended, ErrorKind, Message, Retry, Speaker};
use wikirag_testkit::fakes::chat_service::{ChatService, Reply, Rest, Rules};
use wikirag_testkit::{block_on, json};

use crate::{DONE, QUESTION, answer, ask, ends, generator, prompt, says, try_generator};

/// Cargo sets this variable for each test; its value serves as a key.
const KEY_ENV: &str = "CARGO_PKG_NAME";
const KEY: &str = env!("CARGO_PKG_NAME");

#[test]
fn an_answer_comes_with_its_tokens() {
    for anthropic in [false, true] {
        let rules = Rules { anthropic, ..Rules::default() };
        let service = ChatService::with(rules, [Reply::Say("one two three".to_owned())]);
        let (written, pieces) = ask(&*generator(&service, json!({})));
        let written = written.unwrap();
        assert_eq!(pieces, ["one ", "two ", "three"]);
        assert_eq!((&*written.text, written.ended), ("one two three", Ended::Complete));
        assert_eq!((written.tokens_in, written.tokens_out), (Some(0), Some(3)));
        assert_eq!(service.requests(), 1);
    }
}

#[test]
fn what_is_sent_is_what_was_set() {
    let service = ChatService::new([]);
    let mut asked = prompt();
    asked.messages.insert(0, Message { speaker: Speaker::System, text: "Be short.".to_owned() });
    let settings = json!({"temperature": 0.0, "ask_usage": false, "limit_name": "max_completion_tokens"});
    block_on(generator(&service, settings).generate(&asked, &mut |_| (), &wikirag_core::Context::new())).unwrap();
    let messages = json!([{"role": "system", "content": "Be short."}, {"role": "user", "content": QUESTION}]);
    assert_eq!(
        service.seen(),
        [
            json!({"model": "small-talker", "messages": messages, "stream": true, "max_completion_tokens": 64, "temperature": 0.0})
        ]
    );
}

#[test]
fn tokens_that_are_not_told_are_not_known() {
    let service = ChatService::new([Reply::Say("one".to_owned())]);
    assert_eq!(answer(&service, json!({"ask_usage": false})).tokens_out, None);
}

/// Every way that a stream may be cut and its lines may end.
#[test]
fn a_stream_is_read_however_it_is_cut() {
    let events = [
        ": keep-alive\n\n",
        &says("Señor "),
        "event: message\nid: 1\nretry: 10\ndata: {\"choices\":\ndata: [{\"delta\": {\"content\": \"漢字 🦀 \"}}]}\n\n",
        ":\n\n",
        &says("line\r\nfeed"),
        &ends("stop"),
        DONE,
        "data: what comes after the end is not read\n\n",
    ]
    .concat();
    for (end, cuts) in [("\n", 1..9), ("\r\n", 1..9), ("\r", 1..4)] {
        for cut in cuts {
            let bytes = events.replace('\n', end).into_bytes();
            let service = ChatService::new([Reply::Stream { bytes, cut, rest: Rest::End }]);
            let (written, pieces) = ask(&*generator(&service, json!({})));
            assert_eq!(written.unwrap().text, "Señor 漢字 🦀 line\r\nfeed", "{end:?} {cut}");
            assert_eq!(pieces.len(), 3);
        }
    }
}

#[test]
fn pieces_come_before_the_answer_is_whole() {
    let bytes = says("one ").into_bytes();
    let service = ChatService::new([Reply::Stream { bytes, cut: 7, rest: Rest::Hang }]);
    let generator = generator(&service, json!({}));
    let context = wikirag_core::Context::new();
    let mut seen = String::new();
    // The service never sends more: without the piece nobody would stop.
    let mut take = |piece: &str| {
        seen.push_str(piece);
        context.cancel.cancel();
    };
    let error = block_on(generator.generate(&prompt(), &mut take, &context)).unwrap_err();
    assert_eq!((error.kind(), &*seen), (ErrorKind::Cancelled, "one "));
}

#[test]
fn an_answer_in_one_piece_is_one() {
    let openai =
        json!({"choices": [{"message": {"content": "Four."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9}});
    let anthropic = json!({"type": "message", "content": [{"type": "text", "text": "Four."}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 9}});
    for (is_anthropic, body) in [(false, openai), (true, anthropic)] {
        let rules = Rules { anthropic: is_anthropic, ..Rules::default() };
        let service = ChatService::with(rules, [Reply::Body("application/json", body.to_string())]);
        let written = answer(&service, json!({}));
        assert_eq!((&*written.text, written.tokens_in, written.ended), ("Four.", Some(9), Ended::Complete));
    }
}

#[test]
fn what_is_thought_is_no_answer() {
    let thought = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"Let me think.\"}}]}\n\n";
    let service = ChatService::new([Reply::stream(&[thought, &says("Four."), &ends("stop"), DONE].concat())]);
    let (written, pieces) = ask(&*generator(&service, json!({})));
    assert_eq!((written.unwrap().text.as_str(), pieces.len()), ("Four.", 1));
}

#[test]
fn a_key_is_sent_where_the_protocol_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, format!("{KEY}\n")).unwrap();
    for anthropic in [false, true] {
        for settings in [json!({"key_env": KEY_ENV}), json!({"key_file": path})] {
            let rules = Rules { anthropic, key: Some(KEY.to_owned()), ..Rules::default() };
            assert_eq!(answer(&ChatService::with(rules, []), settings).text, "");
        }
    }
}

#[test]
fn headers_are_sent() {
    let rules = Rules { header: Some(("x-title", "wikirag")), ..Rules::default() };
    answer(&ChatService::with(rules, []), json!({"headers": {"X-Title": "wikirag"}}));
}

#[test]
fn a_refused_key_is_not_sent_again_and_not_shown() {
    for status in [401, 403] {
        let body = json!({"error": {"message": format!("Incorrect API key provided: {KEY}.\u{1b}[31m")}}).to_string();
        let rules = Rules { key: Some(KEY.to_owned()), ..Rules::default() };
        let service = ChatService::with(rules, [Reply::RefuseWith(status, Vec::new(), body)]);
        let error = ask(&*generator(&service, json!({"key_env": KEY_ENV}))).0.unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Permanent));
        let told = format!("{error} {error:?}");
        assert!(told.contains("Incorrect API key provided: [key]") && told.contains("key_env"), "{told}");
        assert!(!told.contains(KEY) && !told.contains('\u{1b}'), "{told}");
        assert_eq!(service.requests(), 1);
    }
}

#[test]
fn nothing_is_sent_without_the_key() {
    let service = ChatService::new([]);
    let error = ask(&*generator(&service, json!({"key_env": "WIKIRAG_NO_SUCH_KEY"}))).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains("WIKIRAG_NO_SUCH_KEY"), "{error}");
    assert_eq!(service.connections(), 0);
    assert!(try_generator(&service, json!({"url": ""})).err().unwrap().to_string().contains("`url` is not set"));
}

#[test]
fn prompt_and_key_are_not_sent_on_to_another_place() {
    let other = ChatService::new([]);
    for status in [301, 302, 303, 307, 308] {
        let location = vec![("location", format!("{}/chat/completions", other.url()))];
        let service = ChatService::new([Reply::RefuseWith(status, location, String::new())]);
        let error = ask(&*generator(&service, json!({"key_env": KEY_ENV}))).0.unwrap_err();
        assert!(error.to_string().contains(&status.to_string()), "{error}");
        assert_eq!(service.requests(), 1);
    }
    assert_eq!(other.connections(), 0);
}
