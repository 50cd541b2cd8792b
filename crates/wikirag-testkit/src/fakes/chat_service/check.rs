//! What a request must be like.

use serde_json::Value;

use super::super::http::Request;
use super::{MODEL, Rules};

/// The fields that a request may have.
const OPENAI: [&str; 7] =
    ["model", "messages", "max_tokens", "max_completion_tokens", "temperature", "stream", "stream_options"];
const ANTHROPIC: [&str; 6] = ["model", "messages", "max_tokens", "temperature", "stream", "system"];

impl Rules {
    /// The body of a request that is as it must be.
    pub(super) fn check(&self, request: &Request) -> Result<Value, String> {
        let must = |fine: bool, what: &str| if fine { Ok(()) } else { Err(format!("{what} ({})", request.line)) };
        let path = if self.anthropic { "messages" } else { "chat/completions" };
        must(request.line == format!("POST /v1/{path} HTTP/1.1"), "wrong request line")?;
        must(request.header("host").is_some_and(|host| host.starts_with("127.0.0.1:")), "wrong host")?;
        must(request.header("content-type") == Some("application/json"), "wrong content type")?;
        let (bearer, plain) = (request.header("authorization"), request.header("x-api-key"));
        if let Some(key) = &self.key {
            let fine = if self.anthropic { plain == Some(key) } else { bearer == Some(&*format!("Bearer {key}")) };
            must(fine, "wrong key")?;
        }
        must(if self.anthropic { bearer } else { plain }.is_none(), "a key in the wrong place")?;
        if self.anthropic {
            must(request.header("anthropic-version") == Some("2023-06-01"), "wrong version")?;
        }
        if let Some((name, value)) = self.header {
            must(request.header(name) == Some(value), "a header is missing")?;
        }
        let body: Value = serde_json::from_slice(&request.body).map_err(|error| error.to_string())?;
        let known: &[&str] = if self.anthropic { &ANTHROPIC } else { &OPENAI };
        let odd = body.as_object().ok_or("no object")?.keys().find(|key| !known.contains(&key.as_str()));
        must(odd.is_none(), &format!("unknown field {odd:?}"))?;
        must(body["model"] == MODEL, "wrong model")?;
        must(limit(&body).is_some_and(|most| most > 0), "no `max_tokens`")?;
        must(body["stream"].is_null() || body["stream"].is_boolean(), "wrong `stream`")?;
        must(body["system"].is_null() || says(&body["system"]), "a system without words")?;
        self.check_messages(&body).map_err(|what| format!("{what} ({})", request.line))?;
        Ok(body)
    }

    fn check_messages(&self, body: &Value) -> Result<(), &'static str> {
        let messages = body["messages"].as_array().filter(|messages| !messages.is_empty()).ok_or("no messages")?;
        for message in messages {
            let role = message["role"].as_str().unwrap_or_default();
            if !["user", "assistant"].contains(&role) && (self.anthropic || role != "system") {
                return Err("a message of nobody");
            }
            if !says(&message["content"]) {
                return Err("a message without words");
            }
        }
        match messages.last() {
            Some(last) if last["role"] == "user" => Ok(()),
            _ => Err("the last word is not the user's"),
        }
    }
}

fn says(text: &Value) -> bool {
    text.as_str().is_some_and(|text| !text.trim().is_empty())
}

/// The longest answer that is asked for.
pub(super) fn limit(body: &Value) -> Option<u64> {
    body["max_tokens"].as_u64().or_else(|| body["max_completion_tokens"].as_u64())
}
