use super::*;
use crate::testing::{MODEL, Place, TOKENIZER, recipe};

#[test]
fn files_beside_the_program_serve_where_the_data_folder_has_none() {
    let place = Place::new();
    let (store, recipe) = (place.store(), recipe(""));
    assert_eq!(store.model_file(&recipe, &recipe.model), place.path("data/models/tiny/model.onnx"));
    let carried = place.write("program/models/tiny/model.onnx", MODEL);
    assert_eq!(store.model_file(&recipe, &recipe.model), carried);
    let own = place.write("data/models/tiny/model.onnx", MODEL);
    assert_eq!(store.model_file(&recipe, &recipe.model), own);
}

#[test]
fn a_recipe_is_ready_when_each_file_is_right() {
    let place = Place::new();
    let (store, recipe) = (place.store(), recipe(""));
    assert!(matches!(store.state(&recipe), State::Missing));
    place.write("data/models/tiny/model.onnx", MODEL);
    let error = store.check_recipe(&recipe).unwrap_err();
    assert_eq!((error.kind(), error.context("model")), (ErrorKind::NotFound, Some("tiny")));
    assert!(error.remedy().unwrap().contains("wikirag model pull tiny"), "{error}");
    place.write("program/models/tiny/tokenizer.json", TOKENIZER);
    assert!(matches!(store.state(&recipe), State::Ready));
    place.write("data/models/tiny/tokenizer.json", "[]");
    let State::Damaged(error) = store.state(&recipe) else { panic!("a wrong tokenizer is taken") };
    assert!(error.to_string().contains("tokenizer.json"), "{error}");
}

#[test]
fn a_model_that_cannot_be_downloaded_is_built() {
    let place = Place::new();
    let error = place.store().check_recipe(&recipe(r#"{ built = { command = "make it" } }"#)).unwrap_err();
    assert!(error.remedy().unwrap().contains("`make it`"), "{error}");
}

#[test]
fn the_default_is_the_best_that_is_there_else_one_to_download() {
    let place = Place::new();
    let store = place.store();
    let [best, download] = [0, 1].map(|at| store.recipe(catalogue::DEFAULTS[at]).unwrap());
    assert_eq!(store.default_recipe().unwrap(), download);
    for file in best.files() {
        // Whatever lies there: a damaged one is told as such, not passed over.
        place.write(&format!("program/models/{}/{}", best.name, file.name), "x");
    }
    assert_eq!(store.default_recipe().unwrap(), best);
}

#[test]
fn the_library_is_looked_for_in_the_data_folder_and_beside_the_program() {
    let place = Place::new();
    let store = place.store();
    let recipe = RuntimeRecipe::built_in().unwrap();
    let file = store.runtime_spec(&recipe).unwrap();
    let error = store.runtime().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.remedy().unwrap().contains("wikirag model pull"), "{error}");
    assert!(matches!(store.runtime_state(), State::Missing));
    for folder in [format!("data/runtime/{}", recipe.version), "program/lib".to_owned()] {
        let path = place.write(&format!("{folder}/{}", file.name), "no library");
        let error = store.runtime().unwrap_err();
        assert_eq!((error.kind(), error.context("path")), (ErrorKind::Damaged, path.to_str()), "{error}");
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn the_library_of_the_user_comes_first_and_must_be_one() {
    let place = Place::new();
    let named = |library: &Path| Store::of(&place.path("data"), None, Some(library.into())).runtime();
    let library = place.write("my/libonnxruntime.so", "taken at its word");
    assert_eq!(named(&library).unwrap(), library);
    for (path, kind) in [
        (PathBuf::from("libonnxruntime.so"), ErrorKind::Invalid),
        (place.path("my"), ErrorKind::Invalid),
        (place.path("my/other.so"), ErrorKind::NotFound),
    ] {
        let error = named(&path).unwrap_err();
        assert_eq!((error.kind(), error.context("path")), (kind, path.to_str()), "{error}");
        assert!(error.to_string().contains(LIBRARY_VARIABLE), "{error}");
    }
}
