//! Topics that are asked for and that the wikis say too little about.
//!
//! Questions of the log that found too little when they were asked last are asked again; what is well answered by now is told as filled.
//! The others are put together by their words (see `groups.rs`), where a word counts the more the rarer it is in the wikis and in the
//! questions that are answered well, and twice where the passages that were found do not hold it.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;
use wikirag_core::{Context, Date, Error, ErrorKind, Result, offload};
use wikirag_text::detect_language;

use super::ask_again::{Found, NearestPage, Remarks};
use super::distinct::{Distinct, distinct, is_open};
use super::topic::{Asked, Topic, put_together};
use super::words::Words;
use crate::locate::Composition;
use crate::open::OpenLayer;
use crate::question_words::Frequency;
use crate::{Degradation, Engine, Hint, QueryOptions, open};

/// Distinct questions that are asked again, those asked most and last first: what is put together takes the square of it.
const MOST_QUESTIONS: usize = 2_000;

/// Wikis in which words are counted: as many as `route: auto` asks.
const MOST_WIKIS: usize = 16;

/// How to look for gaps.
#[derive(Debug, Clone)]
pub struct GapsOptions {
    /// Only questions asked on this day or later.
    pub since: Option<Date>,
    /// Topics at most, from 1.
    pub limit: usize,
    /// How the questions are asked again.
    pub query: QueryOptions,
}

/// What is asked for and missing.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gaps {
    /// Name of the composition.
    pub rag: String,
    /// Distinct questions that were looked at, of whatever strength.
    pub questions: usize,
    /// Topics in all, of which `topics` lists the first.
    pub total: usize,
    /// What is asked most and answered least first.
    pub topics: Vec<Topic>,
    /// Questions that found too little and are answered well by now, those asked most first.
    pub filled: Vec<Filled>,
    /// What served less than it could when the questions were asked again.
    pub degraded: Vec<Degradation>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
}

/// A question that is answered well by now.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Filled {
    /// The question.
    #[serde(flatten)]
    pub asked: Asked,
    /// The page that it finds first.
    pub page: Option<NearestPage>,
}

impl Engine {
    /// Makes topics of the questions in the log of a composition that find too little now. The same log gives the same topics in whatever
    /// order it was written.
    ///
    /// # Errors
    /// Those of [`Engine::questions`], [`Engine::query`] and [`Engine::support`]; [`ErrorKind::Usage`] for a limit of 0;
    /// [`ErrorKind::NotFound`] where nothing was ever logged that the reader may see.
    pub async fn gaps(&self, composition: &Composition, options: &GapsOptions, context: &Context) -> Result<Gaps> {
        if options.limit == 0 {
            let error = Error::new(ErrorKind::Usage, OPERATION, "a limit of 0 topics is out of range");
            return Err(error.help("take a number from 1"));
        }
        let logged = self.questions(composition).await?;
        if logged.entries.is_empty() {
            let error = Error::new(ErrorKind::NotFound, OPERATION, "no question has been logged yet");
            return Err(error.with("rag", &composition.name).help(
                "`wikirag ask` and the server log what they are asked, unless the setting `questions.log` is false",
            ));
        }
        let mut hints = logged.hints;
        let distinct = distinct(&logged.entries, options.since);
        let questions = distinct.len();
        let (mut open, answered): (Vec<Distinct>, Vec<Distinct>) = distinct.into_iter().partition(|one| one.is_open);
        if open.len() > MOST_QUESTIONS {
            open.sort_by(|a, b| {
                b.asked.cmp(&a.asked).then_with(|| b.last.cmp(&a.last)).then_with(|| a.key.cmp(&b.key))
            });
            let text = format!(
                "of {} questions that found too little only the {MOST_QUESTIONS} asked most were looked at",
                open.len()
            );
            hints.push(Hint { code: "many-questions".to_owned(), text });
            open.truncate(MOST_QUESTIONS);
            open.sort_by(|a, b| a.key.cmp(&b.key));
        }
        let texts: Vec<&str> = open.iter().map(|one| one.question.as_str()).collect();
        let (found, remarks) = self.ask_again(composition, &texts, &options.query, context).await?;
        let Remarks { degraded, hints: of_wikis } = remarks;
        hints.extend(of_wikis);
        let still_open = |(_, found): &(Distinct, Found)| is_open(found.strength, found.is_weak);
        let (open, filled): (Vec<_>, Vec<_>) = open.into_iter().zip(found).partition(still_open);
        let mut topics = self.topics(composition, open, &answered).await?;
        let total = topics.len();
        topics.truncate(options.limit);
        let mut filled: Vec<Filled> = filled
            .into_iter()
            .map(|(one, found)| Filled { asked: one.asked(found.strength), page: found.nearest })
            .collect();
        filled.sort_by_key(|filled| Reverse(filled.asked.asked));
        Ok(Gaps { rag: composition.name.clone(), questions, total, topics, filled, degraded, hints })
    }

    async fn topics(
        &self,
        composition: &Composition,
        open: Vec<(Distinct, Found)>,
        answered: &[Distinct],
    ) -> Result<Vec<Topic>> {
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let layers = self.counting_layers(composition);
        let answered: Vec<String> = answered.iter().map(|one| one.question.clone()).collect();
        offload(move || {
            let texts = || open.iter().map(|(one, _)| one.question.as_str()).chain(answered.iter().map(String::as_str));
            let language = detect_language(&texts().collect::<Vec<_>>().join("\n"));
            let words = Words::new(language, &answered);
            let mut known: HashMap<String, f64> = HashMap::new();
            let mut weighed = Vec::with_capacity(open.len());
            for (one, found) in &open {
                let mut of_question = words.of(&one.question);
                for word in &mut of_question {
                    let rarity = match known.get(&word.text) {
                        Some(rarity) => *rarity,
                        None => {
                            let rarity = Frequency::of(&word.text, &layers)?.rarity();
                            known.insert(word.text.clone(), rarity);
                            rarity
                        }
                    };
                    let is_missing = found.missing.contains(&word.text);
                    word.weight = rarity * words.telling(&word.stem) * if is_missing { 2.0 } else { 1.0 };
                }
                weighed.push(of_question);
            }
            Ok(put_together(&open, &weighed))
        })
        .await
    }

    /// The layers of the first wikis for what they know of words. One that cannot be opened counts none.
    fn counting_layers(&self, composition: &Composition) -> Vec<Vec<OpenLayer>> {
        composition.wikis.iter().take(MOST_WIKIS).map(|wiki| open::counting(self, &wiki.located)).collect()
    }
}

const OPERATION: &str = "find gaps";
