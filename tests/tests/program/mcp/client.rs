//! A client that writes its lines by hand, so that no library hides what is on the wire.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wikirag_tests::World;

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program under test as a client sees it.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    errors: Receiver<String>,
    sent: i64,
    /// Output schemas by the names of tools.
    schemas: HashMap<String, Value>,
    /// What came that was no answer.
    pub(super) notifications: Vec<Value>,
    /// Ids of all answers.
    pub(super) answered: Vec<i64>,
}

impl Client {
    /// Starts `wikirag mcp` and shakes hands.
    pub(super) fn start(world: &World, targets: &[&str]) -> Self {
        let mut client = Self::start_silently(world, targets);
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = client.request("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "wikirag", "{answer}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        for tool in client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap() {
            client.schemas.insert(tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].clone());
        }
        client
    }

    /// Starts it and says nothing.
    pub(super) fn start_silently(world: &World, targets: &[&str]) -> Self {
        let mut command = world.command(&[&["mcp"], targets].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (line, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for text in stdout.lines().map_while(Result::ok) {
                let value = serde_json::from_str(&text)
                    .unwrap_or_else(|error| json!({ "no protocol": text, "why": error.to_string() }));
                if line.send(value).is_err() {
                    return;
                }
            }
        });
        let (said, errors) = channel();
        let mut stderr = child.stderr.take().unwrap();
        thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            let _ = said.send(text);
        });
        let input = child.stdin.take();
        let (schemas, notifications, answered) = (HashMap::new(), Vec::new(), Vec::new());
        Self { child, input, lines, errors, sent: 0, schemas, notifications, answered }
    }

    /// Writes one line.
    pub(super) fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a request and does not wait; its id.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// Sends a request and waits for its answer.
    #[track_caller]
    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let message =
                self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("no answer to {method}: {error}"));
            assert_eq!(message["jsonrpc"], "2.0", "{message}");
            match message["id"].as_i64() {
                Some(answered) => {
                    self.answered.push(answered);
                    if answered == id {
                        return message;
                    }
                }
                None => self.notifications.push(message),
            }
        }
    }

    /// Calls a tool; the result, or the error of the protocol.
    #[track_caller]
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        if answer["result"].is_null() { answer["error"].clone() } else { answer["result"].clone() }
    }

    /// Calls a tool that must succeed; its structured result, which must be what its output schema says.
    #[track_caller]
    pub(super) fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        let structured = result["structuredContent"].clone();
        let mut faults = Vec::new();
        validate(&structured, &self.schemas[tool], tool, &mut faults);
        assert!(faults.is_empty(), "{faults:?}\n{structured}");
        assert!(!result["content"][0]["text"].as_str().unwrap().is_empty());
        structured
    }

    /// Calls a tool that must fail, with a result that tells why.
    #[track_caller]
    pub(super) fn fails(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Closes the input; how the program ended, how long that took, and what it had said on stderr.
    pub(super) fn close(mut self) -> (ExitStatus, Duration, String) {
        let start = Instant::now();
        drop(self.input.take());
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                let took = start.elapsed();
                assert!(self.lines.try_iter().all(|message| message["jsonrpc"] == "2.0"));
                return (status, took, self.errors.recv_timeout(PATIENCE).unwrap());
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("it did not end");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that fails leaves nothing behind; one that ended it finds nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The part of JSON Schema that the schemas use.
fn validate(value: &Value, schema: &Value, at: &str, faults: &mut Vec<String>) {
    let is_right = match schema["type"].as_str().unwrap() {
        "object" => {
            let (object, properties) = (value.as_object(), schema["properties"].as_object().unwrap());
            for required in schema["required"].as_array().into_iter().flatten() {
                if value.get(required.as_str().unwrap()).is_none() {
                    faults.push(format!("{at} lacks {required}"));
                }
            }
            for (name, value) in object.into_iter().flatten() {
                match properties.get(name) {
                    Some(schema) => validate(value, schema, &format!("{at}.{name}"), faults),
                    None => faults.push(format!("{at}.{name} is not named")),
                }
            }
            object.is_some()
        }
        "array" => {
            for item in value.as_array().into_iter().flatten() {
                validate(item, &schema["items"], &format!("{at}[]"), faults);
            }
            value.is_array()
        }
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => false,
    };
    if !is_right || value.as_f64().zip(schema["minimum"].as_f64()).is_some_and(|(value, least)| value < least) {
        faults.push(format!("{at} is {value}"));
    }
}
