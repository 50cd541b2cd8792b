//! Every score of an answer can be made again from what explains it.
//!
//! A thousand questions, in one process: wikis with roles, declarations and weights, words and meaning, all ways to choose wikis.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use futures_lite::future::block_on;
use wikirag::locate::{self, Missing};
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{Answer, BuildOptions, Context, Engine, QueryOptions, Refresh, SearchResult, WikiPart};
use wikirag_testkit::fakes::embedding_service::{DIMENSIONS, EmbeddingService, MODEL};

/// Questions of each composition.
const QUESTIONS: usize = 200;

/// What compositions say beside their wikis, and whether wikis are weighed by evidence then.
const COMPOSITIONS: [(&str, bool); 5] = [
    ("wikis: [one, {wiki: two, weight: 0.7}, three]", true),
    ("wikis: [one, {wiki: two, weight: 1.5}, {wiki: three, weight: 0.2}]\nroute: all\nfuse: rrf", false),
    ("wikis: [{wiki: one, weight: 2}, two, three]\nroute: top:2\nrerank: none", true),
    ("wikis: [{wiki: two, weight: 0.5}]", false),
    ("wikis: [one, two, three]\nper_document: 1\nrerank: {name: trust, raw: 0.7, verified: 1.2}", true),
];

const HEADS: [&str; 5] = [
    "",
    "---\nstatus: stable\nconfidence: high\nverified: true\n---\n",
    "---\nstatus: superseded\nconfidence: 0.2\n---\n",
    "---\nstale_after: 2001-01-01\n---\n",
    "---\nstatus: draft\n---\n",
];

/// One of 400 words; some are drawn more often than others, as in any language.
fn word(rng: &mut Rng) -> String {
    let number = (rng.f64() * rng.f64() * 400.0) as usize;
    let letter = |number: usize| char::from(b"bcdfghjklmnprstvwxyz"[number % 20]);
    format!("{}o{}a", letter(number / 20), letter(number))
}

fn words(count: usize, rng: &mut Rng) -> String {
    (0..count).map(|_| word(rng)).collect::<Vec<_>>().join(" ")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn write_wikis(folder: &Path, rng: &mut Rng) {
    for (wiki, notes) in [("one", 20), ("two", 60), ("three", 40)] {
        write(&folder.join(wiki).join(".wiki.yaml"), "language: en\nroles:\n  - {paths: [raw/], role: raw}\n");
        for number in 0..notes {
            let mut text = format!("{}# {}\n", HEADS[rng.usize(..HEADS.len())], words(2, rng));
            for _ in 0..rng.usize(1..4) {
                write!(text, "\n## {}\n\n{}.\n", words(1, rng), words(40, rng)).unwrap();
            }
            let place = if rng.bool() { "raw" } else { "notes" };
            write(&folder.join(wiki).join(place).join(format!("{number}.md")), &text);
        }
    }
}

fn engine(folder: &Path, service: &EmbeddingService) -> Engine {
    let mut options = LoadOptions::new(folder);
    options.data_dir = Some(folder.join("data"));
    let url = service.url();
    for (key, value) in [
        ("plugins.dense.embedder", "embed-api"),
        ("plugins.embed-api.url", &url),
        ("plugins.embed-api.model", MODEL),
        ("plugins.embed-api.dimensions", &DIMENSIONS.to_string()),
    ] {
        options.flags.push((key.to_owned(), value.to_owned()));
    }
    Engine::with_linked_plugins(Settings::load(&options).unwrap()).unwrap()
}

/// Equal but for what is lost in rounding.
#[track_caller]
fn same(made: f64, told: f64, result: &SearchResult) {
    assert!((made - told).abs() <= 1e-9 * told.abs().max(1e-9), "{made} is not {told}: {result:?}");
}

/// What `rrf` gives a rank.
fn of_rank(weight: f64, rank: usize) -> f64 {
    weight / (60.0 + rank as f64)
}

/// The weight of a wiki before all weights are divided by the largest.
fn before_scaling(wiki: &WikiPart) -> f64 {
    wiki.given * wiki.evidence.iter().map(|one| one.value).product::<f64>()
}

/// What was met on the way, so that a test of nothing does not pass.
#[derive(Debug, Default)]
struct Met {
    results: usize,
    moved: usize,
    of_two_layers: usize,
    weighed_by_two: usize,
    lighter: usize,
}

fn check(answer: &Answer, is_weighed: bool, by_rank: bool, met: &mut Met) {
    let mut largest: Option<f64> = None;
    let mut of_wiki: HashMap<&str, Vec<(usize, f64)>> = HashMap::new();
    let mut best_of: HashMap<(&str, &str), f64> = HashMap::new();
    for result in &answer.results {
        let explanation = result.explanation.as_ref().unwrap();
        for layer in &result.layers {
            if by_rank {
                same(of_rank(layer.weight, layer.rank), layer.value, result);
            } else if layer.value > 1e-5 * layer.weight {
                // One best score for all hits of a layer of a wiki.
                let best = layer.weight * layer.score / layer.value;
                same(best, *best_of.entry((result.wiki.as_str(), layer.layer.as_str())).or_insert(best), result);
                assert!(layer.score <= best * (1.0 + 1e-9), "{result:?}");
            }
        }
        same(result.layers.iter().map(|layer| layer.value).sum(), explanation.inside, result);
        let [wiki] = explanation.wikis.as_slice() else { panic!("one wiki, not {:?}", explanation.wikis) };
        if by_rank {
            same(of_rank(wiki.weight, wiki.rank), wiki.value, result);
        } else if wiki.value > 1e-5 * wiki.weight {
            let best = wiki.weight * explanation.inside / wiki.value;
            same(best, *best_of.entry((result.wiki.as_str(), "")).or_insert(best), result);
        }
        of_wiki.entry(result.wiki.as_str()).or_default().push((wiki.rank, explanation.inside));
        let factors: f64 = explanation.factors.iter().map(|factor| factor.value).product();
        assert_eq!(explanation.reranked, None);
        same(wiki.value * factors, result.score, result);
        if is_weighed {
            assert!(wiki.evidence.iter().all(|one| (0.0..=1.0).contains(&one.value)), "{wiki:?}");
            // One divisor for all wikis of an answer.
            let divisor = before_scaling(wiki) / wiki.weight;
            same(divisor, *largest.get_or_insert(divisor), result);
            assert!(wiki.weight <= 1.0 + 1e-9, "{wiki:?}");
        } else {
            assert!(wiki.evidence.is_empty(), "{wiki:?}");
            same(wiki.given, wiki.weight, result);
        }
        met.results += 1;
        met.moved += usize::from(!explanation.factors.is_empty());
        met.of_two_layers += usize::from(result.layers.len() == 2);
        met.weighed_by_two += usize::from(wiki.evidence.len() == 2);
        met.lighter += usize::from(wiki.weight < 0.99);
    }
    assert!(answer.results.is_sorted_by(|a, b| a.score >= b.score), "{answer:?}");
    for (wiki, mut ranks) in of_wiki {
        ranks.sort_by_key(|(rank, _)| *rank);
        assert!(ranks.is_sorted_by(|a, b| a.0 < b.0 && a.1 >= b.1), "{wiki}: {ranks:?}");
    }
}

#[test]
fn every_score_is_made_of_what_explains_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng::with_seed(1_000);
    write_wikis(folder.path(), &mut rng);
    let service = EmbeddingService::new();
    let engine = engine(folder.path(), &service);
    let context = Context::new();
    let mut met = Met::default();
    for (number, (text, is_weighed)) in COMPOSITIONS.into_iter().enumerate() {
        let name = format!("{number}.rag.yaml");
        write(&folder.path().join(&name), text);
        let composition = locate::composition(&name, folder.path(), engine.settings(), Missing::Refuse).unwrap();
        for wiki in &composition.wikis {
            let _ = block_on(engine.build(&wiki.located, BuildOptions::default(), &context)).unwrap();
        }
        for number in 0..QUESTIONS {
            let options = QueryOptions {
                limit: Some(rng.usize(1..40)),
                refresh: Refresh::Never,
                explain: true,
                // What is made of passages costs most and gives no score: copies, snippets, contradictions.
                passages: number % 10 == 0,
                ..QueryOptions::default()
            };
            let question = words(rng.usize(1..8), &mut rng);
            let answer = block_on(engine.query(&composition, &question, &options, &context)).unwrap();
            assert!(answer.degraded.is_empty(), "{answer:?}");
            check(&answer, is_weighed, composition.fuse.is_some(), &mut met);
        }
    }
    let Met { results, moved, of_two_layers, weighed_by_two, lighter } = met;
    assert!([results, moved, of_two_layers, weighed_by_two, lighter].iter().all(|count| *count > 2_000), "{met:?}");
}
