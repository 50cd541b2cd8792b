//! `cargo xtask demo`: builds the program and runs its main job on the examples.

use std::path::{Path, PathBuf};

use crate::tool::{Result, Tool, root, target_dir};
use crate::{files, model};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Build without optimisation: quicker to build, slower to run
    #[arg(long)]
    pub(crate) debug: bool,
}

/// What the program says when a composition does not allow something.
const REFUSED: i32 = 6;

pub(crate) fn run(args: &Args) -> Result<()> {
    let profile = if args.debug { "dev" } else { "release" };
    Tool::cargo("build --package wikirag-cli --bin wikirag --profile").args([profile]).run()?;
    let target = target_dir()?;
    let program = target.join(if args.debug { "debug" } else { "release" });
    let program = program.join(format!("wikirag{}", std::env::consts::EXE_SUFFIX));

    // A copy, so that no index comes to lie beside the sources.
    let folder = target.join("demo");
    files::copy(&root().join("examples"), &folder, &|path| {
        path != "out-of-tree-plugin" && files::is_source_folder(path)
    })?;
    let models = model::default_folder().and_then(|models| model::ensure(&models).map(|_| models));
    if let Err(error) = &models {
        println!("\nThe model for dense search cannot be had here: {error}\nThe program answers by BM25 and says so.");
    }
    let demo = Demo { program, folder, models: models.ok() };
    println!("\nThe examples are copied to {}; the commands run there.", demo.folder.display());

    demo.says("Build the three wikis of a composition.");
    demo.wikirag(&["build", "kitchen.rag.yaml"]).run()?;

    demo.says("Ask all three at once.");
    demo.wikirag(&["query", "kitchen.rag.yaml", "why does fresh basil turn black", "-k", "3"]).run()?;

    demo.says("The same for a program, and the first passage whole.");
    let answer =
        demo.wikirag(&["query", "kitchen.rag.yaml", "who must not eat pesto", "-k", "1", "--json"]).output()?;
    println!("{}", answer.trim_end());
    let id = first_id(&answer)?;
    demo.must_be_served_by(&answer)?;
    demo.wikirag(&["get", "kitchen.rag.yaml", &id]).run()?;

    demo.says("Another composition over the same wikis needs no build.");
    demo.wikirag(&["query", "public.rag.yaml", "when to sow tomatoes", "-k", "2", "--no-build"]).run()?;

    demo.says("One that lists more than its clearance allows is refused before any index is opened.");
    std::fs::write(demo.folder.join("leak.rag.yaml"), "name: leak\nclearance: public\nwikis: [food, house-rules]\n")?;
    println!("$ cat leak.rag.yaml\nname: leak\nclearance: public\nwikis: [food, house-rules]");
    let status = demo.wikirag(&["query", "leak.rag.yaml", "wifi password"]).status()?;
    if status.code() != Some(REFUSED) {
        return Err(format!("a refusal should exit with {REFUSED}, not with {status}").into());
    }

    demo.says("What a language model should read, within a budget of tokens.");
    demo.wikirag(&["context", "kitchen.rag.yaml", "when to sow basil", "--budget", "300"]).run()?;

    demo.says("A question that nothing answers, and what the log says is missing.");
    demo.wikirag(&["ask", "kitchen.rag.yaml", "how do I repair a bicycle chain"]).run()?;
    demo.wikirag(&["gaps", "kitchen.rag.yaml"]).run()?;

    demo.says("What is there.");
    demo.wikirag(&["status", "kitchen.rag.yaml"]).run()
}

struct Demo {
    program: PathBuf,
    folder: PathBuf,
    /// The data folder with the model, where it could be had.
    models: Option<PathBuf>,
}

impl Demo {
    fn wikirag(&self, args: &[&str]) -> Tool {
        let tool = Tool::new(&self.program, "wikirag").args(args.iter().copied()).dir(Path::new(&self.folder));
        match &self.models {
            Some(models) => tool.env("WIKIRAG_DATA_DIR", models.display().to_string()),
            None => tool,
        }
    }

    /// With the model an answer comes by dense and BM25, without it by BM25 and with the reason.
    fn must_be_served_by(&self, answer: &str) -> Result<()> {
        let answer: serde_json::Value = serde_json::from_str(answer)?;
        let layers: &[&str] = if self.models.is_some() { &["bm25", "dense", "graph"] } else { &["bm25", "graph"] };
        let says_why = answer["degraded"].as_array().is_some_and(|reasons| !reasons.is_empty());
        if answer["served_by"] == serde_json::json!(layers) && says_why == self.models.is_none() {
            return Ok(());
        }
        Err(format!(
            "the answer should come by {layers:?} and say what is missing: {}, {}",
            answer["served_by"], answer["degraded"]
        )
        .into())
    }

    fn says(&self, words: &str) {
        println!("\n# {words}");
    }
}

/// The id of the first result of a JSON answer.
fn first_id(answer: &str) -> Result<String> {
    let answer: serde_json::Value = serde_json::from_str(answer)?;
    let id = answer.pointer("/results/0/id").ok_or("the answer holds no result with an id")?;
    Ok(id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_id_is_read_whatever_its_type() {
        assert_eq!(first_id(r#"{"results": [{"id": "food:1f"}, {"id": "x"}]}"#).unwrap(), "food:1f");
        assert_eq!(first_id(r#"{"results": [{"id": 7}]}"#).unwrap(), "7");
        assert!(first_id(r#"{"results": []}"#).is_err());
    }
}
