//! The store of vectors through its public interface.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

mod centroids;
mod damage;
mod nearest;
mod sample;
mod writing;
