//! Strength of support: whether questions whose answer was taken out of a wiki are told from those whose answer is there.
//!
//! A judged set becomes a wiki twice: without the relevant documents of one half of its questions, and without those of the other. So each question is
//! asked where its answer is and where it is not. Where questions share documents, the half of a question is that of its first document.

use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use futures_lite::future::block_on;
use wikirag::eval::{BeirSet, Question};
use wikirag::locate::{self, Missing};
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{Context, Engine, QueryOptions, Result, Support};

use crate::{Table, failed};

/// Results of each answer.
const RESULTS: usize = 10;

/// A question that was asked.
struct Asked {
    support: Support,
    /// Whether relevant documents were left in the wiki.
    is_there: bool,
    /// Whether one of them is among the results.
    is_found: bool,
}

/// Measures the sets in `folders`, with vectors where `models` is a data folder with the default model.
pub(crate) fn measure(folders: &[PathBuf], models: Option<&Path>, work: &Path, table: &mut Table) -> Result<()> {
    let mut options = LoadOptions::new(work);
    options.data_dir = Some(models.map_or_else(|| work.join("data"), Path::to_owned));
    let layers = if models.is_some() { "bm25,dense" } else { "bm25" };
    options.flags.push(("layers".to_owned(), layers.to_owned()));
    let engine = Engine::with_linked_plugins(Settings::load(&options)?)?;
    for (number, folder) in folders.iter().enumerate() {
        let set = BeirSet::load(folder)?;
        let mut asked = Vec::new();
        for half in 0..2 {
            asked.extend(ask(&engine, &set, half, &work.join(format!("{}-{number}-{half}", set.name)))?);
        }
        tell(&set.name, &asked, table);
    }
    Ok(())
}

/// The relevant documents of a question.
fn gold(question: &Question) -> HashSet<&str> {
    question.grades.iter().filter(|(_, grade)| **grade > 0).map(|(id, _)| id.as_str()).collect()
}

fn half_of(question: &Question) -> u64 {
    let mut hasher = DefaultHasher::new();
    gold(question).into_iter().min().hash(&mut hasher);
    hasher.finish() % 2
}

/// Asks all questions of the wiki without the relevant documents of one half.
fn ask(engine: &Engine, set: &BeirSet, half: u64, folder: &Path) -> Result<Vec<Asked>> {
    let ids = set.write_documents(&folder.join("documents"))?;
    let left_out = set.questions.iter().filter(|question| half_of(question) == half);
    let left_out: HashSet<&str> = left_out.flat_map(gold).collect();
    for (file, _) in ids.iter().filter(|(_, id)| left_out.contains(id.as_str())) {
        fs::remove_file(folder.join("documents").join(file)).map_err(|error| failed("remove document", error))?;
    }
    let manifest = "name: judged\nmeta: []\nindex_pages: content\n";
    fs::write(folder.join(".wiki.yaml"), manifest).map_err(|error| failed("write manifest", error))?;
    let rag = locate::composition(&folder.to_string_lossy(), folder, engine.settings(), Missing::Refuse)?;
    let query = QueryOptions { limit: Some(RESULTS), ..QueryOptions::default() };
    let mut asked = Vec::new();
    for question in &set.questions {
        let gold = gold(question);
        let left = gold.iter().filter(|id| !left_out.contains(**id)).count();
        // With a few of many documents gone it is neither.
        if left > 0 && left * 2 < gold.len() {
            continue;
        }
        let answer = block_on(engine.query(&rag, &question.text, &query, &Context::new()))?;
        let support = block_on(engine.support(&rag, &answer))?;
        let found = answer.results.iter().filter_map(|result| ids.get(result.path.rsplit('/').next()?));
        let is_found = found.into_iter().any(|id| gold.contains(id.as_str()));
        asked.push(Asked { support, is_there: left > 0, is_found });
    }
    Ok(asked)
}

fn tell(name: &str, asked: &[Asked], table: &mut Table) {
    let by = |is_held: fn(&Asked) -> bool| -> (Vec<&Asked>, Vec<&Asked>) { asked.iter().partition(|one| is_held(one)) };
    let (there, gone) = by(|one| one.is_there);
    let (found, not_found) = by(|one| one.is_found);
    let weak = |some: &[&Asked]| {
        let count = some.iter().filter(|one| one.support.is_weak).count();
        format!("{:.2} of {}", count as f64 / some.len() as f64, some.len())
    };
    let ranked = format!("{:.3}; of those that were found {:.3}", area(&there, &gone), area(&found, &not_found));
    table.row(&format!("{name}: area under the curve"), ranked, "answer there against answer gone");
    let square = |one: &&Asked| (one.support.strength - f64::from(u8::from(one.is_found))).powi(2);
    let brier = [&found, &not_found].into_iter().flatten().map(square).sum::<f64>() / asked.len() as f64;
    table.row(&format!("{name}: Brier score"), format!("{brier:.3}"), "strength against whether it was found");
    table.row(&format!("{name}: weak, answer gone"), weak(&gone), format!("answer found: {}", weak(&found)));
}

/// The share of pairs of one that is and one that is not in which the first has more strength; ties count half.
fn area(are: &[&Asked], are_not: &[&Asked]) -> f64 {
    let pair = |a: f64, b: f64| if a == b { 0.5 } else { f64::from(u8::from(a > b)) };
    let wins =
        |one: &&Asked| -> f64 { are_not.iter().map(|other| pair(one.support.strength, other.support.strength)).sum() };
    are.iter().map(wins).sum::<f64>() / (are.len() * are_not.len()) as f64
}
