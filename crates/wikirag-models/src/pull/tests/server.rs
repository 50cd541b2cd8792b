//! A web server that does as it is told.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What is answered at one path.
#[derive(Clone)]
pub(crate) struct Page {
    path: &'static str,
    status: &'static str,
    headers: String,
    body: Vec<u8>,
}

impl Page {
    /// A file, whole.
    pub(crate) fn file(path: &'static str, body: &[u8]) -> Self {
        Self::claiming(path, body, body.len())
    }

    /// A file whose length is said to be another.
    pub(crate) fn claiming(path: &'static str, body: &[u8], length: usize) -> Self {
        Self { path, status: "200 OK", headers: format!("Content-Length: {length}\r\n"), body: body.to_owned() }
    }

    /// A file of which nobody says how long it is: it ends where the connection does.
    pub(crate) fn unmeasured(path: &'static str, body: &[u8]) -> Self {
        Self { path, status: "200 OK", headers: String::new(), body: body.to_owned() }
    }

    pub(crate) fn status(path: &'static str, status: &'static str) -> Self {
        Self { path, status, headers: "Content-Length: 0\r\n".into(), body: Vec::new() }
    }

    pub(crate) fn redirect(path: &'static str, to: &str) -> Self {
        let headers = format!("Location: {to}\r\nContent-Length: 0\r\n");
        Self { path, status: "302 Found", headers, body: Vec::new() }
    }
}

/// Serves its pages on a port of this machine until the test program ends.
pub(crate) struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn new(pages: Vec<Page>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for connection in listener.incoming() {
                answer(&connection.unwrap(), &pages, &log);
            }
        });
        Self { address, asked }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The paths that were asked for, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// An address at which nobody listens.
pub(crate) fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/model.onnx", listener.local_addr().unwrap())
}

fn answer(mut connection: &TcpStream, pages: &[Page], log: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(connection).lines();
    // Whatever speaks another protocol is hung up on.
    let Some(Ok(first)) = lines.next() else { return };
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
    let page = pages.iter().find(|page| page.path == path).cloned();
    let page = page.unwrap_or_else(|| Page::status("", "404 Not Found"));
    log.lock().unwrap().push(path);
    let head = format!("HTTP/1.1 {}\r\nConnection: close\r\n{}\r\n", page.status, page.headers);
    // A client that has read enough goes away; that is its right.
    let _ = connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(&page.body));
}
