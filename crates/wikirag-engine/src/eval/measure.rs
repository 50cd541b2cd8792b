//! nDCG, recall and reciprocal rank, as trec_eval defines them.

use std::collections::HashMap;
use std::str::FromStr;

use serde::Serialize;
use wikirag_core::{Error, ErrorKind, Result};

/// The measures of one question, or their means over many. Each is in 0..=1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Normalised discounted cumulative gain of the first ten: gain = grade, discount = log2(rank + 1), divided by the
    /// best that any order of the judged documents reaches (`ndcg_cut_10` of trec_eval; Järvelin & Kekäläinen 2002).
    #[serde(rename = "ndcg@10")]
    pub ndcg_10: f64,
    /// Share of the relevant documents among the first two.
    #[serde(rename = "recall@2")]
    pub recall_2: f64,
    /// Among the first five.
    #[serde(rename = "recall@5")]
    pub recall_5: f64,
    /// Among the first ten.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// Among the first hundred.
    #[serde(rename = "recall@100")]
    pub recall_100: f64,
    /// One over the rank of the first relevant document, 0 if there is none among the first ten.
    #[serde(rename = "mrr@10")]
    pub mrr_10: f64,
}

/// One of [`Measures`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub enum Measure {
    /// [`Measures::ndcg_10`]
    #[default]
    #[serde(rename = "ndcg@10")]
    Ndcg10,
    /// [`Measures::recall_2`]
    #[serde(rename = "recall@2")]
    Recall2,
    /// [`Measures::recall_5`]
    #[serde(rename = "recall@5")]
    Recall5,
    /// [`Measures::recall_10`]
    #[serde(rename = "recall@10")]
    Recall10,
    /// [`Measures::recall_100`]
    #[serde(rename = "recall@100")]
    Recall100,
    /// [`Measures::mrr_10`]
    #[serde(rename = "mrr@10")]
    Mrr10,
}

impl Measure {
    /// All of them, in the order of [`Measures`].
    pub const ALL: [Self; 6] =
        [Self::Ndcg10, Self::Recall2, Self::Recall5, Self::Recall10, Self::Recall100, Self::Mrr10];

    /// As it is written, here and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ndcg10 => "ndcg@10",
            Self::Recall2 => "recall@2",
            Self::Recall5 => "recall@5",
            Self::Recall10 => "recall@10",
            Self::Recall100 => "recall@100",
            Self::Mrr10 => "mrr@10",
        }
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|measure| measure.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let help = format!("the measures are: {}", Self::ALL.map(Self::name).join(", "));
            Error::new(ErrorKind::Usage, "read measure", format!("there is no measure {text:?}")).help(help)
        })
    }
}

/// A ranked list of document ids, best first, each once.
pub type Ranking = Vec<String>;

impl Measures {
    /// Measures one ranking against the grades of the judged documents. A document without a grade, or with one of 0 or
    /// less, is not relevant. At least one grade must be positive for the measures to mean anything.
    #[must_use]
    pub fn of(ranking: &[String], grades: &HashMap<String, i64>) -> Self {
        let gain = |document: &String| grades.get(document).copied().unwrap_or(0).max(0);
        let gains: Vec<i64> = ranking.iter().map(gain).collect();
        let mut ideal: Vec<i64> = grades.values().copied().filter(|grade| *grade > 0).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let relevant = ideal.len();
        let recall = |depth: usize| ratio(gains.iter().take(depth).filter(|gain| **gain > 0).count(), relevant);
        let best = discounted(&ideal);
        Self {
            ndcg_10: if best > 0.0 { discounted(&gains) / best } else { 0.0 },
            recall_2: recall(2),
            recall_5: recall(5),
            recall_10: recall(10),
            recall_100: recall(100),
            mrr_10: gains.iter().take(10).position(|gain| *gain > 0).map_or(0.0, |index| ratio(1, index + 1)),
        }
    }

    /// The value of one measure.
    #[must_use]
    pub const fn get(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Ndcg10 => self.ndcg_10,
            Measure::Recall2 => self.recall_2,
            Measure::Recall5 => self.recall_5,
            Measure::Recall10 => self.recall_10,
            Measure::Recall100 => self.recall_100,
            Measure::Mrr10 => self.mrr_10,
        }
    }

    /// The mean of each measure; zeros for nothing.
    #[must_use]
    pub fn mean(all: &[Self]) -> Self {
        let mean = |pick: fn(&Self) -> f64| {
            #[expect(clippy::cast_precision_loss, reason = "a count of questions")]
            let count = all.len().max(1) as f64;
            all.iter().map(pick).sum::<f64>() / count
        };
        Self {
            ndcg_10: mean(|m| m.ndcg_10),
            recall_2: mean(|m| m.recall_2),
            recall_5: mean(|m| m.recall_5),
            recall_10: mean(|m| m.recall_10),
            recall_100: mean(|m| m.recall_100),
            mrr_10: mean(|m| m.mrr_10),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of documents and grades, far below 2^52")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// DCG of the first ten.
#[expect(clippy::cast_precision_loss, reason = "counts of documents and grades, far below 2^52")]
fn discounted(gains: &[i64]) -> f64 {
    gains.iter().take(10).enumerate().map(|(index, gain)| *gain as f64 / (index as f64 + 2.0).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(ranking: &[&str], grades: &[(&str, i64)]) -> Measures {
        let ranking: Vec<String> = ranking.iter().map(|id| (*id).to_owned()).collect();
        Measures::of(&ranking, &grades.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect())
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6, "{a} is not {b}");
    }

    #[test]
    fn a_measure_is_read_by_the_name_that_json_gives_it() {
        let values =
            Measures { ndcg_10: 1.0, recall_2: 2.0, recall_5: 3.0, recall_10: 4.0, recall_100: 5.0, mrr_10: 6.0 };
        let json = serde_json::to_value(values).unwrap();
        for measure in Measure::ALL {
            assert_eq!(json[measure.name()], values.get(measure));
            assert_eq!(serde_json::to_value(measure).unwrap(), measure.name());
            assert_eq!(measure.name().parse::<Measure>().unwrap(), measure);
        }
        assert_eq!("nDCG@10".parse::<Measure>().unwrap(), Measure::Ndcg10);
        assert!("map".parse::<Measure>().unwrap_err().to_string().contains("recall@100"));
    }

    #[test]
    fn by_hand_one_relevant_at_rank_three() {
        // DCG = 1 / log2(4) = 0.5, ideal = 1 / log2(2) = 1.
        let m = measure(&["x", "y", "a"], &[("a", 1)]);
        close(m.ndcg_10, 0.5);
        close(m.mrr_10, 1.0 / 3.0);
        close(m.recall_2, 0.0);
        close(m.recall_5, 1.0);
    }

    #[test]
    fn by_hand_graded() {
        // DCG = 1/1 + 3/log2(3) + 0 + 2/log2(5) = 1 + 1.892789 + 0.861353 = 3.754142
        // ideal = 3/1 + 2/log2(3) + 1/log2(4) = 3 + 1.261860 + 0.5 = 4.761860
        let m = measure(&["c", "a", "x", "b"], &[("a", 3), ("b", 2), ("c", 1), ("z", 0), ("n", -1)]);
        close(m.ndcg_10, 3.754_142 / 4.761_860);
        close(m.recall_2, 2.0 / 3.0);
        close(m.mrr_10, 1.0);
    }

    #[test]
    fn by_hand_more_relevant_than_ten_and_nothing_found() {
        let grades: Vec<(String, i64)> = (0..12).map(|i| (format!("d{i}"), 1)).collect();
        let ranking: Vec<String> = (0..12).map(|i| format!("d{i}")).collect();
        let m = Measures::of(&ranking, &grades.into_iter().collect());
        close(m.ndcg_10, 1.0);
        close(m.recall_10, 10.0 / 12.0);
        close(m.recall_100, 1.0);
        assert_eq!(measure(&["x"], &[("a", 1)]), Measures::default());
        assert_eq!(measure(&[], &[("a", 1)]), Measures::default());
    }

    #[test]
    fn a_relevant_document_behind_rank_ten_counts_for_recall_100_alone() {
        let mut ranking: Vec<String> = (0..10).map(|i| format!("x{i}")).collect();
        ranking.push("a".to_owned());
        let m = Measures::of(&ranking, &HashMap::from([("a".to_owned(), 1)]));
        assert_eq!(m, Measures { recall_100: 1.0, ..Measures::default() });
    }
}
