//! The manifests of wikis and of compositions, both tried on the same text.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use wikirag_core::{Error, ErrorKind};
use wikirag_engine::manifest::{RagManifest, WikiManifest};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match WikiManifest::from_text(text, Path::new("/wikis/food")) {
        Ok(wiki) => {
            assert!(wiki.roles.iter().all(|rule| !rule.paths.is_empty()), "a rule for no files: {wiki:?}");
            assert!(!wiki.chunker.name.is_empty(), "a chunker without a name: {wiki:?}");
            let (_, chunker) = wiki.role_of("notes/basil.md");
            assert!(!chunker.name.is_empty(), "a role without a chunker: {wiki:?}");
            let everything = wiki.include.is_empty() && wiki.exclude.is_empty();
            assert!(wiki.includes("notes/basil.md") || !everything, "a file that nothing leaves out: {wiki:?}");
        }
        Err(error) => says_what_is_off(&error),
    }
    match RagManifest::from_text(text, Path::new("/wikis/all.rag.yaml")) {
        Ok(rag) => {
            assert!(!rag.wikis.is_empty() && !rag.name.is_empty(), "no wikis, or no name: {rag:?}");
            let sound = rag.wikis.iter().all(|entry| entry.weight.is_finite() && entry.weight > 0.0);
            assert!(sound, "a weight that is none: {rag:?}");
            assert!(rag.limit != Some(0), "an answer without hits: {rag:?}");
        }
        Err(error) => says_what_is_off(&error),
    }
});

fn says_what_is_off(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error:?}");
    assert!(!error.message().trim().is_empty(), "an error without a word: {error:?}");
}
