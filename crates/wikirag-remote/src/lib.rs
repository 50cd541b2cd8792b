//! Services over HTTP, for the plugins that talk to one.
//!
//! What holds for all of them stands here once; what is said in a request and read out of an answer stands in the plugin.
//!
//! * [`Address`] — where a service is, and whether texts and a key may be sent there.
//! * [`KeySource`], [`Key`] — the key, from the environment or a file. It is shown nowhere.
//! * [`Remote`] — one service: requests at a time, pauses, how often something is tried again.
//! * [`Call`] — one call of a plugin, which ends when its caller stops.
//! * [`Request`], [`Answer`] — one exchange. A redirection is an error: what is sent goes to the configured place alone.
//! * [`Failure`] — why there is no answer, by what can be done.
//!
//! Requests block. A plugin sends them from a thread that may.

mod address;
mod call;
mod client;
mod failure;
mod key;
mod limits;
mod lines;
mod pace;
mod refusal;
mod remote;

pub use address::{Address, Protection};
pub use call::{Call, POLL};
pub use client::{Answer, Patience, Request, Scheme};
pub use failure::{Failure, unavailable};
pub use key::{Key, KeySource};
pub use lines::Lines;
pub use refusal::{Private, broken_off};
pub use remote::{Pauses, Remote};
