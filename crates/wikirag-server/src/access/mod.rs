//! Who may come in: the names under which the server is called, tokens, and how often each may ask.

mod rate;
mod site;
mod tokens;

use std::net::IpAddr;
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

pub use rate::Bucket;
pub use site::{Sites, Stranger};
pub use tokens::{Token, Tokens, new_token};

use crate::service::Caller;

/// Who is let in.
#[derive(Debug)]
pub struct Door {
    tokens: Tokens,
    /// By place of the token.
    buckets: Vec<Option<Bucket>>,
    /// Whether whoever is on this machine comes in without a token.
    is_open_here: bool,
}

/// Why a caller is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denied {
    /// No token, or one that is not known: nobody is told which.
    Unknown,
    /// Asked too often; not before this time has passed.
    TooOften(Duration),
}

impl Door {
    /// A door for callers on this machine, all of whom see what the command line sees.
    #[must_use]
    pub fn open() -> Self {
        Self { tokens: Tokens::default(), buckets: Vec::new(), is_open_here: true }
    }

    /// A door for those who have a token. With `is_open_here` a caller on this machine may come without; what stands before the
    /// server and passes on requests of others is on this machine as well.
    #[must_use]
    pub fn with_tokens(tokens: Tokens, is_open_here: bool) -> Self {
        let now = Instant::now();
        let buckets = tokens.entries().iter().map(|token| token.rate.map(|rate| Bucket::new(rate, now))).collect();
        Self { tokens, buckets, is_open_here }
    }

    /// Who comes in, from an address, with these headers.
    ///
    /// # Errors
    /// See [`Denied`].
    pub fn admit(&self, from: IpAddr, headers: &HeaderMap, now: Instant) -> Result<Caller, Denied> {
        let Some(shown) = headers.get(AUTHORIZATION).or_else(|| headers.get(API_KEY)) else {
            return if self.is_open_here && from.to_canonical().is_loopback() {
                Ok(Caller::local())
            } else {
                Err(Denied::Unknown)
            };
        };
        // Clients of other servers send a key whether one is wanted or not.
        if self.tokens.entries().is_empty() && self.is_open_here && from.to_canonical().is_loopback() {
            return Ok(Caller::local());
        }
        let shown = shown.to_str().ok();
        let token = if headers.contains_key(AUTHORIZATION) { shown.and_then(bearer) } else { shown };
        let token = token.ok_or(Denied::Unknown)?;
        let (place, token) = self.tokens.find(token).ok_or(Denied::Unknown)?;
        if let Some(Some(bucket)) = self.buckets.get(place) {
            bucket.take(now).map_err(Denied::TooOften)?;
        }
        Ok(token.caller.clone())
    }
}

/// Where clients that speak the protocol of Anthropic show their token.
const API_KEY: &str = "x-api-key";

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use wikirag_core::Sensitivity;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));

    fn headers(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, value.parse().unwrap());
        headers
    }

    fn tokens(rate: Option<u32>) -> (String, Tokens) {
        let caller = Caller { name: "ci".to_owned(), clearance: Sensitivity::Public, wikis: None };
        let (token, entry) = new_token(&caller, rate).unwrap();
        (token, Tokens::parse(&entry).unwrap())
    }

    #[test]
    fn without_tokens_this_machine_comes_in_and_no_other() {
        let door = Door::open();
        let now = Instant::now();
        assert_eq!(door.admit(HERE, &HeaderMap::new(), now), Ok(Caller::local()));
        assert_eq!(door.admit("::ffff:127.0.0.1".parse().unwrap(), &HeaderMap::new(), now), Ok(Caller::local()));
        assert_eq!(door.admit(HERE, &headers("Bearer not-needed"), now), Ok(Caller::local()));
        for headers in [HeaderMap::new(), headers("Bearer x")] {
            assert_eq!(door.admit(THERE, &headers, now), Err(Denied::Unknown));
        }
    }

    #[test]
    fn with_tokens_all_need_one_unless_this_machine_is_let_in() {
        let (token, tokens) = tokens(None);
        let now = Instant::now();
        for (is_open_here, none) in [(false, Err(Denied::Unknown)), (true, Ok(Caller::local()))] {
            let door = Door::with_tokens(tokens.clone(), is_open_here);
            assert_eq!(door.admit(HERE, &HeaderMap::new(), now), none);
            assert_eq!(door.admit(THERE, &HeaderMap::new(), now), Err(Denied::Unknown));
            for scheme in ["Bearer", "bearer", "BEARER"] {
                assert_eq!(door.admit(THERE, &headers(&format!("{scheme} {token}")), now).unwrap().name, "ci");
            }
            let mut by_key = HeaderMap::new();
            by_key.insert(API_KEY, token.parse().unwrap());
            assert_eq!(door.admit(THERE, &by_key, now).unwrap().name, "ci");
            by_key.insert(API_KEY, "x".parse().unwrap());
            assert_eq!(door.admit(HERE, &by_key, now), Err(Denied::Unknown));
            // A wrong one is no better than a foreign one, wherever it comes from.
            for wrong in ["Bearer", "Bearer ", "Bearer x", "Basic x", &token, &format!("Basic {token}")] {
                assert_eq!(door.admit(HERE, &headers(wrong), now), Err(Denied::Unknown), "{wrong}");
            }
        }
    }

    #[test]
    fn who_asks_too_often_is_told_when_to_come_back() {
        let (token, tokens) = tokens(Some(2));
        let door = Door::with_tokens(tokens, false);
        let (now, headers) = (Instant::now(), headers(&format!("Bearer {token}")));
        assert!(door.admit(HERE, &headers, now).is_ok() && door.admit(HERE, &headers, now).is_ok());
        assert!(
            matches!(door.admit(HERE, &headers, now), Err(Denied::TooOften(wait)) if wait <= Duration::from_secs(31))
        );
        assert!(door.admit(HERE, &headers, now + Duration::from_secs(31)).is_ok());
    }
}
