//! Documents as resources.

use rmcp::model::{
    ErrorData, ListResourcesResult, PaginatedRequestParams, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::{Fetched, FileState};

use super::toolset::Call;
use super::uri::DocumentUri;
use crate::service::{Fault, PageRequest, Scope};

/// Documents of one page of the list.
const PAGE: usize = 200;

/// How the address of a document is made.
pub(super) const TEMPLATE: &str = "wiki://{rag}/{wiki}/{+path}";

/// The documents, wiki by wiki, each by path. The cursor is the address of the last one that was listed.
pub(super) async fn list(call: &Call, cursor: Option<String>) -> Result<ListResourcesResult, ErrorData> {
    let after = match cursor {
        Some(cursor) => Some(DocumentUri::parse(&cursor).ok_or_else(bad_cursor)?),
        None => None,
    };
    let wikis = wikis(call).await.map_err(|error| told(&error))?;
    // A wiki that is gone, or that the caller may not know of, is no place to go on from.
    let from = match &after {
        Some(last) => {
            let is_of = |(rag, wiki): &(String, String)| *rag == last.rag && *wiki == last.wiki;
            wikis.iter().position(is_of).ok_or_else(bad_cursor)?
        }
        None => 0,
    };
    let mut found: Vec<DocumentUri> = Vec::new();
    for (rag, wiki) in &wikis[from..] {
        let is_next = |path: &String| {
            after
                .as_ref()
                .is_none_or(|last| last.rag != *rag || last.wiki != *wiki || last.path.as_str() < path.as_str())
        };
        let paths = documents(call, rag, wiki).await.map_err(|error| told(&error))?;
        found.extend(paths.iter().filter(|path| is_next(path)).map(|path| DocumentUri::new(rag, wiki, path)));
        // One more than a page tells that there is another.
        if found.len() > PAGE {
            break;
        }
    }
    let has_more = found.len() > PAGE;
    found.truncate(PAGE);
    let next = found.last().filter(|_| has_more).map(DocumentUri::to_string);
    let mut page = ListResourcesResult::with_all_items(found.iter().map(resource).collect());
    page.next_cursor = next;
    Ok(page)
}

fn resource(document: &DocumentUri) -> Resource {
    Resource::new(document.to_string(), format!("{}/{}", document.wiki, document.path))
        .with_mime_type(mime_type(&document.path))
}

/// How the address of any document is made.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let document = ResourceTemplate::new(TEMPLATE, "document")
        .with_title("Document of a wiki")
        .with_description("The text of a document as it was indexed, by composition, wiki, and path below the wiki")
        .with_mime_type("text/plain");
    vec![document]
}

/// The text of a document.
pub(super) async fn read(call: &Call, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let absent = || ErrorData::resource_not_found("there is no such resource here", None);
    let document = DocumentUri::parse(uri).ok_or_else(absent)?;
    match fetch(call, &document).await {
        Ok(fetched) => {
            let text = ResourceContents::text(fetched.text, uri).with_mime_type(mime_type(&document.path));
            Ok(ReadResourceResult::new(vec![text]))
        }
        // In the same words whatever part of the address means nothing, and whether or not it would to somebody else.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Refused) => Err(absent()),
        Err(error) => Err(told(&error)),
    }
}

/// The whole document, by its exact path.
///
/// # Errors
/// As [`Service::page`](crate::service::Service::page).
pub(super) async fn fetch(call: &Call, document: &DocumentUri) -> Result<Fetched> {
    let DocumentUri { rag, wiki, path } = document.clone();
    let request = PageRequest { wiki, path, rag: Some(rag), ..PageRequest::default() };
    call.service.page(&call.caller, &request).await
}

/// The wikis that the caller sees, each with its composition, in the order in which they are served.
///
/// # Errors
/// As [`Service::composition`](crate::service::Service::composition).
pub(super) async fn wikis(call: &Call) -> Result<Vec<(String, String)>> {
    let mut wikis = Vec::new();
    for rag in call.service.rags(&call.caller).await? {
        let scope = Scope { rag: Some(rag.clone()), wikis: None };
        let composition = call.service.composition(&call.caller, &scope).await?;
        wikis.extend(composition.wikis.iter().map(|wiki| (rag.clone(), wiki.located.manifest.name.to_string())));
    }
    Ok(wikis)
}

/// Paths of the documents of a wiki, sorted. None where it was never built.
///
/// # Errors
/// As [`Service::composition`](crate::service::Service::composition).
pub(super) async fn documents(call: &Call, rag: &str, wiki: &str) -> Result<Vec<String>> {
    let scope = Scope { rag: Some(rag.to_owned()), wikis: Some(vec![wiki.to_owned()]) };
    let composition = call.service.composition(&call.caller, &scope).await?;
    let Some(wiki) = composition.wikis.first() else { return Ok(Vec::new()) };
    // Why it cannot be read is told by `status`.
    let Ok(status) = call.service.engine().status(&wiki.located).await else { return Ok(Vec::new()) };
    let documents = status.files.into_iter().filter(|file| file.state == FileState::Indexed);
    let mut paths: Vec<String> = documents.map(|file| file.path).collect();
    paths.sort_unstable();
    Ok(paths)
}

/// Of lists that fit on one page. No cursor was ever given out for them.
pub(super) fn only_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        Some(_) => Err(bad_cursor()),
        None => Ok(()),
    }
}

fn bad_cursor() -> ErrorData {
    ErrorData::invalid_params("the cursor is none that this list gave; leave it out to begin anew", None)
}

/// An error where the protocol has no place for a result that tells it.
pub(super) fn told(error: &Error) -> ErrorData {
    let fault = Fault::of(error);
    let message = match fault.remedy {
        Some(remedy) => format!("{}; {remedy}", fault.message),
        None => fault.message,
    };
    match fault.kind {
        ErrorKind::NotFound => ErrorData::resource_not_found(message, None),
        ErrorKind::Usage | ErrorKind::Invalid => ErrorData::invalid_params(message, None),
        _ => ErrorData::internal_error(message, None),
    }
}

/// What a document is, by its name. What is read of a PDF or a page of HTML is plain text.
fn mime_type(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("md" | "markdown" | "mdx" | "mdc") => "text/markdown",
        _ => "text/plain",
    }
}
