use super::*;
use crate::SourceSpec;
use crate::testing::{recipe, recipe_text};

#[test]
fn everything_that_a_recipe_says_is_read() {
    let recipe = recipe(r#"{ https = { url = "https://example.org/a" } }, { built = { command = "make" } }"#);
    assert_eq!((recipe.name.as_str(), recipe.kind, recipe.pooling), ("tiny", Kind::Embedder, Pooling::Mean));
    assert_eq!((recipe.dimensions, recipe.max_tokens, recipe.normalise), (8, 16, true));
    assert_eq!((recipe.query_prefix.as_str(), recipe.passage_prefix.as_str(), recipe.output), ("query: ", "", None));
    assert_eq!(recipe.languages, ["eng", "deu"]);
    let address = SourceSpec::Https { url: "https://example.org/a".into(), member: None };
    assert_eq!(recipe.model.sources, [address, SourceSpec::Built { command: "make".into() }]);
    assert!(recipe.tokenizer.sources.is_empty());
}

/// Replaces a line that is there, so that a slip in a test cannot look like a recipe that is taken.
fn with(line: &str, by: &str) -> String {
    let text = recipe_text(r#"{ https = { url = "https://example.org/a" } }"#);
    assert!(text.contains(line), "{line}");
    text.replacen(line, by, 1)
}

#[test]
fn what_a_recipe_must_not_say_is_told_with_file_and_key() {
    let hash = format!("sha256 = \"{}\"", crate::testing::sha256(crate::testing::MODEL));
    let short = format!("{}\"", &hash[..hash.len() - 2]);
    let upper = format!("sha256 = \"{}\"", "AB".repeat(32));
    for (line, by, key) in [
        ("kind = \"embedder\"", "kind = \"embedder\"\ndimension = 8", "dimension"),
        ("bytes = 20", "bytes = 20\nurl = \"https://example.org\"", "url"),
        ("{ url =", "{ sha = \"\", url =", "sha"),
        ("https = ", "ftp = ", "ftp"),
        ("kind = \"embedder\"", "", "kind"),
        ("kind = \"embedder\"", "kind = \"generator\"", "generator"),
        ("pooling = \"mean\"", "", "pooling"),
        ("pooling = \"mean\"", "pooling = \"max\"", "max"),
        (&hash, "", "sha256"),
        (&hash, &short, "model.sha256"),
        (&hash, &upper, "model.sha256"),
        ("bytes = 20", "bytes = 0", "model.bytes"),
        ("bytes = 20", "bytes = -1", "-1"),
        ("name = \"model.onnx\"", "name = \"../model.onnx\"", "model.name"),
        ("name = \"model.onnx\"", "name = \".hidden\"", "model.name"),
        ("name = \"model.onnx\"", "name = \"\"", "model.name"),
        ("name = \"model.onnx\"", "name = \"TOKENIZER.json\"", "tokenizer.name"),
        ("name = \"tiny\"", "name = \"Tiny\"", "name"),
        ("name = \"tiny\"", "name = \"a/b\"", "name"),
        ("name = \"tiny\"", "name = \"..\"", "name"),
        ("name = \"tiny\"", "name = \"onnxruntime\"", "name"),
        ("name = \"tiny\"", "name = \"verified.json\"", "name"),
        ("licence = \"MIT\"", "licence = \" \"", "licence"),
        ("licence = \"MIT\"", "licence = \"a\\u001b[31m\"", "licence"),
        ("\"eng\"", "\"en\"", "languages"),
        ("dimensions = 8", "dimensions = 0", "dimensions"),
        ("dimensions = 8", "dimensions = 9000000000", "dimensions"),
        ("dimensions = 8", "", "dimensions"),
        ("max_tokens = 16", "max_tokens = 2", "max_tokens"),
        ("kind = \"embedder\"", "kind = \"reranker\"", "dimensions"),
        ("https://example.org/a", "file:///etc/passwd", "model.sources"),
        ("https://example.org/a", "https://example.org/a b", "model.sources"),
        ("https://example.org/a", "https://", "model.sources"),
        ("name = \"tiny\"", "name = \"tiny\"\nname = \"tiny\"", "duplicate key"),
        ("name = \"tiny\"", "name = ", ""),
        ("name = \"tiny\"", "\u{0}", ""),
    ] {
        let error = Recipe::parse(&with(line, by), Path::new("some/tiny.toml")).unwrap_err();
        assert_eq!(
            (error.kind(), error.context("path")),
            (ErrorKind::Invalid, Some("some/tiny.toml")),
            "{by}: {error}"
        );
        assert!(error.to_string().contains(key), "{by}: {error}");
        assert!(!error.to_string().contains('\n'), "{by}: {error}");
    }
}

#[test]
fn nothing_in_a_package_source_can_be_a_flag_or_a_command() {
    let source = |key: &str, value: &str| {
        let mut pairs = [("name", "a"), ("version", "1.0"), ("member", "m"), ("python", "3.11"), ("platform", "any")];
        pairs.iter_mut().filter(|(known, _)| *known == key).for_each(|pair| pair.1 = value);
        let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key} = {value:?}")).collect();
        recipe_text(&format!("{{ package = {{ {} }} }}", pairs.join(", ")))
    };
    assert!(Recipe::parse(&source("name", "some-package.x_1"), Path::new("t")).is_ok());
    for (key, value) in [
        ("name", "--index-url"),
        ("name", "a b"),
        ("name", "./local"),
        ("name", ""),
        ("version", "1;rm"),
        ("version", "-r"),
        ("platform", "--user"),
        ("python", "$(x)"),
        ("member", ""),
    ] {
        let error = Recipe::parse(&source(key, value), Path::new("t")).unwrap_err().to_string();
        assert!(error.contains("model.sources"), "{key} {value}: {error}");
    }
}

#[test]
fn a_line_number_leads_to_the_slip() {
    let error = Recipe::parse(&with("kind = \"embedder\"", "kind = 7"), Path::new("t")).unwrap_err();
    assert_eq!(error.context("line"), Some("3"), "{error}");
}

#[test]
fn a_recipe_for_a_reranker_has_no_vectors() {
    let text = with("kind = \"embedder\"", "kind = \"reranker\"").replace("dimensions = 8\n", "");
    let error = Recipe::parse(&text, Path::new("t")).unwrap_err().to_string();
    assert!(error.contains("`pooling`"), "{error}");
    let recipe = Recipe::parse(&text.replace("\"mean\"", "\"none\""), Path::new("t")).unwrap();
    assert_eq!((recipe.kind, recipe.dimensions), (Kind::Reranker, 0));
}
