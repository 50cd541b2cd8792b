//! `wikirag query`

use std::collections::HashMap;

use futures_lite::future::block_on;
use wikirag::{Degradation, Hint, QueryOptions, Refresh, Result};

use super::composition;
use crate::args::{AskingArgs, By, Format, Query, TargetArgs};
use crate::exit::ExitStatus;
use crate::output;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Query) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = composition(&engine, &args.target)?;
    let options = QueryOptions {
        limit: args.limit.map(|limit| limit as usize),
        by: match args.by {
            By::Passage => wikirag::By::Passage,
            By::Document => wikirag::By::Document,
        },
        per_document: args.per_document.map(|most| most as usize),
        layers: args.layers.clone(),
        explain: args.explain,
        ..asked(&args.asking, &args.target)
    };
    let question = args.question.join(" ");
    let context = session.context(&composition.name);
    let answer = block_on(engine.query(&composition, &question, &options, &context))?;
    drop(context);
    let format = if args.json { Format::Json } else { args.format };
    tell(session, &answer.degraded, &answer.hints);
    session.print(&output::answer(&answer, format, session.terminal.out_color, session.terminal.width)?)?;
    Ok(ExitStatus::Fine)
}

/// How wikis are asked, as the flags say that all such commands have.
pub(super) fn asked(asking: &AskingArgs, target: &TargetArgs) -> QueryOptions {
    QueryOptions {
        refresh: if asking.no_refresh { Refresh::Never } else { Refresh::Auto },
        build: !asking.no_build,
        strict: asking.strict,
        allow_missing: target.allow_missing,
        ..QueryOptions::default()
    }
}

/// Wikis that are named where many serve less than they could for one reason.
const NAMED: usize = 3;

/// What limits the answer, and what else one may want to know, on stderr.
pub(super) fn tell(session: &Session, degraded: &[Degradation], hints: &[Hint]) {
    for line in limits(degraded) {
        session.warn(&line);
    }
    for hint in hints {
        session.tell(&hint.text);
    }
}

/// A line for each reason, however many wikis it holds for; in the order in which they first appear.
fn limits(degraded: &[Degradation]) -> Vec<String> {
    let mut reasons: Vec<(&Degradation, Vec<&str>)> = Vec::new();
    let mut places = HashMap::new();
    for one in degraded {
        let Degradation { wiki, layer, code, sentence, remedy } = one;
        let place = *places.entry((layer, code, anywhere(sentence), remedy)).or_insert(reasons.len());
        match reasons.get_mut(place) {
            Some((_, wikis)) => wikis.push(wiki),
            None => reasons.push((one, vec![wiki])),
        }
    }
    let line = |(reason, wikis): (&Degradation, Vec<&str>)| {
        if wikis.len() == 1 {
            return format!("{reason}; {}", reason.remedy);
        }
        let Degradation { layer, code, sentence, remedy, .. } = reason;
        let named = wikis.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = if wikis.len() > NAMED { ", ..." } else { "" };
        format!("{} wikis ({named}{more}): {layer}: {} [{code}]; {remedy}", wikis.len(), anywhere(sentence))
    };
    reasons.into_iter().map(line).collect()
}

/// A sentence without the file that it names in brackets at its end, which is another one for each wiki.
fn anywhere(sentence: &str) -> &str {
    match sentence.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some((trunk, place)) if place.contains(['/', '\\']) => trunk,
        _ => sentence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(wiki: &str, remedy: &str) -> Degradation {
        let text = str::to_owned;
        let (layer, code, sentence) = (text("dense"), text("no-model"), text("there is no model"));
        Degradation { wiki: text(wiki), layer, code, sentence, remedy: text(remedy) }
    }

    #[test]
    fn one_reason_of_many_wikis_is_one_line() {
        let mut degraded: Vec<Degradation> =
            (0..999).map(|number| of(&format!("w{number}"), "run `wikirag model pull`")).collect();
        degraded.insert(1, of("odd", "look"));
        let lines = limits(&degraded);
        assert_eq!(
            lines,
            [
                "999 wikis (w0, w1, w2, ...): dense: there is no model [no-model]; run `wikirag model pull`",
                "odd/dense: there is no model [no-model]; look"
            ]
        );
        assert!(limits(&degraded[2..4])[0].starts_with("2 wikis (w1, w2): dense"));
        assert!(limits(&[]).is_empty());
    }

    #[test]
    fn the_file_of_each_wiki_makes_no_reason_of_its_own() {
        let mut degraded = vec![of("a", "build"), of("b", "build")];
        for one in &mut degraded {
            one.sentence = format!("the file is damaged (2 bytes) (/wikis/{}/x.db)", one.wiki);
        }
        assert_eq!(limits(&degraded), ["2 wikis (a, b): dense: the file is damaged (2 bytes) [no-model]; build"]);
        assert!(limits(&degraded[..1])[0].contains("(/wikis/a/x.db)"));
    }
}
