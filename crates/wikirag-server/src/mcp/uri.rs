//! How a document is called among resources: `wiki://RAG/WIKI/PATH`.

use std::fmt::Write as _;

/// A document of a wiki of a composition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DocumentUri {
    /// Name of the composition.
    pub(super) rag: String,
    /// Name of the wiki.
    pub(super) wiki: String,
    /// Below the root of the wiki, with `/`.
    pub(super) path: String,
}

/// What each of them begins with.
pub(super) const SCHEME: &str = "wiki://";

impl DocumentUri {
    pub(super) fn new(rag: &str, wiki: &str, path: &str) -> Self {
        Self { rag: rag.to_owned(), wiki: wiki.to_owned(), path: path.to_owned() }
    }

    /// `None` where it is none of ours. No part means anything but a name: there is no folder above, and no pattern.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        let mut parts = uri.strip_prefix(SCHEME)?.splitn(3, '/').map(decoded);
        let (rag, wiki, path) = (parts.next()??, parts.next()??, parts.next()??);
        let is_whole = !rag.is_empty() && !wiki.is_empty() && !path.is_empty();
        is_whole.then_some(Self { rag, wiki, path })
    }
}

impl std::fmt::Display for DocumentUri {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rag, wiki, path } = self;
        write!(f, "{SCHEME}{}/{}/{}", encoded(rag, false), encoded(wiki, false), encoded(path, true))
    }
}

/// All but the characters that RFC 3986 reserves for nothing.
fn encoded(text: &str, keep_slashes: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || (keep_slashes && byte == b'/') {
            out.push(char::from(byte));
        } else {
            // Writing into a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// `None` where what is encoded is no text.
fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digit = |at: usize| bytes.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            // A lone sign stands for itself: people write these by hand.
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_document_of_ours() {
        for uri in [
            "",
            "wiki://",
            "wiki://a",
            "wiki://a/b",
            "wiki://a/b/",
            "wiki:///b/c",
            "file:///etc/passwd",
            "wiki://a/%FF/c",
        ] {
            assert_eq!(DocumentUri::parse(uri), None, "{uri}");
        }
        let odd = DocumentUri::new("*", "__all__", "../x");
        assert_eq!(DocumentUri::parse("wiki://*/__all__/../x"), Some(odd));
    }

    proptest! {
        #[test]
        fn there_and_back(rag in ".{1,20}", wiki in ".{1,20}", path in ".{1,40}") {
            let uri = DocumentUri { rag, wiki, path };
            prop_assert_eq!(DocumentUri::parse(&uri.to_string()), Some(uri));
        }

        #[test]
        fn any_text_is_taken(text in ".*") {
            let _ = DocumentUri::parse(&format!("{SCHEME}{text}"));
        }
    }
}
