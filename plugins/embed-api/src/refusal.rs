//! What a service says when it does not answer, and what that means.

use serde_json::Value;
use wikirag_core::Error;

use crate::client::Reply;
use crate::failure::{Failure, unavailable};
use crate::key::Key;
use crate::limits;

/// Characters of what a service says that are told on.
const LONGEST: usize = 300;

/// Words by which services say that a request is too large. They have no status of their own for it: OpenAI, vLLM, Mistral
/// and Voyage send 400, text-embeddings-inference 413, llama.cpp 500.
const TOO_LARGE: [&str; 10] = [
    "too large",
    "too long",
    "too many tokens",
    "too many inputs",
    "max allowed tokens",
    "tokens per request",
    "context length",
    "maximum input length",
    "batch size",
    "must have less than",
];

/// What the refusal `reply` means.
pub(crate) fn understand(reply: &Reply, key: Option<&Key>) -> Failure {
    let said = said(&reply.body, key);
    let status = reply.status;
    let colon = if said.is_empty() { "" } else { ": " };
    let error = unavailable(format!("the service answers {status}{colon}{said}"));
    let lower = said.to_lowercase();
    let too_large = TOO_LARGE.iter().any(|words| lower.contains(words));
    match status {
        413 => Failure::TooLarge(too_large_help(error)),
        400 | 422 | 500 if too_large => Failure::TooLarge(too_large_help(error)),
        // OpenAI says so with 429, and no waiting brings money.
        429 if lower.contains("quota") && lower.contains("billing") => {
            Failure::Lasting(error.help("look at the account that the key belongs to"))
        }
        408 | 429 | 500 | 502..=504 | 520..=529 => {
            let wait = limits::asked(&reply.headers);
            let error = match wait {
                Some(wait) => error.with("asks to wait", format_args!("{:.0} s", wait.as_secs_f64().ceil())),
                None => error,
            };
            Failure::Passing { error, wait }
        }
        401 | 403 if key.is_none() => Failure::Lasting(error.help("set `key_env` to the variable that holds the key")),
        401 | 403 => Failure::Lasting(error.help("look at the key in the variable that `key_env` names")),
        404 | 405 => Failure::Lasting(error.help("look at `url` and `model`")),
        300..=399 => Failure::Lasting(error.help("set `url` to where the service is: texts are not sent on")),
        _ => Failure::Lasting(error),
    }
}

fn too_large_help(error: Error) -> Error {
    error.help("lower `batch` or `max_tokens`")
}

/// The words in `body`: those of an error object of any of the services, else all of it; without control characters and
/// the key, and not too long.
pub(crate) fn said(body: &[u8], key: Option<&Key>) -> String {
    const PLACES: [&str; 5] = ["/error/message", "/error", "/message", "/detail", "/detail/0/msg"];
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let words = PLACES.iter().find_map(|place| parsed.as_ref()?.pointer(place)?.as_str());
    let words = words.map_or_else(|| String::from_utf8_lossy(body).into_owned(), str::to_owned);
    // The key first: half of it must not be left by what is done next.
    let words = key.map_or_else(|| words.clone(), |key| key.taken_out_of(&words));
    let words: Vec<_> = words.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let words = words.join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ureq::http::HeaderMap;

    use super::*;

    fn failure(status: u16, body: &str) -> Failure {
        understand(&Reply { status, headers: HeaderMap::new(), body: body.as_bytes().to_vec() }, None)
    }

    #[test]
    fn the_words_of_each_service_are_found() {
        for body in [
            r#"{"error":{"message":"no such model","type":"x","param":null}}"#,
            r#"{"error":"no such model","error_type":"Validation"}"#,
            r#"{"object":"error","message":"no such model","code":404}"#,
            r#"{"detail":"no such model"}"#,
            r#"{"detail":[{"loc":["body"],"msg":"no such model"}]}"#,
            "no\r\n such\u{7}\tmodel\n",
        ] {
            assert_eq!(said(body.as_bytes(), None), "no such model", "{body}");
        }
        assert_eq!(said(b"", None), "");
        assert_eq!(said(b"\xff\x1b[31mred", None), "\u{fffd} [31mred");
        assert_eq!(said("ä".repeat(1_000).as_bytes(), None).chars().count(), LONGEST + 1);
    }

    #[test]
    fn a_key_is_taken_out_before_the_text_is_cut() {
        let key = Key::from_environment("CARGO_PKG_NAME").unwrap();
        let body = format!("{}wikirag-embed-api", "x".repeat(LONGEST - 5));
        let words = said(body.as_bytes(), Some(&key));
        assert!(!words.contains("wiki"), "{words}");
    }

    #[test]
    fn statuses_tell_what_to_do() {
        for status in [408, 429, 500, 502, 503, 504, 529] {
            assert!(matches!(failure(status, "busy"), Failure::Passing { .. }), "{status}");
        }
        for status in [204, 301, 400, 401, 403, 404, 405, 422, 501, 505] {
            assert!(matches!(failure(status, "no"), Failure::Lasting(_)), "{status}");
        }
        let empty_account = "You exceeded your current quota, please check your plan and billing details.";
        assert!(matches!(failure(429, empty_account), Failure::Lasting(_)));
    }

    /// As services were seen to word it.
    #[test]
    fn too_large_is_understood() {
        for (status, words) in [
            (413, ""),
            (413, "batch size 33 > maximum allowed batch size 32"),
            (422, "`inputs` must have less than 512 tokens. Given: 534"),
            (400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"),
            (400, "Invalid 'input[0]': maximum input length is 8192 tokens."),
            (400, "Requested 453357 tokens, max 300000 tokens per request"),
            (400, "Too many tokens in batch. Max is 16384 got 17555"),
            (400, "The max allowed tokens per submitted batch is 120000. Your batch has 121138 tokens"),
            (400, "batch size is invalid, it should not be larger than 10.: input.contents"),
            (500, "input (700 tokens) is too large to process. increase the physical batch size"),
        ] {
            assert!(matches!(failure(status, words), Failure::TooLarge(_)), "{status} {words}");
        }
        assert!(matches!(failure(429, "Too many tokens, slow down"), Failure::Passing { .. }));
        assert!(matches!(failure(400, "unknown model"), Failure::Lasting(_)));
    }

    proptest! {
        #[test]
        fn what_is_told_on_is_short_and_harmless(body in prop::collection::vec(any::<u8>(), 0..800)) {
            let words = said(&body, None);
            prop_assert!(words.chars().count() <= LONGEST + 1 && !words.contains(char::is_control));
        }
    }
}
