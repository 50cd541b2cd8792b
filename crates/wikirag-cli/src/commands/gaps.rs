//! `wikirag gaps`

use futures_lite::future::block_on;
use wikirag::questions::{Filled, Gaps, GapsOptions, NearestPage, Topic};
use wikirag::{QueryOptions, Refresh, Result};

use super::{composition, hot, query};
use crate::args;
use crate::exit::ExitStatus;
use crate::output::{Versioned, count, json_text, table};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &args::Gaps) -> Result<ExitStatus> {
    let since = args.since.as_deref().map(hot::day).transpose()?;
    let engine = session.engine()?;
    let composition = composition(&engine, &args.target)?;
    let options = GapsOptions {
        since,
        limit: args.limit as usize,
        query: QueryOptions {
            refresh: if args.no_refresh { Refresh::Never } else { Refresh::Auto },
            build: !args.no_build,
            allow_missing: args.target.allow_missing,
            ..QueryOptions::default()
        },
    };
    let context = session.context(&composition.name);
    let gaps = block_on(engine.gaps(&composition, &options, &context))?;
    drop(context);
    query::tell(session, &gaps.degraded, &gaps.hints);
    if args.json {
        session.print(&json_text(&Versioned::first(&gaps))?)?;
    } else {
        session.print(&text(&gaps))?;
        session.tell(&summary(&gaps));
    }
    Ok(ExitStatus::Fine)
}

/// A line for each topic, then one for each question that is answered by now. Nothing where there is neither.
fn text(gaps: &Gaps) -> String {
    let mut text = String::new();
    if !gaps.topics.is_empty() {
        text = table(&["TOPIC", "ASKED", "SUPPORT", "NEAREST", "EXAMPLE"], gaps.topics.iter().map(topic).collect());
    }
    if !gaps.filled.is_empty() {
        let blank = if text.is_empty() { "" } else { "\n" };
        text.push_str(blank);
        text.push_str(&table(&["FILLED", "ASKED", "SUPPORT", "PAGE"], gaps.filled.iter().map(filled).collect()));
    }
    text
}

fn topic(topic: &Topic) -> [String; 5] {
    let example = topic.questions.first().map(|asked| asked.question.clone());
    let (asked, strength) = (topic.asked.to_string(), format!("{:.2}", topic.strength));
    [topic.label.clone(), asked, strength, page(topic.nearest.as_ref()), example.unwrap_or_default()]
}

fn filled(filled: &Filled) -> [String; 4] {
    let asked = &filled.asked;
    let strength = format!("{:.2}", asked.strength);
    [asked.question.clone(), asked.asked.to_string(), strength, page(filled.page.as_ref())]
}

fn page(page: Option<&NearestPage>) -> String {
    page.map_or_else(|| "-".to_owned(), |page| format!("{}/{}", page.wiki, page.path))
}

fn summary(gaps: &Gaps) -> String {
    let shown = if gaps.topics.len() < gaps.total {
        format!(", of which {} are shown", gaps.topics.len())
    } else {
        String::new()
    };
    let filled = if gaps.filled.is_empty() { String::new() } else { format!("; filled: {}", gaps.filled.len()) };
    let (questions, topics) = (count(gaps.questions as u64, "question"), count(gaps.total as u64, "missing topic"));
    format!("{questions} of {}: {topics}{shown}{filled}", gaps.rag)
}
