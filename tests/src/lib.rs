//! What the whole-program tests share: a [`World`] to run the program in, what a [`Run`] gave, the files an index is made
//! of ([`Snapshot`]), and [`notes`] by the hundred.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail like tests")]

pub mod notes;
mod run;
mod snapshot;
mod world;

pub use run::Run;
pub use snapshot::Snapshot;
pub use world::World;
