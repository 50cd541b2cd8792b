//! `wikirag eval`

use std::fs;

use futures_lite::future::block_on;
use wikirag::eval::{EvalOptions, Evaluation, Measures};
use wikirag::manifest::Route;
use wikirag::{Error, ErrorKind, Result};

use crate::args::Eval;
use crate::exit::ExitStatus;
use crate::output::{json_line, json_text, table};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Eval) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let options = EvalOptions {
        sets: args.beir.clone(),
        work: args.work.clone(),
        layers: args.layers.clone(),
        route: args.route.parse::<Route>()?,
    };
    let context = session.context("eval");
    let evaluation = block_on(engine.evaluate(&options, &context))?;
    drop(context);
    if let Some(file) = &args.per_query {
        let lines = evaluation.outcomes.iter().map(json_line).collect::<Result<String>>()?;
        fs::write(file, lines).map_err(|error| {
            Error::new(ErrorKind::Io, "write measures of each question", error.to_string()).with("path", file.display())
        })?;
    }
    session.print(&if args.json { json_text(&evaluation)? } else { text(&evaluation) })?;
    Ok(ExitStatus::Fine)
}

fn text(evaluation: &Evaluation) -> String {
    let row = |name: &str, queries: String, m: &Measures| {
        let figures =
            [m.ndcg_10, m.recall_2, m.recall_5, m.recall_10, m.recall_100, m.mrr_10].map(|f| format!("{f:.4}"));
        let [ndcg, r2, r5, r10, r100, mrr] = figures;
        [name.to_owned(), queries, ndcg, r2, r5, r10, r100, mrr]
    };
    let mut rows: Vec<_> =
        evaluation.sets.iter().map(|set| row(&set.name, set.queries.to_string(), &set.measures)).collect();
    rows.push(row("mean", String::new(), &evaluation.mean));
    table(&["SET", "QUERIES", "nDCG@10", "R@2", "R@5", "R@10", "R@100", "MRR@10"], rows)
}
