//! Context under a budget: how much of what answers a question is in it, beside passages taken in order until one does not fit; and
//! whether anything overruns, leaves room, or leads back to other bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use futures_lite::future::block_on;
use serde_json::Value;
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{Composition, Context, Engine, PackForm, PackOptions, PackedBlock, QueryOptions, Result, Target, locate};

use crate::{Table, failed, vault};

/// The budget at which packing is compared.
const BUDGET: usize = 2_000;

/// Questions with random budgets.
const DRAWS: usize = 1_000;

/// A question and what answers it.
struct Judged {
    text: String,
    /// Pieces of the corpus, as they stand there.
    gold: Vec<String>,
}

/// A wiki with questions.
struct Set {
    name: String,
    composition: Composition,
    questions: Vec<Judged>,
}

/// Measures on the sets below `judged`: `chunking-eval`, and each of `locomo`. Wikis lie below `work`.
pub(crate) fn measure(judged: &Path, work: &Path, table: &mut Table) -> Result<()> {
    let mut options = LoadOptions::new(work);
    options.data_dir = Some(work.join("data"));
    let engine = Engine::with_linked_plugins(Settings::load(&options)?)?;
    let sets = sets(&engine, judged, work)?;
    for half in ["odd", "even"] {
        let parity = usize::from(half == "even");
        let mut sums: BTreeMap<&str, (f64, f64, usize)> = BTreeMap::new();
        for set in &sets {
            let group = if set.name == "chunking-eval" { "chunking-eval" } else { "locomo" };
            for judged in set.questions.iter().skip(parity).step_by(2) {
                let (packed, in_order) = compare(&engine, set, judged)?;
                let sum = sums.entry(group).or_default();
                (sum.0, sum.1, sum.2) = (sum.0 + packed, sum.1 + in_order, sum.2 + 1);
            }
        }
        for (group, (packed, in_order, count)) in sums {
            let of = |sum: f64| format!("{:.4}", sum / count as f64);
            let remark = format!("{} by passages in order; {count} {half} questions", of(in_order));
            table.row(&format!("gold within {BUDGET} tokens, {group}"), of(packed), remark);
        }
    }
    budgets(&engine, &sets, table)
}

/// The share of the gold in the context, and in passages in their order.
fn compare(engine: &Engine, set: &Set, judged: &Judged) -> Result<(f64, f64)> {
    let options = PackOptions { budget: BUDGET, ..PackOptions::default() };
    let packed = block_on(engine.pack(&set.composition, &judged.text, &options, &Context::new()))?;
    let share = |texts: &[&str]| {
        let found = judged.gold.iter().filter(|gold| texts.iter().any(|text| text.contains(gold.as_str())));
        found.count() as f64 / judged.gold.len() as f64
    };
    let blocks: Vec<&str> = packed.blocks.iter().map(|block| block.text.as_str()).collect();
    let query = QueryOptions { limit: Some(200), per_document: Some(200), ..QueryOptions::default() };
    let answer = block_on(engine.query(&set.composition, &judged.text, &query, &Context::new()))?;
    let mut tokens = 0;
    let mut in_order = Vec::new();
    for result in &answer.results {
        // The same head as that of a block.
        let head = format!(
            "[{}/{}{} 12ab34cd] {} > {}",
            result.wiki,
            result.path,
            result.place,
            result.title,
            result.headings.join(" > ")
        );
        tokens += wikirag_text::estimate_tokens(&format!("{head}\n{}", result.text));
        if tokens > BUDGET {
            break;
        }
        in_order.push(result.text.as_str());
    }
    Ok((share(&blocks), share(&in_order)))
}

/// Random questions with random budgets.
fn budgets(engine: &Engine, sets: &[Set], table: &mut Table) -> Result<()> {
    let mut random = fastrand::Rng::with_seed(7);
    let all: Vec<(&Set, &Judged)> =
        sets.iter().flat_map(|set| set.questions.iter().map(move |one| (set, one))).collect();
    let (mut over, mut little, mut other, mut blocks, mut used) = (0, 0, 0, 0, 0.0);
    for _ in 0..DRAWS {
        let (set, judged) = all[random.usize(..all.len())];
        // As many small budgets as large ones.
        let budget = (100.0 * 200_f64.powf(random.f64())) as usize;
        let form = if random.bool() { PackForm::Text } else { PackForm::Prompt };
        let budget = if form == PackForm::Prompt { budget + 250 } else { budget };
        let options = PackOptions { budget, form, ..PackOptions::default() };
        let packed = block_on(engine.pack(&set.composition, &judged.text, &options, &Context::new()))?;
        let tokens = wikirag_text::estimate_tokens(&packed.text());
        over += usize::from(tokens > budget || tokens != packed.tokens);
        let share = tokens as f64 / budget as f64;
        used += share;
        little += usize::from(share < 0.9);
        blocks += packed.blocks.len();
        for block in &packed.blocks {
            other += usize::from(!leads_back(engine, set, block)?);
        }
    }
    table.row(
        &format!("{DRAWS} random questions and budgets"),
        format!("{over} overruns"),
        format!("{little} used less than 90 % of the budget; mean {:.3}", used / DRAWS as f64),
    );
    table.row("citations", format!("{other} of {blocks}"), "lead to other bytes");
    Ok(())
}

fn leads_back(engine: &Engine, set: &Set, block: &PackedBlock) -> Result<bool> {
    let fetched = engine.get(&set.composition, &Target::parse(&block.id)?)?;
    Ok(fetched.text == block.text)
}

fn sets(engine: &Engine, judged: &Path, work: &Path) -> Result<Vec<Set>> {
    let mut sets = vec![set(engine, "chunking-eval", &judged.join("chunking-eval/corpora"), work, spans(judged)?)?];
    let mut conversations: Vec<PathBuf> = fs::read_dir(judged.join("locomo"))
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(|error| failed("read sets", error))?;
    conversations.sort();
    for folder in conversations {
        let name = format!("locomo-{}", folder.file_name().unwrap_or_default().to_string_lossy());
        sets.push(set(engine, &name, &folder.join("wiki"), work, turns(&folder)?)?);
    }
    Ok(sets)
}

fn set(engine: &Engine, name: &str, from: &Path, work: &Path, questions: Vec<Judged>) -> Result<Set> {
    let folder = work.join(name);
    if !folder.exists() {
        vault::copy(from, &folder).map_err(|error| failed("copy set", error))?;
    }
    let composition = locate::composition(name, work, engine.settings(), locate::Missing::Refuse)?;
    Ok(Set { name: name.to_owned(), composition, questions })
}

fn lines(file: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(file).map_err(|error| failed("read questions", error))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| failed("read questions", error))).collect()
}

/// Questions with pieces of text.
fn spans(judged: &Path) -> Result<Vec<Judged>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lines = lines(&judged.join("chunking-eval/questions.jsonl"))?;
    let of = |line: Value| Judged {
        text: text(&line["text"]),
        gold: line["contents"].as_array().into_iter().flatten().map(text).collect(),
    };
    Ok(lines.into_iter().map(of).collect())
}

/// Questions with turns of a conversation, which stand as `(D1:3)` in the documents.
fn turns(folder: &Path) -> Result<Vec<Judged>> {
    let judgements = fs::read_to_string(folder.join("qrels.tsv")).map_err(|error| failed("read judgements", error))?;
    let mut gold: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in judgements.lines().skip(1) {
        if let [question, turn, _] = line.split('\t').collect::<Vec<_>>()[..] {
            gold.entry(question).or_default().push(format!("({turn})"));
        }
    }
    let lines = lines(&folder.join("queries.jsonl"))?;
    let of = |line: &Value| {
        let gold = gold.get(line["_id"].as_str()?)?.clone();
        Some(Judged { text: line["text"].as_str()?.to_owned(), gold })
    };
    Ok(lines.iter().filter_map(of).collect())
}
