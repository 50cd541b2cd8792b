//! Reading a document or a passage that an answer cited.

use serde::Serialize;
use wikirag_core::{ChunkId, Error, ErrorKind, Metadata, PlaceRange, Result, Sensitivity, Span, WikiName};
use wikirag_text::is_same_text;

use crate::fresh::{Freshness, FreshnessCheck};
use crate::locate::{Composition, LocatedWiki};
use crate::scan::still_belongs;
use crate::{Engine, open};

/// What to read: `path`, `wiki/path`, either with `:LINE`, `:FIRST-LAST`, `#page=FIRST-LAST` or `#bytes=START-END`, or the id of a
/// result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A passage by the id of a result.
    Chunk {
        /// Name of the wiki.
        wiki: String,
        /// The chunk.
        chunk: ChunkId,
    },
    /// A document, or some lines or pages of it.
    Document {
        /// Below the root of the wiki, perhaps with the name of the wiki before it.
        path: String,
        /// The whole document where `None`.
        part: Option<Part>,
    },
}

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Whole lines or pages.
    Place(PlaceRange),
    /// These bytes of its text, as answers name them.
    Bytes(Span),
}

impl Target {
    /// Understands what a person or an answer wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for an empty target and for lines that run backwards.
    pub fn parse(text: &str) -> Result<Self> {
        let bad = |message: String| {
            Error::new(ErrorKind::Usage, "read target", message)
                .help("write `path.md`, `wiki/path.md:10-20` or the id of a result")
        };
        if text.trim().is_empty() {
            return Err(bad("there is nothing to get".to_owned()));
        }
        if let Some((wiki, id)) = text.rsplit_once('#')
            && id.len() == 16
            && let Ok(chunk) = u64::from_str_radix(id, 16)
        {
            return Ok(Self::Chunk { wiki: wiki.to_owned(), chunk: ChunkId(chunk) });
        }
        for (sign, kind) in [("#page=", "pages"), ("#bytes=", "bytes"), (":", "lines")] {
            let Some((path, range)) = text.rsplit_once(sign) else { continue };
            if range.is_empty() || !range.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
                continue;
            }
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
            let part = match (kind, number(first), number(last)) {
                // From 0, and one past the last.
                ("bytes", _, _) => match (first.parse(), last.parse()) {
                    (Ok(start), Ok(end)) if start < end => Some(Part::Bytes(Span::new(start, end))),
                    _ => None,
                },
                ("pages", Some(first), Some(last)) if first <= last => {
                    Some(Part::Place(PlaceRange::Pages(first, last)))
                }
                (_, Some(first), Some(last)) if first <= last => Some(Part::Place(PlaceRange::Lines(first, last))),
                _ => None,
            };
            return match part {
                Some(_) => Ok(Self::Document { path: path.to_owned(), part }),
                None => Err(bad(format!("`{range}` is no range of {kind}"))),
            };
        }
        Ok(Self::Document { path: text.to_owned(), part: None })
    }
}

/// A document or a part of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fetched {
    /// Name of the wiki.
    pub wiki: WikiName,
    /// Of the wiki.
    pub sensitivity: Sensitivity,
    /// Below the root of the wiki.
    pub path: String,
    /// Of the document.
    pub title: String,
    /// Front matter.
    pub meta: Metadata,
    /// Where `text` is in the file: `lines` or `pages`, first and last.
    #[serde(flatten)]
    pub place: PlaceRange,
    /// The text as it was indexed.
    pub text: String,
    /// How that stands to the file.
    pub freshness: Freshness,
}

impl Engine {
    /// Reads what `target` names, from the wikis of the composition and from nowhere else. `wiki/path` is understood as a
    /// citation first; only where there is no such document it is a path in which a folder is called as a wiki is.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`] where a wiki is above the clearance; [`ErrorKind::NotFound`] for anything that is not in the
    /// composition, in the same words whether it exists elsewhere or not; [`ErrorKind::Usage`] where a path is in several
    /// wikis. A wiki that cannot be read is an error where it was named, or where no other wiki has the document.
    pub fn get(&self, composition: &Composition, target: &Target) -> Result<Fetched> {
        composition.check()?;
        let wikis = || composition.wikis.iter().map(|wiki| &wiki.located);
        match target {
            Target::Chunk { wiki, chunk } => {
                let asked = format!("{wiki}#{:016x}", chunk.0);
                let named = wikis().find(|known| known.manifest.name.as_str() == wiki);
                let Some(wiki) = named else { return Err(not_found(&asked)) };
                let Some(stored) = open::catalog(self, wiki)?.chunk(*chunk)? else { return Err(not_found(&asked)) };
                self.document(wiki, &stored.record.path, Some(Part::Place(stored.place)))?
                    .ok_or_else(|| not_found(&asked))
            }
            Target::Document { path, part } => {
                let mut fault = None;
                for wiki in wikis() {
                    let name = wiki.manifest.name.as_str();
                    let Some(cited) = path.strip_prefix(name).and_then(|rest| rest.strip_prefix('/')) else { continue };
                    match self.document(wiki, cited, *part) {
                        Ok(Some(document)) => return Ok(document),
                        Ok(None) => {}
                        Err(error) if error.kind() == ErrorKind::NotFound => fault = Some(error),
                        // Nobody can tell whether it has the document, and another one would be the wrong one.
                        Err(error) => return Err(error),
                    }
                }
                let mut found = Vec::new();
                for wiki in wikis() {
                    match self.document(wiki, path, *part) {
                        Ok(document) => found.extend(document),
                        Err(error) => fault = fault.or(Some(error)),
                    }
                }
                let names: Vec<String> = found.iter().map(|one| format!("{}/{}", one.wiki, one.path)).collect();
                match found.pop() {
                    None => Err(fault.unwrap_or_else(|| not_found(path))),
                    Some(document) if found.is_empty() => Ok(document),
                    Some(_) => {
                        let message = format!("`{path}` is in several wikis: {}", names.join(", "));
                        Err(Error::new(ErrorKind::Usage, "get document", message)
                            .help("put the name of the wiki before it"))
                    }
                }
            }
        }
    }

    /// The document at `path` of a wiki, if it has one, or a part of it.
    fn document(&self, wiki: &LocatedWiki, path: &str, part: Option<Part>) -> Result<Option<Fetched>> {
        let catalog = open::catalog(self, wiki)?;
        let stored = match catalog.document(path)? {
            // The name may be spelt in another normal form than the one of the file.
            None if !path.is_ascii() => {
                let stamps = catalog.stamps()?;
                let mut alike = stamps.iter().filter(|stamp| is_same_text(&stamp.path, path));
                match (alike.next(), alike.next()) {
                    (Some(one), None) => catalog.document(&one.path)?,
                    _ => None,
                }
            }
            stored => stored,
        };
        let Some(stored) = stored else { return Ok(None) };
        let path = stored.path.as_str();
        if !still_belongs(wiki, path) {
            return Ok(None);
        }
        let freshness = FreshnessCheck::default().of(wiki, path, stored.stamp, &stored.content_hash);
        let places = stored.places.index(&stored.text);
        let whole = places.whole();
        let (place, span) = match part {
            None => (whole, Span::new(0, stored.text.len())),
            Some(Part::Bytes(span)) => {
                if span.slice(&stored.text).is_none() {
                    let message = format!(
                        "the bytes {}-{} are not whole characters of its text, which has {} bytes",
                        span.start,
                        span.end,
                        stored.text.len()
                    );
                    let help = "the document may have changed since; ask again";
                    return Err(Error::new(ErrorKind::NotFound, "get document", message).with("path", path).help(help));
                }
                (places.of(span), span)
            }
            Some(Part::Place(asked)) => {
                let Some(span) = places.span(asked) else {
                    let message = match (asked, whole) {
                        (PlaceRange::Lines(first, _), PlaceRange::Lines(_, count)) => {
                            format!("line {first} lies behind the end; the document has {count} lines")
                        }
                        (PlaceRange::Pages(first, _), PlaceRange::Pages(_, count)) => {
                            format!("page {first} lies behind the end; the document has {count} pages")
                        }
                        (_, PlaceRange::Lines(_, count)) => format!("the document has {count} lines and no pages"),
                        (_, PlaceRange::Pages(_, count)) => format!("the document has {count} pages and no lines"),
                    };
                    return Err(Error::new(ErrorKind::NotFound, "get document", message).with("path", path));
                };
                (asked.until(whole), span)
            }
        };
        let text = span.slice(&stored.text).unwrap_or_default().to_owned();
        Ok(Some(Fetched {
            wiki: wiki.manifest.name.clone(),
            sensitivity: wiki.manifest.sensitivity,
            path: stored.path.clone(),
            title: stored.title,
            meta: stored.meta,
            place,
            text,
            freshness,
        }))
    }
}

fn not_found(what: &str) -> Error {
    Error::new(ErrorKind::NotFound, "get document", format!("there is no `{what}` in this composition"))
        .help("results of `wikirag query` name paths and ids")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let document =
            |path: &str, place: Option<_>| Target::Document { path: path.into(), part: place.map(Part::Place) };
        assert_eq!(Target::parse("a/b.md").unwrap(), document("a/b.md", None));
        assert_eq!(Target::parse("a.md:7").unwrap(), document("a.md", Some(PlaceRange::Lines(7, 7))));
        assert_eq!(Target::parse("w/a.md:3-9").unwrap(), document("w/a.md", Some(PlaceRange::Lines(3, 9))));
        assert_eq!(Target::parse("w/a.pdf#page=3-4").unwrap(), document("w/a.pdf", Some(PlaceRange::Pages(3, 4))));
        let bytes = Target::Document { path: "w/a.md".into(), part: Some(Part::Bytes(Span::new(0, 7))) };
        assert_eq!(Target::parse("w/a.md#bytes=0-7").unwrap(), bytes);
        assert_eq!(Target::parse("a.pdf#page=x").unwrap(), document("a.pdf#page=x", None));
        assert_eq!(Target::parse("c:odd name.md").unwrap(), document("c:odd name.md", None));
        assert_eq!(Target::parse("notes#1").unwrap(), document("notes#1", None));
        let chunk = Target::Chunk { wiki: "food".into(), chunk: ChunkId(255) };
        assert_eq!(Target::parse("food#00000000000000ff").unwrap(), chunk);
        for bad in ["", " ", "a.md:0", "a.md:9-3", "a.md:-", "a.md:1-2-3", "a.md#bytes=3-3", "a.md#bytes=3"] {
            assert_eq!(Target::parse(bad).unwrap_err().kind(), ErrorKind::Usage, "{bad:?}");
        }
    }
}
