//! Measures the embedder: `throughput <data folder> <model> <threads> [<file for the vectors>]` embeds the lines of standard
//! input and prints what it took, as JSON. The file gets the vectors as rows of f32, the lowest byte first.

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Instant;

use wikirag_core::{Context, Embedder, Host, PluginSetup, Registry, Role, Section};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Texts of one call: what a layer embeds between two commits.
const BATCH: usize = 64;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (data, model, threads, file) = match &arguments[..] {
        [data, model, threads] => (data, model, threads.parse()?, None),
        [data, model, threads, file] => (data, model, threads.parse()?, Some(file)),
        _ => return Err("usage: throughput <data folder> <model> <threads> [<file for the vectors>]".into()),
    };
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let texts: Vec<&str> = input.lines().collect();

    let host = Host::new(Registry::from_plugins([wikirag_onnx::PLUGIN])?).with_data_dir(data).with_threads(threads);
    let settings = Section::new("arguments", serde_json::json!({"model": model}));
    let setup = PluginSetup { settings, host: Arc::new(host) };
    let start = Instant::now();
    let embedder = setup.host.registry().embedder("onnx", &setup)?;
    let readiness = embedder.readiness();
    let made = start.elapsed();
    let embed = |texts: &[&str], role| embed(&*embedder, texts, role);

    let question = "Which river carries copper from the hills to the sea in spring?";
    embed(&[question], Role::Query)?;
    let first_question = start.elapsed();
    let memory_of_a_question = peak_memory();
    // Each another one: a question that was asked before costs nothing.
    let questions = 200;
    let start = Instant::now();
    for number in 0..questions {
        embed(&[&format!("{question} {number}")], Role::Query)?;
    }
    let each_question = start.elapsed() / questions;

    let start = Instant::now();
    let mut bytes = Vec::new();
    for batch in texts.chunks(BATCH) {
        let vectors = embed(batch, Role::Passage)?;
        bytes.extend(vectors.rows().flatten().flat_map(|value| value.to_le_bytes()));
    }
    let all = start.elapsed();
    if let Some(file) = file {
        std::fs::File::create(file)?.write_all(&bytes)?;
    }
    println!(
        "{{\"ready\": {}, \"made_ms\": {:.2}, \"first_question_ms\": {:.1}, \"question_ms\": {:.2}, \"texts\": {}, \
         \"seconds\": {:.3}, \"question_mb\": {memory_of_a_question}, \"peak_mb\": {}}}",
        readiness.is_usable(),
        made.as_secs_f64() * 1e3,
        first_question.as_secs_f64() * 1e3,
        each_question.as_secs_f64() * 1e3,
        texts.len(),
        all.as_secs_f64(),
        peak_memory(),
    );
    Ok(())
}

fn embed(embedder: &dyn Embedder, texts: &[&str], role: Role) -> wikirag_core::Result<wikirag_core::Vectors> {
    wikirag_testkit::block_on(embedder.embed(texts, role, &Context::new()))
}

/// The most memory that this process ever had, in megabytes; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or_default() / 1024
}
