//! How a program behaves in a shell.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use wikirag_tests::{Run, World};

use crate::{garden, world};

/// [B64]
#[test]
fn a_mistyped_word_is_refused_with_the_right_one() {
    let world = garden();
    let cases: [(&[&str], &str); 6] = [
        (&["query", "garden", "basil", "--limt", "3"], "--limit"),
        (&["query", "garden", "basil", "--explian"], "--explain"),
        (&["query", "garden", "basil", "--format", "jsno"], "json"),
        (&["quary", "garden", "basil"], "query"),
        (&["build", "garden", "--ful"], "--full"),
        (&["--set", "limt=3", "query", "garden", "basil"], "limit"),
    ];
    for (args, right) in cases {
        let run = world.run(args).expect(2);
        assert!(run.stderr.contains(right) && run.stdout.is_empty(), "{run}");
    }
    assert!(!world.holds(".index"));
}

/// [B64]
#[test]
fn limits_are_checked() {
    let world = garden();
    for limit in ["abc", "0", "-1", "100000", "1e3", "", "99999999999999999999"] {
        let run = world.run(&["query", "garden", "basil", &format!("--limit={limit}")]).expect(2);
        assert!(run.stderr.contains("--limit") && run.stdout.is_empty(), "{run}");
    }
    for limit in ["-1", "0"] {
        let _ = world.run(&["query", "garden", "basil", "-k", limit]).expect(2);
    }
    for limit in ["1", "1000"] {
        let _ = world.run(&["query", "garden", "basil", "-k", limit]).ok();
    }
    let run = world.run(&["--set", "limit=0", "query", "garden", "basil"]).expect(2);
    assert!(run.stderr.contains("limit"), "{run}");
    let run = world.run(&["--set", "limit=5000", "query", "garden", "basil"]);
    assert!(run.code == 2 && run.stderr.contains("limit"), "{run}");
}

#[test]
fn flags_that_exclude_each_other_are_refused() {
    let world = garden();
    let _ = world.run(&["query", "garden", "basil", "--json", "--format", "csv"]).expect(2);
    let _ = world.run(&["build", "garden", "--tag", "herbs"]).expect(2);
    let _ = world.run(&["status", "garden", "--reason", "failed"]).expect(2);
}

#[track_caller]
fn assert_plain(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{run}");
    }
}

/// [B67] Neither colours nor bars where no terminal is.
#[test]
fn output_into_a_pipe_is_plain() {
    let mut world = garden();
    world.set_variable("TERM", "xterm-256color");
    world.set_variable("NO_COLOR", "");
    world.write("garden/odd.md", "---\ntitle: *\n---\nAn \u{1b}[31mescape\u{1b}[0m and a bell\u{7} in a note.\n");
    for args in [
        ["build", "garden"].as_slice(),
        &["query", "garden", "basil escape", "--explain"],
        &["query", "garden", "basil escape", "--format", "md"],
        &["query", "garden", "basil", "--json"],
        &["status", "garden"],
        &["status", "garden", "--files"],
        &["config", "show", "--origin"],
        &["plugins"],
        &["doctor", "garden"],
        &["query", "nowhere", "basil"],
        &["query", "garden", "--limt"],
        &["--help"],
    ] {
        assert_plain(&world.run(args));
    }
    let run = world.run(&["--color", "always", "query", "garden", "basil"]).ok();
    assert!(run.stdout.contains("\u{1b}["), "{run}");
    let run = world.run(&["--color", "never", "query", "garden", "basil"]).ok();
    assert_plain(&run);
}

/// Data on stdout, all else on stderr.
#[test]
fn streams_are_kept_apart() {
    let world = garden();
    let run = world.run(&["query", "garden", "basil", "--json"]).ok();
    assert!(run.json().is_object() && run.stderr.contains("never built"), "{run}");
    let run = world.run(&["query", "garden", "basil"]).ok();
    assert_eq!(run.stderr, "");
    let run = world.run(&["query", "nowhere", "basil", "--json"]).expect(1);
    assert!(run.stdout.is_empty() && run.stderr.starts_with("error: "), "{run}");
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
}

#[test]
fn quiet_leaves_out_hints_and_keeps_faults() {
    let world = garden();
    let run = world.run(&["--quiet", "query", "garden", "basil"]).ok();
    assert!(run.stderr.is_empty() && !run.stdout.is_empty(), "{run}");
    let run = world.run(&["--quiet", "query", "nowhere", "basil"]).expect(1);
    assert!(run.stderr.contains("nowhere"), "{run}");
}

/// Runs with a reader that takes the first line and goes away.
fn head(world: &World, args: &[&str]) -> (String, Option<i32>, String) {
    let mut child = world.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (line, child.wait().unwrap().code(), said)
}

#[test]
fn a_closed_pipe_is_quiet() {
    let world = garden();
    let long = "Leeks want deep soil. ".repeat(100);
    for number in 0..120 {
        world.write(&format!("garden/more/{number}.md"), format!("# Bed {number}\n\n{long}\n"));
    }
    let _ = world.run(&["build", "garden"]).ok();
    // More than a pipe holds, so that the program is still writing when its reader goes.
    for args in [
        ["query", "garden", "leeks soil", "--format", "jsonl", "-k", "1000", "--no-refresh"].as_slice(),
        &["query", "garden", "leeks soil", "--format", "json", "-k", "1000", "--no-refresh"],
        &["status", "garden", "--files", "--json"],
        &["completions", "bash"],
    ] {
        assert!(world.run(args).ok().stdout.len() > 16_384, "{args:?}");
        let (line, code, said) = head(&world, args);
        assert!(!line.is_empty());
        assert_eq!((code, said.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn help_version_and_usage() {
    let world = world();
    let run = world.run(&["--help"]).ok();
    for word in [
        "init",
        "build",
        "query",
        "get",
        "status",
        "verify",
        "doctor",
        "plugins",
        "config",
        "eval",
        "completions",
        "man",
        "Exit codes",
    ] {
        assert!(run.stdout.contains(word), "{word}\n{run}");
    }
    assert!(world.run(&["--version"]).ok().stdout.starts_with("wikirag "));
    assert!(world.run(&["query", "--help"]).ok().stdout.contains("--no-build"));
    let run = world.run(&[]).expect(2);
    assert!(run.stdout.is_empty() && run.stderr.contains("Usage"), "{run}");
}

#[test]
fn completions_and_manual() {
    let world = world();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = world.run(&["completions", shell]).ok().stdout;
        for word in ["query", "build", "allow-missing"] {
            assert!(text.contains(word), "{shell} lacks {word}");
        }
    }
    let _ = world.run(&["completions", "tcsh"]).expect(2);
    let page = world.run(&["man"]).ok().stdout;
    assert!(page.contains(".TH wikirag 1") && page.contains("query"), "{page}");
    let _ = world.run(&["man", "--dir", "pages"]).ok();
    let pages = world.snapshot("pages").paths();
    for page in ["wikirag.1", "wikirag-query.1", "wikirag-build.1"] {
        assert!(pages.iter().any(|known| known == page), "{pages:?}");
    }
}

#[test]
fn plugins_are_listed() {
    let world = world();
    let plugins = world.run(&["plugins", "--json"]).ok().json();
    assert_eq!(plugins["version"], 1);
    let listed: Vec<_> = plugins["plugins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|plugin| (plugin["name"].as_str().unwrap(), plugin["provides"].to_string()))
        .collect();
    let expected = [
        ("bm25", r#"["retriever"]"#),
        ("combsum", r#"["fuser"]"#),
        ("dense", r#"["retriever"]"#),
        ("embed-api", r#"["embedder"]"#),
        ("extract-llm", r#"["extractor"]"#),
        ("graph", r#"["retriever"]"#),
        ("html", r#"["reader"]"#),
        ("llm-api", r#"["generator"]"#),
        ("markdown", r#"["reader","chunker"]"#),
        ("onnx", r#"["embedder","reranker","probe"]"#),
        ("pdf", r#"["reader"]"#),
        ("rerank-llm", r#"["reranker"]"#),
        ("rrf", r#"["fuser"]"#),
        ("rst", r#"["reader"]"#),
        ("tokenizer", r#"["token counter"]"#),
        ("trust", r#"["reranker"]"#),
        ("txt", r#"["reader"]"#),
    ];
    assert_eq!(listed, expected.map(|(name, kinds)| (name, kinds.to_owned())));
}

/// Where the current folder is, decides; where the program is, does not.
#[test]
fn paths_are_taken_from_the_current_folder() {
    let world = garden();
    let mut command = world.command(&["query", ".", "basil", "--json"]);
    command.current_dir(world.path("garden"));
    assert_eq!(Run::of(&mut command).ok().hits()[0], "garden/herbs/basil.md");
    let mut command = world.command(&["query", "../garden", "basil", "--json", "--no-build"]);
    command.current_dir(world.path("garden/herbs/.."));
    assert_eq!(Run::of(&mut command).ok().hits()[0], "garden/herbs/basil.md");
}
