//! Tokens, and the file that says what each of them may do. The file holds no token, only the hash of each.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result, Sensitivity};

use crate::service::Caller;

const OPERATION: &str = "read tokens";

/// Begins each token that is made here, so that scanners for secrets know one when they see it.
const PREFIX: &str = "wikirag_";

/// One entry of a token file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    hash: blake3::Hash,
    /// Who shows it.
    pub caller: Caller,
    /// Requests a minute; `None`: any number.
    pub rate: Option<u32>,
}

/// A token file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens(Vec<Token>);

/// What stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    token: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    hash: String,
    clearance: Sensitivity,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wikis: Option<BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<u32>,
}

impl Tokens {
    /// Reads a token file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where it cannot be read; [`ErrorKind::Invalid`] where it does not say what it must, or holds no token.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Error::new(ErrorKind::Io, OPERATION, "the token file cannot be read")
                .caused_by(error)
                .with("path", path.display())
        })?;
        Self::parse(&text).map_err(|error| error.with("path", path.display()))
    }

    /// Understands the text of a token file.
    ///
    /// # Errors
    /// As [`Tokens::load`].
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = |message: String| Error::new(ErrorKind::Invalid, OPERATION, message);
        let file: File = toml::from_str(text).map_err(|error| {
            // The whole of it would quote the line, in which somebody may have put a token.
            let line = error
                .span()
                .map_or(1, |span| text.as_bytes().iter().take(span.start).filter(|byte| **byte == b'\n').count() + 1);
            wrong(format!("line {line}: {}", error.message()))
                .help("each `[[token]]` has `name`, `hash`, `clearance`, and perhaps `wikis` and `rate`")
        })?;
        let (mut tokens, mut names, mut hashes) = (Vec::new(), HashSet::new(), HashSet::new());
        for entry in file.token {
            let name = entry.name.trim().to_owned();
            if name.is_empty() || name.chars().any(char::is_control) {
                return Err(wrong("a token has no name".to_owned()).help("logs and metrics call its caller by it"));
            }
            let hash = blake3::Hash::from_hex(&entry.hash).map_err(|_| {
                wrong(format!("the hash of `{name}` is not 64 hexadecimal digits"))
                    .help("make one with `wikirag token NAME`")
            })?;
            if entry.rate == Some(0) {
                return Err(wrong(format!("`{name}` may ask nothing: its rate is 0"))
                    .help("leave `rate` out, or take the token out"));
            }
            if entry.wikis.as_ref().is_some_and(BTreeSet::is_empty) {
                return Err(wrong(format!("`{name}` may read no wiki"))
                    .help("leave `wikis` out to allow all that its clearance does"));
            }
            if !names.insert(name.clone()) || !hashes.insert(*hash.as_bytes()) {
                return Err(wrong(format!("the name or the hash of `{name}` is there twice")));
            }
            let caller = Caller { name, clearance: entry.clearance, wikis: entry.wikis };
            tokens.push(Token { hash, caller, rate: entry.rate });
        }
        if tokens.is_empty() {
            return Err(wrong("there is no token in it, so nobody could ask".to_owned())
                .help("make one with `wikirag token NAME`"));
        }
        Ok(Self(tokens))
    }

    /// The entry of a token, by its place. Each comparison takes the same time, and each is made.
    #[must_use]
    pub fn find(&self, token: &str) -> Option<(usize, &Token)> {
        // Hashes of `blake3` are compared in constant time.
        let hash = blake3::hash(token.as_bytes());
        let mut found = None;
        for (place, known) in self.0.iter().enumerate() {
            if known.hash == hash {
                found = Some((place, known));
            }
        }
        found
    }

    /// The entries, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[Token] {
        &self.0
    }
}

/// A new token for `caller`, and the entry of it for a token file.
///
/// # Errors
/// [`ErrorKind::Io`] where the system gives no random bytes.
pub fn new_token(caller: &Caller, rate: Option<u32>) -> Result<(String, String)> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::new(ErrorKind::Io, "make token", error.to_string()))?;
    let token = format!("{PREFIX}{}", blake3::Hash::from_bytes(bytes).to_hex());
    let hash = blake3::hash(token.as_bytes()).to_hex().to_string();
    let entry =
        Entry { name: caller.name.clone(), hash, clearance: caller.clearance, wikis: caller.wikis.clone(), rate };
    let text =
        toml::to_string(&entry).map_err(|error| Error::new(ErrorKind::Internal, "make token", error.to_string()))?;
    let text = format!("[[token]]\n{text}");
    // What the program would not read must not be handed out.
    Tokens::parse(&text)?;
    Ok((token, text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn caller(name: &str) -> Caller {
        Caller { name: name.to_owned(), clearance: Sensitivity::Public, wikis: None }
    }

    #[test]
    fn a_new_token_opens_its_entry_and_no_other() {
        let (one, first) = new_token(&caller("one"), Some(60)).unwrap();
        let wikis = Some(BTreeSet::from(["food".to_owned()]));
        let (two, second) = new_token(&Caller { wikis: wikis.clone(), ..caller("two") }, None).unwrap();
        assert!(!first.contains(&one) && !first.contains(&one[PREFIX.len()..]));
        let tokens = Tokens::parse(&format!("{first}\n{second}")).unwrap();
        let (place, found) = tokens.find(&one).unwrap();
        assert_eq!((place, found.caller.name.as_str(), found.rate), (0, "one", Some(60)));
        let (place, found) = tokens.find(&two).unwrap();
        assert_eq!((place, &found.caller.wikis), (1, &wikis));
        for wrong in ["", "wikirag_", &one[1..], &format!("{one} "), &one.to_uppercase()] {
            assert_eq!(tokens.find(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_file_that_says_too_little_or_too_much_is_refused() {
        let hash = blake3::hash(b"x").to_hex();
        let good = format!("[[token]]\nname = \"a\"\nhash = \"{hash}\"\nclearance = \"public\"\n");
        assert!(Tokens::parse(&good).is_ok());
        let no_hash = good.replace(hash.as_str(), "wikirag_secret");
        for (text, said) in [
            (String::new(), "no token in it"),
            (no_hash, "64 hexadecimal digits"),
            (format!("{good}{good}"), "twice"),
            (format!("{good}rate = 0\n"), "rate is 0"),
            (format!("{good}wikis = []\n"), "no wiki"),
            (format!("{good}wiki = \"x\"\n"), "unknown field `wiki`"),
            (good.replace("public", "secret"), "unknown variant"),
            (good.replace("\"a\"", "\" \""), "no name"),
            (format!("{good}token = \"wikirag_secret"), "line 5"),
        ] {
            let error = Tokens::parse(&text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains(said), "{error}");
            assert!(!error.to_string().contains("wikirag_secret"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_ends_the_reading(text in ".{0,200}") {
            let _ = Tokens::parse(&text);
        }
    }
}
