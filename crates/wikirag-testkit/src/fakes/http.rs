//! As much of HTTP as a service for tests needs.

#![expect(clippy::expect_used, reason = "a fake fails like the test it serves")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A request as it came.
pub(super) struct Request {
    /// Method, path and version.
    pub(super) line: String,
    headers: Vec<(String, String)>,
    /// All that its header announced.
    pub(super) body: Vec<u8>,
}

impl Request {
    /// `None` where the client closed the connection.
    pub(super) fn read(reader: &mut BufReader<&TcpStream>) -> Option<Self> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let header = |line: &String| {
            let (name, value) = line.split_once(':').expect("a header has a colon");
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let headers: Vec<_> = lines[1..].iter().map(header).collect();
        let mut request = Self { line: lines[0].clone(), headers, body: Vec::new() };
        request.body = vec![0; request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0)];
        reader.read_exact(&mut request.body).ok()?;
        Some(request)
    }

    /// The value of a header, whose name is given in small letters.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Sends an answer; whether the connection stands.
pub(super) fn send(mut stream: &TcpStream, status: u16, headers: &[(&str, String)], body: &str) -> bool {
    let mut head =
        format!("HTTP/1.1 {status} Whatever\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).is_ok()
}
