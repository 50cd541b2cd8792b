//! One request over HTTP.

use std::io::{self, Read};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustls::crypto::ring;
use ureq::Agent;
use ureq::http::HeaderMap;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use wikirag_core::{Error, ErrorKind};

use crate::OPERATION;
use crate::address::Address;
use crate::failure::{Failure, unavailable};
use crate::key::Key;

/// Connections are reused for so long. Servers close theirs after five seconds or more; a request that meets the closing
/// would fail.
const IDLE: Duration = Duration::from_secs(4);
/// Nobody reads more of an error than this.
const LONGEST_ERROR: u64 = 1 << 16;

const UNREACHABLE: &str = "the service cannot be reached";
const LOOK: &str = "is the service running, and `url` right?";

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// The headers.
    pub(crate) headers: HeaderMap,
    /// The body; of a refusal its beginning.
    pub(crate) body: Vec<u8>,
}

/// The way to one service. Nothing is opened before the first request.
pub(crate) struct Client {
    address: Address,
    agent: OnceLock<Agent>,
}

impl Client {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, agent: OnceLock::new() }
    }

    /// Where requests go.
    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Sends `body` and takes what comes back within `limit`: of an answer up to `longest` bytes.
    ///
    /// # Errors
    /// Where nothing came back, or not all, or too much.
    pub(crate) fn post(&self, body: &[u8], key: Option<&Key>, limit: Duration, longest: u64) -> Result<Reply, Failure> {
        let agent = self.agent.get_or_init(|| agent(&self.address));
        let mut request = agent
            .post(self.address.endpoint())
            .config()
            .timeout_global(Some(limit))
            .build()
            .header("content-type", "application/json")
            .header("accept", "application/json");
        if let Some(key) = key {
            request = request.header("authorization", key.authorization());
        }
        let failed = |error| failure(error, limit, longest);
        let (parts, mut body) = request.send(body).map_err(failed)?.into_parts();
        let status = parts.status.as_u16();
        let body = if parts.status.is_success() {
            body.with_config().limit(longest).read_to_vec().map_err(failed)?
        } else {
            let mut beginning = Vec::new();
            // What the service said before it broke off is better than nothing.
            let _: io::Result<usize> = body.as_reader().take(LONGEST_ERROR).read_to_end(&mut beginning);
            beginning
        };
        Ok(Reply { status, headers: parts.headers, body })
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
        // Certificates are those of the system: there companies keep the one of the proxy that all goes through, and
        // `SSL_CERT_FILE` names others. Without any, each request fails and says so.
        let roots = rustls_native_certs::load_native_certs().certs;
        let roots = roots.iter().map(|one| Certificate::from_der(one).to_owned());
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::from(roots))
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .build();
        config = config.tls_config(tls);
    }
    config.build().into()
}

/// What is to be made of an exchange that did not come to its end.
fn failure(error: ureq::Error, limit: Duration, longest: u64) -> Failure {
    let passing = |error: Error| Failure::Passing { error, wait: None };
    match error {
        ureq::Error::Timeout(_) => {
            let message = format!("the service did not answer within {:.1} s", limit.as_secs_f64());
            passing(Error::new(ErrorKind::TimedOut, OPERATION, message))
        }
        ureq::Error::BodyExceedsLimit(_) => {
            Failure::Lasting(unavailable(format!("the answer is longer than the {longest} bytes that it can have")))
        }
        // What TLS objects to comes as invalid data, and stays.
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => Failure::Lasting(
            unavailable("the service cannot be talked to")
                .caused_by(error)
                .help("certificates are those of the system; `SSL_CERT_FILE` names others"),
        ),
        ureq::Error::Io(error) => passing(unavailable(UNREACHABLE).caused_by(error).help(LOOK)),
        error @ (ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::ConnectProxyFailed(_)) => {
            passing(unavailable(UNREACHABLE).caused_by(error).help(LOOK))
        }
        error => Failure::Lasting(unavailable("the service cannot be talked to").caused_by(error)),
    }
}
