//! Damage and indexes of other versions.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use wikirag_core::{ChangeFeed, Context, ErrorKind, Query, RankedList, Readiness, Result, Retriever};
use wikirag_testkit::{MemoryFeed, TempLayer, block_on, make, record, temp_layer};

fn open(layer: &TempLayer) -> Box<dyn Retriever> {
    make::retriever(wikirag_bm25::PLUGIN, layer.setup()).unwrap()
}

fn feed() -> Arc<dyn ChangeFeed> {
    Arc::new(MemoryFeed::of("a", (1..200).map(|id| record(id, &format!("river number {id} and stone {}", id % 7)))))
}

fn built() -> TempLayer {
    let layer = temp_layer().unwrap();
    block_on(open(&layer).sync(feed(), &Context::new())).unwrap();
    layer
}

fn search(layer: &dyn Retriever) -> Result<RankedList> {
    block_on(layer.search(&Query::new("stone river 3", 10), &Context::new()))
}

/// Where an index of the current version lies.
const FOLDER: &str = "v2";

fn code(readiness: &Readiness) -> Option<&str> {
    readiness.reasons().first().map(|reason| reason.code.as_ref())
}

fn files(layer: &TempLayer) -> Vec<PathBuf> {
    let entries = fs::read_dir(layer.dir().join(FOLDER)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| fs::metadata(path).unwrap().len() > 0).collect();
    files.sort();
    files
}

#[test]
fn a_file_that_was_cut_is_named() {
    let layer = built();
    let right = search(&*open(&layer)).unwrap();
    let mut noticed = 0;
    for path in files(&layer) {
        let whole = fs::read(&path).unwrap();
        for cut in [1, 1024] {
            fs::write(&path, &whole[..whole.len().saturating_sub(cut)]).unwrap();
            let damaged = open(&layer);
            match search(&*damaged) {
                Ok(list) => assert_eq!(list, right, "{}", path.display()),
                Err(error) => {
                    noticed += 1;
                    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
                    assert!(error.remedy().unwrap().contains("build --full"), "{error}");
                    assert!(error.context("path").is_some(), "{error}");
                    assert_eq!(code(&damaged.readiness()), Some("damaged"));
                }
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(noticed >= 10, "{noticed}");
    assert_eq!(search(&*open(&layer)).unwrap(), right);
}

#[test]
fn a_page_of_zeros_is_named_by_verify() {
    let layer = built();
    for path in
        files(&layer).into_iter().filter(|path| path.extension().is_some_and(|end| end == "idx" || end == "term"))
    {
        let whole = fs::read(&path).unwrap();
        let mut broken = whole.clone();
        let middle = broken.len() / 3;
        broken[middle..middle + 16].fill(0);
        if broken == whole {
            continue;
        }
        fs::write(&path, &broken).unwrap();
        let error = block_on(open(&layer).verify()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged);
        assert_eq!(error.context("path"), Some(path.to_str().unwrap()), "{error}");
        fs::write(&path, &whole).unwrap();
    }
    block_on(open(&layer).verify()).unwrap();
}

#[test]
fn an_index_of_another_version_is_not_opened_but_replaced() {
    let layer = built();
    fs::rename(layer.dir().join(FOLDER), layer.dir().join("v0")).unwrap();
    let stale = open(&layer);
    assert_eq!(code(&stale.readiness()), Some("stale-index"));
    assert_eq!(stale.position().unwrap_err().kind(), ErrorKind::StaleIndex);
    assert_eq!(search(&*stale).unwrap_err().kind(), ErrorKind::StaleIndex);
    block_on(stale.sync(feed(), &Context::new())).unwrap();
    assert_eq!(stale.readiness(), Readiness::Ready);
    assert_eq!(search(&*stale).unwrap().hits.len(), 10);
    assert!(!layer.dir().join("v0").exists());
}

#[test]
fn without_an_index_the_reason_is_given() {
    let layer = temp_layer().unwrap();
    let none = open(&layer);
    assert_eq!(code(&none.readiness()), Some("index-missing"));
    assert_eq!(search(&*none).unwrap_err().kind(), ErrorKind::IndexMissing);
    // Made, but nothing was ever committed.
    fs::create_dir_all(layer.dir().join(FOLDER)).unwrap();
    assert_eq!(code(&open(&layer).readiness()), Some("index-missing"));
    block_on(none.sync(feed(), &Context::new())).unwrap();
    assert_eq!(none.readiness(), Readiness::Ready);
}
