//! Which `Host` and which `Origin` a request may name.
//!
//! A page of somebody else in a browser of this machine can reach a server on loopback. It cannot choose the `Host` and the `Origin` that the
//! browser sends: a name that was bent to loopback (DNS rebinding) shows in the first, the page itself in the second.

use std::collections::BTreeSet;
use std::net::IpAddr;

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};

/// The names under which the server may be called.
#[derive(Debug, Clone)]
pub struct Sites {
    /// Where it listens.
    bound: IpAddr,
    /// Further names that were allowed, in small letters.
    names: BTreeSet<String>,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stranger {
    /// The server is not called that.
    Host,
    /// A page of another site sent it.
    Origin,
}

impl Sites {
    /// The names of a server that listens at `bound`, and those in `names`.
    pub fn new(bound: IpAddr, names: impl IntoIterator<Item = String>) -> Self {
        Self { bound, names: names.into_iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Whether a request may come in.
    ///
    /// # Errors
    /// Which header names a stranger. A request without `Host` is one; one without `Origin` comes from no page.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Stranger> {
        let host = one(headers, HOST).ok_or(Stranger::Host)?;
        let (host, port) = split(host).ok_or(Stranger::Host)?;
        // A request for a whole address (as to a proxy) names its host twice.
        let is_same = uri.host().is_none_or(|named| named.eq_ignore_ascii_case(host));
        if !is_same || !self.knows(host) {
            return Err(Stranger::Host);
        }
        if !headers.contains_key(ORIGIN) {
            return Ok(());
        }
        let origin = one(headers, ORIGIN).ok_or(Stranger::Origin)?;
        let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let (from, from_port) = rest.and_then(split).ok_or(Stranger::Origin)?;
        // What stands before the server and speaks TLS may listen at another port, which then is not said.
        let is_same_port = match (port, from_port) {
            (Some(port), Some(from_port)) => port == from_port,
            (None, None) => true,
            _ => self.names.contains(&from.to_ascii_lowercase()),
        };
        if is_same_port && self.knows(from) { Ok(()) } else { Err(Stranger::Origin) }
    }

    fn knows(&self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            // An address cannot be bent to another machine. One on loopback has no business with others all the same.
            return address.is_loopback() || !self.bound.is_loopback() || self.names.contains(bare);
        }
        let host = host.to_ascii_lowercase();
        host == "localhost" || self.names.contains(&host)
    }
}

/// The value of a header that is there once.
fn one(headers: &HeaderMap, name: axum::http::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// `host` and `port` of `host:port`, where the port may be left out.
fn split(text: &str) -> Option<(&str, Option<u16>)> {
    let end = match text.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => text.find(':').unwrap_or(text.len()),
    };
    let (host, rest) = text.split_at_checked(end)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
    if host.is_empty() || !host.chars().all(is_plain) {
        return None;
    }
    match rest.strip_prefix(':') {
        Some(port) => Some((host, Some(port.parse().ok()?))),
        None => rest.is_empty().then_some((host, None)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(sites: &Sites, host: &str, origin: Option<&str>) -> Result<(), Stranger> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        sites.check(&Uri::from_static("/v1/query"), &headers)
    }

    fn on(address: &str, names: &[&str]) -> Sites {
        Sites::new(address.parse().unwrap(), names.iter().map(|name| (*name).to_owned()))
    }

    #[test]
    fn a_name_that_was_bent_to_loopback_is_refused() {
        let sites = on("127.0.0.1", &[]);
        for host in ["localhost", "LocalHost:7700", "127.0.0.1:7700", "127.1.2.3", "[::1]:7700"] {
            assert_eq!(check(&sites, host, None), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:7700",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "10.0.0.1",
            "",
            "localhost:x",
            "a b",
            "[::1",
            "localhost@evil",
        ] {
            assert_eq!(check(&sites, host, None), Err(Stranger::Host), "{host}");
        }
        assert_eq!(sites.check(&Uri::from_static("/"), &HeaderMap::new()), Err(Stranger::Host));
    }

    #[test]
    fn a_page_of_another_site_is_refused() {
        let sites = on("127.0.0.1", &["wiki.example"]);
        for (host, origin) in [
            ("localhost:7700", "http://localhost:7700"),
            ("127.0.0.1:7700", "http://127.0.0.1:7700"),
            ("wiki.example", "https://wiki.example"),
            ("wiki.example:7700", "https://wiki.example"),
        ] {
            assert_eq!(check(&sites, host, Some(origin)), Ok(()), "{host} {origin}");
        }
        for origin in [
            "http://evil.example",
            "http://localhost:3000",
            "http://localhost",
            "null",
            "",
            "file://",
            "http://localhost:7700/x",
            "http://evil@localhost:7700",
        ] {
            assert_eq!(check(&sites, "localhost:7700", Some(origin)), Err(Stranger::Origin), "{origin}");
        }
    }

    #[test]
    fn two_headers_of_one_name_are_one_too_many() {
        let sites = on("127.0.0.1", &[]);
        let mut headers = HeaderMap::new();
        headers.append(HOST, "localhost".parse().unwrap());
        headers.append(ORIGIN, "http://localhost".parse().unwrap());
        headers.append(ORIGIN, "http://evil.example".parse().unwrap());
        assert_eq!(sites.check(&Uri::from_static("/"), &headers), Err(Stranger::Origin));
        headers.append(HOST, "evil.example".parse().unwrap());
        assert_eq!(sites.check(&Uri::from_static("/"), &headers), Err(Stranger::Host));
    }

    #[test]
    fn a_wider_address_is_called_by_addresses_and_by_allowed_names() {
        let sites = on("0.0.0.0", &["Wiki.Example"]);
        assert_eq!(check(&sites, "10.0.0.7:80", None), Ok(()));
        assert_eq!(check(&sites, "wiki.example", None), Ok(()));
        assert_eq!(check(&sites, "evil.example", None), Err(Stranger::Host));
    }

    proptest! {
        #[test]
        fn no_header_ends_the_check(host in "[ -~]{0,40}", origin in "[ -~]{0,40}") {
            let _ = check(&on("127.0.0.1", &[]), &host, Some(&origin));
        }
    }
}
