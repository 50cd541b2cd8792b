//! Crowding: whether a wiki of five notes is still found beside large ones.
//!
//! Five neighbouring notes are cut out of a folder and become a wiki, or five are made up. Questions are made of its sentences: words are left out,
//! changed places, and common words stand in for some. The note of the sentence is what they ask for. They are asked of the small wiki
//! alone, of it beside large wikis, and of it beside wikis about other things. Every question that fails is printed.

mod invented;
pub(crate) mod sentences;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use futures_lite::future::block_on;
use wikirag::{Answer, Composition, Context, Engine, QueryOptions, Refresh, Result, SearchResult};

use crate::{Table, cut, engine, failed};
use sentences::{question, sentences};

/// Notes of the small wiki.
const NOTES: usize = 5;
/// Questions about each small wiki.
const QUESTIONS: usize = 200;
/// The note that is asked for must be among so many.
const FIRST: usize = 3;
/// Of so many questions one is answered to its end, to compare whole lists: that takes a hundred times as long.
const WHOLE: usize = 20;
/// Results of the other answers.
const SHOWN: usize = 10;
/// Results in which a note that was missed is looked for.
const SEARCHED: usize = 100;
/// How many wikis about other things are added.
const ADDED: [usize; 4] = [0, 1, 5, 20];

/// Where notes are taken from.
pub(crate) struct Folders<'a> {
    /// The small wikis, in turn; after the last of them comes one of invented notes.
    pub(crate) small: &'a [PathBuf],
    /// The large wikis beside them.
    pub(crate) large: &'a [PathBuf],
    /// The wikis about other things: cut into as many as are added at most.
    pub(crate) other: &'a [PathBuf],
}

/// A small wiki and the questions about it.
struct Small {
    folder: PathBuf,
    asked: Vec<Asked>,
}

struct Asked {
    question: String,
    /// The file that holds the sentence.
    gold: String,
}

/// What was counted over the questions about some wiki.
#[derive(Default)]
struct Counted {
    asked: usize,
    /// The note among the first: of the small wiki alone, of one wiki that holds its notes and those of the large ones, and beside them.
    alone: usize,
    merged: usize,
    beside: usize,
    /// The answer of the small wiki alone was the same before and after the others were asked.
    repeated: usize,
    /// Questions that were answered to their end.
    whole: usize,
    /// Of these, in how many its hits stood in the same order and with the same passages beside the others, but for copies that
    /// were grouped.
    in_order: usize,
    /// Passages of the note among the first five, by the wikis added.
    precise: [usize; ADDED.len()],
}

/// Measures over `draws` small wikis; all wikis lie below `work`.
pub(crate) fn measure(folders: &Folders<'_>, draws: usize, work: &Path, table: &mut Table) -> Result<()> {
    let engine = engine(work)?;
    let wiki_of = |(at, folder): (usize, &PathBuf)| -> Result<PathBuf> {
        let wiki = work.join(format!("large-{at}"));
        cut::write_wiki(&cut::notes(std::slice::from_ref(folder))?.concat(), &wiki)?;
        Ok(wiki)
    };
    let large = folders.large.iter().enumerate().map(wiki_of).collect::<Result<Vec<_>>>()?;
    let other = cut::cut(folders.other, ADDED[ADDED.len() - 1], &work.join("other"))?;
    cut::build(&engine, &large)?;
    cut::build(&engine, &other)?;
    let sources = cut::notes(folders.small)?;
    let (mut sum, mut failures) = (Counted::default(), String::new());
    for draw in 0..draws {
        let mut random = Rng::with_seed(draw as u64);
        let folder = work.join(format!("small-{draw}"));
        let turn = draw % (sources.len() + 1);
        let (name, notes) = match sources.get(turn) {
            Some(source) => (cut::name_of(&folders.small[turn]), neighbours(source, &folder, &mut random)?),
            None => ("what does not exist".to_owned(), invented(&folder, &mut random)?),
        };
        let small = Small { asked: questions(&notes, &mut random), folder };
        let merged = work.join(format!("merged-{draw}"));
        cut::write_wiki(&cut::notes(folders.large)?.concat(), &merged)?;
        cut::write_wiki(&cut::notes(std::slice::from_ref(&small.folder))?.concat(), &merged.join("small"))?;
        cut::build(&engine, &[small.folder.clone(), merged.clone()])?;
        let counted = ask(&engine, &small, &merged, &large, &other, work, &mut failures)?;
        table.row(&format!("five notes about {name}"), counted.figure(), counted.remark());
        sum.add(&counted);
    }
    table.row("all", sum.figure(), sum.remark());
    table.0.push_str(&failures);
    Ok(())
}

/// A file of a small wiki, and the sentences in it.
type Note = (String, Vec<String>);

/// Writes five neighbouring notes that say enough to ask about.
fn neighbours(source: &[PathBuf], folder: &Path, random: &mut Rng) -> Result<Vec<Note>> {
    for _ in 0..1_000 {
        let first = random.usize(..source.len());
        let files: Vec<PathBuf> = source[first..].iter().take(NOTES).cloned().collect();
        let texts = files.iter().map(fs::read_to_string).collect::<std::io::Result<Vec<_>>>();
        let said: Vec<_> =
            texts.map_err(|error| failed("read note", error))?.iter().map(|text| sentences(text)).collect();
        if files.len() == NOTES && said.iter().all(|said| said.len() >= NOTES) {
            return Ok(cut::write_wiki(&files, folder)?.into_iter().zip(said).collect());
        }
    }
    Err(failed("draw notes", "the corpus holds no five neighbouring notes of some sentences"))
}

/// Writes five notes about what does not exist.
fn invented(folder: &Path, random: &mut Rng) -> Result<Vec<Note>> {
    fs::create_dir_all(folder).map_err(|error| failed("write wiki", error))?;
    let mut notes = Vec::new();
    for _ in 0..NOTES {
        let (name, text) = invented::note(random);
        fs::write(folder.join(&name), &text).map_err(|error| failed("write wiki", error))?;
        notes.push((name, sentences(&text)));
    }
    Ok(notes)
}

/// Questions about the notes in turn.
fn questions(notes: &[Note], random: &mut Rng) -> Vec<Asked> {
    let mut asked = Vec::new();
    for number in 0..QUESTIONS {
        let (gold, said) = &notes[number % NOTES];
        let Some(sentence) = random.choice(said) else { continue };
        // What two notes say asks for neither.
        if notes.iter().filter(|(_, said)| said.contains(sentence)).count() == 1 {
            asked.push(Asked { question: question(sentence, random), gold: gold.clone() });
        }
    }
    asked
}

fn ask(
    engine: &Engine,
    small: &Small,
    merged: &Path,
    large: &[PathBuf],
    other: &[PathBuf],
    work: &Path,
    failures: &mut String,
) -> Result<Counted> {
    let path = work.join("asked.rag.yaml");
    let composed = |others: &[PathBuf]| cut::compose(engine, &path, std::iter::once(&small.folder).chain(others));
    let (alone, beside) = (composed(&[])?, composed(large)?);
    let merged = cut::compose(engine, &path, [&merged.to_owned()])?;
    let added = ADDED.iter().map(|added| composed(&other[..(*added).min(other.len())])).collect::<Result<Vec<_>>>()?;
    let name = alone.wikis[0].located.manifest.name.clone();
    let mut counted = Counted::default();
    for (number, Asked { question, gold }) in small.asked.iter().enumerate() {
        let is_gold = |hit: &&SearchResult| hit.wiki == name && hit.path == *gold;
        let found = |answer: &Answer| answer.results.iter().take(FIRST).any(|hit| is_gold(&hit));
        let before = answer(engine, &alone, question, SHOWN)?;
        let crowd = answer(engine, &beside, question, SHOWN)?;
        let after = answer(engine, &alone, question, SHOWN)?;
        let one = answer(engine, &merged, question, SHOWN)?;
        counted.asked += 1;
        let path = format!("small/{gold}");
        counted.merged += usize::from(one.results.iter().take(FIRST).any(|hit| hit.path == path));
        counted.alone += usize::from(found(&before));
        counted.beside += usize::from(found(&crowd));
        counted.repeated += usize::from(said(&before) == said(&after));
        if number % WHOLE == 0 {
            let [own, all] = [&alone, &beside].map(|one| answer(engine, one, question, QueryOptions::MAX_LIMIT));
            let (own, all) = (own?, all?);
            let in_crowd: Vec<&SearchResult> = all.results.iter().filter(|hit| hit.wiki == name).collect();
            counted.whole += 1;
            counted.in_order += usize::from(is_in_order(&own.results, &in_crowd));
        }
        if found(&before) && !found(&crowd) {
            let all = answer(engine, &beside, question, SEARCHED)?;
            show(failures, question, gold, &crowd, &all, &name);
        }
        for (precise, composition) in counted.precise.iter_mut().zip(&added) {
            *precise += answer(engine, composition, question, SHOWN)?.results.iter().take(5).filter(is_gold).count();
        }
    }
    Ok(counted)
}

fn answer(engine: &Engine, composition: &Composition, question: &str, limit: usize) -> Result<Answer> {
    let options =
        QueryOptions { refresh: Refresh::Never, limit: Some(limit), explain: true, ..QueryOptions::default() };
    block_on(engine.query(composition, question, &options, &Context::new()))
}

/// All that an answer says, but for the time it took.
fn said(answer: &Answer) -> String {
    format!("{:?}", Answer { took_ms: 0.0, ..answer.clone() })
}

/// Whether `crowd` is what `alone` lists, in that order and with the same passages. Some may be missing at any place: a passage that another wiki holds
/// too stands under the copy there, and an answer ends at its limit.
fn is_in_order(alone: &[SearchResult], crowd: &[&SearchResult]) -> bool {
    let mut rest = alone.iter();
    crowd.iter().all(|hit| {
        rest.any(|other| {
            (&hit.id, &hit.text, &hit.snippet, &hit.bytes) == (&other.id, &other.text, &other.snippet, &other.bytes)
        })
    })
}

impl Counted {
    fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.alone += other.alone;
        self.merged += other.merged;
        self.beside += other.beside;
        self.repeated += other.repeated;
        self.whole += other.whole;
        self.in_order += other.in_order;
        self.precise.iter_mut().zip(other.precise).for_each(|(sum, more)| *sum += more);
    }

    fn share(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.asked as f64
    }

    fn figure(&self) -> String {
        format!("{} of {} ({:.1} %)", self.beside, self.asked, self.share(self.beside))
    }

    fn remark(&self) -> String {
        let mut text = format!(
            "alone {}, in one wiki {}; its own list repeated {}, in order beside the others {} of {}; P@5 with",
            self.alone, self.merged, self.repeated, self.in_order, self.whole
        );
        for (added, precise) in ADDED.iter().zip(self.precise) {
            // Writing to a string cannot fail.
            let _ = write!(text, " {added}: {:.1} %,", self.share(precise) / 5.0);
        }
        text.pop();
        text
    }
}

/// Prints what came instead, with the weight of each wiki.
fn show(out: &mut String, question: &str, gold: &str, shown: &Answer, all: &Answer, name: &wikirag::WikiName) {
    let line = |hit: &SearchResult| {
        let weight = hit.explanation.as_ref().and_then(|one| one.wikis.first()).map_or(f64::NAN, |wiki| wiki.weight);
        format!("{:>4}. {}/{} weight {weight:.3} score {:.5}", hit.rank, hit.wiki, hit.path, hit.score)
    };
    let _ = writeln!(out, "\nmissed: {question}");
    for hit in shown.results.iter().take(FIRST) {
        let _ = writeln!(out, "  {}", line(hit));
    }
    match all.results.iter().find(|hit| hit.wiki == *name && hit.path == gold) {
        Some(hit) => {
            let _ = writeln!(out, "  {} <- asked for", line(hit));
        }
        None => {
            let copies =
                || all.results.iter().filter(|hit| hit.same.iter().any(|same| same.wiki == *name && same.path == gold));
            let place = copies().next().map_or("nowhere".to_owned(), |hit| format!("a copy under number {}", hit.rank));
            let hits = all.results.iter().filter(|hit| hit.wiki == *name).count();
            let _ = writeln!(out, "  {gold} is {place}; its wiki has {hits} hits");
        }
    }
}
