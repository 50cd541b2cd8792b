//! What a service says when it does not answer, and what that means.

use serde_json::Value;
use ureq::http::HeaderMap;

use crate::failure::{Failure, unavailable};
use crate::key::Key;
use crate::limits;

/// Characters of what a service says that are told on.
const LONGEST: usize = 300;
/// So many characters in a row that were sent are not told back.
const SENT: usize = 16;

/// Words by which services say that a request is too large. They have no status of their own for it: OpenAI, vLLM, Mistral,
/// Anthropic and Voyage send 400, as llama.cpp does for a prompt; text-embeddings-inference sends 413, llama.cpp for
/// embeddings 500.
const TOO_LARGE: [&str; 13] = [
    "too large",
    "too long",
    "too many tokens",
    "too many inputs",
    "max allowed tokens",
    "tokens per request",
    "context length",
    "context size",
    "context limit",
    "maximum number of tokens",
    "maximum input length",
    "batch size",
    "must have less than",
];

/// What must not be told of what a service says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Private<'a> {
    /// The key that was sent.
    pub key: Option<&'a Key>,
    /// The texts that were sent.
    pub texts: &'a [&'a str],
}

impl Private<'_> {
    /// The words in `body`: those of an error object of any of the services, else all of it; in one line, not too long, and
    /// without the key and what was sent.
    #[must_use]
    pub fn said(&self, body: &[u8]) -> String {
        const PLACES: [&str; 5] = ["/error/message", "/error", "/message", "/detail", "/detail/0/msg"];
        let words = match serde_json::from_slice::<Value>(body) {
            Ok(parsed) => match PLACES.iter().find_map(|place| parsed.pointer(place)?.as_str()) {
                Some(words) => words.to_owned(),
                // Written anew: escapes would hide what was sent.
                None => parsed.to_string(),
            },
            Err(_) => String::from_utf8_lossy(body).into_owned(),
        };
        // The key first: half of it must not be left by what is done next.
        let words = self.key.map_or_else(|| words.clone(), |key| key.taken_out_of(&words));
        let words = one_line(&words);
        let words = match words.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        };
        self.texts.iter().fold(words, |words, text| without(&words, &one_line(text)))
    }
}

/// The words of `text` with a space between them.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// `words` without what stands in `sent` as well: runs of [`SENT`] characters and more, or all of `sent` if that is shorter.
/// A few letters are left, since they are in any text.
fn without(words: &str, sent: &str) -> String {
    let run = sent.chars().take(SENT).count();
    let starts: Vec<usize> = words.char_indices().map(|(at, _)| at).chain([words.len()]).collect();
    if run < 4 || starts.len() <= run {
        return words.to_owned();
    }
    let mut kept = String::new();
    // By number of the character: what is copied up to, and up to where what comes is known to have been sent.
    let (mut copied, mut known) = (0, 0);
    for from in 0..starts.len() - run {
        if !sent.contains(&words[starts[from]..starts[from + run]]) {
            continue;
        }
        if from > known || known == 0 {
            kept.push_str(&words[starts[copied]..starts[from]]);
            kept.push_str("[…]");
        }
        known = from + run;
        copied = known;
    }
    kept.push_str(&words[starts[copied]..]);
    kept
}

/// What it means that a service breaks off an answer with the error `body`, which stands for `status`, if for any.
#[must_use]
pub fn broken_off(operation: &'static str, status: Option<u16>, body: &[u8], private: Private<'_>) -> Failure {
    match status {
        Some(status) => understand(operation, status, &HeaderMap::new(), body, private),
        None => Failure::Lasting(unavailable(operation, format!("the service breaks off: {}", private.said(body)))),
    }
}

/// What it means that a service answers with `status` and `body` when it was asked to do `operation`.
pub(crate) fn understand(
    operation: &'static str,
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    private: Private<'_>,
) -> Failure {
    let said = private.said(body);
    let colon = if said.is_empty() { "" } else { ": " };
    let error = unavailable(operation, format!("the service answers {status}{colon}{said}"));
    let lower = said.to_lowercase();
    let too_large = TOO_LARGE.iter().any(|words| lower.contains(words));
    match status {
        413 => Failure::TooLarge(error),
        400 | 422 | 500 if too_large => Failure::TooLarge(error),
        // OpenAI says so with 429, and no waiting brings money.
        429 if lower.contains("quota") && lower.contains("billing") => {
            Failure::Lasting(error.help("look at the account that the key belongs to"))
        }
        408 | 429 | 500 | 502..=504 | 520..=529 => {
            let wait = limits::asked(headers);
            let error = match wait {
                Some(wait) => error.with("asks to wait", format_args!("{:.0} s", wait.as_secs_f64().ceil())),
                None => error,
            };
            Failure::Passing { error, wait }
        }
        401 | 403 => Failure::Lasting(match private.key {
            None => error.help("set `key_env` to the variable that holds the key, or `key_file` to the file"),
            Some(key) => error.help(format!("look at the key that `{}` names", key.setting())),
        }),
        404 | 405 => Failure::Lasting(error.help("look at `url` and `model`")),
        300..=399 => Failure::Lasting(error.help("set `url` to where the service is: texts are not sent on")),
        _ => Failure::Lasting(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeySource;
    use proptest::prelude::*;

    fn failure(status: u16, body: &str) -> Failure {
        understand("talk", status, &HeaderMap::new(), body.as_bytes(), Private::default())
    }

    fn said(body: &[u8]) -> String {
        Private::default().said(body)
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
            assert_eq!(said(body.as_bytes()), "no such model", "{body}");
        }
        assert_eq!(said(b""), "");
        assert_eq!(said(b"\xff\x1b[31mred"), "\u{fffd} [31mred");
        assert_eq!(said("ä".repeat(1_000).as_bytes()).chars().count(), LONGEST + 1);
    }

    #[test]
    fn a_key_is_taken_out_before_the_text_is_cut() {
        let source = KeySource::read(Some("CARGO_PKG_NAME"), None).unwrap().unwrap();
        let body = format!("{}wikirag-remote", "x".repeat(LONGEST - 5));
        let words = Private { key: Some(&source.key().unwrap()), texts: &[] }.said(body.as_bytes());
        assert!(!words.contains("wiki"), "{words}");
    }

    #[test]
    fn what_was_sent_is_not_told_back() {
        let sent = "Where did\nProfessor Plum hide the lead pipe?";
        let private = Private { key: None, texts: &[sent, "who?", "a"] };
        for (body, expected) in [
            ("no such model", "no such model"),
            ("not valid: Where did Professor Plum hide the lead pipe?", "not valid: […]"),
            (r#"{"input": "Where did\u000aProfessor \u0050lum hide"}"#, r#"{"input":"Where did\n[…]"}"#),
            ("a) did Professor Plum hide, b) did Professor Plum hide it", "a)[…], b)[…]it"),
            ("`who?` is no question, Professor", "`[…]` is no question, Professor"),
        ] {
            assert_eq!(private.said(body.as_bytes()), expected);
        }
        assert_eq!(Private { key: None, texts: &["水火水火"] }.said("水火水火水".as_bytes()), "[…]水");
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
            (400, "prompt is too long: 215000 tokens > 200000 maximum"),
            (400, "input length and `max_tokens` exceed context limit: 199000 + 9000 > 200000"),
            (400, "request (6031 tokens) exceeds the available context size (4096 tokens), try increasing it"),
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
            let words = said(&body);
            prop_assert!(words.chars().count() <= LONGEST + 1 && !words.contains(char::is_control));
        }

        #[test]
        fn no_long_run_of_what_was_sent_is_left(words in "[ab ]{0,80}", sent in "[ab ]{20,200}") {
            let left = without(&words, &sent);
            let chars: Vec<char> = left.chars().collect();
            for run in chars.windows(SENT) {
                prop_assert!(!sent.contains(&run.iter().collect::<String>()), "{left:?}");
            }
        }
    }
}
