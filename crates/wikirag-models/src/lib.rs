//! Models and the libraries that run them: recipes, where their files lie, getting them.
//!
//! A [`Recipe`] is a small data file that says all that is to be known of a model before it is loaded. A [`Store`] knows
//! where the files of recipes lie, whether they hold what they must, and how to get them. Nothing here loads a model, and
//! nothing is downloaded but by [`Store::pull`] and [`Store::pull_runtime`].
//!
//! ```text
//! <data>/models/<recipe>/<file>      <data>/models/verified.json
//! <data>/runtime/<version>/<file>    <data>/recipes/<recipe>.toml
//! ```
//!
//! Beside the program, where an archive was unpacked, files are found as well: `models/<recipe>/<file>`, `lib/<file>`.

mod catalogue;
mod file_spec;
mod form;
mod pull;
mod recipe;
mod runtime;
mod store;
mod temporary;
#[cfg(test)]
mod testing;
mod verified;

pub use file_spec::{FileSpec, SourceSpec};
pub use pull::{Origin, Pulled};
pub use recipe::{Kind, Pooling, Recipe};
pub use runtime::{Library, RUNTIME_NAME, RuntimeRecipe};
pub use store::{State, Store};
