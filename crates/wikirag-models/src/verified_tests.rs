use super::*;
use crate::testing::{MODEL, Place, sha256};

fn spec(content: &[u8]) -> FileSpec {
    let (bytes, sha256) = (content.len() as u64, sha256(content));
    FileSpec { name: "model.onnx".into(), bytes, sha256, sources: Vec::new() }
}

fn verified(place: &Place) -> Verified {
    Verified::new(place.path("data/models/verified.json"))
}

/// A file that was not touched for a while: the manifest of this crate.
fn settled() -> (PathBuf, FileSpec) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let content = std::fs::read(&path).unwrap();
    (path, spec(&content))
}

#[test]
fn a_file_that_is_not_the_one_is_named_with_the_reason() {
    // [B54]
    let place = Place::new();
    let verified = verified(&place);
    let mut changed = MODEL.to_vec();
    changed[7] ^= 1;
    for (content, reason) in [
        (&b""[..], "has 0 bytes and must have 20"),
        (&MODEL[..10], "has 10 bytes and must have 20"),
        (&changed, "its SHA-256 is"),
        (b"the bytes of a model and more", "has 29 bytes and must have 20"),
    ] {
        let path = place.write("model.onnx", content);
        let error = verified.check(&path, &spec(MODEL)).unwrap_err();
        assert_eq!((error.kind(), error.context("path")), (ErrorKind::Damaged, path.to_str()));
        assert!(error.to_string().contains(reason), "{error}");
    }
    let path = place.write("model.onnx", MODEL);
    verified.check(&path, &spec(MODEL)).unwrap();
    assert_eq!(verified.check(&place.path("nothing"), &spec(MODEL)).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(verified.check(&path.join("below"), &spec(MODEL)).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(verified.check(&place.path(""), &spec(MODEL)).unwrap_err().kind(), ErrorKind::Damaged);
}

#[test]
fn a_file_that_was_found_right_is_not_read_again() {
    let place = Place::new();
    let (path, spec) = settled();
    let verified = verified(&place);
    verified.check(&path, &spec).unwrap();
    // Memory alone says so of this hash, which is not that of the file.
    let other = FileSpec { sha256: "0".repeat(64), ..spec.clone() };
    assert_eq!(verified.check(&path, &other).unwrap_err().kind(), ErrorKind::Damaged);
    let memory = std::fs::read_to_string(&verified.path).unwrap();
    std::fs::write(&verified.path, memory.replace(&spec.sha256, &other.sha256)).unwrap();
    verified.check(&path, &other).unwrap();
    // A stamp that is not the one of the file brings nobody past the hash.
    let memory = std::fs::read_to_string(&verified.path).unwrap();
    std::fs::write(&verified.path, memory.replace("\"stamp\": \"", "\"stamp\": \"1")).unwrap();
    assert_eq!(verified.check(&path, &other).unwrap_err().kind(), ErrorKind::Damaged);
}

#[test]
fn a_memory_that_is_damaged_is_made_anew() {
    let place = Place::new();
    let (path, spec) = settled();
    let verified = verified(&place);
    for memory in ["", "{", "[]", "{\"version\":99,\"files\":{}}", "{\"version\":1}", "\u{0}"] {
        place.write("data/models/verified.json", memory);
        verified.check(&path, &spec).unwrap();
        let written = verified.read();
        assert_eq!((written.version, written.files.len()), (VERSION, 1), "{memory}");
    }
    assert_eq!(place.files("data/models"), ["verified.json"]);
}

#[test]
fn a_memory_that_cannot_be_written_costs_nothing_but_time() {
    let place = Place::new();
    place.write("data", "a file where the folder should be");
    let (path, spec) = settled();
    verified(&place).check(&path, &spec).unwrap();
}

#[test]
fn a_change_of_the_same_length_is_seen_however_quick_it_is() {
    let place = Place::new();
    let verified = verified(&place);
    let other = vec![b'x'; MODEL.len()];
    for _ in 0..20 {
        let path = place.write("model.onnx", MODEL);
        verified.check(&path, &spec(MODEL)).unwrap();
        place.write("model.onnx", &other);
        assert!(verified.check(&path, &spec(MODEL)).is_err());
    }
}
