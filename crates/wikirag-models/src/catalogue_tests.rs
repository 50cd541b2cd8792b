use super::*;
use crate::testing::{Place, recipe_text};

#[test]
fn every_built_in_recipe_is_sound_and_has_a_source_for_each_file() {
    let place = Place::new();
    let recipes = all(&place.path("nothing")).unwrap();
    assert_eq!(recipes.len(), BUILT_IN.len());
    for recipe in &recipes {
        assert!(recipe.files().iter().all(|file| !file.sources.is_empty()), "{}", recipe.name);
    }
    for name in DEFAULTS {
        assert!(recipes.iter().any(|recipe| recipe.name == *name), "{name}");
    }
}

#[test]
fn a_file_of_the_user_joins_the_list() {
    let place = Place::new();
    place.write("recipes/tiny.toml", recipe_text(""));
    place.write("recipes/readme.md", "no recipe");
    let names: Vec<String> = all(&place.path("recipes")).unwrap().into_iter().map(|recipe| recipe.name).collect();
    assert_eq!(names, ["all-minilm-l6-v2", "all-minilm-l6-v2-weight-only", "tiny"]);
    assert_eq!(one(&place.path("recipes"), "tiny").unwrap().dimensions, 8);
}

#[test]
fn a_broken_file_is_named_and_keeps_no_other_model_away() {
    let place = Place::new();
    let path = place.write("recipes/broken.toml", "name = 7");
    let error = all(&place.path("recipes")).unwrap_err();
    assert_eq!(error.context("path"), path.to_str(), "{error}");
    assert!(one(&place.path("recipes"), "all-minilm-l6-v2").is_ok());
}

#[test]
fn a_name_that_is_there_already_is_refused() {
    let place = Place::new();
    let text = recipe_text("").replace("\"tiny\"", "\"all-minilm-l6-v2\"");
    let path = place.write("recipes/all-minilm-l6-v2.toml", &text);
    assert!(all(&place.path("recipes")).unwrap_err().to_string().contains("built in as well"));
    std::fs::remove_file(path).unwrap();
    // Two files cannot give themselves one name, since each is called as its model.
    place.write("recipes/other.toml", recipe_text(""));
    let error = all(&place.path("recipes")).unwrap_err();
    assert!(error.to_string().contains("`tiny`") && error.to_string().contains("tiny.toml"), "{error}");
}

#[test]
fn files_that_are_no_recipes_are_told() {
    let place = Place::new();
    for (name, content, expected) in [
        ("big.toml", vec![b'#'; usize::try_from(MAX_BYTES).unwrap() + 1], "at most"),
        ("latin.toml", b"# \xe9".to_vec(), "UTF-8"),
        ("Upper.toml", recipe_text("").into_bytes(), "no name of a model"),
    ] {
        let path = place.write(&format!("recipes/{name}"), content);
        let error = all(&place.path("recipes")).unwrap_err();
        assert_eq!(error.context("path"), path.to_str(), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        std::fs::remove_file(&path).unwrap();
    }
    let folder = place.write("file", "where the folder should be");
    assert_eq!(all(&folder).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn an_unknown_name_is_told_with_those_that_there_are() {
    let place = Place::new();
    place.write("recipes/tiny.toml", recipe_text(""));
    for name in ["nope", "../tiny", "", "TINY", "tiny\u{0}", "tiny.toml/"] {
        let error = one(&place.path("recipes"), name).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{name:?}: {error}");
        assert!(error.remedy().unwrap().contains("all-minilm-l6-v2, all-minilm-l6-v2-weight-only, tiny"), "{error}");
    }
}
