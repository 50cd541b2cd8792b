//! Flags of `skills`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use wikirag::skills::SkillKind;

use super::AskingArgs;

#[derive(Debug, Args)]
pub(crate) struct Skills {
    /// What is to be done, in plain words. Put `--` before it if it begins with a dash
    #[arg(value_name = "TASK")]
    pub(crate) task: String,
    /// Where to look: compositions (`*.rag.yaml`), folders, or names of wikis; all wikis of skills that were made by name where left out
    #[arg(value_name = "RAG|WIKI")]
    pub(crate) targets: Vec<String>,
    /// Entries at most, 1 to 100
    #[arg(long, short = 'k', value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
    /// Only entries of this kind
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(SkillKind::ALL.map(SkillKind::as_str)))]
    pub(crate) kind: Option<String>,
    /// Tell which words of the task each entry holds, and where
    #[arg(long)]
    pub(crate) why: bool,
    /// Only these layers
    #[arg(long, value_name = "LAYER", value_delimiter = ',')]
    pub(crate) layers: Option<Vec<String>>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}
