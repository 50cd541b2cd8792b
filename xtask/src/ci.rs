//! `cargo xtask ci`: everything that must hold before a change is taken.

use std::time::{Duration, Instant};

use cargo_metadata::MetadataCommand;
use clap::builder::PossibleValuesParser;

use crate::test::Counts;
use crate::tidy::{self, Tree};
use crate::tool::{Result, Tool, root, target_dir};
use crate::{demo, files, new_plugin};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Run this step only; may be given several times
    #[arg(long, value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.map(|step| step.name)))]
    only: Vec<String>,
    /// Fail where fewer tests ran
    #[arg(long, value_name = "N", default_value_t = 1)]
    at_least: u64,
}

/// One step. The kind that runs tests counts them.
struct Step {
    name: &'static str,
    run: fn(&Args, &mut Counts) -> Result<()>,
}

/// In an order that fails soon and builds little twice: what needs no build, what only checks, what runs.
const STEPS: [Step; 13] = [
    Step { name: "lock", run: |_, _| Tool::cargo("fetch --locked").run() },
    Step { name: "fmt", run: |_, _| Tool::cargo("fmt --all --check").run() },
    Step { name: "tidy", run: |_, _| tidy::run(root()) },
    Step { name: "deny", run: |_, _| deny() },
    Step { name: "clippy", run: |_, _| clippy("--workspace") },
    Step {
        name: "clippy-no-features",
        run: |_, _| clippy("--package wikirag --package wikirag-cli --no-default-features"),
    },
    Step { name: "clippy-all-features", run: |_, _| clippy("--workspace --all-features") },
    Step { name: "features", run: |_, _| each_feature_alone() },
    Step { name: "docs", run: |_, _| docs() },
    Step { name: "test", run: test },
    Step { name: "out-of-tree", run: |_, _| out_of_tree() },
    Step { name: "new-plugin", run: |_, _| new_plugins() },
    Step { name: "demo", run: |_, _| demo::run(&demo::Args { debug: true }) },
];

pub(crate) fn run(args: &Args) -> Result<()> {
    let is_wanted = |step: &&Step| args.only.is_empty() || args.only.iter().any(|name| name == step.name);
    let mut counts = Counts::default();
    let mut times = Vec::new();
    let mut outcome = Ok(());
    for step in STEPS.iter().filter(is_wanted) {
        println!("\n== {}", step.name);
        let start = Instant::now();
        outcome = (step.run)(args, &mut counts).map_err(|error| (step.name, error));
        times.push((step.name, start.elapsed()));
        if outcome.is_err() {
            break;
        }
    }
    println!();
    for (name, time) in &times {
        println!("{name:<20} {:>7.1} s", time.as_secs_f64());
    }
    println!("{:<20} {:>7.1} s", "all", times.iter().map(|(_, time)| *time).sum::<Duration>().as_secs_f64());
    counts.close(outcome.map_err(|(name, error)| format!("step `{name}` failed: {error}").into()))
}

fn deny() -> Result<()> {
    if !Tool::cargo("deny --version").works() {
        return Err("cargo-deny is missing; `.ci/run --only deny` installs it".into());
    }
    Tool::cargo("deny check --hide-inclusion-graph licenses bans sources").run()
}

/// Without features only the facade and the program are looked at: the packages that test them turn features on, and
/// cargo turns on for all what one of the chosen packages asks for.
fn clippy(what: &str) -> Result<()> {
    Tool::cargo(&format!("clippy --all-targets {what} -- -D warnings")).run()
}

/// Libraries only: the program and the facade share a name, and cargo cannot keep both pages.
fn docs() -> Result<()> {
    Tool::cargo("doc --workspace --all-features --no-deps --lib").env("RUSTDOCFLAGS", "-D warnings").run()
}

/// The command of the README. Its tests are counted from its closing line. Property tests draw the same cases in each run, so that
/// a change is not refused for a bug it did not make; without the seed, as on a developer's machine, they look for new ones.
fn test(args: &Args, counts: &mut Counts) -> Result<()> {
    let tests = Tool::cargo("xtask test --at-least").args([args.at_least.to_string()]).env("PROPTEST_RNG_SEED", "1");
    let status = tests.watch(|line| *counts = Counts::of_closing_line(line).unwrap_or(*counts))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` ({status})", tests.line()).into()) }
}

fn each_feature_alone() -> Result<()> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec()?;
    let facade = metadata.packages.iter().find(|package| package.name.as_str() == "wikirag");
    let facade = facade.ok_or("the workspace has no package `wikirag`")?;
    for feature in facade.features.keys().filter(|feature| *feature != "default") {
        Tool::cargo("check --package wikirag --no-default-features --features").args([feature]).run()?;
    }
    Ok(())
}

/// The example of a plugin from outside must be in the program that it makes.
fn out_of_tree() -> Result<()> {
    let tree = Tree::read(root())?;
    let keys = tidy::registry_keys(tree.rust_files("examples/out-of-tree-plugin/src"));
    let [key] = keys[..] else {
        return Err(format!("examples/out-of-tree-plugin/src should hold one plugin, there are {keys:?}").into());
    };
    let answer = Tool::cargo("run --quiet --package out-of-tree-plugin -- plugins --json").output()?;
    let answer: serde_json::Value = serde_json::from_str(&answer)?;
    if holds_name(&answer, key) { Ok(()) } else { Err(format!("the program does not list `{key}`: {answer}").into()) }
}

/// Whether an object somewhere in `value` has the name `name`.
fn holds_name(value: &serde_json::Value, name: &str) -> bool {
    match value {
        serde_json::Value::Array(items) => items.iter().any(|item| holds_name(item, name)),
        serde_json::Value::Object(fields) => {
            fields.get("name").and_then(serde_json::Value::as_str) == Some(name)
                || fields.values().any(|field| holds_name(field, name))
        }
        _ => false,
    }
}

/// A skeleton of each kind, made in a copy of the workspace, must build without a warning, keep the promises of its
/// kind, join the facade and be tidy.
fn new_plugins() -> Result<()> {
    let folder = target_dir()?.join("xtask");
    let copy = folder.join("copy");
    files::copy(root(), &copy, &files::is_source_folder)?;
    let mut packages = Vec::new();
    let mut features = Vec::new();
    for kind in new_plugin::Kind::ALL {
        let name = format!("sample-{}", kind.word());
        new_plugin::write(&copy, &name, kind)?;
        packages.extend(["--package".to_owned(), format!("wikirag-{name}")]);
        features.push(name);
    }
    // A target folder of its own: cargo takes crates of a copy for those of the original.
    let build = folder.join("build").display().to_string();
    let here = |words: &str| Tool::cargo(words).dir(&copy).env("CARGO_TARGET_DIR", build.as_str());
    here("clippy --all-targets").args(packages.iter().cloned()).args(["--", "-D", "warnings"]).run()?;
    here("test").args(packages).run()?;
    // Nothing runs here, so SQLite need not be optimised.
    let facade = here("check --package wikirag --config profile.dev.package.libsqlite3-sys.opt-level=0");
    facade.args(["--features".to_owned(), features.join(",")]).run()?;
    tidy::run(&copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_at_any_depth() {
        let answer = serde_json::json!({"plugins": [{"name": "bm25"}, {"name": "shout", "kinds": ["reranker"]}]});
        assert!(holds_name(&answer, "shout"));
        assert!(!holds_name(&answer, "reranker"));
    }
}
