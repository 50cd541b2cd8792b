//! Measures building and asking, and prints one table.
//!
//! Times are wall-clock medians of several runs in one process; ratios are taken within the run, so that they hold on a
//! machine whose speed drifts. Run it through `cargo xtask bench`, which builds in release first.

mod bare;
mod context;
mod crowding;
mod cut;
mod dense;
mod disagree;
mod gaps;
mod graph;
mod links;
mod memory;
mod support;
mod vault;
mod vectors;
mod wikis;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use futures_lite::future::block_on;
use wikirag::core::{LayerSetup, Query};
use wikirag::locate::{self, Missing};
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{BuildOptions, Context, Engine, Error, ErrorKind, LocatedWiki, QueryOptions, Refresh, Result};

#[derive(Debug, Parser)]
#[command(about = "Measure building and asking")]
struct Args {
    /// Folders of notes to build; default: a generated vault
    #[arg(long, value_name = "FOLDER")]
    corpus: Vec<PathBuf>,
    /// Notes of the generated vault
    #[arg(long, default_value_t = 6_000)]
    notes: usize,
    /// Passages of the wiki that questions are asked of
    #[arg(long, default_value_t = 100_000)]
    passages: usize,
    /// Data folder with the default model (`target/models` after `cargo xtask model`): without it dense search is not measured
    #[arg(long, value_name = "DATA_DIR")]
    models: Option<PathBuf>,
    /// Passages of the wiki for dense search
    #[arg(long, default_value_t = 20_000)]
    vectors: usize,
    /// Synthetic vectors for the store of vectors alone
    #[arg(long, default_value_t = 200_000)]
    synthetic: usize,
    /// Folders of real notes: measures the look for contradictions on them, and nothing else
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    disagree: Vec<PathBuf>,
    /// Folders of notes that link to each other: counts the links that are resolved, and nothing else
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    links: Vec<PathBuf>,
    /// A folder with the sets `chunking-eval` and `locomo`: measures the packing of context on them, and nothing else
    #[arg(long, value_name = "FOLDER")]
    context: Option<PathBuf>,
    /// Measures the graph on the folders of `--corpus`, or on generated vaults of `--notes` notes, ten and a hundred times as many, and nothing else
    #[arg(long)]
    graph: bool,
    /// Removes topics from each of the folders of `--corpus`, `--draws` times, and counts those that `gaps` finds missing, and nothing else
    #[arg(long, requires = "corpus")]
    gaps: bool,
    /// Judged sets in the BEIR layout: measures how well answers that are not there are told from those that are, with vectors where `--models` is given, and nothing else
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    support: Vec<PathBuf>,
    /// Wikis that the folders of `--corpus` are cut into: measures questions over many wikis, and nothing else
    #[arg(long, value_name = "N", requires = "corpus")]
    wikis: Option<usize>,
    /// Folders that wikis of five notes are cut out of: measures how they are found beside the folders of `--corpus`, and nothing else
    #[arg(long, value_name = "FOLDER", num_args = 1.., requires = "corpus")]
    crowding: Vec<PathBuf>,
    /// Folders about other things, for `--crowding`
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    other: Vec<PathBuf>,
    /// Small wikis of `--crowding`, and sets of topics of `--gaps`
    #[arg(long, default_value_t = 10)]
    draws: usize,
    /// A folder for the wikis of `--wikis`, which are not built again when they are there
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    /// Ask the questions of a file, a line each, and tell the times: what `--wikis` starts as a process of its own
    #[arg(long, hide = true)]
    questions: Option<PathBuf>,
    /// Runs of each measurement
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// The program whose start is measured
    #[arg(long, default_value = "target/release/wikirag")]
    program: PathBuf,
    /// The composition that the program is asked
    #[arg(long, default_value = "examples/kitchen.rag.yaml")]
    composition: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(table) => {
            let printed = std::io::stdout().write_all(table.as_bytes());
            if printed.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            // Nobody is left to tell where stderr is closed.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A failed step of the benchmark itself.
fn failed(step: &'static str, error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Io, step, error.to_string())
}

const HEADER: &str = "| what | figure | remark |\n|---|---|---|\n";

/// The lines of the table: what, figure, remark.
#[derive(Default)]
struct Table(String);

impl Table {
    fn row(&mut self, what: &str, figure: impl std::fmt::Display, remark: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "| {what} | {figure} | {remark} |");
    }
}

fn run(args: &Args) -> Result<String> {
    let work = tempfile::tempdir().map_err(|error| failed("make work folder", error))?;
    if !args.disagree.is_empty() {
        let mut table = Table(String::from(HEADER));
        disagree::measure(&args.disagree, work.path(), &mut table)?;
        return Ok(table.0);
    }
    if !args.links.is_empty() {
        let mut table = Table(String::from(HEADER));
        links::measure(&args.links, work.path(), &mut table)?;
        return Ok(table.0);
    }
    if let Some(judged) = &args.context {
        let mut table = Table(String::from(HEADER));
        context::measure(judged, args.work.as_deref().unwrap_or(work.path()), &mut table)?;
        return Ok(table.0);
    }
    if args.graph {
        let work = args.work.as_deref().unwrap_or(work.path());
        return graph::measure(&args.corpus, args.notes, args.runs, &args.program, work);
    }
    if args.gaps {
        let mut table = Table(String::from(HEADER));
        gaps::measure(&args.corpus, args.draws, work.path(), &mut table)?;
        return Ok(table.0);
    }
    if !args.support.is_empty() {
        let mut table = Table(String::from(HEADER));
        support::measure(&args.support, args.models.as_deref(), work.path(), &mut table)?;
        return Ok(table.0);
    }
    if let Some(questions) = &args.questions {
        return wikis::ask(&args.composition, questions);
    }
    if let Some(count) = args.wikis {
        let work = args.work.as_deref().unwrap_or(work.path());
        return wikis::measure(&args.corpus, count, args.runs, &args.program, work);
    }
    if !args.crowding.is_empty() {
        let folders = crowding::Folders { small: &args.crowding, large: &args.corpus, other: &args.other };
        let mut table = Table(String::from(HEADER));
        crowding::measure(&folders, args.draws, work.path(), &mut table)?;
        return Ok(table.0);
    }
    let corpus = work.path().join("corpus");
    let written = match args.corpus.as_slice() {
        [] => vault::write(&corpus, args.notes),
        given => {
            given.iter().enumerate().try_for_each(|(at, folder)| vault::copy(folder, &corpus.join(at.to_string())))
        }
    };
    written.map_err(|error| failed("write corpus", error))?;
    let mut table = Table(String::from(HEADER));
    building(args, &corpus, &mut table)?;
    peak_memory(args, &corpus, &mut table)?;
    starting(args, work.path(), &mut table)?;
    asking(args, &work.path().join("large"), &mut table)?;
    vectors::measure(args.synthetic, &work.path().join("synthetic"), &mut table)?;
    if let Some(models) = &args.models {
        dense::measure(models, args.vectors, args.runs, &work.path().join("dense"), &mut table)?;
    }
    Ok(table.0)
}

fn engine(data: &Path) -> Result<Engine> {
    let mut options = LoadOptions::new(data);
    options.data_dir = Some(data.join("data"));
    // What is measured here is words alone, whatever models there are.
    options.flags.push(("layers".to_owned(), "bm25".to_owned()));
    Engine::with_linked_plugins(Settings::load(&options)?)
}

fn wiki(engine: &Engine, folder: &Path) -> Result<LocatedWiki> {
    let folder_name = folder.to_string_lossy();
    let mut composition = locate::composition(&folder_name, folder, engine.settings(), Missing::Refuse)?;
    Ok(Arc::unwrap_or_clone(composition.wikis.remove(0).located))
}

/// Full builds beside bare tantivy fed the same passages, then builds with little to do.
fn building(args: &Args, corpus: &Path, table: &mut Table) -> Result<()> {
    let engine = engine(corpus)?;
    let wiki = wiki(&engine, corpus)?;
    let context = Context::new();
    let build = || block_on(engine.build(&wiki, BuildOptions::default(), &context));
    let (mut whole, mut records, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    let mut summary = (0, 0);
    for _ in 0..args.runs {
        remove(&wiki.index_dir)?;
        let started = Instant::now();
        let report = build()?;
        whole.push(started.elapsed());
        summary = (report.documents, report.chunks.total);
        let bare = bare::index(&wiki.index_dir.join("catalog.db"))?;
        records.push(bare.records);
        bodies.push(bare.bodies);
    }
    let (documents, passages) = summary;
    table.row("corpus", format!("{documents} documents"), format!("{passages} passages"));
    table.row("full build", seconds(&whole), format!("{:.0} passages/s", rate(passages, &whole)));
    for (what, bare) in [("the same fields", &records), ("the text of the passages alone", &bodies)] {
        let ratios = bare.iter().zip(&whole).map(|(bare, whole)| bare.as_secs_f64() / whole.as_secs_f64());
        let remark = format!(
            "{:.0} passages/s; the build has {:.2} of that rate",
            rate(passages, bare),
            median(ratios.collect())
        );
        table.row(&format!("bare tantivy, {what}"), seconds(bare), remark);
    }
    let build = || build().map(|_| ());
    let unchanged = timed(args.runs, build)?;
    table.row("build, nothing changed", seconds(&unchanged), "");
    let note = first_note(corpus)?;
    let edited = timed(args.runs, || {
        let mut file = fs::OpenOptions::new().append(true).open(&note).map_err(|error| failed("edit note", error))?;
        writeln!(file, "\nOne more line {}.", fastrand::u64(..)).map_err(|error| failed("edit note", error))?;
        build()
    })?;
    table.row("build, one note edited", seconds(&edited), "");
    Ok(())
}

/// The largest memory of a full build in a process of its own.
fn peak_memory(args: &Args, corpus: &Path, table: &mut Table) -> Result<()> {
    remove(&corpus.join(".index"))?;
    let mut command = Command::new(&args.program);
    command.arg("build").arg(corpus).stdout(Stdio::null()).stderr(Stdio::null());
    let figure = match memory::peak(command).map_err(|error| failed("run build", error))? {
        Some(bytes) => format!("{:.0} MB", bytes as f64 / 1e6),
        None => "not told by this system".to_owned(),
    };
    table.row("peak memory of a full build", figure, "whole process");
    Ok(())
}

/// The whole process of one question over the examples.
fn starting(args: &Args, work: &Path, table: &mut Table) -> Result<()> {
    let query = || {
        let mut command = Command::new(&args.program);
        command.arg("--set").arg(format!("index_dir={}", work.join("examples").display()));
        command.arg("query").arg(&args.composition).arg("how do I keep basil fresh");
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        match status.map_err(|error| failed("run query", error))? {
            status if status.success() => Ok(()),
            status => Err(failed("run query", status)),
        }
    };
    query()?;
    let runs = args.runs * 4;
    table.row(
        "`wikirag query`, whole process",
        seconds(&timed(runs, query)?),
        format!("{}", args.composition.display()),
    );
    Ok(())
}

/// Questions to a large wiki in one process.
fn asking(args: &Args, folder: &Path, table: &mut Table) -> Result<()> {
    vault::write_passages(folder, args.passages).map_err(|error| failed("write corpus", error))?;
    let engine = engine(folder)?;
    let wiki = wiki(&engine, folder)?;
    let context = Context::new();
    let report = block_on(engine.build(&wiki, BuildOptions::default(), &context))?;
    let times = asked_of(&engine, folder)?;
    let passages = report.chunks.total;
    table.row(
        "question, warm",
        times,
        format!("{passages} passages, four words, ten results with text, snippet and freshness"),
    );
    let layer = engine.registry().retriever(
        "bm25",
        &LayerSetup {
            plugin: engine.setup("bm25"),
            wiki: wiki.manifest.name.clone(),
            dir: wiki.index_dir.join("bm25"),
            previous: None,
            write_memory: 0,
            write_threads: 1,
        },
    )?;
    let times = asked(|question| {
        block_on(layer.search(&Query::new(question, 10), &context)).map(|hits| drop(std::hint::black_box(hits)))
    })?;
    table.row("question to the layer `bm25` alone, warm", times, format!("{passages} passages, four words, ten hits"));
    Ok(())
}

/// Asks the wiki in `folder`, without a look at its files.
fn asked_of(engine: &Engine, folder: &Path) -> Result<String> {
    let composition = locate::composition(&folder.to_string_lossy(), folder, engine.settings(), Missing::Refuse)?;
    let options = QueryOptions { refresh: Refresh::Never, ..QueryOptions::default() };
    asked(|question| {
        block_on(engine.query(&composition, question, &options, &Context::new()))
            .map(|answer| drop(std::hint::black_box(answer)))
    })
}

/// Asks 500 questions, of which the first 50 open files and fill caches, and tells the times of the others.
fn asked(mut ask: impl FnMut(&str) -> Result<()>) -> Result<String> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut times = Vec::new();
    for _ in 0..500 {
        let question = vault::question(&mut random);
        let started = Instant::now();
        ask(&question)?;
        times.push(started.elapsed());
    }
    Ok(percentiles(&times[50..]))
}

fn percentiles(times: &[Duration]) -> String {
    let mut times: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!("p50 {:.2} ms, p99 {:.2} ms", at(0.5), at(0.99))
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed("remove index", error)),
        _ => Ok(()),
    }
}

fn first_note(folder: &Path) -> Result<PathBuf> {
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| failed("find note", error))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths.retain(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
        if let Some(note) = paths.iter().find(|path| path.extension().is_some_and(|extension| extension == "md")) {
            return Ok(note.clone());
        }
        pending.extend(paths.into_iter().filter(|path| path.is_dir()));
    }
    Err(failed("find note", "the corpus holds no .md file"))
}

fn timed(runs: usize, mut work: impl FnMut() -> Result<()>) -> Result<Vec<Duration>> {
    (0..runs)
        .map(|_| {
            let started = Instant::now();
            work()?;
            Ok(started.elapsed())
        })
        .collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn seconds(times: &[Duration]) -> String {
    let times: Vec<f64> = times.iter().map(Duration::as_secs_f64).collect();
    let (least, most) = times.iter().fold((f64::MAX, 0.0_f64), |(a, b), time| (a.min(*time), b.max(*time)));
    format!("{:.3} s ({least:.3} to {most:.3})", median(times))
}

fn rate(passages: u64, times: &[Duration]) -> f64 {
    passages as f64 / median(times.iter().map(Duration::as_secs_f64).collect())
}
