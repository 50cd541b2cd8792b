//! `wikirag ask`

use futures_lite::future::block_on;
use wikirag::{AskEvent, AskOptions, Asked, Conflict, Error, Result, SourcePart, Verdict};

use super::{composition, context};
use crate::args::{Ask, TextOrJson};
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, json_text, plain};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Ask) -> Result<ExitStatus> {
    let engine = context::engine(session, &args.budget)?;
    let composition = composition(&engine, &args.target)?;
    let options = AskOptions {
        pack: context::options(&args.budget, &args.asking, &args.target),
        max_tokens: args.max_tokens as usize,
        even_if_weak: args.even_if_weak,
        surface: (!args.no_log).then_some("ask"),
        clearance: composition.clearance,
    };
    let is_text = !args.json && args.format == TextOrJson::Text;
    let progress = session.context(&composition.name);
    // What could not be printed; nobody reads the rest either.
    let mut fault: Option<Error> = None;
    let mut on_event = |event: AskEvent<'_>| match event {
        AskEvent::Piece(text) if is_text && fault.is_none() => fault = session.print(&plain(text)).err(),
        AskEvent::Piece(_) | AskEvent::Context(_) => {}
    };
    let asked = block_on(engine.ask(&composition, &args.question.join(" "), &options, &mut on_event, &progress));
    drop(progress);
    if let Some(fault) = fault {
        return Err(fault);
    }
    let asked = asked?;
    super::query::tell(session, &asked.degraded, &asked.hints);
    if is_text {
        session.print(&below(&asked))?;
        session.tell(&cost(&asked));
    } else {
        session.print(&json_text(&Versioned::first(&asked))?)?;
    }
    for line in doubts(&asked) {
        session.warn(&line);
    }
    Ok(ExitStatus::Fine)
}

/// What stands under the answer; in place of one that no model wrote, the context.
fn below(asked: &Asked) -> String {
    let Some(answer) = &asked.answer else { return plain(&asked.context.passages()) };
    let mut text = if answer.ends_with('\n') { String::new() } else { "\n".to_owned() };
    if !asked.sources.is_empty() {
        text += "\nSources:\n";
        text.extend(asked.sources.iter().map(source));
    }
    let found = asked.found == Some(true);
    if found && !asked.conflicts.is_empty() {
        text += "\nPassages that disagree:\n";
        text.extend(asked.conflicts.iter().map(conflict));
    }
    text
}

fn source(part: &SourcePart) -> String {
    let trail = [&part.title].into_iter().chain(&part.headings).map(|heading| clean(heading)).collect::<Vec<_>>();
    format!("  {}  {}\n      {}\n", clean(&part.citation), trail.join(" > "), clean(&part.quote.text))
}

fn conflict(conflict: &Conflict) -> String {
    let side = |side: &wikirag::ConflictSide| {
        let said = if side.sentence.is_empty() { &side.text } else { &side.sentence };
        clean(&format!("{}/{}{}: {said}", side.wiki, side.path, side.place))
    };
    let there = conflict.there.as_ref().map(|there| format!("\n    {}", side(there))).unwrap_or_default();
    format!("  {}{there}\n", side(&conflict.here))
}

/// What of the answer should be looked at. Any text is true to its sources where it says nothing of them.
fn doubts(asked: &Asked) -> Vec<String> {
    let count = |is: fn(&Verdict) -> bool| asked.claims.iter().filter(|claim| is(&claim.verdict)).count();
    let (all, uncited) = (asked.claims.len(), count(|verdict| *verdict == Verdict::Uncited));
    let doubtful = count(|verdict| matches!(verdict, Verdict::Doubtful | Verdict::OtherNumber | Verdict::Misquoted));
    let mut lines = Vec::new();
    if asked.invented > 0 {
        lines.push(format!("{} of the citations lead to nothing that the model was given", asked.invented));
    }
    if doubtful > 0 {
        lines.push(format!("{doubtful} of {all} sentences say what the passages that they cite do not hold"));
    }
    if asked.found == Some(true) && uncited > 0 {
        lines.push(format!("{uncited} of {all} sentences cite nothing"));
    }
    lines
}

fn cost(asked: &Asked) -> String {
    let written = match (&asked.model, asked.tokens_in, asked.tokens_out) {
        (Some(model), Some(read), Some(written)) => format!("; {model} read {read} tokens and wrote {written}"),
        (Some(model), ..) => format!("; written by {model}"),
        (None, ..) => String::new(),
    };
    format!("evidence {:.2}; {}{written}", asked.support.strength, context::cost(&asked.context))
}
