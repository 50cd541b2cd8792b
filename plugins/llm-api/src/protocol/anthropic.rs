//! Messages, as Anthropic has them (<https://docs.anthropic.com/en/api/messages-streaming>).

use serde::Deserialize;
use serde_json::{Value, json};
use wikirag_core::{Ended, Prompt, Speaker};

use super::{Account, Step, Trouble};
use crate::settings::Settings;

/// The version of the protocol.
pub(super) const VERSION: &str = "2023-06-01";

pub(super) fn request(settings: &Settings, prompt: &Prompt) -> Value {
    // What the system says is no message here.
    let mut system = None;
    let mut messages = Vec::new();
    for message in &prompt.messages {
        let role = match message.speaker {
            Speaker::System => {
                system = Some(&message.text);
                continue;
            }
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        messages.push(json!({"role": role, "content": message.text}));
    }
    let mut body =
        json!({"model": settings.model, "messages": messages, "stream": true, "max_tokens": prompt.max_tokens});
    if let Some(system) = system {
        body["system"] = json!(system);
    }
    if let Some(temperature) = settings.temperature {
        body["temperature"] = json!(temperature);
    }
    body
}

/// An event of a stream, or a whole answer.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        content_block: Block,
    },
    ContentBlockDelta {
        delta: Block,
    },
    MessageDelta {
        delta: End,
        usage: Option<Usage>,
    },
    MessageStop,
    /// The whole answer.
    Message {
        content: Vec<Block>,
        stop_reason: Option<String>,
        usage: Option<Usage>,
    },
    Error {
        error: Problem,
    },
    /// `ping`, `content_block_stop`, and what there will be: the protocol says that more kinds may come.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Start {
    usage: Option<Usage>,
}

/// A part of the answer, or more of one.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    TextDelta {
        text: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct End {
    stop_reason: Option<String>,
}

/// Counts so far, not since the last event.
#[derive(Deserialize)]
struct Usage {
    input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Problem {
    #[serde(rename = "type", default)]
    kind: String,
}

pub(super) fn read(data: &[u8], account: &mut Account) -> Result<Step, Trouble> {
    match serde_json::from_slice(data)? {
        Event::MessageStart { message } => {
            account.count(message.usage);
            Ok(Step::Text(String::new()))
        }
        Event::ContentBlockStart { content_block: block } | Event::ContentBlockDelta { delta: block } => {
            Ok(block.text().map_or(Step::Thinking, Step::Text))
        }
        Event::MessageDelta { delta, usage } => {
            account.count(usage);
            account.ended = delta.stop_reason.as_deref().map(ended).or(account.ended);
            Ok(Step::Text(String::new()))
        }
        Event::MessageStop => Ok(Step::Over),
        Event::Message { content, stop_reason, usage } => {
            account.count(usage);
            account.ended = stop_reason.as_deref().map(ended);
            Ok(Step::Text(content.into_iter().filter_map(Block::text).collect()))
        }
        Event::Error { error } => Err(Trouble::Error(status(&error.kind))),
        Event::Other => Ok(Step::Text(String::new())),
    }
}

impl Block {
    fn text(self) -> Option<String> {
        match self {
            Self::Text { text } | Self::TextDelta { text } => Some(text),
            Self::Other => None,
        }
    }
}

impl Account {
    fn count(&mut self, usage: Option<Usage>) {
        let Some(usage) = usage else { return };
        // What comes out of a cache is read as well.
        let read = [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
        if read.iter().any(Option::is_some) {
            let sum = read.into_iter().flatten().fold(0, u64::saturating_add);
            self.tokens_in = self.tokens_in.max(Some(sum));
        }
        self.tokens_out = usage.output_tokens.or(self.tokens_out);
    }
}

fn ended(reason: &str) -> Ended {
    match reason {
        "end_turn" | "stop_sequence" => Ended::Complete,
        "max_tokens" | "model_context_window_exceeded" => Ended::Cut,
        "refusal" => Ended::Refused,
        _ => Ended::Unclear,
    }
}

/// The status that an error within a stream stands for (<https://docs.anthropic.com/en/api/errors>).
fn status(kind: &str) -> Option<u16> {
    match kind {
        "invalid_request_error" => Some(400),
        "authentication_error" => Some(401),
        "permission_error" => Some(403),
        "not_found_error" => Some(404),
        "request_too_large" => Some(413),
        "rate_limit_error" => Some(429),
        "api_error" => Some(500),
        "timeout_error" => Some(504),
        "overloaded_error" => Some(529),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use wikirag_core::Message;

    use super::*;

    #[test]
    fn the_system_is_no_message() {
        let said = |speaker, text: &str| Message { speaker, text: text.to_owned() };
        let messages = vec![
            said(Speaker::System, "s"),
            said(Speaker::User, "u"),
            said(Speaker::Assistant, "a"),
            said(Speaker::User, "v"),
        ];
        let settings = Settings { model: "m".to_owned(), temperature: Some(0.0), ..Settings::default() };
        let sent = json!([{"role": "user", "content": "u"}, {"role": "assistant", "content": "a"},
            {"role": "user", "content": "v"}]);
        assert_eq!(
            request(&settings, &Prompt { messages, max_tokens: 7 }),
            json!({"model": "m", "messages": sent, "stream": true, "max_tokens": 7, "system": "s", "temperature": 0.0})
        );
        let alone = Prompt { messages: vec![said(Speaker::User, "u")], max_tokens: 7 };
        assert!(request(&Settings::default(), &alone).get("system").is_none());
    }

    #[test]
    fn events_are_understood() {
        let mut account = Account::default();
        let mut text = String::new();
        let mut thoughts = 0;
        for data in [
            json!({"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 25,
                "cache_read_input_tokens": 100, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            json!({"type": "ping"}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "H"}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "ello"}}),
            json!({"type": "of_the_future", "text": "no"}),
            json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 15}}),
        ] {
            match read(data.to_string().as_bytes(), &mut account).unwrap() {
                Step::Text(more) => text.push_str(&more),
                Step::Thinking => thoughts += 1,
                Step::Over => panic!("{data} ends the stream"),
            }
        }
        assert_eq!((&*text, thoughts), ("Hello", 3));
        assert_eq!(account, Account { tokens_in: Some(125), tokens_out: Some(15), ended: Some(Ended::Cut) });
        assert_eq!(read(br#"{"type":"message_stop"}"#, &mut account).unwrap(), Step::Over);
        for data in ["[DONE]", "{}", r#"{"type":"content_block_delta"}"#, r#"{"type":7}"#] {
            assert!(matches!(read(data.as_bytes(), &mut account), Err(Trouble::Unreadable)), "{data}");
        }
    }

    #[test]
    fn an_answer_in_one_piece_is_understood() {
        let content = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "No"}]);
        let usage = json!({"input_tokens": 3, "output_tokens": 4});
        let data = json!({"type": "message", "content": content, "stop_reason": "refusal", "usage": usage});
        let mut account = Account::default();
        assert_eq!(read(data.to_string().as_bytes(), &mut account).unwrap(), Step::Text("No".to_owned()));
        assert_eq!(account, Account { tokens_in: Some(3), tokens_out: Some(4), ended: Some(Ended::Refused) });
    }

    #[test]
    fn errors_stand_for_a_status() {
        for (kind, expected) in [("overloaded_error", Some(529)), ("rate_limit_error", Some(429)), ("new_error", None)]
        {
            let data = json!({"type": "error", "error": {"type": kind, "message": "no"}}).to_string();
            let read = read(data.as_bytes(), &mut Account::default());
            assert!(matches!(read, Err(Trouble::Error(status)) if status == expected), "{data}: {read:?}");
        }
    }
}
