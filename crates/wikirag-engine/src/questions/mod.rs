//! The log of questions: what was asked, what was found, and how well that supported an answer.
//!
//! * [`Engine::log_question`](crate::Engine::log_question) adds an [`Entry`], [`Engine::questions`](crate::Engine::questions) reads
//!   those that the reader may see;
//! * [`Engine::gaps`](crate::Engine::gaps) makes topics of the questions that found too little.
//!
//! There is one log for each composition, beside its file: an answer is bound by the clearance of its composition, and so is what
//! is kept of it. Questions are personal, so a log is readable by its owner alone, bound in size, and switched off by
//! `questions.log = false`.

mod ask_again;
mod distinct;
mod entry;
mod gaps;
mod groups;
mod log;
mod store;
mod topic;
mod words;

pub use ask_again::NearestPage;
pub use entry::{Entry, LoggedHit};
pub use gaps::{Filled, Gaps, GapsOptions};
pub use log::Logged;
pub use topic::{Asked, Topic};
