//! One request over HTTP.

use std::io::{self, Read};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use rustls::crypto::ring;
use ureq::http::HeaderMap;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, BodyReader, Timeout};
use wikirag_core::{Error, ErrorKind};

use crate::address::Address;
use crate::failure::{Failure, unavailable};
use crate::lines::Lines;
use crate::refusal::{Private, understand};

/// Connections are reused for so long. Servers close theirs after five seconds or more; a request that meets the closing
/// would fail.
const IDLE: Duration = Duration::from_secs(4);
/// Nobody reads more of an error than this.
const LONGEST_ERROR: u64 = 1 << 16;

const UNREACHABLE: &str = "the service cannot be reached";
const LOOK: &str = "is the service running, and `url` right?";

/// Certificates are those of the system: there companies keep the one of the proxy that all goes through, and
/// `SSL_CERT_FILE` names others. They are read once, and only where something is encrypted. Without any, each request fails
/// and says so.
static TLS: LazyLock<TlsConfig> = LazyLock::new(|| {
    let roots = rustls_native_certs::load_native_certs().certs;
    let roots = roots.iter().map(|one| Certificate::from_der(one).to_owned());
    TlsConfig::builder()
        .root_certs(RootCerts::from(roots))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build()
});

/// The header that a service wants the key in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// `x-api-key: KEY`.
    ApiKey,
}

/// How long a request may take. What is not set has no limit of its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patience {
    /// Until the service is found and a connection stands.
    pub connect: Option<Duration>,
    /// Until something comes, each time that something is waited for.
    pub silence: Option<Duration>,
    /// For all of it.
    pub whole: Option<Duration>,
}

/// What is sent.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The body, in JSON.
    pub body: &'a [u8],
    /// The kind of answer that is wanted.
    pub accept: &'static str,
    /// Names and values of headers beside those that every request has.
    pub headers: &'a [(String, String)],
    /// What is sent and must not be told on.
    pub texts: &'a [&'a str],
    /// How long it may take.
    pub patience: Patience,
}

/// The way to one service. Nothing is opened before the first request.
pub(crate) struct Client {
    operation: &'static str,
    address: Address,
    scheme: Scheme,
    agent: OnceLock<Agent>,
}

impl Client {
    pub(crate) fn new(operation: &'static str, address: Address, scheme: Scheme) -> Self {
        Self { operation, address, scheme, agent: OnceLock::new() }
    }

    /// The same with connections of its own.
    pub(crate) fn apart(&self) -> Self {
        Self::new(self.operation, self.address.clone(), self.scheme)
    }

    /// Closes all its connections, those of requests under way as well. It makes no more.
    pub(crate) fn close(&self) {
        self.agent().clone().shutdown();
    }

    pub(crate) fn operation(&self) -> &'static str {
        self.operation
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Sends `request`. What comes back with the status 200 is the answer.
    ///
    /// # Errors
    /// Where nothing came back, or something else.
    pub(crate) fn post<'a>(&self, request: &Request<'a>, private: Private<'a>) -> Result<Answer<'a>, Failure> {
        let failures = Failures { operation: self.operation, patience: request.patience };
        let Patience { connect, silence, whole } = request.patience;
        let mut post = self
            .agent()
            .post(self.address.endpoint())
            .config()
            .timeout_resolve(connect)
            .timeout_connect(connect)
            .timeout_per_read(silence)
            .timeout_global(whole)
            .build()
            .header("content-type", "application/json")
            .header("accept", request.accept);
        for (name, value) in request.headers {
            post = post.header(name, value);
        }
        post = match (private.key, self.scheme) {
            (None, _) => post,
            (Some(key), Scheme::Bearer) => post.header("authorization", format!("Bearer {}", key.text())),
            (Some(key), Scheme::ApiKey) => post.header("x-api-key", key.text()),
        };
        let (parts, mut body) = post.send(request.body).map_err(|error| failures.of(error))?.into_parts();
        let status = parts.status.as_u16();
        if status == 200 {
            return Ok(Answer { headers: parts.headers, body, failures, private });
        }
        let mut beginning = Vec::new();
        // What the service said before it broke off is better than nothing.
        let _: io::Result<usize> = body.as_reader().take(LONGEST_ERROR).read_to_end(&mut beginning);
        Err(understand(self.operation, status, &parts.headers, &beginning, private))
    }

    fn agent(&self) -> &Agent {
        self.agent.get_or_init(|| agent(&self.address))
    }
}

fn agent(address: &Address) -> Agent {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        // Texts go to the configured place and to no other.
        .max_redirects(0)
        .max_idle_age(IDLE)
        .user_agent(concat!("wikirag/", env!("CARGO_PKG_VERSION")));
    if address.is_here() {
        config = config.proxy(None);
    }
    if address.is_encrypted() {
        config = config.tls_config(TLS.clone());
    }
    config.build().into()
}

/// An answer with the status 200, of which the body is still to be read.
pub struct Answer<'a> {
    headers: HeaderMap,
    body: Body,
    failures: Failures,
    /// What must not be told of the answer.
    pub private: Private<'a>,
}

impl Answer<'_> {
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Whether it calls itself a stream of events.
    #[must_use]
    pub fn is_event_stream(&self) -> bool {
        let kind = self.headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream")
    }

    /// All of the body.
    ///
    /// # Errors
    /// Where not all of it came, or it has more than `longest` bytes.
    pub fn whole(mut self, longest: u64) -> Result<Vec<u8>, Failure> {
        let read = self.body.with_config().limit(longest).read_to_vec();
        read.map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(_) => {
                let message = format!("the answer is longer than the {longest} bytes that it can have");
                Failure::Lasting(unavailable(self.failures.operation, message))
            }
            error => self.failures.of(error),
        })
    }

    /// The lines of the body as they come, each of up to `longest_line` bytes and all of up to `longest`.
    #[must_use]
    pub fn lines(self, longest_line: usize, longest: u64) -> Lines<BodyReader<'static>> {
        Lines::new(self.body.into_reader(), self.failures, longest_line, longest)
    }
}

/// What is to be made of an exchange that did not come to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failures {
    pub(crate) operation: &'static str,
    pub(crate) patience: Patience,
}

impl Failures {
    pub(crate) fn of(&self, error: ureq::Error) -> Failure {
        let passing = |error: Error| Failure::Passing { error, wait: None };
        let unavailable = |message: &str| unavailable(self.operation, message);
        match error {
            ureq::Error::Timeout(which) => passing(self.late(which)),
            // What TLS objects to comes as invalid data, and stays.
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => Failure::Lasting(
                unavailable("the service cannot be talked to")
                    .caused_by(error)
                    .help("certificates are those of the system; `SSL_CERT_FILE` names others"),
            ),
            ureq::Error::Io(error) => passing(unavailable(UNREACHABLE).caused_by(error).help(LOOK)),
            error
            @ (ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::ConnectProxyFailed(_)) => {
                passing(unavailable(UNREACHABLE).caused_by(error).help(LOOK))
            }
            error => Failure::Lasting(unavailable("the service cannot be talked to").caused_by(error)),
        }
    }

    fn late(&self, which: Timeout) -> Error {
        let Patience { connect, silence, whole } = self.patience;
        let (message, limit) = match which {
            Timeout::Resolve | Timeout::Connect => ("no connection stood within", connect),
            Timeout::PerRead => ("the service said nothing for", silence),
            _ => ("the service did not answer within", whole),
        };
        let seconds = limit.unwrap_or_default().as_secs_f64();
        Error::new(ErrorKind::TimedOut, self.operation, format!("{message} {seconds:.1} s"))
    }
}
