//! Where the service is.

use std::net::IpAddr;

use ureq::http::Uri;
use wikirag_core::{Error, ErrorKind};

/// What is to be sent, and what is allowed.
#[derive(Debug, Clone, Copy)]
pub struct Protection {
    /// Whether a key goes with the texts.
    pub has_key: bool,
    /// The setting `allow_http`: texts may go to another machine over plain `http`.
    pub allow_http: bool,
}

/// The address of a service, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Address {
    endpoint: String,
    host: String,
    encrypted: bool,
    here: bool,
}

impl Address {
    /// Reads the setting `url`, the base address of a service. Requests go to `path` beneath it, `/embeddings` for example.
    ///
    /// # Errors
    /// What is off, in words that do not repeat the address: somebody may have written a password into it.
    pub fn read(url: &str, path: &str) -> Result<Self, &'static str> {
        let base = url.trim().trim_end_matches('/');
        // What documentation of services shows is the whole address.
        let base = base.strip_suffix(path).unwrap_or(base);
        let uri: Uri = base.parse().map_err(|_| "`url` is no address")?;
        let encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err("`url` must begin with `https://` or `http://`"),
        };
        let authority = uri.authority().filter(|authority| !authority.host().is_empty()).ok_or("`url` has no host")?;
        if authority.as_str().contains('@') {
            return Err(
                "`url` holds a user name or password; only a key from the environment or a file is sent, see `key_env`",
            );
        }
        if uri.query().is_some() || url.contains('#') {
            return Err("`url` must end before `?` and `#`");
        }
        let name = authority.host().to_ascii_lowercase();
        let usual = if encrypted { 443 } else { 80 };
        let host = match authority.port_u16() {
            Some(port) if port != usual => format!("{name}:{port}"),
            _ => name.clone(),
        };
        let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let here = name == "localhost" || ip.is_ok_and(|ip| ip.is_loopback());
        Ok(Self { endpoint: format!("{base}{path}"), host, encrypted, here })
    }

    /// Looks whether what is sent there can be read by others on the way. To this machine, and with encryption, anything may
    /// be sent; else texts where `protection` says so, and a key never.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] saying what to set.
    pub fn check(&self, protection: Protection) -> Result<(), Error> {
        let invalid = |message| Error::new(ErrorKind::Invalid, "read settings", message);
        if self.encrypted || self.here {
            return Ok(());
        }
        if protection.has_key {
            let message = "`url` is plain `http` to another machine, where everybody on the way can read the key";
            return Err(invalid(message).help("use `https`, or a tunnel that ends on this machine"));
        }
        if !protection.allow_http {
            let message = "`url` is plain `http` to another machine, where everybody on the way can read the texts";
            return Err(invalid(message).help("use `https`, or set `allow_http = true` if that is known"));
        }
        Ok(())
    }

    /// Where requests go.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Host in small letters, with the port where it is not the usual one.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether what is sent there is encrypted.
    #[must_use]
    pub const fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// Whether it is this machine.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        self.here
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(url: &str) -> Result<Address, &'static str> {
        Address::read(url, "/embeddings")
    }

    #[test]
    fn the_endpoint_follows_from_the_base() {
        for url in
            ["https://API.example.com/v1", "https://API.example.com/v1/", " https://API.example.com:443/v1/embeddings "]
        {
            let address = read(url).unwrap();
            assert!(address.endpoint().ends_with("/v1/embeddings"), "{address:?}");
            assert_eq!(address.host(), "api.example.com");
            assert!(address.is_encrypted() && !address.is_here());
        }
        assert_eq!(read("http://localhost:11434/v1").unwrap().host(), "localhost:11434");
        assert_eq!(read("http://localhost").unwrap().endpoint(), "http://localhost/embeddings");
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        for here in [
            "http://localhost",
            "http://LOCALHOST:80/v1",
            "http://127.0.0.1:8080",
            "http://127.9.9.9",
            "http://[::1]:80/v1",
        ] {
            assert!(read(here).unwrap().is_here(), "{here}");
        }
        for other in [
            "http://ollama:11434",
            "http://10.0.0.7",
            "http://localhost.example.com",
            "http://127.0.0.1.nip.io",
            "http://[::2]",
        ] {
            assert!(!read(other).unwrap().is_here(), "{other}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_not_repeated() {
        for url in [
            "",
            "localhost:8080",
            "api.example.com/secret",
            "ftp://secret",
            "https://",
            "https:///secret",
            "https://a b/secret",
            "https://me:secret@example.com",
            "https://example.com/v1?key=secret",
            "https://example.com/v1#secret",
            "file:///secret",
        ] {
            let problem = read(url).unwrap_err();
            assert!(problem.contains("`url`") && !problem.contains("secret"), "{url}: {problem}");
        }
    }

    #[test]
    fn nothing_leaves_the_machine_unprotected_by_accident() {
        let check = |url, has_key, allow_http| {
            read(url).unwrap().check(Protection { has_key, allow_http }).map_err(|error| error.to_string())
        };
        let http = "http://example.com/v1";
        assert!(check(http, false, false).unwrap_err().contains("allow_http"));
        assert!(check(http, true, true).unwrap_err().contains("the key"));
        assert!(check(http, false, true).is_ok());
        for safe in ["https://example.com/v1", "http://localhost:1", "http://[::1]/v1"] {
            assert!(check(safe, true, false).is_ok(), "{safe}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_address_or_refused(text in "(https?://)?[a-zA-Z0-9.:/@?#%\\[\\] é-]{0,30}") {
            if let Ok(address) = read(&text) {
                prop_assert!(address.endpoint().ends_with("/embeddings") && !address.host().is_empty());
            }
        }
    }
}
