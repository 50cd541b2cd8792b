//! Project chores: `cargo xtask demo`, `test`, `ci`, `tidy`, `new-plugin`, `model`, `bench`, `soak`, `fuzz`, `dist`.
//!
//! Kept light on purpose: whoever types a chore waits for this crate to build first.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

mod bench;
mod ci;
mod demo;
mod dist;
mod files;
mod fuzz;
mod model;
mod new_plugin;
mod soak;
mod test;
mod tidy;
mod tool;

use std::process::ExitCode;

use clap::Parser;

/// Project chores
#[derive(Debug, Parser)]
#[command(name = "xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Build the program and run its main job on the examples
    Demo(demo::Args),
    /// Run every test and say how many ran
    Test(test::Args),
    /// Run all checks that a change must pass
    Ci(ci::Args),
    /// Check the rules of the workspace that no compiler knows
    Tidy,
    /// Write the skeleton of a new plugin
    NewPlugin(new_plugin::Args),
    /// Make the default model and get the library that runs it
    Model(model::Args),
    /// Look for the rare: many kills, many readers, many cases
    Soak(soak::Args),
    /// Look for input that breaks what reads it
    Fuzz(fuzz::Args),
    /// Make the archives that people without Rust download, and try each
    Dist(dist::Args),
    /// Measure speed and memory
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let outcome = match Chore::parse() {
        Chore::Demo(args) => demo::run(&args),
        Chore::Test(args) => test::run(&args),
        Chore::Ci(args) => ci::run(&args),
        Chore::Tidy => tidy::run(tool::root()),
        Chore::NewPlugin(args) => new_plugin::run(&args),
        Chore::Model(args) => model::run(&args),
        Chore::Soak(args) => soak::run(&args),
        Chore::Fuzz(args) => fuzz::run(&args),
        Chore::Dist(args) => dist::run(&args),
        Chore::Bench(args) => bench::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<tool::Told>() {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}
