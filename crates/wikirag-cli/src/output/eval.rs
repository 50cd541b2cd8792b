//! Evaluations for people.

use std::fmt::Write as _;

use wikirag::eval::{
    Change, Comparison, Evaluation, Measure, Measures, Moved, Replay, Significance, SystemResult, Tuned,
};
use wikirag::skills::JudgedSkills;

use super::{clean, lines, table};

/// Documents of a ranking that are shown.
const SHOWN: usize = 3;

/// Characters of a question that are shown: some judged ones are whole abstracts.
const QUESTION: usize = 160;

/// One system: a row a set, all measures.
pub(crate) fn evaluation(evaluation: &Evaluation) -> String {
    let row = |name: &str, queries: String, m: &Measures| {
        let figures =
            [m.ndcg_10, m.recall_2, m.recall_5, m.recall_10, m.recall_100, m.mrr_10].map(|f| format!("{f:.4}"));
        let [ndcg, r2, r5, r10, r100, mrr] = figures;
        [name.to_owned(), queries, ndcg, r2, r5, r10, r100, mrr]
    };
    let result = &evaluation.result;
    let mut rows: Vec<_> =
        result.sets.iter().map(|set| row(&set.name, set.queries.to_string(), &set.measures)).collect();
    rows.push(row("mean", String::new(), &result.mean));
    table(&["SET", "QUERIES", "nDCG@10", "R@2", "R@5", "R@10", "R@100", "MRR@10"], rows)
}

/// Several systems: a row each, one measure, and how it stands against the first; then what changed most.
pub(crate) fn comparison(comparison: &Comparison) -> String {
    let measure = comparison.measure;
    let results = comparison.systems.iter().map(|system| &system.result);
    let tests =
        comparison.systems.iter().map(|system| system.against_baseline.as_ref().map(|found| found.significance));
    let baseline = results.clone().next().map_or("", |baseline| baseline.system.as_str());
    let mut text =
        format!("{} of {} questions, against {}\n", measure.name(), comparison.split.name(), clean(baseline));
    text.push_str(&systems(results.zip(tests), measure, ""));
    for system in &comparison.systems {
        let Some(against) = &system.against_baseline else { continue };
        for (what, changes) in [("lost", &against.losses), ("won", &against.wins)] {
            if !changes.is_empty() {
                let _ = writeln!(text, "\n{} {what} most:", clean(&system.result.system));
            }
            for change in changes {
                text.push_str(&changed(change, baseline, &system.result.system));
            }
        }
    }
    text
}

/// What was tried, and the best beside the defaults.
pub(crate) fn tuned(tuned: &Tuned) -> String {
    let measure = tuned.measure;
    let count = tuned.tried.len();
    let mut text = format!("{} of odd questions, {count} tried\n", measure.name());
    text.push_str(&systems(tuned.tried.iter().map(|result| (result, None)), measure, ""));
    for report in &tuned.reports {
        text.push('\n');
        let rows = [(&report.defaults, None), (&report.best, Some(report.significance))];
        text.push_str(&systems(rows.into_iter(), measure, report.split.name()));
    }
    let _ = writeln!(text, "\nchosen: {}", clean(&tuned.chosen));
    text
}

/// How many tasks found what they should, and those that did not.
pub(crate) fn tasks(judged: &JudgedSkills) -> String {
    let share = |share: f64| format!("{share:.3}");
    let rows = judged.hit_at.iter().map(|at| [format!("hit@{}", at.k), share(at.entries), share(at.with_alike)]);
    let mut text = table(&["TASKS", "ENTRIES", "OR ALIKE"], rows.collect());
    let _ = writeln!(text, "{} tasks, MRR@10 {:.3}, {:.1} ms each", judged.tasks, judged.mrr, judged.mean_ms);
    for task in judged.asked.iter().filter(|task| task.rank.is_none_or(|rank| rank > 3)) {
        let rank = task.rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
        let _ = writeln!(text, "\n{} (rank {rank})", clean(&task.task));
        let _ = writeln!(text, "  wanted {}", clean(&task.skills.join(", ")));
        let _ = writeln!(text, "  found  {}", clean(&task.found.join(", ")));
    }
    text
}

/// What systems change of the answers to the questions of a log: a row each, then what changed most.
pub(crate) fn replay(replay: &Replay) -> String {
    let baseline = replay.systems.first().map_or("", |baseline| baseline.system.as_str());
    let mut text = format!("{} questions of {}, against {}\n", replay.questions, clean(&replay.rag), clean(baseline));
    let overlap = format!("OVERLAP@{}", replay.k);
    let head = ["SYSTEM", &overlap, "TOP-1", "p50 ms", "p95 ms"];
    let rows = replay.systems.iter().map(|system| {
        let against = system.against_baseline.as_ref();
        let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.4}"));
        let (overlap, top_1) = (against.map(|found| found.overlap), against.map(|found| found.top_1));
        let times = [system.p50_ms, system.p95_ms].map(|time| format!("{time:.2}"));
        let [p50, p95] = times;
        [system.system.clone(), share(overlap), share(top_1), p50, p95]
    });
    text.push_str(&table(&head, rows.collect()));
    for system in &replay.systems {
        let changes = system.against_baseline.iter().flat_map(|against| &against.changes);
        for (number, change) in changes.enumerate() {
            if number == 0 {
                let _ = writeln!(text, "\n{} changed most:", clean(&system.system));
            }
            text.push_str(&moved(change, baseline, &system.system));
        }
    }
    text
}

fn systems<'a>(
    rows: impl Iterator<Item = (&'a SystemResult, Option<Significance>)> + Clone,
    measure: Measure,
    split: &str,
) -> String {
    let Some((first, _)) = rows.clone().next() else { return String::new() };
    let is_tested = rows.clone().any(|(_, test)| test.is_some());
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let head = if split.is_empty() { "SYSTEM".to_owned() } else { format!("SYSTEM ({split})") };
    let names = first.sets.iter().map(|set| set.name.clone());
    let mut head: Vec<String> = std::iter::once(head).chain(names).chain(words(&["MEAN"])).collect();
    let counts = first.sets.iter().map(|set| set.queries.to_string());
    let counts = words(&["(questions)"]).into_iter().chain(counts).collect();
    if is_tested {
        head.extend(words(&["DIFFERENCE", "95% INTERVAL", "P"]));
    }
    let row = |(result, test): (&SystemResult, Option<Significance>)| {
        let figures = result.sets.iter().map(|set| &set.measures).chain([&result.mean]);
        let figures = figures.map(|measures| format!("{:.4}", measures.get(measure)));
        let test = test.into_iter().flat_map(|test| {
            let interval = format!("{:+.4} .. {:+.4}", test.low, test.high);
            [format!("{:+.4}", test.difference), interval, format!("{:.4}", test.p)]
        });
        std::iter::once(result.system.clone()).chain(figures).chain(test).collect()
    };
    lines([head, counts].into_iter().chain(rows.map(row)).collect())
}

fn question(text: &str) -> String {
    let text = clean(text.trim());
    match text.char_indices().nth(QUESTION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn moved(moved: &Moved, baseline: &str, system: &str) -> String {
    let mut text = format!("  {:.4}  {}\n", moved.overlap, question(&moved.query));
    for (name, pages) in [(baseline, &moved.baseline), (system, &moved.system)] {
        let _ = writeln!(text, "    by {}: {}", clean(name), shown(pages));
    }
    text
}

/// The first documents of a ranking.
fn shown(ranking: &[String]) -> String {
    let documents = ranking.iter().take(SHOWN).map(|id| clean(id)).collect::<Vec<_>>().join(", ");
    if documents.is_empty() { "nothing".to_owned() } else { documents }
}

fn changed(change: &Change, baseline: &str, system: &str) -> String {
    let mut text =
        format!("  {:+.4}  {}/{}  {}\n", change.gain(), clean(&change.set), clean(&change.id), question(&change.query));
    for (name, side) in [(baseline, &change.baseline), (system, &change.system)] {
        let _ = writeln!(text, "    {:.4} by {}: {}", side.score, clean(name), shown(&side.ranking));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_question_is_cut_between_characters() {
        assert_eq!(question(" é\n "), "é");
        assert_eq!(question(&"é".repeat(QUESTION)), "é".repeat(QUESTION));
        assert_eq!(question(&"é".repeat(QUESTION + 1)), "é".repeat(QUESTION) + "…");
    }
}
