//! The layer over an embedder without a model.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

mod economy;
mod failures;
mod home;
mod state;
