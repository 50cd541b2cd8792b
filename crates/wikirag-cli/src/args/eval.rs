//! Flags of `eval`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("questions").args(["beir", "replay", "tasks"]).required(true))]
#[command(group = ArgGroup::new("several").args(["compare", "tune"]))]
pub(crate) struct Eval {
    /// A BEIR folder (corpus.jsonl, queries.jsonl, qrels.tsv); several are composed and every question is asked of all
    #[arg(long, value_name = "DIR")]
    pub(crate) beir: Vec<PathBuf>,
    /// What the folders of --beir are made: `notes`, or `skills`, where each document is an entry and each question a task
    #[arg(long, value_name = "KIND", default_value = "notes", value_parser = ["notes", "skills"], conflicts_with_all = ["replay", "tasks"])]
    pub(crate) kind: String,
    /// Tasks and the skills that should answer them, a line of JSON each: `{"task": ..., "skills": [NAME or WIKI/PATH, ...]}`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "tune", "measure", "split", "work", "per_query", "route"])]
    pub(crate) tasks: Option<PathBuf>,
    /// A log of questions that were asked, which nobody judged: what each system of --compare changes of the answers, and how long
    /// they take
    #[arg(long, value_name = "FILE", requires_all = ["target", "compare"], conflicts_with_all = ["tune", "measure", "split", "work", "per_query"])]
    pub(crate) replay: Option<PathBuf>,
    /// What the questions of --replay are asked of, or the tasks of --tasks; those, without, of all wikis of skills
    #[arg(value_name = "RAG|WIKI", conflicts_with = "beir")]
    pub(crate) target: Option<String>,
    /// Only these layers
    #[arg(long, value_name = "LAYER", value_delimiter = ',')]
    pub(crate) layers: Option<Vec<String>>,
    /// How to weigh the wikis: `auto`, `all`, or `top:N`; default: that of the composition, else `auto`
    #[arg(long, value_name = "ROUTE")]
    pub(crate) route: Option<String>,
    /// Where documents and indexes lie; built once and used again
    #[arg(long, value_name = "DIR", default_value = "wikirag-eval")]
    pub(crate) work: PathBuf,
    /// Which questions, by their place in their set from 1
    #[arg(long, value_name = "SPLIT", default_value = "all", value_parser = ["odd", "even", "all"], conflicts_with = "tune")]
    pub(crate) split: String,
    /// Ask each system and test it against the first. A system is `KEY=VALUE,...`: `route`, `layers` (joined by `+`), `fuse`,
    /// `over` (`composed`, `merged`: one wiki of all sets, `own`: the wiki of the question alone), or a setting
    #[arg(long, value_name = "SYSTEM", num_args = 1..)]
    pub(crate) compare: Vec<String>,
    /// Show the N questions that lost most and the N that won most by each system; of a log, the N whose answers changed most
    #[arg(long, value_name = "N", default_value_t = 0, requires = "compare")]
    pub(crate) worst: usize,
    /// Search these values, keys as for --compare: chosen on the odd questions, reported on the even ones
    #[arg(long, value_name = "KEY=V1|V2|...", num_args = 1.., conflicts_with = "per_query")]
    pub(crate) tune: Vec<String>,
    /// What is compared or tuned: `ndcg@10`, `mrr@10`, `recall@2`, `recall@5`, `recall@10` or `recall@100`
    #[arg(long, value_name = "MEASURE", default_value = "ndcg@10", requires = "several")]
    pub(crate) measure: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write one line of JSON for each question and system
    #[arg(long, value_name = "FILE")]
    pub(crate) per_query: Option<PathBuf>,
}
