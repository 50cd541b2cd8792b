//! Judged questions: how good are the answers, by the measures of the field.
//!
//! A BEIR folder (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`) becomes a wiki, each line of the corpus a document;
//! several folders become a composition, and every question is asked of the whole.

mod beir;
mod measure;
mod run;

pub use beir::{BeirSet, Document, Question};
pub use measure::{Measures, Ranking};
pub use run::{EvalOptions, Evaluation, QueryOutcome, SetResult};
