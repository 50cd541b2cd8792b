//! Keeping many wikis up to date without anybody asking: one [run](crate::Engine::refresh_all) over all of them, a [watch](crate::Engine::watch) over
//! their folders, and [timers](Plan) that start the run.
//!
//! None of them decides what to do about a file: each calls the one build, which compares content. They decide when, in which
//! order, and what becomes of the others when one wiki fails.

mod moment;
mod order;
mod refresh;
mod run;
mod schedule;
mod targets;
#[cfg(feature = "watch")]
mod watch;

pub use moment::Moment;
pub use refresh::{OnWiki, Outcome, RefreshOptions, RefreshSummary, RefreshedWiki};
pub use schedule::{Plan, Scheduler, Unit};
pub use targets::Targets;
#[cfg(feature = "watch")]
pub use watch::{OnWatchEvent, WatchEvent, WatchOptions};
