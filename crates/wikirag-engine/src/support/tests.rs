use std::fs;
use std::path::Path;

use futures_lite::future::block_on;
use proptest::prelude::*;
use wikirag_core::{Context, Registry};

use super::*;
use crate::locate::Missing;
use crate::settings::{LoadOptions, Settings};
use crate::{QueryOptions, locate};

fn word(text: &str, with: u64) -> Word {
    Word { text: text.to_owned(), frequency: Frequency { with, all: 1_000 } }
}

fn words(question: &str) -> Vec<Word> {
    question.split(' ').map(|text| word(text, if text.starts_with("un") { 0 } else { 5 })).collect()
}

fn passage_of(name: &str, text: &str) -> Passage {
    Passage {
        language: Some(Language::English),
        names: vec![name.to_owned()],
        text: text.to_owned(),
        ..Passage::default()
    }
}

fn strength(question: &str, passages: &[Passage]) -> f64 {
    let words = words(question);
    supported(&words, Evidence::of(&words, passages, true), None).strength
}

#[test]
fn a_page_of_that_name_says_more_than_a_mention() {
    let page = strength("basil pesto", &[passage_of("Basil pesto", "Crush the leaves.")]);
    let mention = strength("basil pesto", &[passage_of("Cellar", "Wine, oil, basil pesto, salt.")]);
    let half = strength("basil pesto", &[passage_of("Basil", "Sow it in May.")]);
    assert!(page > mention.max(half), "{page} {mention} {half}");
    let section = strength("basil pesto", &[passage_of("The basil pestos", "Crush the leaves.")]);
    assert!((page - section).abs() < 1e-9, "{page} {section}: inflections and function words are no difference");
}

#[test]
fn what_five_passages_say_alike_is_no_answer_to_this_question() {
    let same = passage_of("Herbs", "water basil");
    let one = Passage { text: "water basil at dusk in August".to_owned(), ..same.clone() };
    let question = "water basil dusk August balcony pots";
    let among = strength(question, &[one.clone(), same.clone(), same.clone(), same.clone(), same]);
    let alike = strength(question, &vec![one; 5]);
    assert!(among > alike, "{among} {alike}");
}

#[test]
fn what_is_missing_is_told_in_the_order_of_the_question() {
    let words = words("unheard basil frost unseen");
    let support = supported(&words, Evidence::of(&words, &[passage_of("Herbs", "Sow basil.")], true), None);
    assert_eq!(support.missing, ["unheard", "frost", "unseen"]);
    assert_eq!(support.unknown, ["unheard", "unseen"]);
    assert!(support.coverage > 0.0 && support.coverage < 0.5, "{support:?}");
}

#[test]
fn cosines_count_where_their_model_is_known() {
    let words = words("basil frost");
    let evidence = || Evidence::of(&words, &[passage_of("Herbs", "Sow basil.")], false);
    let with = |scale: &str, cosine: f64| {
        supported(&words, evidence(), formula::nearness(scale, cosine).map(|odds| (cosine, odds)))
    };
    let known = "cosine onnx 1; all-minilm-l6-v2; model abc";
    let alone = with("cosine of another model", 0.9);
    assert_eq!((alone.cosine, alone.strength), (None, supported(&words, evidence(), None).strength));
    assert!(with(known, 0.7).strength > alone.strength && with(known, 0.2).strength < alone.strength);
    assert_eq!(with(known, -1.0).strength, with(known, 0.0).strength, "nothing is farther than far");
}

#[test]
fn names_of_files_are_their_stem_and_folder() {
    let names = |path: &str| file_names(path).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(names("herbs/basil/README.md"), ["README", "basil"]);
    assert_eq!(names("basil.md"), ["basil"]);
    assert_eq!(names(""), [""]);
}

#[test]
fn nonsense_is_weak_with_and_without_vectors() {
    let words = words("unzxqv unblorptang");
    let weak = |passages: &[Passage], cosine: Option<f64>| {
        let near = cosine.and_then(|cosine| Some((cosine, formula::nearness("; all-minilm-l6-v2; ", cosine)?)));
        let support = supported(&words, Evidence::of(&words, passages, true), near);
        assert_eq!(support.unknown, ["unzxqv", "unblorptang"]);
        support.is_weak
    };
    let other = [passage_of("Herbs", "Sow basil."), passage_of("Frost", "Cover the beds.")];
    assert!(weak(&[], None) && weak(&other, None), "no passage holds a word");
    assert!(weak(&other, Some(0.45)) && weak(&[], Some(0.0)), "what vectors find is far");
}

fn engine(folder: &Path) -> Engine {
    let mut options = LoadOptions::new(folder);
    options.data_dir = Some(folder.join("data"));
    let plugins = [wikirag_markdown::PLUGIN, wikirag_rrf::PLUGIN, wikirag_bm25::PLUGIN];
    Engine::new(Registry::from_plugins(plugins).unwrap(), Settings::load(&options).unwrap()).unwrap()
}

fn write(folder: &Path, path: &str, text: &str) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// Two wikis, in one composition `both.rag.yaml`.
fn wikis() -> (tempfile::TempDir, Engine, Composition) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for number in 0..12 {
        write(
            root,
            &format!("garden/bed-{number}.md"),
            &format!("# Bed {number}\n\nWater the bed and weed it, row {number}.\n"),
        );
        write(
            root,
            &format!("garage/car-{number}.md"),
            &format!("# Car {number}\n\nCheck the oil and the tyres, car {number}.\n"),
        );
    }
    write(
        root,
        "garden/basil.md",
        "---\naliases: [Ocimum]\n---\n# Basil\n\nSow basil in May, when nights stay warm.\n",
    );
    write(root, "garage/jack.md", "# Jack\n\nPut the jack under the sill. Never lift by the sump.\n");
    write(root, "both.rag.yaml", "wikis: [garden, garage]\n");
    let engine = engine(root);
    let rag = locate::composition("both.rag.yaml", root, engine.settings(), Missing::Refuse).unwrap();
    (folder, engine, rag)
}

fn ask(engine: &Engine, rag: &Composition, question: &str, options: &QueryOptions) -> Support {
    let answer = block_on(engine.query(rag, question, options, &Context::new())).unwrap();
    let support = block_on(engine.support(rag, &answer)).unwrap();
    let shares = [support.strength, support.coverage, support.together, support.about, support.lead];
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && support.information.is_finite(), "{support:?}");
    assert_eq!(support, block_on(engine.support(rag, &answer)).unwrap(), "{question:?}");
    support
}

#[test]
fn wikis_that_know_are_told_from_those_that_do_not() {
    let (_folder, engine, rag) = wikis();
    let ask = |question: &str| ask(&engine, &rag, question, &QueryOptions::default());
    for known in ["when to sow basil", "Ocimum", "what is a jack", "where do I put the jack under the sill"] {
        let support = ask(known);
        assert!(!support.is_weak && support.missing.is_empty(), "{known}: {support:?}");
    }
    for unknown in ["zxqv blorptang", "who won the election in 1912", "water for camels in the desert", "?!"] {
        let support = ask(unknown);
        assert!(support.is_weak, "{unknown}: {support:?}");
    }
    assert_eq!(ask("does the jack fit a tractor").missing, ["fit", "tractor"]);
    assert_eq!(ask("basil path:basil.md").missing, [""; 0], "what the question demands of fields is none of its words");
}

#[test]
fn passages_come_from_the_catalog_where_the_answer_has_none() {
    let (_folder, engine, rag) = wikis();
    let without = QueryOptions { passages: false, ..QueryOptions::default() };
    let [whole, bare] =
        [QueryOptions::default(), without].map(|options| ask(&engine, &rag, "when to sow basil", &options));
    assert_eq!(whole.missing, bare.missing);
    assert!((whole.strength - bare.strength).abs() < 0.2, "{whole:?} {bare:?}");
}

#[test]
fn any_question_has_a_support() {
    let (_folder, engine, rag) = wikis();
    let long = "basil ".repeat(20_000);
    let odd =
        ["\u{202e}basil\u{0}", "日本語の質問", "-", "\"", "tag:", "+\"\" -basil", "a_b.c::d/e", "🌿 basil", &long];
    for question in odd {
        ask(&engine, &rag, question, &QueryOptions::default());
    }
}

proptest! {
    #[test]
    fn any_words_and_passages_have_a_support(
        counts in prop::collection::vec((0_u64..9, 0_u64..9), 0..9),
        texts in prop::collection::vec(("[a-i ]{0,9}", "\\PC{0,20}|[a-i ]{0,40}"), 0..12),
        is_all: bool,
        cosine in prop::option::of(prop::num::f64::ANY),
    ) {
        let word = |(place, (with, all)): (usize, &(u64, u64))| Word {
            text: char::from(b"abcdefghi"[place]).to_string(),
            // A layer may be a moment ahead of another: the counts need not fit together.
            frequency: Frequency { with: *with, all: *all },
        };
        let words: Vec<Word> = counts.iter().enumerate().map(word).collect();
        let passages: Vec<Passage> = texts.iter().map(|(name, text)| passage_of(name, text)).collect();
        let evidence = Evidence::of(&words, &passages, is_all);
        for share in [evidence.coverage, evidence.together, evidence.about, evidence.lead, evidence.brevity] {
            prop_assert!((0.0..=1.0).contains(&share), "{evidence:?}");
        }
        prop_assert!(evidence.information >= 0.0 && evidence.together <= evidence.coverage, "{evidence:?}");
        let near = cosine.and_then(|cosine| Some((cosine, formula::nearness("; all-minilm-l6-v2; ", cosine)?)));
        let support = supported(&words, evidence, near);
        prop_assert!((0.0..=1.0).contains(&support.strength), "{support:?}");
    }
}
