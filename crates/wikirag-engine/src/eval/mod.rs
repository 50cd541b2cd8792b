//! Judged questions: how good are the answers, by the measures of the field.
//!
//! A BEIR folder (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`) becomes a wiki, each line of the corpus a document;
//! several folders become a composition, and every question is asked of the whole.
//!
//! * [`Engine::evaluate`](crate::Engine::evaluate): one [`System`];
//! * [`Engine::compare`](crate::Engine::compare): several, each tested against the first;
//! * [`Engine::replay`](crate::Engine::replay): the questions of a log, which nobody judged, asked of several;
//! * [`Engine::tune`](crate::Engine::tune): settings are searched on one half of the questions and reported on the other.

mod beir;
mod compare;
mod judged;
mod measure;
mod replay;
mod run;
mod search;
mod significance;
mod split;
mod system;
mod tune;

pub use beir::{BeirSet, Document, Question};
pub use compare::{Against, Change, CompareOptions, Compared, Comparison, Side};
pub use judged::QueryOutcome;
pub use measure::{Measure, Measures, Ranking};
pub use replay::{Moved, Replay, Replayed, Stability};
pub use run::{EvalOptions, Evaluation, SetResult, SystemResult};
pub use search::Search;
pub use significance::Significance;
pub use split::Split;
pub use system::{MakeEngine, Over, System};
pub use tune::{Candidates, SplitReport, Tuned};
