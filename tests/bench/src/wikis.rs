//! What a question costs, by the number of wikis it is asked of.
//!
//! Folders of real notes are cut into many wikis; compositions of some of them are asked questions made of titles of their notes: in a process
//! for each question (cold, with files in the cache of the system), and many in one process (warm), which keeps wikis open.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_lite::future::block_on;
use wikirag::core::{Change, ChangeFeed, FeedPosition};
use wikirag::{Composition, Context, Engine, QueryOptions, Refresh, Result};
use wikirag_sqlite::Catalog;

use crate::{cut, engine, failed, median, memory, percentiles, seconds, timed, wiki};

const HEADER: &str = "| wikis | cold, whole process | warm, folders looked at | warm, not looked at | peak memory, warm | wikis with hits |\n\
     |---|---|---|---|---|---|\n";

/// How many wikis are composed, as far as there are so many.
const SIZES: [usize; 5] = [1, 10, 100, 300, 1_000];
/// Questions that open files and fill caches.
const WARM_UP: usize = 50;
/// Questions that are measured in one process.
const QUESTIONS: usize = 200;
/// Questions of which the wikis with hits are counted.
const COUNTED: usize = 50;

/// Cuts the folders into `count` wikis below `work`, builds them, and measures; `program` is started for cold questions.
pub(crate) fn measure(folders: &[PathBuf], count: usize, runs: usize, program: &Path, work: &Path) -> Result<String> {
    fs::create_dir_all(work).map_err(|error| failed("make work folder", error))?;
    let work = std::path::absolute(work).map_err(|error| failed("find work folder", error))?;
    let below = work.join("wikis");
    let wikis = if below.is_dir() { folders_in(&below)? } else { cut::cut(folders, count, &below)? };
    let engine = engine(&work)?;
    cut::build(&engine, &wikis)?;
    let mut table = HEADER.to_owned();
    let (mut colds, mut warms) = (Vec::new(), Vec::new());
    let sizes = SIZES.into_iter().filter(|size| *size < wikis.len()).chain([wikis.len()]);
    for size in sizes {
        // Evenly spread, so that a small composition is about as mixed as a large one.
        let some: Vec<&PathBuf> = (0..size).map(|at| &wikis[wikis.len() * (2 * at + 1) / (2 * size)]).collect();
        let path = work.join(format!("{size}.rag.yaml"));
        cut::compose(&engine, &path, some.iter().copied())?;
        let mut random = Rng::with_seed(7);
        let wanted = WARM_UP + 2 * QUESTIONS;
        let questions = (0..wanted).map(|_| question(&engine, &some, &mut random)).collect::<Result<Vec<_>>>()?;
        let cold = cold(program, &work, &path, &questions[..(runs * 4).min(wanted)])?;
        let warm = warm(&path, &questions)?;
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {size} | {} | {} |", seconds(&cold), warm.join(" | "));
        colds.push((size, format!("{:.0} ms", 1e3 * median(cold.iter().map(Duration::as_secs_f64).collect()))));
        warms.push((size, warm[0].clone()));
    }
    Ok(table + &plot("cold, median", &colds) + &plot("warm, looked at, median", &warms))
}

/// Wikis that were cut before, sorted.
fn folders_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| failed("read work folder", error))?;
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    Ok(found)
}

/// Up to four words of the title of a note in one of the wikis.
fn question(engine: &Engine, wikis: &[&PathBuf], random: &mut Rng) -> Result<String> {
    for _ in 0..1_000 {
        let wiki = wiki(engine, wikis[random.usize(..wikis.len())])?;
        let catalog = Catalog::open(&wiki.index_dir.join("catalog.db"))?;
        let batch = catalog.after(FeedPosition::default(), 1_000)?;
        let titles = batch.changes.iter().filter_map(|change| match change {
            Change::Upsert(record) => Some(record.title.as_str()),
            Change::Delete(_) => None,
        });
        let Some(title) = random.choice(titles.collect::<Vec<_>>()) else { continue };
        let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).take(4);
        let words: Vec<&str> = words.collect();
        if !words.is_empty() {
            return Ok(words.join(" "));
        }
    }
    Err(failed("make question", "the notes have no titles"))
}

/// Times of the whole program, each for a question of its own.
fn cold(program: &Path, work: &Path, composition: &Path, questions: &[String]) -> Result<Vec<Duration>> {
    let mut asked = questions.iter().cycle();
    let mut query = || {
        let mut command = Command::new(program);
        command.args(["--set", "layers=bm25", "--set"]).arg(format!("data_dir={}", work.join("data").display()));
        command.arg("query").arg(composition).args(asked.next()).args(["--json"]);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        match status.map_err(|error| failed("run query", error))? {
            status if status.success() => Ok(()),
            status => Err(failed("run query", status)),
        }
    };
    query()?;
    timed(questions.len(), query)
}

/// Asks the questions in another process, whose memory is that of questions alone, and gives the columns of the table.
fn warm(composition: &Path, questions: &[String]) -> Result<Vec<String>> {
    let path = composition.with_extension("questions");
    fs::write(&path, questions.join("\n")).map_err(|error| failed("write questions", error))?;
    let own = std::env::current_exe().map_err(|error| failed("find bench", error))?;
    let mut command = Command::new(own);
    command.arg("--composition").arg(composition).arg("--questions").arg(&path).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| failed("run bench", error))?;
    if !output.status.success() {
        return Err(failed("run bench", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// What the process does that [`warm`] starts: a line for each column.
pub(crate) fn ask(composition: &Path, questions: &Path) -> Result<String> {
    let engine = engine(composition.parent().unwrap_or(Path::new(".")))?;
    let composition = cut::load(&engine, composition)?;
    let questions = fs::read_to_string(questions).map_err(|error| failed("read questions", error))?;
    let questions: Vec<&str> = questions.lines().collect();
    let (first, rest) = questions.split_at(WARM_UP.min(questions.len()));
    let (looking, blind) = rest.split_at(rest.len() / 2);
    let auto = QueryOptions::default();
    let never = QueryOptions { refresh: Refresh::Never, ..QueryOptions::default() };
    for (question, how) in first.iter().flat_map(|question| [(question, &auto), (question, &never)]) {
        answered(&engine, &composition, question, how)?;
    }
    let mut lines = String::new();
    for (questions, how) in [(looking, &auto), (blind, &never)] {
        let mut times = Vec::with_capacity(questions.len());
        for question in questions {
            let started = Instant::now();
            answered(&engine, &composition, question, how)?;
            times.push(started.elapsed());
        }
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{}", percentiles(&times));
    }
    let peak = memory::own_peak()
        .map_or("not told by this system".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6));
    let deep = QueryOptions { limit: Some(QueryOptions::MAX_LIMIT), ..never };
    let mut wikis = 0;
    let counted = rest.iter().take(COUNTED);
    for question in counted.clone() {
        wikis += answered(&engine, &composition, question, &deep)?;
    }
    let _ = writeln!(lines, "{peak}\n{:.1}", wikis as f64 / counted.len() as f64);
    Ok(lines)
}

/// The number of wikis in the answer.
fn answered(engine: &Engine, composition: &Composition, question: &str, options: &QueryOptions) -> Result<usize> {
    let answer = block_on(engine.query(composition, question, options, &Context::new()))?;
    Ok(answer.results.iter().map(|hit| hit.wiki.as_str()).collect::<BTreeSet<_>>().len())
}

/// A bar for each number of wikis; figures begin with their number.
fn plot(what: &str, points: &[(usize, String)]) -> String {
    let value = |figure: &str| -> f64 {
        let number = figure.split(' ').find_map(|word| word.parse().ok());
        number.unwrap_or_default()
    };
    let most = points.iter().map(|(_, figure)| value(figure)).fold(f64::MIN_POSITIVE, f64::max);
    let mut text = format!("\n{what}\n");
    for (size, figure) in points {
        let bar = "#".repeat((50.0 * value(figure) / most).round() as usize);
        let _ = writeln!(text, "{size:>6} wikis |{bar} {:.1} ms", value(figure));
    }
    text
}
