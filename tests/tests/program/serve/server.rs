//! A server that runs for a test, and a client that sends exactly what it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use wikirag_tests::World;

/// A server that is running. It is ended when this is dropped.
pub(super) struct Server {
    child: Child,
    pub(super) address: SocketAddr,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) status: u16,
    /// Names in small letters.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Server {
    /// Starts `wikirag serve` with these arguments at a free port.
    pub(super) fn start(world: &World, args: &[&str]) -> Self {
        let log = std::fs::File::create(world.path("serve.log")).unwrap();
        let mut command = world.command(&["serve", "--port", "0"]);
        let mut child = command.args(args).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|address| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("{line:?}\n{}", world.read("serve.log")));
        Self { child, address }
    }

    /// Sends bytes and reads until the server closes.
    pub(super) fn raw(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // A server that has answered before it read all of it may have closed already.
        let _ = stream.write_all(request);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        reply
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// One request with these header lines.
    pub(super) fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|header| header.to_lowercase().starts_with("host:")) {
            request += &format!("Host: {}\r\n", self.address);
        }
        for header in headers {
            request += &format!("{header}\r\n");
        }
        Reply::parse(&self.raw(format!("{request}\r\n{body}").as_bytes()))
    }

    pub(super) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &["Content-Type: application/json"], &body.to_string())
    }

    /// Tells it to stop, and waits until it has.
    #[cfg(unix)]
    pub(super) fn stop(&mut self, signal: &str) -> ExitStatus {
        let pid = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_lowercase(), value.trim().to_owned())
        };
        Self { status, headers: lines.map(header).collect(), body: body.to_owned() }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body, of an answer of this status.
    #[track_caller]
    pub(super) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        self.json()
    }

    /// The code of an error of this status, which is in the one shape of errors.
    #[track_caller]
    pub(super) fn error(&self, status: u16) -> String {
        let body = self.expect(status);
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        assert_eq!(body.as_object().unwrap().len(), 1, "{self:?}");
        let error = body["error"].as_object().unwrap();
        assert!(error.keys().all(|key| ["code", "message", "remedy"].contains(&key.as_str())), "{self:?}");
        assert!(!error["message"].as_str().unwrap().is_empty(), "{self:?}");
        error["code"].as_str().unwrap().to_owned()
    }
}
