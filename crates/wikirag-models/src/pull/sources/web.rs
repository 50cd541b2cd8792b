//! Files over HTTP.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rustls::crypto::ring;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use wikirag_core::{Context, Step};

use super::super::{Attempt, OPERATION};

/// For finding the server, and for its first answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// For the next bytes, once it sends. A slow line is no reason to give up, a dead one is.
const STALL: Duration = Duration::from_secs(60);
/// No archive with a model that runs on a CPU is larger.
const MAX_ARCHIVE: u64 = 8 << 30;

/// Certificates are those of the system: there companies keep the one of the proxy that all goes through, and
/// `SSL_CERT_FILE` names others. They are read once, and only where something is downloaded.
static AGENT: LazyLock<Agent> = LazyLock::new(|| {
    // Whatever cannot be read is left out; without any, each address with `https` fails and says so.
    let roots = rustls_native_certs::load_native_certs().certs;
    let roots = roots.iter().map(|one| Certificate::from_der(one).to_owned());
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::from(roots))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build();
    Agent::config_builder()
        .tls_config(tls)
        .user_agent(concat!("wikirag/", env!("CARGO_PKG_VERSION")))
        .timeout_resolve(Some(PATIENCE))
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(STALL))
        .build()
        .into()
});

/// Writes what is at `url` to `sink`, at most one byte more than `bytes`.
pub(super) fn download(url: &str, bytes: u64, sink: &mut impl Write) -> Attempt<()> {
    transfer(open(url)?.take(bytes.saturating_add(1)), sink, |_| Ok(()))
}

/// Puts the archive at `url` into `folder`.
pub(super) fn archive(url: &str, folder: &Path, context: &Context) -> Attempt<PathBuf> {
    let path = folder.join("archive.zip");
    let mut file = File::create(&path).map_err(|error| error.to_string())?;
    transfer(open(url)?.take(MAX_ARCHIVE), &mut file, |done| {
        context.progress.report(Step { stage: url, done, total: None });
        context.check(OPERATION).map_err(|error| error.message().to_owned())
    })?;
    Ok(path)
}

/// Copies to the end, and after each piece tells `each` how many bytes came so far.
fn transfer(mut body: impl Read, sink: &mut impl Write, mut each: impl FnMut(u64) -> Attempt<()>) -> Attempt<()> {
    let mut buffer = vec![0; 1 << 16];
    let mut done = 0;
    loop {
        let count = match body.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(format!("the connection broke after {done} bytes: {error}")),
        };
        sink.write_all(&buffer[..count]).map_err(|error| error.to_string())?;
        done += count as u64;
        each(done)?;
    }
}

fn open(url: &str) -> Attempt<impl Read> {
    match AGENT.get(url).call() {
        Ok(response) => Ok(response.into_body().into_reader()),
        Err(ureq::Error::StatusCode(status)) => Err(format!("the server answers {status}")),
        Err(error) => Err(error.to_string()),
    }
}
