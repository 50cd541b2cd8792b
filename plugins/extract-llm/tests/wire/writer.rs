//! A generator that speaks OpenAI's protocol of chat completions, as far as these tests need it.

use std::io::{ErrorKind as Io, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use wikirag_core::{
    Capability, Completion, Context, Ended, Error, ErrorKind, Generator, Plugin, PluginSetup, Prompt, Result, Speaker,
    offload,
};
use wikirag_testkit::fakes::chat_service::MODEL;

pub(crate) const WRITER: Plugin = Plugin {
    name: "writer",
    version: "0",
    summary: "writes over a socket, for tests",
    personal: &[],
    provides: &[Capability::Generator { make }],
};

const OPERATION: &str = "write over a socket";

#[derive(Clone, Deserialize)]
struct Writer {
    address: String,
    stream: bool,
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Generator>> {
    Ok(Box::new(setup.settings.parse::<Writer>()?))
}

#[async_trait]
impl Generator for Writer {
    fn model(&self) -> &str {
        MODEL
    }

    async fn generate(
        &self,
        prompt: &Prompt,
        _: &mut (dyn for<'t> FnMut(&'t str) + Send),
        context: &Context,
    ) -> Result<Completion> {
        let messages: Vec<_> = prompt
            .messages
            .iter()
            .map(|message| {
                let role = match message.speaker {
                    Speaker::System => "system",
                    Speaker::User => "user",
                    Speaker::Assistant => "assistant",
                };
                json!({"role": role, "content": message.text})
            })
            .collect();
        let body =
            json!({"model": MODEL, "messages": messages, "max_tokens": prompt.max_tokens, "stream": self.stream});
        let (writer, context) = (self.clone(), context.clone());
        offload(move || writer.exchange(&body.to_string(), &context)).await
    }
}

impl Writer {
    fn exchange(&self, body: &str, context: &Context) -> Result<Completion> {
        let broken = |error: std::io::Error| unavailable("the service cannot be reached").caused_by(error).temporary();
        let mut stream = TcpStream::connect(&self.address).map_err(broken)?;
        stream.set_read_timeout(Some(Duration::from_millis(5))).map_err(broken)?;
        let head = format!(
            "POST /v1/chat/completions HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).map_err(broken)?;
        let mut came = Vec::new();
        loop {
            context.check(OPERATION)?;
            if let Some((status, body)) = whole(&came) {
                return if status == 200 { self.completion(&body) } else { Err(refused(status, &body)) };
            }
            let mut part = [0; 4096];
            match stream.read(&mut part) {
                Ok(0) => return Err(unavailable("the service broke off").temporary()),
                Ok(length) => came.extend_from_slice(&part[..length]),
                Err(error) if matches!(error.kind(), Io::WouldBlock | Io::TimedOut) => {}
                Err(error) => return Err(broken(error)),
            }
        }
    }

    fn completion(&self, body: &str) -> Result<Completion> {
        let odd = |error: serde_json::Error| unavailable("the service says no JSON").caused_by(error);
        let mut completion = Completion::default();
        let mut take = |value: &Value, key: &str| {
            completion.text.push_str(value["choices"][0][key]["content"].as_str().unwrap_or_default());
            completion.tokens_out = value["usage"]["completion_tokens"].as_u64().or(completion.tokens_out);
            if value["choices"][0]["finish_reason"] == "length" {
                completion.ended = Ended::Cut;
            }
        };
        if self.stream {
            for event in body.split("\n\n").filter_map(|event| event.strip_prefix("data: ")) {
                if event != "[DONE]" {
                    take(&serde_json::from_str(event).map_err(odd)?, "delta");
                }
            }
        } else {
            take(&serde_json::from_str(body).map_err(odd)?, "message");
        }
        Ok(completion)
    }
}

/// Status and body, when all that the head announces is there.
fn whole(came: &[u8]) -> Option<(u16, String)> {
    let end = came.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&came[..end]).to_ascii_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length: usize = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().ok()?;
    let body = came.get(end + 4..end + 4 + length)?;
    Some((status, String::from_utf8_lossy(body).into_owned()))
}

fn refused(status: u16, body: &str) -> Error {
    let error = unavailable(format!("the service refused with {status}: {body}"));
    if status == 429 || status >= 500 { error.temporary() } else { error }
}

fn unavailable(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unavailable, OPERATION, message.into())
}
