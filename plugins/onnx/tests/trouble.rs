//! What can be wrong with the files of a model and with the library: each is a reason with a remedy, and never the end of
//! the program.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

mod place;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use place::{Place, embed, failing, known_reason, prober};
use serde_json::json;
use wikirag_core::{Embedder, ErrorKind, Readiness};

/// A data folder with the files of its recipe.
fn whole() -> Place {
    let place = Place::new();
    place.write("models/tiny/model.onnx", b"model");
    place.write("models/tiny/tokenizer.json", b"tokenizer");
    place
}

fn tiny(place: &Place, runtime: Option<&PathBuf>, prober: Option<PathBuf>) -> Box<dyn Embedder> {
    place.make(json!({"model": "tiny", "runtime": runtime, "probe_seconds": 2}), prober).unwrap()
}

/// Compiles the stand-in with this fault. The compiler is there, or these tests would not.
fn stand_in(place: &Place, fault: &str) -> PathBuf {
    let library = place.path().join(format!("{fault}{}", std::env::consts::DLL_SUFFIX));
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .args(["--edition", "2024", "--crate-type", "cdylib", "--crate-name", "stand_in", "--cap-lints", "allow"])
        .args(["-C", "strip=symbols", "--cfg", &format!("fault=\"{fault}\""), "-o"])
        .arg(&library)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stand_in/library.rs"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

#[test]
fn settings_that_cannot_be_are_an_error_at_once() {
    let place = whole();
    for (settings, kind, expected) in [
        (json!({"model": "tinny"}), ErrorKind::NotFound, "tiny"),
        (json!({"model": "../tiny"}), ErrorKind::NotFound, "tiny"),
        (json!({"modle": "tiny"}), ErrorKind::Invalid, "modle"),
        (json!({"runtime": "lib.so"}), ErrorKind::Invalid, "absolute"),
    ] {
        let error = place.make(settings, None).err().unwrap();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let reranker = fs::read_to_string(place.path().join("recipes/tiny.toml")).unwrap();
    let reranker = reranker.replace("\"tiny\"", "\"judge\"").replace("\"embedder\"", "\"reranker\"");
    let reranker = reranker.replace("dimensions = 3", "").replace("\"mean\"", "\"none\"");
    place.write("recipes/judge.toml", reranker.as_bytes());
    let error = place.make(json!({"model": "judge"}), None).err().unwrap();
    assert!(error.to_string().contains("`judge` is a recipe of the kind reranker"), "{error}");
}

#[test]
fn what_a_recipe_says_is_known_without_its_files() {
    let place = Place::new();
    let embedder = tiny(&place, None, None);
    assert_eq!((embedder.dimensions(), embedder.max_tokens()), (3, 16));
    let recipe = place.path().join("recipes/tiny.toml");
    let text = fs::read_to_string(&recipe).unwrap();
    for (line, other) in [
        ("max_tokens = 16", "max_tokens = 17"),
        ("\"mean\"", "\"cls\""),
        ("normalise = true", "passage_prefix = \"p: \""),
        ("sha256 = \"9", "sha256 = \"8"),
    ] {
        assert!(text.contains(line), "{line}");
        fs::write(&recipe, text.replacen(line, other, 1)).unwrap();
        assert_ne!(tiny(&place, None, None).fingerprint(), embedder.fingerprint(), "{other}");
    }
    fs::write(&recipe, text).unwrap();
    assert_eq!(tiny(&place, None, None).fingerprint(), embedder.fingerprint());
}

#[test]
fn a_model_that_is_not_there_is_named_with_the_command_that_gets_it() {
    let place = Place::new();
    let error = failing(&*tiny(&place, None, None), "model-missing");
    assert!(error.remedy().unwrap().contains("wikirag model pull tiny"), "{error}");
    place.write("models/tiny/model.onnx", b"model");
    let error = failing(&*tiny(&place, None, None), "model-missing");
    assert!(error.message().contains("tokenizer.json"), "{error}");
}

#[test]
fn a_file_that_was_cut_or_changed_is_damaged() {
    for (name, bytes) in [
        ("models/tiny/model.onnx", b"".as_slice()),
        ("models/tiny/model.onnx", b"mod"),
        ("models/tiny/model.onnx", b"modem"),
        ("models/tiny/tokenizer.json", b"tokenized"),
    ] {
        let place = whole();
        let path = place.write(name, bytes);
        let error = failing(&*tiny(&place, None, None), "model-damaged");
        assert!(error.message().contains(path.to_str().unwrap()), "{error}");
        assert!(error.remedy().unwrap().contains("wikirag model pull tiny"), "{error}");
    }
}

#[test]
fn a_library_that_is_not_there_is_named() {
    let place = whole();
    let path = place.path().join("none.so");
    let error = failing(&*tiny(&place, Some(&path), None), "runtime-missing");
    assert!(error.message().contains("none.so"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_file_that_is_no_library_is_told_by_its_head() {
    let place = whole();
    for text in [b"".as_slice(), b"not a library", b"\x7fELF"] {
        let path = place.write("text.so", text);
        let error = failing(&*tiny(&place, Some(&path), Some("/no/such/prober".into())), "runtime-unusable");
        assert!(error.message().contains("text.so"), "{error}");
        assert!(error.remedy().unwrap().contains("wikirag model pull onnxruntime"), "{error}");
    }
}

#[test]
#[cfg(all(target_os = "linux", target_endian = "little"))]
fn a_library_that_was_cut_or_is_of_another_machine_is_told_by_its_head() {
    let place = whole();
    let whole = fs::read(stand_in(&place, "none")).unwrap();
    let other_machine = [&whole[..18], &if whole[18] == 62 { [183, 0] } else { [62, 0] }, &whole[20..]].concat();
    for (name, bytes, expected) in
        [("cut.so", &whole[..whole.len() / 2], "cut short"), ("other.so", &other_machine, "another machine")]
    {
        let path = place.write(name, bytes);
        let error = failing(&*tiny(&place, Some(&path), None), "runtime-unusable");
        assert!(error.message().contains(expected), "{error}");
    }
}

/// Each in a process of its own, whose end is remembered: whoever asks next does not try again.
#[test]
#[cfg(unix)]
fn a_library_that_fails_in_the_other_process_is_remembered() {
    let place = whole();
    for (fault, expected) in [
        ("foreign", "OrtGetApiBase"),
        ("old", "1.10.0"),
        ("none", "interface"),
        ("aborts", "ends the process"),
        ("illegal", "ends the process"),
        ("exits", "without a verdict"),
        ("hangs", "hangs"),
    ] {
        let library = stand_in(&place, fault);
        let embedder = tiny(&place, Some(&library), Some(prober()));
        assert_eq!(embedder.readiness(), Readiness::Ready, "{fault}: nobody knows yet");
        let error = failing(&*embedder, "runtime-unusable");
        assert!(error.message().contains(expected), "{fault}: {error}");

        let known = known_reason(&*tiny(&place, Some(&library), Some("/no/such/prober".into())));
        assert_eq!(known.sentence, error.message(), "{fault}");
        let verdict = place.path().join("probes/onnx-tiny.json");
        assert!(known.remedy.contains(verdict.to_str().unwrap()), "{known:?}");
    }
    // The last one is tried again where the verdict is removed, or the library is another file.
    fs::remove_dir_all(place.path().join("probes")).unwrap();
    let library = place.path().join(format!("hangs{}", std::env::consts::DLL_SUFFIX));
    let embedder = tiny(&place, Some(&library), Some("/no/such/prober".into()));
    assert_eq!(embedder.readiness(), Readiness::Ready);
    let error = embed(&*embedder).unwrap_err();
    assert!(error.to_string().contains("/no/such/prober"), "{error}");
}

/// A process loads one library once. One that fails without ending the process is a reason there too.
#[test]
#[cfg(unix)]
fn without_another_process_the_library_is_tried_in_this_one() {
    let place = whole();
    let library = stand_in(&place, "none");
    let embedder = tiny(&place, Some(&library), None);
    assert_eq!(embedder.readiness(), Readiness::Ready, "nobody knows yet");
    let error = failing(&*embedder, "runtime-unusable");
    assert!(error.message().contains("interface"), "{error}");
    assert!(!place.path().join("probes").exists());

    let other = stand_in(&place, "foreign");
    let error = failing(&*tiny(&place, Some(&other), None), "runtime-unusable");
    assert!(error.message().contains("takes no second one"), "{error}");
}
