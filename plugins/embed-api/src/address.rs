//! Where the service is.

use std::net::IpAddr;

use ureq::http::Uri;

/// The address of a service, checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Address {
    endpoint: String,
    host: String,
    encrypted: bool,
    here: bool,
}

impl Address {
    /// Reads the base address of a service.
    ///
    /// # Errors
    /// What is off, in words that do not repeat the address: somebody may have written a password into it.
    pub(crate) fn read(url: &str) -> Result<Self, &'static str> {
        let base = url.trim().trim_end_matches('/');
        // What documentation of services shows is the whole address.
        let base = base.strip_suffix("/embeddings").unwrap_or(base);
        let uri: Uri = base.parse().map_err(|_| "`url` is no address")?;
        let encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err("`url` must begin with `https://` or `http://`"),
        };
        let authority = uri.authority().filter(|authority| !authority.host().is_empty()).ok_or("`url` has no host")?;
        if authority.as_str().contains('@') {
            return Err("`url` holds a user name or password; only a key from the environment is sent, see `key_env`");
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
        Ok(Self { endpoint: format!("{base}/embeddings"), host, encrypted, here })
    }

    /// Where requests go.
    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Host in small letters, with the port where it is not the usual one.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Whether what is sent there is encrypted.
    pub(crate) const fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// Whether it is this machine.
    pub(crate) const fn is_here(&self) -> bool {
        self.here
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_endpoint_follows_from_the_base() {
        for url in
            ["https://API.example.com/v1", "https://API.example.com/v1/", " https://API.example.com:443/v1/embeddings "]
        {
            let address = Address::read(url).unwrap();
            assert!(address.endpoint().ends_with("/v1/embeddings"), "{address:?}");
            assert_eq!(address.host(), "api.example.com");
            assert!(address.is_encrypted() && !address.is_here());
        }
        assert_eq!(Address::read("http://localhost:11434/v1").unwrap().host(), "localhost:11434");
        assert_eq!(Address::read("http://localhost").unwrap().endpoint(), "http://localhost/embeddings");
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
            assert!(Address::read(here).unwrap().is_here(), "{here}");
        }
        for other in [
            "http://ollama:11434",
            "http://10.0.0.7",
            "http://localhost.example.com",
            "http://127.0.0.1.nip.io",
            "http://[::2]",
        ] {
            assert!(!Address::read(other).unwrap().is_here(), "{other}");
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
            let problem = Address::read(url).unwrap_err();
            assert!(problem.contains("`url`") && !problem.contains("secret"), "{url}: {problem}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_address_or_refused(text in "(https?://)?[a-zA-Z0-9.:/@?#%\\[\\] é-]{0,30}") {
            if let Ok(address) = Address::read(&text) {
                prop_assert!(address.endpoint().ends_with("/embeddings") && !address.host().is_empty());
            }
        }
    }
}
