//! Asking the questions of a log once more, of the wikis as they are now.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use wikirag_core::{Context, Result, Step, WikiName};

use crate::locate::Composition;
use crate::{Degradation, Engine, Hint, QueryOptions, Refresh};

/// Hints that are about one question and not about the wikis.
const OF_ONE_QUESTION: [&str; 3] = ["no-words", "gone", "nothing-found"];

/// What a question finds now.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// How well that supports an answer, 0 to 1.
    pub(super) strength: f64,
    /// Whether that is too little.
    pub(super) is_weak: bool,
    /// Words of the question that no passage holds.
    pub(super) missing: Vec<String>,
    /// The page that stands first.
    pub(super) nearest: Option<NearestPage>,
}

/// A page that comes nearest to what was asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NearestPage {
    /// Name of the wiki.
    pub wiki: WikiName,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Of the page.
    pub title: String,
}

/// What is to be told of the wikis, whatever was asked.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    pub(super) degraded: Vec<Degradation>,
    pub(super) hints: Vec<Hint>,
}

impl Engine {
    /// Asks these questions, several at a time; what is found is in their order. Files are looked at before the first alone.
    pub(super) async fn ask_again(
        &self,
        composition: &Composition,
        questions: &[&str],
        options: &QueryOptions,
        context: &Context,
    ) -> Result<(Vec<Found>, Remarks)> {
        let Some((first, others)) = questions.split_first() else { return Ok(Default::default()) };
        let mut remarks = Remarks::default();
        let first = self.ask_one(composition, first, options, Some(&mut remarks), context).await?;
        let later = QueryOptions { refresh: Refresh::Never, build: false, ..options.clone() };
        let mut done = 1;
        let total = Some(questions.len() as u64);
        // By number: a future that holds a closure over references to references cannot be sent to another thread.
        let others = stream::iter(0..others.len())
            .map(|place| self.ask_one(composition, others[place], &later, None, context))
            .buffered(self.threads())
            .inspect(|_| {
                done += 1;
                context.progress.report(Step { stage: "questions", done, total });
            });
        let found = stream::iter([Ok(first)]).chain(others).try_collect().await?;
        Ok((found, remarks))
    }

    async fn ask_one(
        &self,
        composition: &Composition,
        question: &str,
        options: &QueryOptions,
        remarks: Option<&mut Remarks>,
        context: &Context,
    ) -> Result<Found> {
        context.check("ask again")?;
        let mut answer = self.query(composition, question, options, context).await?;
        let support = self.support(composition, &answer).await?;
        if let Some(remarks) = remarks {
            answer.hints.retain(|hint| !OF_ONE_QUESTION.contains(&hint.code.as_str()));
            (remarks.degraded, remarks.hints) = (answer.degraded, answer.hints);
        }
        let nearest = answer.results.into_iter().next();
        Ok(Found {
            strength: support.strength,
            is_weak: support.is_weak,
            missing: support.missing,
            nearest: nearest.map(|first| NearestPage { wiki: first.wiki, path: first.path, title: first.title }),
        })
    }
}
