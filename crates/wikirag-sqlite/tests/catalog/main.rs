//! The catalog as its users see it.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail like tests")]

mod basics;
mod concurrent;
mod damage;
mod follow;
mod history;
mod sample;
mod scale;
