//! `wikirag lint`

use futures_lite::future::block_on;
use serde::Serialize;
use wikirag::Result;
use wikirag::lint::{Finding, LintOptions, LintReport};

use super::{composition, hot};
use crate::args::{Lint, TextOrJson};
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_text, table};
use crate::runner::Session;

#[derive(Serialize)]
struct Reports<'a> {
    wikis: &'a [LintReport],
}

pub(super) fn run(session: &Session, args: &Lint) -> Result<ExitStatus> {
    let as_of = args.as_of.as_deref().map(hot::day).transpose()?;
    let mut options = LintOptions::of_checks(args.check.as_deref(), &args.skip)?;
    (options.as_of, options.refresh) = (as_of, !args.no_refresh);
    let engine = session.engine()?;
    let composition = composition(&engine, &args.target)?;
    let context = session.context(&composition.name);
    let reports = block_on(engine.lint(&composition, &options, &context))?;
    drop(context);
    for report in &reports {
        if let Some(why) = &report.behind {
            session.tell(&format!("{}: what is told may be old: {why}", report.wiki));
        }
    }
    if args.json || args.format == TextOrJson::Json {
        session.print(&json_text(&Versioned::first(Reports { wikis: &reports }))?)?;
    } else {
        let is_one = reports.len() == 1;
        for report in &reports {
            session.print(&text(report, is_one))?;
        }
    }
    let is_under = |report: &LintReport| args.fail_under.is_some_and(|least| report.health < least);
    Ok(if reports.iter().any(is_under) { ExitStatus::Partial } else { ExitStatus::Fine })
}

/// A line for each finding, a table of the checks that found something, and the score.
fn text(report: &LintReport, is_one: bool) -> String {
    let line = |finding: &Finding| {
        let wiki = if is_one { String::new() } else { format!("{}/", report.wiki) };
        format!("{wiki}{}\n", clean(&finding.to_string()))
    };
    let mut text: String = report.findings.iter().map(line).collect();
    if !text.is_empty() {
        let rows = report.checks.iter().filter(|check| check.findings > 0).map(|check| {
            let takes = format!("{:.1} %", check.takes * 100.0);
            [check.check.to_owned(), check.findings.to_string(), check.pages.to_string(), takes]
        });
        text.push('\n');
        text.push_str(&table(&["CHECK", "FINDINGS", "PAGES", "TAKES"], rows.collect()));
        text.push('\n');
    }
    let found = match report.findings.len() {
        0 => "nothing found".to_owned(),
        findings => count(findings as u64, "finding"),
    };
    text + &format!(
        "{}: {found} in {}, health {}\n",
        report.wiki,
        count(report.pages as u64, "page"),
        shown(report.health)
    )
}

/// With one decimal, rounded down: 100 means that nothing takes anything.
fn shown(health: f64) -> String {
    format!("{:.1}", (health * 10.0).floor() / 10.0)
}
