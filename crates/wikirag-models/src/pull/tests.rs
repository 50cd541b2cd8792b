//! Getting files, out of folders and whatever the source.

#[cfg(feature = "pull")]
mod server;
#[cfg(feature = "pull")]
mod web;

use std::fs;
use std::sync::Barrier;
use std::thread;

use wikirag_core::CancelFlag;

use super::*;
use crate::testing::{MODEL, Place, TOKENIZER, recipe};
use crate::{SourceSpec, State};

#[test]
fn files_come_out_of_a_folder_however_it_is_laid_out() {
    for layout in ["", "tiny/", "models/tiny/"] {
        let place = Place::new();
        let (store, recipe) = (place.store(), recipe(""));
        // A file of another recipe at a place that says less of it.
        if !layout.is_empty() {
            place.write("from/model.onnx", "of another");
        }
        let source = place.write(&format!("from/{layout}model.onnx"), MODEL);
        place.write(&format!("from/{layout}tokenizer.json"), TOKENIZER);
        let origin = &place.path("from");
        let pulled = store.pull(&recipe, Origin::Folder(origin), &Context::new()).unwrap();
        assert_eq!(pulled.len(), 2);
        assert_eq!(pulled[0].path, place.path("data/models/tiny/model.onnx"));
        assert_eq!(Path::new(&pulled[0].source), source);
        assert!(matches!(store.state(&recipe), State::Ready));
        // Once there, nothing is looked for.
        assert_eq!(store.pull(&recipe, Origin::Folder(Path::new("nowhere")), &Context::new()).unwrap(), []);
        assert_eq!(place.files("data"), ["models/tiny/model.onnx", "models/tiny/tokenizer.json"]);
    }
}

#[test]
fn a_folder_with_another_file_is_told_and_changes_nothing() {
    let place = Place::new();
    let (store, recipe) = (place.store(), recipe(""));
    let origin = place.path("from");
    let pull = || store.pull(&recipe, Origin::Folder(&origin), &Context::new()).unwrap_err();
    assert_eq!((pull().kind(), pull().context("path")), (ErrorKind::NotFound, origin.to_str()));
    place.write("from/unrelated", "");
    assert!(pull().to_string().contains("no `model.onnx`"));
    let mut changed = MODEL.to_vec();
    changed[0] ^= 1;
    for (content, reason) in [
        (&changed[..], "must be"),
        (&MODEL[..9], "ended after 9 of 20 bytes"),
        (b"", "ended after 0 of 20 bytes"),
        (b"the bytes of a model and more", "longer than 20 bytes"),
    ] {
        let path = place.write("from/model.onnx", content);
        let error = pull();
        assert_eq!((error.kind(), error.context("path")), (ErrorKind::Damaged, path.to_str()), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(place.files("data"), [""; 0]);
    }
}

#[test]
fn a_damaged_file_is_replaced_and_a_right_one_kept() {
    // [B54]
    let place = Place::new();
    let (store, recipe) = (place.store(), recipe(""));
    place.write("data/models/tiny/model.onnx", &MODEL[..10]);
    place.write("data/models/tiny/tokenizer.json", TOKENIZER);
    place.write("from/model.onnx", MODEL);
    let origin = place.path("from");
    assert_eq!(store.pull(&recipe, Origin::Folder(&origin), &Context::new()).unwrap().len(), 1);
    assert!(matches!(store.state(&recipe), State::Ready));
}

#[test]
fn pulls_at_the_same_time_end_with_one_whole_file() {
    const PULLS: usize = 8;
    let place = Place::new();
    let recipe = recipe("");
    place.write("from/model.onnx", MODEL);
    place.write("from/tokenizer.json", TOKENIZER);
    let origin = place.path("from");
    for _ in 0..10 {
        place.write("data/models/tiny/model.onnx", "damaged");
        let start = Barrier::new(PULLS);
        thread::scope(|scope| {
            for _ in 0..PULLS {
                scope.spawn(|| {
                    let store = place.store();
                    start.wait();
                    store.pull(&recipe, Origin::Folder(&origin), &Context::new()).unwrap();
                    store.check_recipe(&recipe).unwrap();
                });
            }
        });
    }
    assert_eq!(place.files("data/models/tiny"), ["model.onnx", "tokenizer.json"]);
}

#[test]
fn a_pull_that_is_stopped_leaves_nothing() {
    let place = Place::new();
    place.write("from/model.onnx", MODEL);
    let mut context = Context::new();
    context.cancel = CancelFlag::default();
    context.cancel.cancel();
    let origin = place.path("from");
    let error = place.store().pull(&recipe(""), Origin::Folder(&origin), &context).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
    assert_eq!(place.files("data"), [""; 0]);
}

#[test]
fn a_data_folder_that_cannot_be_written_is_told() {
    let place = Place::new();
    place.write("from/model.onnx", MODEL);
    place.write("data", "a file where the folder should be");
    let origin = place.path("from");
    let error = place.store().pull(&recipe(""), Origin::Folder(&origin), &Context::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.context("path").unwrap().contains("data"), "{error}");
    assert!(error.remedy().unwrap().contains("data_dir"), "{error}");
}

#[test]
fn what_is_built_is_not_looked_for_elsewhere() {
    let place = Place::new();
    let recipe = recipe(r#"{ built = { command = "make it" } }"#);
    let error = place.store().pull(&recipe, Origin::Sources, &Context::new()).unwrap_err();
    assert!(error.message().contains("`make it`"), "{error}");
    assert!(error.remedy().unwrap().contains("--from"), "{error}");
    assert!(!place.path("data").exists());
}

#[test]
fn what_has_no_source_says_so() {
    let place = Place::new();
    let error = place.store().pull(&recipe(""), Origin::Sources, &Context::new()).unwrap_err();
    assert!(error.message().contains("names none"), "{error}");
}

#[test]
fn the_library_is_taken_only_if_it_is_the_one() {
    let place = Place::new();
    let store = place.store();
    let recipe = RuntimeRecipe::built_in().unwrap();
    let file = recipe.library().unwrap();
    let origin = place.path("from");
    fs::create_dir(&origin).unwrap();
    let pull = || store.pull_runtime(Origin::Folder(&origin), &Context::new()).unwrap_err();
    assert_eq!(pull().kind(), ErrorKind::NotFound);
    // Its makers call it otherwise; that name serves too.
    let Some(SourceSpec::Package { member, .. }) = file.sources.first() else { panic!("no package") };
    let name = Path::new(member).file_name().unwrap().to_str().unwrap();
    for name in [name, &file.name, &format!("lib/{}", file.name), &format!("runtime/{}/{}", recipe.version, file.name)]
    {
        let path = place.write(&format!("from/{name}"), "no library");
        let error = pull();
        assert_eq!((error.kind(), error.context("path")), (ErrorKind::Damaged, path.to_str()), "{error}");
    }
    assert_eq!(place.files("data"), [""; 0]);
}

#[test]
fn no_library_is_got_where_another_is_named() {
    let place = Place::new();
    let named = place.path("nothing.so");
    let store = Store::of(&place.path("data"), None, Some(named.clone().into()));
    let error = store.pull_runtime(Origin::Sources, &Context::new()).unwrap_err();
    assert_eq!(error.context("path"), named.to_str(), "{error}");
    std::fs::write(&named, "").unwrap();
    assert_eq!(store.pull_runtime(Origin::Sources, &Context::new()).unwrap(), None);
    assert!(!place.path("data").exists());
}

#[test]
fn what_is_removed_is_gone_and_nothing_else() {
    let place = Place::new();
    let store = place.store();
    place.write("data/recipes/tiny.toml", crate::testing::recipe_text(""));
    assert!(!store.remove("tiny").unwrap());
    place.write("data/models/tiny/model.onnx", MODEL);
    place.write("data/models/tiny/.part-x", "left by a kill");
    place.write("data/models/other/model.onnx", "a model whose recipe is gone");
    place.write("data/models/verified.json", "{}");
    assert!(store.remove("tiny").unwrap());
    assert!(store.remove("other").unwrap());
    for name in ["..", "../models", "", "verified.json", "nothing"] {
        assert_eq!(store.remove(name).unwrap_err().kind(), ErrorKind::NotFound, "{name}");
    }
    assert!(!store.remove(RUNTIME_NAME).unwrap());
    let recipe = RuntimeRecipe::built_in().unwrap();
    place.write(&format!("data/runtime/{}/lib", recipe.version), "");
    assert!(store.remove(RUNTIME_NAME).unwrap());
    assert_eq!(place.files("data"), ["models/verified.json", "recipes/tiny.toml"]);
}
