//! How the server is set up.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use wikirag_core::{Error, ErrorKind, Result};

use crate::access::{Door, Sites, Tokens};

/// How the server is set up.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where it listens. Anything but loopback needs tokens.
    pub address: SocketAddr,
    /// Who may ask; `None`: whoever is on this machine.
    pub tokens: Option<Tokens>,
    /// Whether this machine comes in without a token where there are tokens.
    pub is_open_here: bool,
    /// Names under which the server may be called, beside those of loopback.
    pub hosts: Vec<String>,
    /// Whether questions are written to the log, where the composition that was asked sees nothing above `internal`.
    pub logs_questions: bool,
    /// What one request may take.
    pub limits: Limits,
}

/// What requests may take. Beyond it they are refused, so that the server answers the others.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of the body of a request.
    pub body: usize,
    /// Characters of a question.
    pub question: usize,
    /// Connections at a time; further ones wait to be accepted.
    pub connections: usize,
    /// Requests that are worked on at a time.
    pub running: usize,
    /// Requests that wait for their turn; further ones are sent away.
    pub waiting: usize,
    /// For the headers of a request, and for a connection on which nothing is asked.
    pub header_time: Duration,
    /// For a request, from its headers to its answer.
    pub request_time: Duration,
    /// For an answer that a language model writes.
    pub writing_time: Duration,
    /// For what still runs when the server is stopped.
    pub stop_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            body: 1 << 20,
            question: 8_192,
            connections: 1_024,
            running: (cores * 2).max(4),
            waiting: 512,
            header_time: Duration::from_secs(15),
            request_time: Duration::from_secs(30),
            writing_time: Duration::from_secs(300),
            stop_time: Duration::from_secs(10),
        }
    }
}

impl Config {
    /// The port that is listened at if nobody says another.
    pub const PORT: u16 = 7_719;

    /// Loopback, no tokens.
    #[must_use]
    pub fn local(port: u16) -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
            tokens: None,
            is_open_here: false,
            hosts: Vec::new(),
            logs_questions: false,
            limits: Limits::default(),
        }
    }

    /// Who is let in.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for an address that others can reach, without tokens.
    pub(super) fn door(&self) -> Result<Door> {
        match &self.tokens {
            Some(tokens) => Ok(Door::with_tokens(tokens.clone(), self.is_open_here)),
            None if self.address.ip().is_loopback() => Ok(Door::open()),
            None => {
                let message =
                    format!("`{}` can be reached from other machines, and nobody needs a token", self.address);
                let error = Error::new(ErrorKind::Usage, "serve", message);
                Err(error.help("give a token file with `--tokens FILE`, or listen at 127.0.0.1"))
            }
        }
    }

    pub(super) fn sites(&self) -> Sites {
        Sites::new(self.address.ip(), self.hosts.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_come_in_with_tokens_only() {
        let mut config = Config::local(0);
        assert!(config.door().is_ok());
        for address in ["0.0.0.0:0", "[::]:0", "10.0.0.1:80"] {
            config.address = address.parse().unwrap();
            let error = config.door().unwrap_err();
            assert!(error.kind() == ErrorKind::Usage && error.remedy().unwrap().contains("--tokens"), "{error}");
        }
    }
}
