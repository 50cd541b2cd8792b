//! What is sent, and what is made of what comes back.

use wikirag_core::{ErrorKind, Retry, Role};
use wikirag_testkit::json;

use crate::fake::{DIMENSIONS, Embedders as _, Fake, Play};
use crate::{are_those_of, embed, passages};

const TEXTS: [&str; 5] =
    ["copper from the hills", "the river", "a stone oven", "bread is baked in a stone oven", "zebras on the plain"];

/// Cargo sets this variable for each test; its value serves as a key.
const KEY_ENV: &str = "CARGO_PKG_NAME";
const KEY: &str = env!("CARGO_PKG_NAME");

#[test]
fn texts_go_in_batches_and_their_vectors_come_in_order() {
    let service = Fake::new();
    let rows = passages(&*service.embedder(json!({"batch": 2})), &TEXTS).unwrap();
    assert!(are_those_of(&rows, &TEXTS));
    let mut sizes: Vec<_> = service.seen().iter().map(|seen| seen.input.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 2, 2]);
}

#[test]
fn the_index_decides_about_the_order() {
    let service = Fake::new().plays([Play::Change(|answer| answer["data"].as_array_mut().unwrap().reverse())]);
    assert!(are_those_of(&passages(&*service.embedder(json!({})), &TEXTS).unwrap(), &TEXTS));
}

#[test]
fn voyage_is_told_what_a_text_is() {
    let service = Fake::voyage();
    let embedder = service.embedder(json!({}));
    passages(&*embedder, &TEXTS).unwrap();
    embed(&*embedder, &["a question"], Role::Query).unwrap();
    let kinds: Vec<_> = service.seen().into_iter().map(|seen| seen.input_type.unwrap()).collect();
    assert_eq!(kinds, ["document", "query"]);
}

#[test]
fn the_width_is_asked_for_where_it_is_wanted() {
    for voyage in [false, true] {
        let service = Fake::with(|rules| {
            rules.voyage = voyage;
            rules.width = Some(DIMENSIONS);
        });
        passages(&*service.embedder(json!({"send_dimensions": true})), &TEXTS).unwrap();
    }
}

#[test]
fn each_role_has_its_prefix() {
    let service = Fake::new();
    let embedder = service.embedder(json!({"query_prefix": "q: ", "passage_prefix": "p: ", "max_tokens": 16}));
    passages(&*embedder, &["the cat sat on a mat the cat sat on a mat", ""]).unwrap();
    embed(&*embedder, &["where"], Role::Query).unwrap();
    let input: Vec<_> = service.seen().into_iter().flat_map(|seen| seen.input).collect();
    assert_eq!(input, ["p: the cat sat on a mat the cat sat on a mat", "p: ", "q: where"]);
}

#[test]
fn long_texts_are_sent_in_pieces_with_the_prefix_before_each() {
    let service = Fake::with(|rules| rules.max_words = 16);
    let embedder = service.embedder(json!({"passage_prefix": "p ", "max_tokens": 16, "parallel": 1}));
    let text = "stone and copper from the hills ".repeat(20);
    let rows = passages(&*embedder, &[&text, "river"]).unwrap();
    let input: Vec<_> = service.seen().into_iter().flat_map(|seen| seen.input).collect();
    let (last, pieces) = input.split_last().unwrap();
    assert_eq!(last, "p river");
    let pieces: Vec<_> = pieces.iter().map(|piece| piece.strip_prefix("p ").unwrap()).collect();
    assert!(pieces.len() >= 8, "{pieces:?}");
    assert_eq!(pieces.join(" "), text.trim());
    // Pieces share the words, in nearly equal parts.
    let whole = crate::fake::unit_vector(&format!("{}{text}", "p ".repeat(pieces.len())));
    assert!(crate::cosine(&rows[0], &whole) > 0.99);
}

#[test]
fn an_empty_text_is_sent_as_something() {
    let service = Fake::new();
    let rows = passages(&*service.embedder(json!({})), &["", " \n"]).unwrap();
    assert_eq!(rows[0], rows[1]);
}

#[test]
fn a_repeated_question_is_not_sent_again() {
    let service = Fake::new();
    let embedder = service.embedder(json!({}));
    for _ in 0..3 {
        embed(&*embedder, &["what is copper"], Role::Query).unwrap();
    }
    assert_eq!(service.requests(), 1);
    passages(&*embedder, &["what is copper"]).unwrap();
    assert_eq!(service.requests(), 2);
}

#[test]
fn a_wrong_answer_is_an_error_that_says_where_and_what() {
    let long = "[".repeat(2 << 20);
    for (play, words) in [
        (Play::Change(|answer| drop(answer["data"].as_array_mut().unwrap().pop())), "4 vectors"),
        (Play::Change(|answer| answer["data"][1]["index"] = json!(0)), "index 0"),
        (Play::Change(|answer| answer["data"][1]["index"] = json!(5)), "index 5"),
        (Play::Change(|answer| drop(answer["data"][2]["embedding"].as_array_mut().unwrap().pop())), "255 dimensions"),
        (Play::Change(|answer| answer["data"][2]["embedding"][7] = json!(null)), "null"),
        (Play::Change(|answer| answer["data"][2]["embedding"] = json!(vec![0; DIMENSIONS])), "zero"),
        (Play::Change(|answer| answer["data"][2]["embedding"] = json!("AAAA")), "string"),
        (Play::Body("<html><body>Please log in</body></html>".to_owned()), "Please log in"),
        (Play::Body(r#"{"error": {"message": "no such model", "code": 404}}"#.to_owned()), "no such model"),
        (Play::Body(String::new()), "cannot be read"),
        (Play::Body(long), "longer than"),
        (Play::Refuse(204, Vec::new(), ""), "204"),
    ] {
        let service = Fake::new().plays([play]);
        let error = passages(&*service.embedder(json!({})), &TEXTS).unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Permanent), "{error}");
        assert!(error.to_string().contains(words), "{words}: {error}");
        assert!(error.to_string().contains(&format!("{}/embeddings", service.url())), "{error}");
        assert_eq!(service.requests(), 1, "{error}");
    }
}

#[test]
fn a_key_comes_from_the_environment() {
    let service = Fake::with(|rules| rules.key = Some(KEY.to_owned()));
    passages(&*service.embedder(json!({"key_env": KEY_ENV})), &TEXTS).unwrap();
}

#[test]
fn a_refused_key_is_not_sent_again_and_not_shown() {
    const BODY: &str =
        concat!(r#"{"error": {"message": "Incorrect API key provided: "#, env!("CARGO_PKG_NAME"), r#".\u001b[31m"}}"#);
    for status in [401, 403] {
        let service =
            Fake::with(|rules| rules.key = Some(KEY.to_owned())).plays([Play::Refuse(status, Vec::new(), BODY)]);
        let error = passages(&*service.embedder(json!({"key_env": KEY_ENV})), &TEXTS).unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Permanent));
        let told = format!("{error} {error:?}");
        assert!(told.contains("Incorrect API key provided: [key]") && told.contains("key_env"), "{told}");
        assert!(!told.contains(KEY) && !told.contains('\u{1b}'), "{told}");
        assert_eq!(service.requests(), 1);
    }
}

#[test]
fn texts_and_key_are_not_sent_on_to_another_place() {
    let other = Fake::new();
    for status in [301, 302, 303, 307, 308] {
        let location = vec![("location", format!("{}/embeddings", other.url()))];
        let service = Fake::new().plays([Play::Refuse(status, location, "")]);
        let error = passages(&*service.embedder(json!({})), &TEXTS).unwrap_err();
        assert!(error.to_string().contains(&status.to_string()), "{error}");
        assert_eq!(service.requests(), 1);
    }
    assert_eq!(other.connections(), 0);
}
