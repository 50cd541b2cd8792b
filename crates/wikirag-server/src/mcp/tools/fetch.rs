//! `fetch`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::Fetched;

use crate::mcp::uri::DocumentUri;
use crate::mcp::{Call, Tool, resources};
use crate::service::{DocumentRequest, Scope};

/// Characters of one reply at most. What is longer is read in parts.
const MOST: usize = 40_000;

pub(super) fn tool() -> Tool {
    Tool::new(
        "fetch",
        "Read a document",
        "Read a document, or some lines or pages of it, by the id, citation or url that `search` gave.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// `wiki/path`, `wiki/path:12-40` for lines, `wiki/path#page=3` for pages, or the url of a document
    id: String,
    /// Name of the composition; needed only where list_wikis shows several
    rag: Option<String>,
    /// Characters to skip, to go on where an earlier reply ended: its next_offset
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// Of the document, without lines or pages
    id: String,
    /// Of the document
    title: String,
    /// The text, from offset on
    text: String,
    /// Address of the document, for a citation
    url: String,
    /// What else is known of the document
    metadata: About,
    /// Where the rest begins, in characters; there is none where this is left out
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct About {
    /// Name of the wiki
    wiki: String,
    /// Path below the root of the wiki
    path: String,
    /// How to cite what was read: document and lines or pages
    citation: String,
    /// Trust level of the wiki: public, internal, confidential or restricted
    sensitivity: String,
    /// fresh, stale where the file has changed since it was indexed, gone, or unknown
    freshness: String,
    /// Front matter of the document
    front_matter: Vec<Field>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Field {
    /// Name of the field
    name: String,
    /// Its value; what is no text stands as JSON
    value: String,
}

async fn run(call: Call, arguments: Arguments) -> Result<Document> {
    let Arguments { id, rag, offset } = arguments;
    let fetched = match DocumentUri::parse(&id) {
        Some(uri) if rag.as_ref().is_some_and(|rag| *rag != uri.rag) => {
            let error = Error::new(ErrorKind::Usage, "read arguments", "`rag` and `id` name two compositions");
            return Err(error.help("leave `rag` out: the url tells it"));
        }
        Some(uri) => (uri.rag.clone(), resources::fetch(&call, &uri).await?),
        None => {
            let scope = Scope { rag: rag.clone(), wikis: None };
            let name = call.service.composition(&call.caller, &scope).await?.name;
            (name, call.service.document(&call.caller, &DocumentRequest { id, rag }).await?)
        }
    };
    part(fetched, offset.unwrap_or_default())
}

fn part((rag, fetched): (String, Fetched), offset: usize) -> Result<Document> {
    let id = format!("{}/{}", fetched.wiki, fetched.path);
    let (text, next_offset) = cut(&fetched.text, offset)?;
    let url = DocumentUri::new(&rag, fetched.wiki.as_str(), &fetched.path).to_string();
    let metadata = About {
        wiki: fetched.wiki.to_string(),
        citation: format!("{id}{}", fetched.place),
        path: fetched.path,
        sensitivity: fetched.sensitivity.to_string(),
        freshness: super::freshness(fetched.freshness).to_owned(),
        front_matter: fetched.meta.into_iter().map(|(name, value)| Field { name, value: plain(value) }).collect(),
    };
    Ok(Document { id, title: fetched.title, text, url, metadata, next_offset })
}

/// The part of `text` from this character on, and where the next one begins.
fn cut(text: &str, offset: usize) -> Result<(String, Option<usize>)> {
    let place = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let start = place(offset);
    if offset > 0 && start == text.len() {
        let length = text.chars().count();
        return Err(Error::new(ErrorKind::Usage, "read document", format!("an offset of {offset} is out of range"))
            .help(format!("the text has {length} characters")));
    }
    let rest = &text[start..];
    let Some((hard, _)) = rest.char_indices().nth(MOST) else { return Ok((rest.to_owned(), None)) };
    // At the end of a line, where there is one.
    let end = rest[..hard].rfind('\n').map_or(hard, |newline| newline + 1);
    let part = &rest[..end];
    Ok((part.to_owned(), Some(offset + part.chars().count())))
}

fn plain(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_make_the_whole(words in prop::collection::vec("[a-zä€😀]{0,9}[ \n]{0,2}", 0..40), times in 1_usize..900) {
            let text = words.concat().repeat(times);
            let (mut whole, mut offset) = (String::new(), Some(0));
            while let Some(at) = offset {
                let (part, next) = cut(&text, at).unwrap();
                prop_assert!(part.chars().count() <= MOST);
                whole.push_str(&part);
                offset = next;
            }
            prop_assert_eq!(whole, text);
        }
    }

    #[test]
    fn an_offset_behind_the_end_is_told() {
        assert_eq!(cut("", 0).unwrap(), (String::new(), None));
        assert_eq!(cut("abc", 2).unwrap(), ("c".to_owned(), None));
        assert!(cut("abc", 3).is_err() && cut("", 1).is_err());
    }
}
