//! Chat completions, as OpenAI has them (<https://platform.openai.com/docs/api-reference/chat>) and others understood them.

use serde::Deserialize;
use serde_json::{Value, json};
use wikirag_core::{Ended, Prompt, Speaker};

use super::{Account, Step, Trouble};
use crate::settings::{LimitName, Settings};

pub(super) fn request(settings: &Settings, prompt: &Prompt) -> Value {
    let messages = prompt.messages.iter().map(|message| {
        let role = match message.speaker {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        json!({"role": role, "content": message.text})
    });
    let messages: Vec<_> = messages.collect();
    let mut body = json!({"model": settings.model, "messages": messages, "stream": true});
    let limit = match settings.limit_name {
        LimitName::MaxTokens => "max_tokens",
        LimitName::MaxCompletionTokens => "max_completion_tokens",
    };
    body[limit] = json!(prompt.max_tokens);
    if let Some(temperature) = settings.temperature {
        body["temperature"] = json!(temperature);
    }
    if settings.ask_usage {
        body["stream_options"] = json!({"include_usage": true});
    }
    body
}

/// An event of a stream, or a whole answer. All of it is optional: services leave out what they do not know.
#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<Usage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: u64,
    /// More of the message.
    delta: Option<Message>,
    /// The whole message.
    message: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<Content>,
    /// What the model says in place of an answer that it does not give.
    refusal: Option<String>,
    /// What it thinks, with vLLM, llama.cpp and DeepSeek.
    reasoning_content: Option<String>,
    /// The same with OpenRouter and Ollama.
    reasoning: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    /// As Mistral sends it where a model thinks.
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

pub(super) fn read(data: &[u8], account: &mut Account) -> Result<Step, Trouble> {
    if data.trim_ascii() == b"[DONE]" {
        return Ok(Step::Over);
    }
    let chunk: Chunk = serde_json::from_slice(data)?;
    if let Some(error) = &chunk.error {
        return Err(Trouble::Error(status(error)));
    }
    if let Some(usage) = chunk.usage {
        account.tokens_in = usage.prompt_tokens.or(account.tokens_in);
        account.tokens_out = usage.completion_tokens.or(account.tokens_out);
    }
    // One answer was asked for.
    let choice = chunk.choices.into_iter().flatten().find(|choice| choice.index == 0);
    let Some(Choice { delta, message, finish_reason, .. }) = choice else {
        return Ok(Step::Text(String::new()));
    };
    if let Some(reason) = finish_reason.filter(|reason| !reason.is_empty()) {
        // A refusal that was told stays one, whatever else ends the stream.
        account.ended = account.ended.filter(|known| *known == Ended::Refused).or(Some(ended(&reason)));
    }
    let Some(Message { content, refusal, reasoning_content, reasoning }) = delta.or(message) else {
        return Ok(Step::Text(String::new()));
    };
    let mut text = match content {
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
        None => String::new(),
    };
    if let Some(refusal) = refusal.filter(|refusal| !refusal.is_empty()) {
        account.ended = Some(Ended::Refused);
        text.push_str(&refusal);
    }
    let thinks = reasoning_content.or(reasoning).is_some_and(|thought| !thought.is_empty());
    Ok(if text.is_empty() && thinks { Step::Thinking } else { Step::Text(text) })
}

fn ended(reason: &str) -> Ended {
    match reason {
        // The last three are what text-generation-inference and Together say.
        "stop" | "eos" | "eos_token" | "stop_sequence" => Ended::Complete,
        "length" | "max_tokens" => Ended::Cut,
        "content_filter" => Ended::Refused,
        _ => Ended::Unclear,
    }
}

/// The status that an error within a stream stands for: OpenRouter and vLLM tell it as `code`.
fn status(error: &Value) -> Option<u16> {
    let code = &error["code"];
    let number = code.as_u64().or_else(|| code.as_str()?.parse().ok());
    let told = number.and_then(|number| u16::try_from(number).ok()).filter(|status| (400..600).contains(status));
    told.or_else(|| {
        let kinds = [&error["type"], code].map(|kind| kind.as_str().unwrap_or_default());
        let is = |word: &str| kinds.iter().any(|kind| kind.contains(word));
        if is("rate_limit") {
            Some(429)
        } else if is("overloaded") || is("server_error") {
            Some(500)
        } else if is("context_length_exceeded") {
            Some(413)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use wikirag_core::Message as Said;

    use super::*;

    fn text(text: &str) -> Step {
        Step::Text(text.to_owned())
    }

    fn said(speaker: Speaker, text: &str) -> Said {
        Said { speaker, text: text.to_owned() }
    }

    #[test]
    fn a_request_has_what_was_set_and_no_more() {
        let messages = vec![said(Speaker::System, "s"), said(Speaker::User, "u\0")];
        let prompt = Prompt { messages, max_tokens: 7 };
        let settings = Settings { model: "m".to_owned(), ..Settings::default() };
        let messages = json!([{"role": "system", "content": "s"}, {"role": "user", "content": "u\0"}]);
        let usage = json!({"include_usage": true});
        assert_eq!(
            request(&settings, &prompt),
            json!({"model": "m", "messages": messages, "stream": true, "max_tokens": 7, "stream_options": usage})
        );
        let settings = Settings {
            limit_name: LimitName::MaxCompletionTokens,
            temperature: Some(0.5),
            ask_usage: false,
            ..settings
        };
        assert_eq!(
            request(&settings, &prompt),
            json!({"model": "m", "messages": messages, "stream": true, "max_completion_tokens": 7, "temperature": 0.5})
        );
    }

    /// As services were seen to send them.
    #[test]
    fn events_are_understood() {
        for (data, expected) in [
            (r#"{"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}]}"#, text("")),
            (
                r#"{"choices":[{"index":0,"delta":{"content":" a"},"logprobs":null,"finish_reason":null}],"usage":null}"#,
                text(" a"),
            ),
            (r#"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":""}]}"#, text("a")),
            (r#"{"choices":[{"index":1,"delta":{"content":"another answer"}}]}"#, text("")),
            (r#"{"choices":[],"prompt_filter_results":[]}"#, text("")),
            (r#"{"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}"#, Step::Thinking),
            (r#"{"choices":[{"index":0,"delta":{"content":"","reasoning":"hm"}}]}"#, Step::Thinking),
            (
                r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"a"}]}}]}"#,
                text("a"),
            ),
            (r#"{"choices":[{"message":{"role":"assistant","content":"all"}}]}"#, text("all")),
            ("[DONE]", Step::Over),
            (" [DONE] ", Step::Over),
        ] {
            let mut account = Account::default();
            assert_eq!(read(data.as_bytes(), &mut account).unwrap(), expected, "{data}");
            assert_eq!(account.ended, None, "{data}");
        }
        for data in ["", "{", "[]", "null", r#"{"choices":{}}"#, r#"{"choices":[{"delta":{"content":7}}]}"#] {
            let read = read(data.as_bytes(), &mut Account::default());
            assert!(matches!(read, Err(Trouble::Unreadable)), "{data}: {read:?}");
        }
    }

    #[test]
    fn ends_and_tokens_are_told() {
        let mut account = Account::default();
        let mut take = |data: Value| {
            read(data.to_string().as_bytes(), &mut account).unwrap();
            account
        };
        assert_eq!(take(json!({"choices": [{"delta": {}, "finish_reason": "length"}]})).ended, Some(Ended::Cut));
        assert_eq!(take(json!({"choices": [{"delta": {}, "finish_reason": "moon"}]})).ended, Some(Ended::Unclear));
        assert_eq!(take(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]})).ended, Some(Ended::Complete));
        let after = take(json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 6}}));
        assert_eq!((after.tokens_in, after.tokens_out), (Some(5), Some(6)));
        assert_eq!(take(json!({"usage": {"total_tokens": 11}})), after);
        assert_eq!(take(json!({"choices": [{"delta": {"refusal": "I will not"}}]})).ended, Some(Ended::Refused));
        assert_eq!(take(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]})).ended, Some(Ended::Refused));
    }

    #[test]
    fn errors_stand_for_a_status() {
        for (error, expected) in [
            (json!({"code": 502, "message": "Provider disconnected"}), Some(502)),
            (json!({"code": "429"}), Some(429)),
            (json!({"type": "server_error", "code": null}), Some(500)),
            (json!({"type": "tokens", "code": "rate_limit_exceeded"}), Some(429)),
            (json!({"code": "context_length_exceeded"}), Some(413)),
            (json!({"code": 7}), None),
            (json!("plain words"), None),
        ] {
            let data = json!({"error": error}).to_string();
            let read = read(data.as_bytes(), &mut Account::default());
            assert!(matches!(read, Err(Trouble::Error(status)) if status == expected), "{data}: {read:?}");
        }
    }
}
