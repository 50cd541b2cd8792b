//! Missing topics: fifty are removed from a wiki and asked for among questions about what stays.
//!
//! A topic is a page and every other page that holds all words of its title or says the same of itself: with the page alone, the lists and
//! neighbours that are about the same would still answer. Questions are made of titles and descriptions, in the same forms for what goes and what stays. Each
//! is asked and logged as `ask` does it, and `gaps` reads the log. What stays and stands among its first lines is printed, and so is
//! what was removed and does not.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use futures_lite::future::block_on;
use wikirag::core::{Change, ChangeFeed, FeedPosition};
use wikirag::questions::{Entry, GapsOptions};
use wikirag::{Composition, Context, Engine, QueryOptions, Result};
use wikirag_sqlite::Catalog;

use crate::crowding::sentences::{question, sentences};
use crate::{Table, cut, engine, failed, vault, wiki};

/// Topics that are removed.
const REMOVED: usize = 50;
/// Pages that stay and are asked for.
const KEPT: usize = 500;
/// Lines of `gaps` in which they are looked for.
const LINES: usize = 60;
/// A title whose words stand in more pages is no topic of its own.
const MOST_NAMED: usize = 10;
/// How a title is asked for.
const FORMS: [&str; 4] = ["", "what is ", "how to use ", "tell me about "];

/// A page that says what it is about.
struct Page {
    path: String,
    title: String,
    /// What it says of itself, else its first sentence.
    description: String,
    /// Its text with title and description, in lower case.
    text: String,
    /// Their words.
    words: BTreeSet<String>,
    /// Whether its title is its own and it says enough to ask about.
    is_askable: bool,
}

/// Measures each folder on its own; wikis lie below `work`.
pub(crate) fn measure(folders: &[PathBuf], draws: usize, work: &Path, table: &mut Table) -> Result<()> {
    let mut wrong = String::new();
    for (at, folder) in folders.iter().enumerate() {
        let work = work.join(at.to_string());
        fs::create_dir_all(&work).map_err(|error| failed("make work folder", error))?;
        let engine = engine(&work)?;
        let whole = work.join("whole");
        vault::copy(folder, &whole).map_err(|error| failed("write corpus", error))?;
        cut::build(&engine, std::slice::from_ref(&whole))?;
        let pages = pages(&engine, &whole)?;
        for draw in 0..draws {
            let name = format!("{}, draw {draw}", cut::name_of(folder));
            let work = work.join(format!("draw-{draw}"));
            one(&engine, &pages, &whole, &name, Rng::with_seed(draw as u64), &work, table, &mut wrong)?;
        }
    }
    table.0.push_str(&wrong);
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "one measurement, told in two places")]
fn one(
    engine: &Engine,
    pages: &[Page],
    whole: &Path,
    name: &str,
    mut random: Rng,
    work: &Path,
    table: &mut Table,
    wrong: &mut String,
) -> Result<()> {
    let (removed, gone) = choose(pages, &mut random);
    let left = work.join("left");
    for page in pages.iter().filter(|page| !gone.contains(page.path.as_str())) {
        let to = left.join(&page.path);
        let copied =
            to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::copy(whole.join(&page.path), &to));
        copied.map_err(|error| failed("write wiki", error))?;
    }
    cut::build(engine, std::slice::from_ref(&left))?;
    let composition = cut::compose(engine, &work.join("left.rag.yaml"), [&left])?;
    let stays = |page: &&Page| page.is_askable && !gone.contains(page.path.as_str());
    let mut kept: Vec<&Page> = pages.iter().filter(stays).collect();
    random.shuffle(&mut kept);
    kept.truncate(KEPT);

    // Which removed topic a question is about; none for what stays.
    let mut about: HashMap<String, Option<usize>> = HashMap::new();
    for (topic, page) in removed.iter().enumerate() {
        about.extend(questions(page, &mut random).into_iter().map(|question| (question, Some(topic))));
    }
    for page in &kept {
        for question in questions(page, &mut random) {
            about.entry(question).or_insert(None);
        }
    }
    let mut order: Vec<&String> = about.keys().collect();
    order.sort_unstable();
    random.shuffle(&mut order);
    let (mut weak, mut asked) = ([0, 0], [0, 0]);
    for question in order {
        let kind = usize::from(about.get(question).is_some_and(Option::is_none));
        asked[kind] += 1;
        weak[kind] += usize::from(log(engine, &composition, question)?);
    }

    let options = GapsOptions { since: None, limit: usize::MAX, query: QueryOptions::default() };
    let gaps = block_on(engine.gaps(&composition, &options, &Context::new()))?;
    let (mut found, mut false_lines) = (BTreeSet::new(), 0);
    for (line, topic) in gaps.topics.iter().take(LINES).enumerate() {
        let mut votes: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        for asked in &topic.questions {
            *votes.entry(about.get(&asked.question).copied().flatten()).or_default() += 1;
        }
        // A line stands for the one topic that most of its questions are about; half of them must be about what was removed.
        let of_removed = votes.iter().filter_map(|(about, count)| about.map(|topic| (*count, topic)));
        found.extend(of_removed.max().map(|(_, topic)| topic));
        if votes.get(&None).is_some_and(|of_kept| 2 * of_kept > topic.questions.len()) {
            false_lines += 1;
            let example = topic.questions.first().map_or("", |asked| asked.question.as_str());
            // Writing to a string cannot fail.
            let _ = writeln!(
                wrong,
                "{name}: line {} is false ({:.2}): {} | {example}",
                line + 1,
                topic.strength,
                topic.label
            );
        }
    }
    for (topic, page) in removed.iter().enumerate().filter(|(topic, _)| !found.contains(topic)) {
        let _ = writeln!(wrong, "{name}: not found ({topic}): {} | {}", page.title, page.description);
    }
    let lines = gaps.topics.len().min(LINES);
    let remark = format!(
        "false lines: {false_lines} of {lines}; lines in all: {}; weak: {} of {} questions about what was removed, {} of {} about what stays; pages removed: {} of {}",
        gaps.total,
        weak[0],
        asked[0],
        weak[1],
        asked[1],
        gone.len(),
        pages.len(),
    );
    table.row(&format!("missing topics: {name}"), format!("{} of {}", found.len(), removed.len()), remark);
    Ok(())
}

/// Asks and logs. Gives whether the answer was weak.
fn log(engine: &Engine, composition: &Composition, question: &str) -> Result<bool> {
    let context = Context::new();
    let answer = block_on(engine.query(composition, question, &QueryOptions::default(), &context))?;
    let support = block_on(engine.support(composition, &answer))?;
    let entry = Entry::of(&answer, &support, "ask", composition.clearance);
    match block_on(engine.log_question(composition, &entry)) {
        Some(hint) => Err(failed("log question", hint.text)),
        None => Ok(support.is_weak),
    }
}

/// Chooses pages at random that no many others name, and what goes with them.
fn choose<'p>(pages: &'p [Page], random: &mut Rng) -> (Vec<&'p Page>, BTreeSet<&'p str>) {
    let mut order: Vec<&Page> = pages.iter().filter(|page| page.is_askable).collect();
    random.shuffle(&mut order);
    let (mut removed, mut gone) = (Vec::new(), BTreeSet::new());
    for page in order {
        if removed.len() == REMOVED {
            break;
        }
        if gone.contains(page.path.as_str()) {
            continue;
        }
        let (words, description) = (telling(&page.title), page.description.to_lowercase());
        let names = |other: &&Page| words.is_subset(&other.words) || other.text.contains(&description);
        let naming: Vec<&Page> = pages.iter().filter(names).collect();
        if naming.len() <= MOST_NAMED {
            gone.extend(naming.iter().map(|page| page.path.as_str()));
            removed.push(page);
        }
    }
    (removed, gone)
}

/// The words of a text that may say what it is about, in lower case and without the ending of a plural.
fn telling(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.map(|word| word.to_lowercase().trim_end_matches('s').to_owned()).collect()
}

/// Two questions about a page: one by its title, one by some words of its description.
fn questions(page: &Page, random: &mut Rng) -> [String; 2] {
    let by_title = format!("{}{}", FORMS[random.usize(..FORMS.len())], page.title);
    let tidy = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    [tidy(by_title), tidy(question(&page.description, random))]
}

/// The pages of a wiki, sorted by path.
fn pages(engine: &Engine, folder: &Path) -> Result<Vec<Page>> {
    let wiki = wiki(engine, folder)?;
    let catalog = Catalog::open(&wiki.index_dir.join("catalog.db"))?;
    let mut pages: BTreeMap<String, Page> = BTreeMap::new();
    let mut position = FeedPosition::default();
    loop {
        let batch = catalog.after(position, 10_000)?;
        if batch.changes.is_empty() {
            break;
        }
        position = batch.position;
        for change in batch.changes {
            let Change::Upsert(record) = change else { continue };
            let page = pages.entry(record.path.clone()).or_insert_with(|| Page {
                path: record.path,
                title: record.title.clone(),
                description: record.summary.clone(),
                text: format!("{}\n{}\n", record.title, record.summary).to_lowercase(),
                words: BTreeSet::new(),
                is_askable: false,
            });
            page.text.push_str(&record.text.to_lowercase());
            page.text.push('\n');
        }
    }
    let mut titles: HashMap<String, usize> = HashMap::new();
    for page in pages.values() {
        *titles.entry(page.title.to_lowercase()).or_default() += 1;
    }
    // Where pages say what they are about, those that do not are templates and indexes; else the first sentence has to do.
    let say = pages.values().filter(|page| !page.description.is_empty()).count();
    for page in pages.values_mut() {
        if page.description.is_empty() && 2 * say < titles.len() {
            page.description = sentences(&page.text).into_iter().next().unwrap_or_default();
        }
        page.words = telling(&page.text);
        page.is_askable = titles.get(&page.title.to_lowercase()) == Some(&1)
            && !sentences(&format!("{}.", page.description)).is_empty()
            && !telling(&page.title).is_empty();
    }
    Ok(pages.into_values().collect())
}
