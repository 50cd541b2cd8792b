//! The suite for embedders over embedders that are broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test may end where something is not as it must be")]

mod broken;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use wikirag_core::{Context, Embedder, Error, ErrorKind, Readiness, Reason, Result, Role, Vectors};
use wikirag_testkit::embedder::{CHECKS, Subject};
use wikirag_testkit::embedder_suite;

embedder_suite!(the_reference, || Ok(Box::new(Reference::new(None))));

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    RenamesItsSpace,
    NeverReady,
    LosesTheSeventeenth,
    AddsARow,
    SwapsTheFirst,
    LeavesLongTextsShort,
    SharesItsScale,
    DependsOnTheInstance,
    KnowsNoWords,
    RefusesNul,
    CutsTheEnd,
    CutsTheMiddle,
    GivesTheNewestQuestion,
    GivesQuestionsForPassages,
    FailsWhenBusy,
    EmbedsOn,
}

const FAULTS: &[(Fault, &str)] = &[
    (Fault::RenamesItsSpace, "the_space_is_named"),
    (Fault::NeverReady, "it_is_ready"),
    (Fault::LosesTheSeventeenth, "there_is_a_row_for_each_text"),
    (Fault::AddsARow, "there_is_a_row_for_each_text"),
    (Fault::SwapsTheFirst, "rows_come_in_the_order_of_the_texts"),
    (Fault::LeavesLongTextsShort, "rows_have_unit_length"),
    (Fault::SharesItsScale, "a_vector_depends_on_its_text_alone"),
    (Fault::DependsOnTheInstance, "equal_embedders_embed_equally"),
    (Fault::KnowsNoWords, "like_texts_are_near"),
    (Fault::RefusesNul, "any_text_is_embedded"),
    (Fault::CutsTheEnd, "no_text_is_cut"),
    (Fault::CutsTheMiddle, "no_text_is_cut"),
    (Fault::GivesTheNewestQuestion, "a_repeated_question_has_its_vector"),
    (Fault::GivesQuestionsForPassages, "a_repeated_question_has_its_vector"),
    (Fault::FailsWhenBusy, "many_may_embed_at_once"),
    (Fault::EmbedsOn, "a_stopped_call_says_so"),
];

#[test]
fn each_fault_fails_its_own_check() {
    broken::each_fault_fails_its_own_check(CHECKS, FAULTS, |fault| {
        Subject::new(move || Ok(Box::new(Reference::new(fault))))
    });
}

const DIMENSIONS: usize = 64;
const MAX_TOKENS: usize = 50;

/// A question that was asked alone, its vector, and how often it was asked.
type Asked = (String, Vec<f32>, usize);

/// Counts the words of a text in buckets, window by window.
struct Reference {
    fault: Option<Fault>,
    instance: usize,
    used: AtomicBool,
    busy: AtomicUsize,
    asked: Mutex<Vec<Asked>>,
}

impl Reference {
    fn new(fault: Option<Fault>) -> Self {
        static INSTANCES: AtomicUsize = AtomicUsize::new(0);
        Self {
            fault,
            instance: INSTANCES.fetch_add(1, Ordering::Relaxed),
            used: AtomicBool::new(false),
            busy: AtomicUsize::new(0),
            asked: Mutex::default(),
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn vector(&self, text: &str, role: Role) -> Vec<f32> {
        let mut vector = vec![0.0; DIMENSIONS];
        // Something of the role, so that no text is without a vector and the two roles are told apart.
        vector[role as usize] = 0.25;
        let shift = if self.has(Fault::DependsOnTheInstance) { self.instance } else { 0 };
        let mut count = |word: &str| vector[bucket(word, shift)] += 1.0;
        let words: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        let windows: Vec<_> = words.chunks(MAX_TOKENS).collect();
        let read = match self.fault {
            Some(Fault::CutsTheEnd) => 1,
            _ => windows.len(),
        };
        for (place, window) in windows.iter().take(read).enumerate() {
            let skipped = self.has(Fault::CutsTheMiddle) && place > 0 && place + 1 < windows.len();
            window.iter().filter(|word| !word.is_empty() && !skipped).for_each(|word| count(word));
        }
        if self.has(Fault::KnowsNoWords) {
            vector.fill(0.0);
            vector[bucket(text, 0)] = 1.0;
            vector[bucket(&text.chars().rev().collect::<String>(), 1)] -= 0.5;
        }
        let mut vector = normalised(&vector);
        if self.has(Fault::LeavesLongTextsShort) && windows.len() > 1 {
            vector.iter_mut().for_each(|value| *value *= 0.5);
        }
        vector
    }

    /// The vector of a question that is asked alone, through what is kept of earlier ones.
    fn question(&self, text: &str) -> Vec<f32> {
        let mut asked = self.asked.lock().unwrap();
        let newest = asked.last().map(|(_, vector, _)| vector.clone());
        if let Some((_, vector, times)) = asked.iter_mut().find(|(known, ..)| known == text) {
            *times += 1;
            return newest.filter(|_| self.has(Fault::GivesTheNewestQuestion)).unwrap_or_else(|| vector.clone());
        }
        let vector = self.vector(text, Role::Query);
        asked.push((text.to_owned(), vector.clone(), 1));
        vector
    }

    fn passage(&self, text: &str) -> Vec<f32> {
        let asked = self.asked.lock().unwrap();
        let often = asked.iter().find(|(known, _, times)| known == text && *times > 1);
        match often {
            Some((_, vector, _)) if self.has(Fault::GivesQuestionsForPassages) => vector.clone(),
            _ => self.vector(text, Role::Passage),
        }
    }

    /// Faults of the finished rows.
    fn spoil(&self, texts: &[&str], rows: &mut Vec<Vec<f32>>) {
        match self.fault {
            Some(Fault::LosesTheSeventeenth) if rows.len() > 16 => drop(rows.remove(16)),
            Some(Fault::AddsARow) if rows.is_empty() => rows.push(self.vector("", Role::Passage)),
            Some(Fault::SwapsTheFirst) if texts.len() > 1 && texts[0].starts_with("The oven") => rows.swap(0, 1),
            Some(Fault::SharesItsScale) => {
                let largest = rows.iter().flatten().fold(0.0f32, |largest, value| largest.max(value.abs()));
                let step = largest / 127.0;
                for row in rows {
                    *row = normalised(&row.iter().map(|value| (value / step).round()).collect::<Vec<_>>());
                }
            }
            _ => {}
        }
    }
}

/// FNV-1a, moved on by `shift`: equal words meet, and other words meet or not whatever the shift.
fn bucket(word: &str, shift: usize) -> usize {
    let hash = word
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    2 + ((hash >> 20) as usize + shift) % (DIMENSIONS - 2)
}

fn normalised(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter().map(|value| value / length).collect()
}

/// One call on its way.
struct Call<'a>(&'a AtomicUsize);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Embedder for Reference {
    fn fingerprint(&self) -> &str {
        if self.has(Fault::RenamesItsSpace) && self.used.load(Ordering::SeqCst) { "words, used" } else { "words" }
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn max_tokens(&self) -> usize {
        MAX_TOKENS
    }

    fn readiness(&self) -> Readiness {
        if self.has(Fault::NeverReady) {
            return Readiness::Unavailable(vec![Reason::new("tired", "it is tired", "let it rest")]);
        }
        Readiness::Ready
    }

    async fn embed(&self, texts: &[&str], role: Role, context: &Context) -> Result<Vectors> {
        if !self.has(Fault::EmbedsOn) {
            context.check("embed")?;
        }
        self.used.store(true, Ordering::SeqCst);
        let others = self.busy.fetch_add(1, Ordering::SeqCst);
        let _call = Call(&self.busy);
        if self.has(Fault::FailsWhenBusy) && texts.len() > 1 {
            if others > 0 {
                return Err(Error::new(ErrorKind::Busy, "embed", "another call is on its way"));
            }
            thread::sleep(Duration::from_millis(100));
        }
        if self.has(Fault::RefusesNul) && texts.iter().any(|text| text.contains('\0')) {
            return Err(Error::new(ErrorKind::Invalid, "embed", "a text has a NUL"));
        }
        let mut rows: Vec<_> = match (texts, role) {
            ([question], Role::Query) => vec![self.question(question)],
            (_, Role::Query) => texts.iter().map(|text| self.vector(text, role)).collect(),
            (_, Role::Passage) => texts.iter().map(|text| self.passage(text)).collect(),
        };
        self.spoil(texts, &mut rows);
        Vectors::new(rows.concat(), DIMENSIONS)
    }
}
