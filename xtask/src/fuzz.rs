//! `cargo xtask fuzz`: random input, led by what it reaches, for all that reads the bytes of strangers.
//!
//! The targets stand in `fuzz/`, as `cargo fuzz` wants them. That program is not needed: what it does without a
//! sanitizer comes down to the flags below, which the stable compiler takes. A C++ compiler is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tool::{self, Result, Told, Tool};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The target to run, by the name of its file in fuzz/fuzz_targets; all of them, one after the other, without it
    target: Option<String>,
    /// Seconds for each target
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
}

/// Counters at all edges and comparisons, by which libFuzzer sees what an input reaches. More than one unit of code
/// generation would leave some of the counters without their section.
const FLAGS: &[&str] = &[
    "--cfg fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// An input that takes longer has found work that is not linear: inputs are a few thousand bytes.
const SECONDS_PER_INPUT: u32 = 5;

/// Of memory, for the same reason.
const MEGABYTES: u32 = 1024;

pub(crate) fn run(args: &Args) -> Result<()> {
    let home = tool::root().join("fuzz");
    let targets = chosen(targets(&home.join("fuzz_targets"))?, args.target.as_deref())?;
    let place = Place { seeds: home.join("corpus"), built: tool::target_dir()?.join("fuzz"), host: host()? };
    let build = Tool::cargo("build --release").args(["--target", &place.host]);
    let build = build.args(targets.iter().flat_map(|target| ["--bin", target]));
    build
        .args(["--target-dir".into(), place.built.display().to_string()])
        .env("RUSTFLAGS", FLAGS.join(" "))
        .dir(&home)
        .run()?;

    let mut reports = Vec::new();
    for target in targets {
        reports.push((place.fuzz(&target, args.seconds)?, target));
    }
    for (report, target) in &reports {
        match &report.fault {
            None => println!("{target}: {} runs, {} per second", report.runs, report.per_second),
            Some(fault) => println!("{target}: FAILED, {fault}"),
        }
    }
    if reports.iter().any(|(report, _)| report.fault.is_some()) { Err(Told.into()) } else { Ok(()) }
}

/// The names of the Rust files in `folder`.
fn targets(folder: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let name = entry?.file_name();
        names.extend(name.to_str().and_then(|name| name.strip_suffix(".rs")).map(str::to_owned));
    }
    Ok(names)
}

fn chosen(targets: BTreeSet<String>, wanted: Option<&str>) -> Result<BTreeSet<String>> {
    match wanted {
        None => Ok(targets),
        Some(wanted) if targets.contains(wanted) => Ok(BTreeSet::from([wanted.to_owned()])),
        Some(wanted) => {
            let known: Vec<_> = targets.into_iter().collect();
            Err(format!("there is no target `{wanted}`; there are {}", known.join(", ")).into())
        }
    }
}

/// The platform of the compiler. It is named to cargo, since otherwise the flags would hold for build scripts as well.
fn host() -> Result<String> {
    let version = Tool::new("rustc", "rustc").args(["-vV"]).output()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it runs on".into())
}

/// Where things lie. Whatever a run writes lies in `built`.
struct Place {
    seeds: PathBuf,
    built: PathBuf,
    host: String,
}

impl Place {
    fn fuzz(&self, target: &str, seconds: u64) -> Result<Report> {
        let grown = self.built.join("corpus").join(target);
        let artifacts = self.built.join("artifacts").join(target);
        for folder in [&grown, &artifacts] {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let program = self.built.join(&self.host).join("release").join(target);
        let fuzzer = Tool::new(&program, &program.display().to_string());
        // New inputs go into the first folder, the others are only read.
        let folders = [grown, self.seeds.join(target)].map(|folder| folder.display().to_string());
        let mut report = Report::default();
        let mut input = None;
        let status = fuzzer
            .args([
                format!("-max_total_time={seconds}"),
                format!("-timeout={SECONDS_PER_INPUT}"),
                format!("-rss_limit_mb={MEGABYTES}"),
                // The last slash makes it a folder; without, it would be the beginning of a name.
                format!("-artifact_prefix={}/", artifacts.display()),
                "-verbosity=0".to_owned(),
                "-print_funcs=0".to_owned(),
                "-print_final_stats=1".to_owned(),
            ])
            .args(folders)
            .watch(|line| {
                report.read(line);
                input = input.take().or_else(|| written_input(line).map(str::to_owned));
            })?;
        report.fault = match input {
            Some(input) => Some(format!("reproduce with `{} {input}`", program.display())),
            None if !status.success() => Some(format!("`{}` ended with {status}", program.display())),
            // A program that runs nothing must not look like success.
            None if report.runs == 0 => Some("nothing was run".to_owned()),
            None => None,
        };
        Ok(report)
    }
}

/// What became of a target.
#[derive(Debug, Default, PartialEq, Eq)]
struct Report {
    runs: u64,
    per_second: u64,
    /// What went wrong, in a sentence, and how to see it again.
    fault: Option<String>,
}

impl Report {
    /// Takes what a line of libFuzzer's closing statistics says.
    fn read(&mut self, line: &str) {
        let Some((name, number)) = line.strip_prefix("stat::").and_then(|stat| stat.split_once(':')) else { return };
        let Ok(number) = number.trim().parse() else { return };
        match name {
            "number_of_executed_units" => self.runs = number,
            "average_exec_per_sec" => self.per_second = number,
            _ => {}
        }
    }
}

/// The file into which libFuzzer says that it has written the input that failed.
fn written_input(line: &str) -> Option<&str> {
    line.split_once("Test unit written to ").map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_statistics_are_understood() {
        let mut report = Report::default();
        let lines = ["Done 12 runs", "stat::number_of_executed_units: 4096", "stat::average_exec_per_sec:     204"];
        lines
            .into_iter()
            .chain(["stat::peak_rss_mb: 40", "stat::average_exec_per_sec: x"])
            .for_each(|l| report.read(l));
        assert_eq!(report, Report { runs: 4096, per_second: 204, fault: None });
    }

    #[test]
    fn the_input_that_failed_is_found() {
        let line = "artifact_prefix='a/'; Test unit written to a/crash-0a";
        assert_eq!(written_input(line), Some("a/crash-0a"));
        assert_eq!(written_input("Test unit"), None);
    }

    #[test]
    fn a_target_is_known_by_its_file_and_seeded() {
        let home = tool::root().join("fuzz");
        let targets = targets(&home.join("fuzz_targets")).unwrap();
        assert!(targets.contains("question"));
        assert_eq!(chosen(targets.clone(), Some("question")).unwrap().len(), 1);
        let error = chosen(targets.clone(), Some("no-such")).unwrap_err().to_string();
        assert!(error.contains("question"), "{error}");

        let manifest: toml::Table = fs::read_to_string(home.join("Cargo.toml")).unwrap().parse().unwrap();
        let programs = manifest["bin"].as_array().unwrap().iter().map(|program| program["name"].as_str().unwrap());
        assert_eq!(programs.map(str::to_owned).collect::<BTreeSet<_>>(), targets);
        for target in targets {
            let seeds = fs::read_dir(home.join("corpus").join(&target)).map_or(0, Iterator::count);
            assert!(seeds >= 3, "{target} has {seeds} seeds");
        }
    }
}
