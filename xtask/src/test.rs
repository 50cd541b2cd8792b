//! `cargo xtask test`: every test of the workspace, counted.

use std::fmt;
use std::path::Path;

use crate::model;
use crate::tool::{Result, Told, Tool};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Fail where fewer tests ran: a suite that was lost on the way must not look like success
    #[arg(long, value_name = "N", default_value_t = 1)]
    at_least: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut counts = Counts::default();
    let mut broken = Vec::new();
    let nextest = Tool::cargo("nextest --version").works();
    let mut suites = suites(nextest);
    match model::wanted(REAL_MODELS) {
        Ok(models) => suites.push(real(nextest, &models)),
        Err(error) => skip_real(nextest, error.as_ref())?,
    }
    for (suite, count) in suites {
        let failed_before = counts.failed;
        let status = suite.watch(|line| counts += count(line).unwrap_or_default())?;
        if !status.success() {
            // A suite that does not even build has no failed test to count.
            counts.failed = counts.failed.max(failed_before + 1);
            broken.push(suite.line());
        }
    }
    counts.close(if !broken.is_empty() {
        Err(format!("failed: {}", broken.join("; ")).into())
    } else if counts.ran() < args.at_least {
        Err(format!("only {} tests ran, there must be at least {}", counts.ran(), args.at_least).into())
    } else {
        Ok(())
    })
}

/// Counts the tests that a line of output tells of.
type Count = fn(&str) -> Option<Counts>;

/// The commands that run every test once, each with what counts its lines. Nextest runs no examples of documentation.
fn suites(nextest: bool) -> Vec<(Tool, Count)> {
    if nextest {
        let tests = "nextest run --workspace --no-fail-fast --status-level slow --show-progress none";
        vec![
            (Tool::cargo(tests), Counts::of_nextest_line),
            (Tool::cargo("test --workspace --doc --no-fail-fast"), Counts::of_test_line),
        ]
    } else {
        vec![(Tool::cargo("test --workspace --no-fail-fast"), Counts::of_test_line)]
    }
}

/// The variable that tells tests in which data folder the real model and the library that runs it lie.
const REAL_MODELS: &str = "WIKIRAG_TEST_MODELS";

/// The tests that need the real model. They stand in test programs named `real`, and are ignored otherwise.
fn real(nextest: bool, models: &Path) -> (Tool, Count) {
    let (tests, count): (_, Count) = if nextest {
        let tests = "nextest run --workspace --test real --run-ignored only --no-fail-fast --status-level slow --show-progress none";
        (Tool::cargo(tests), Counts::of_nextest_line)
    } else {
        (Tool::cargo("test --workspace --test real --no-fail-fast -- --ignored"), Counts::of_test_line)
    };
    (tests.env(REAL_MODELS, models.display().to_string()), count)
}

/// Says why the tests that need the model do not run, and which these are.
fn skip_real(nextest: bool, error: &dyn std::error::Error) -> Result<()> {
    println!("skipped, since the model cannot be had ({error}):");
    if nextest {
        return Tool::cargo("nextest list --workspace --test real --run-ignored only --message-format oneline").run();
    }
    Tool::cargo("test --workspace --test real -- --ignored --list").run()
}

/// How many tests passed and failed. Ignored tests count as neither.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Counts {
    fn ran(self) -> u64 {
        self.passed + self.failed
    }

    /// Reads nextest's closing line. Nextest repeats what a failed test wrote, the closing line of its program too.
    fn of_nextest_line(line: &str) -> Option<Self> {
        Some(Self::of_parts(line.trim().strip_prefix("Summary [")?.split_once(" run: ")?.1))
    }

    /// Reads the closing line of a test program.
    fn of_test_line(line: &str) -> Option<Self> {
        Some(Self::of_parts(line.trim().strip_prefix("test result: ")?.split_once(". ")?.1))
    }

    /// Reads `3 passed; 1 failed` and `3 passed (1 slow), 1 timed out`.
    fn of_parts(parts: &str) -> Self {
        let mut counts = Self::default();
        for part in without_parentheses(parts).split([',', ';']) {
            let Some((number, word)) = part.trim().split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match word.trim() {
                "passed" => counts.passed += number,
                "failed" | "exec failed" | "timed out" => counts.failed += number,
                _ => {}
            }
        }
        counts
    }

    /// Ends a chore: tells what went wrong, and last of all the counts, in which whatever went wrong shows.
    pub(crate) fn close(mut self, outcome: Result<()>) -> Result<()> {
        if let Err(error) = &outcome {
            eprintln!("error: {error}");
            self.failed = self.failed.max(1);
        }
        println!("{self}");
        outcome.map_err(|_| Told.into())
    }

    /// Reads the line that [`Counts`] prints.
    pub(crate) fn of_closing_line(line: &str) -> Option<Self> {
        let (passed, failed) = line.strip_suffix(" failed")?.split_once(" passed, ")?;
        Some(Self { passed: passed.parse().ok()?, failed: failed.parse().ok()? })
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_u32;
    let mut kept = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u64, failed: u64) -> Counts {
        Counts { passed, failed }
    }

    #[test]
    fn closing_lines_of_nextest_are_understood() {
        for (line, expected) in [
            ("     Summary [   0.013s] 12 tests run: 12 passed, 0 skipped", counts(12, 0)),
            ("     Summary [   0.1s] 1 test run: 0 passed, 1 exec failed, 0 skipped", counts(0, 1)),
            (
                "     Summary [   9.1s] 7/9 tests run: 4 passed (1 slow, 2 flaky), 2 failed, 1 timed out, 3 skipped",
                counts(4, 3),
            ),
        ] {
            assert_eq!(Counts::of_nextest_line(line), Some(expected), "{line}");
        }
        assert_eq!(Counts::of_nextest_line("    test result: FAILED. 0 passed; 1 failed; 0 ignored"), None);
    }

    #[test]
    fn closing_lines_of_test_programs_are_understood() {
        for (line, expected) in [
            (
                "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0s",
                counts(3, 0),
            ),
            ("test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out", counts(3, 2)),
        ] {
            assert_eq!(Counts::of_test_line(line), Some(expected), "{line}");
        }
        assert_eq!(Counts::of_test_line("test parses_summaries ... ok"), None);
    }

    #[test]
    fn the_line_printed_is_the_line_read() {
        assert_eq!(counts(31, 2).to_string(), "31 passed, 2 failed");
        assert_eq!(Counts::of_closing_line("31 passed, 2 failed"), Some(counts(31, 2)));
        assert_eq!(Counts::of_closing_line("test result: ok. 31 passed, 2 failed"), None);
    }
}
