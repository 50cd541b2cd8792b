//! What a graph costs, by the size of the vault: building it, an edited page, a question.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use fastrand::Rng;
use futures_lite::future::block_on;
use wikirag::locate::{self, Missing};
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{BuildOptions, Context, Engine, QueryOptions, Refresh, Result};
use wikirag_sqlite::Catalog;

use crate::{failed, first_note, median, memory, percentiles, remove, seconds, timed, vault, wiki};

const HEADER: &str = "| vault | pages | passages | layers | full build | peak memory | index of the graph | one page edited | question, warm | first question |\n\
     |---|---|---|---|---|---|---|---|---|---|\n";

/// Generated vaults have so many times the notes that are asked for.
const TIMES: [usize; 3] = [1, 10, 100];

/// Questions that are measured, after some that fill caches.
const QUESTIONS: usize = 200;
const WARM_UP: usize = 20;

/// Measures the given folders, or else generated vaults of `notes` notes and more. Each is built by `program` in a process of its own.
pub(crate) fn measure(folders: &[PathBuf], notes: usize, runs: usize, program: &Path, work: &Path) -> Result<String> {
    let mut table = HEADER.to_owned();
    let mut plots = Vec::new();
    if folders.is_empty() {
        for times in TIMES {
            let folder = work.join(format!("generated-{times}"));
            vault::write_linked(&folder, notes * times).map_err(|error| failed("write vault", error))?;
            plots.push((notes * times, one(&folder, &format!("generated, {times} x"), runs, program, &mut table)?));
        }
    }
    for folder in folders {
        let name = folder.file_name().map_or("vault".into(), |name| name.to_string_lossy().into_owned());
        let copy = work.join(&name);
        vault::copy(folder, &copy).map_err(|error| failed("copy vault", error))?;
        one(&copy, &name, runs, program, &mut table)?;
    }
    let of = |figure: fn(&Figures) -> f64| -> Vec<(usize, f64)> {
        plots.iter().map(|(notes, figures)| (*notes, figure(figures))).collect()
    };
    if !plots.is_empty() {
        table += &plot("full build with the graph", "s", &of(|figures| figures.build));
        table += &plot("peak memory of that", "MB", &of(|figures| figures.memory));
        table += &plot("question with the graph, warm, median", "ms", &of(|figures| figures.question));
    }
    Ok(table)
}

/// What is plotted of a vault.
#[derive(Default)]
struct Figures {
    /// Seconds.
    build: f64,
    /// Megabytes.
    memory: f64,
    /// Milliseconds.
    question: f64,
}

/// A row with words alone, and one with the graph beside them.
fn one(folder: &Path, name: &str, runs: usize, program: &Path, table: &mut String) -> Result<Figures> {
    let mut figures = Figures::default();
    for layers in ["bm25", "bm25,graph"] {
        let engine = engine(folder, layers)?;
        let located = wiki(&engine, folder)?;
        let build = || {
            let mut command = Command::new(program);
            command.args(["--set", &format!("layers={layers}"), "build"]).arg(folder);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            memory::peak(command).map_err(|error| failed("run build", error))
        };
        let mut peak = None;
        // The large ones take long enough for one run to tell.
        let fulls = timed(1, || {
            remove(&located.index_dir)?;
            peak = build()?;
            Ok(())
        })?;
        let note = first_note(folder)?;
        let edits = timed(runs, || {
            let mut file =
                fs::OpenOptions::new().append(true).open(&note).map_err(|error| failed("edit note", error))?;
            writeln!(file, "\nOne more line {}.", fastrand::u64(..)).map_err(|error| failed("edit note", error))?;
            build().map(|_| ())
        })?;
        let (pages, first, times) = asked(&engine, folder)?;
        let report = block_on(engine.build(&located, BuildOptions::default(), &Context::new()))?;
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        figures = Figures {
            build: fulls[0].as_secs_f64(),
            memory: peak.map_or(f64::NAN, megabytes),
            question: 1e3 * median(times.iter().map(std::time::Duration::as_secs_f64).collect()),
        };
        let index = fs::metadata(located.index_dir.join("graph/graph.db")).map_or(0, |file| file.len());
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| {name} | {pages} | {} | {layers} | {:.1} s | {:.0} MB | {:.1} MB | {} | {} | {:.0} ms |",
            report.chunks.total,
            figures.build,
            figures.memory,
            megabytes(index),
            seconds(&edits),
            percentiles(&times),
            1e3 * first,
        );
    }
    Ok(figures)
}

fn engine(folder: &Path, layers: &str) -> Result<Engine> {
    let mut options = LoadOptions::new(folder);
    options.data_dir = Some(folder.join(".index/data"));
    options.flags.push(("layers".to_owned(), layers.to_owned()));
    Engine::with_linked_plugins(Settings::load(&options)?)
}

/// Asks for pages by their titles: how many pages there are, the seconds of the first question, the times of the others.
fn asked(engine: &Engine, folder: &Path) -> Result<(usize, f64, Vec<std::time::Duration>)> {
    let composition = locate::composition(&folder.to_string_lossy(), folder, engine.settings(), Missing::Refuse)?;
    let located = wiki(engine, folder)?;
    let titles: Vec<String> =
        Catalog::open(&located.index_dir.join("catalog.db"))?.pages()?.into_iter().map(|page| page.title).collect();
    let mut random = Rng::with_seed(7);
    let options = QueryOptions { refresh: Refresh::Never, ..QueryOptions::default() };
    let mut times = Vec::new();
    for _ in 0..WARM_UP + QUESTIONS {
        let question = format!("what has to do with {}?", random.choice(&titles).map_or("nothing", String::as_str));
        let started = Instant::now();
        std::hint::black_box(block_on(engine.query(&composition, &question, &options, &Context::new()))?);
        times.push(started.elapsed());
    }
    Ok((titles.len(), times[0].as_secs_f64(), times.split_off(WARM_UP)))
}

/// A bar for each size.
fn plot(what: &str, unit: &str, points: &[(usize, f64)]) -> String {
    let most = points.iter().map(|(_, figure)| *figure).fold(f64::MIN_POSITIVE, f64::max);
    let mut text = format!("\n{what}\n");
    for (notes, figure) in points {
        let bar = "#".repeat((50.0 * figure / most).round() as usize);
        let _ = writeln!(text, "{notes:>7} notes |{bar} {figure:.1} {unit}");
    }
    text
}
