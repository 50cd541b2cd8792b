//! What the layer says of itself: no index, no embedder, another model, foreign and damaged files.

use std::fs;
use std::sync::Arc;

use crate::home::{Home, codes, search, sync};
use serde_json::json;
use wikirag_core::{ChunkId, ErrorKind, Readiness};
use wikirag_testkit::{MemoryFeed, record};

fn feed() -> Arc<MemoryFeed> {
    Arc::new(MemoryFeed::of("a", (1..=30).map(|id| record(id, &format!("passage {id}")))))
}

fn built(name: &str) -> Home {
    let home = Home::new(name);
    sync(&*home.open(), &feed()).unwrap();
    home
}

#[test]
fn without_an_index_the_reason_is_given() {
    let home = Home::new("no index");
    let layer = home.open();
    assert_eq!(codes(&layer.readiness()), ["index-missing"]);
    assert_eq!(layer.sync_readiness(), Readiness::Ready);
    assert_eq!(search(&*layer, "passage", 3).unwrap_err().kind(), ErrorKind::IndexMissing);
    assert_eq!((layer.chunks().unwrap(), layer.position().unwrap()), (0, None));
    assert!(!home.layer.dir().exists());
}

#[test]
fn an_embedder_that_is_not_there_is_a_reason_and_no_error() {
    let home = Home::new("no embedder");
    for (settings, remedy) in [(json!({}), "hashed-words"), (json!({"embedder": "word2vec"}), "hashed-words")] {
        let layer = home.open_with(settings, "no embedder", 64).unwrap();
        let readiness = layer.readiness();
        assert_eq!(codes(&readiness), ["embedder-missing", "index-missing"]);
        assert!(readiness.reasons()[0].remedy.contains(remedy), "{readiness:?}");
        assert_eq!(codes(&layer.sync_readiness()), ["embedder-missing"]);
        assert_eq!(sync(&*layer, &feed()).unwrap_err().kind(), ErrorKind::Unavailable);
    }
    // Words that the embedder does not know are a mistake and not a circumstance.
    let error = home.open_with(json!({"embeder": "hashed-words"}), "no embedder", 64).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(!home.layer.dir().exists());
}

#[test]
fn another_model_makes_the_index_stale_until_it_is_made_anew() {
    let home = built("model a");
    for (name, dimensions) in [("model b", 96), ("model a", 96), ("model b", 64)] {
        let other = home.open_under(name, dimensions);
        for readiness in [other.readiness(), other.sync_readiness()] {
            assert_eq!(codes(&readiness), ["stale-index"]);
            let reason = &readiness.reasons()[0];
            for part in
                ["index built with hashed-words model a 64", &format!("config asks hashed-words {name} {dimensions}")]
            {
                assert!(reason.sentence.contains(part), "{}", reason.sentence);
            }
            assert!(reason.remedy.contains("build --full"));
        }
        assert_eq!(search(&*other, "passage 3", 3).unwrap_err().kind(), ErrorKind::StaleIndex);
        assert_eq!(sync(&*other, &feed()).unwrap_err().kind(), ErrorKind::StaleIndex);
    }
    // The old model still answers, and the new one from a folder beside it.
    assert_eq!(search(&*home.open(), "note 3 passage 3", 1).unwrap(), [ChunkId(3)]);
    let beside = Home::new("model b");
    let layer = beside.open_under("model b", 96);
    sync(&*layer, &feed()).unwrap();
    assert_eq!(layer.readiness(), Readiness::Ready);
    assert_eq!(search(&*layer, "note 3 passage 3", 1).unwrap(), [ChunkId(3)]);
}

#[cfg(unix)]
#[test]
fn an_index_that_takes_the_place_of_another_is_seen() {
    let home = built("swapped");
    let layer = home.open();
    assert_eq!(search(&*layer, "note 3 passage 3", 1).unwrap(), [ChunkId(3)]);
    let beside = Home::new("swapped");
    sync(&*beside.open(), &Arc::new(MemoryFeed::of("a", [record(99, "passage 3")]))).unwrap();
    fs::rename(home.layer.dir(), home.layer.dir().with_extension("old")).unwrap();
    fs::rename(beside.layer.dir(), home.layer.dir()).unwrap();
    assert_eq!(search(&*layer, "note 3 passage 3", 2).unwrap(), [ChunkId(99)]);
}

#[test]
fn a_file_that_is_none_of_ours_is_named() {
    let home = built("foreign");
    let path = home.layer.dir().join("dense.db");
    let whole = fs::read(&path).unwrap();
    let mut other_format = whole.clone();
    other_format[63] = 9;
    let mut other_kind = whole.clone();
    other_kind[68..72].copy_from_slice(b"wrag");
    for (bytes, kind) in [
        (
            b"no database at all, but long enough to have a header of one hundred bytes, as SQLite's files have......"
                .to_vec(),
            ErrorKind::Damaged,
        ),
        (Vec::new(), ErrorKind::Damaged),
        (whole[..whole.len() / 2].to_vec(), ErrorKind::Damaged),
        (whole[..whole.len() - 1].to_vec(), ErrorKind::Damaged),
        (other_kind, ErrorKind::Damaged),
        (other_format, ErrorKind::StaleIndex),
    ] {
        fs::write(&path, &bytes).unwrap();
        let layer = home.open();
        for error in [
            search(&*layer, "passage", 3).unwrap_err(),
            sync(&*layer, &feed()).unwrap_err(),
            layer.chunks().unwrap_err(),
            wikirag_testkit::block_on(layer.verify()).unwrap_err(),
        ] {
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains("dense.db"), "{error}");
            assert!(error.remedy().unwrap().contains("build --full"), "{error}");
        }
        assert_eq!(codes(&layer.readiness()), [kind.code()]);
        // A build does not mend it silently, and leaves it as it is.
        assert_eq!(codes(&layer.sync_readiness()), [kind.code()]);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(search(&*home.open(), "note 3 passage 3", 1).unwrap(), [ChunkId(3)]);
}
