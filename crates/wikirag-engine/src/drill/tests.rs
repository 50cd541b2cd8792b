//! A thousand loads out of made-up wikis, in one process.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use futures_lite::future::block_on;
use wikirag_core::{PlaceRange, Registry};
use wikirag_text::estimate_tokens;

use super::*;
use crate::locate::{self, Missing};
use crate::settings::{LoadOptions, Settings};

/// A question costs more than a load, where the program is not optimised: each is loaded into several budgets, a thousand loads in all.
const QUESTIONS: usize = 200;
const BUDGETS: usize = 5;

/// Words are two syllables; some are drawn more often than others, as in any language.
fn word(rng: &mut Rng) -> String {
    let number = (rng.f64() * rng.f64() * 400.0) as usize;
    let letter = |number: usize| char::from(b"bcdfghjklmnprstvwxyz"[number % 20]);
    format!("{}o{}a", letter(number / 20), letter(number))
}

fn words(count: usize, rng: &mut Rng) -> String {
    (0..count).map(|_| word(rng)).collect::<Vec<_>>().join(" ")
}

/// Lines of which no two are the same in all the wikis.
struct Lines(usize);

impl Lines {
    fn next(&mut self, rng: &mut Rng) -> String {
        self.0 += 1;
        let said = match rng.u8(..8) {
            0 => format!("端口{}是默认的。这个很重要。没有别的。", self.0),
            1 => format!("`put_{}` {} {}", word(rng), rng.u32(..), words(2, rng)),
            2 => format!("- [[{}]]: {}", word(rng), words(6, rng)),
            3 => words(20, rng) + ". " + &words(9, rng),
            _ => words(6, rng),
        };
        format!("{said} {}.", self.0)
    }
}

fn page(rng: &mut Rng, lines: &mut Lines) -> String {
    let mut text = String::new();
    if rng.bool() {
        writeln!(text, "---\ntags: [a]\nsummary: about {}\n---", words(3, rng)).unwrap();
    }
    writeln!(text, "# {} {}\n", words(2, rng), lines.0).unwrap();
    for _ in 0..rng.usize(0..5) {
        if rng.u8(..3) == 0 {
            lines.0 += 1;
            writeln!(text, "## {} {}\n", word(rng), lines.0).unwrap();
        }
        for _ in 0..rng.usize(1..4) {
            writeln!(text, "{}", lines.next(rng)).unwrap();
        }
        text.push('\n');
    }
    text
}

fn write(folder: &Path, path: &str, text: &str) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// Wikis of some hundred pages: `one` with index pages and a hot cache, `two` with neither.
fn wikis(folder: &Path, rng: &mut Rng) {
    let mut lines = Lines(0);
    for wiki in ["one", "two"] {
        write(folder, &format!("{wiki}/.wiki.yaml"), "language: en\n");
        for number in 0..120 {
            let place = ["", "a/", "b/", "b/deep/"][rng.usize(..4)];
            write(folder, &format!("{wiki}/{place}{number}.md"), &page(rng, &mut lines));
        }
    }
    for path in ["one/hot.md", "one/index.md", "one/README.md", "one/a/_index.md", "one/b/b.md"] {
        let text: String = (0..40).map(|_| lines.next(rng) + "\n").collect();
        write(folder, path, &text);
    }
    write(folder, "two/long.md", &format!("# Long\n\n{}", words(900, rng)));
    write(folder, "r.rag.yaml", "wikis: [one, {wiki: two, weight: 0.8}]\n");
}

fn engine(folder: &Path) -> Engine {
    let mut options = LoadOptions::new(folder);
    options.data_dir = Some(folder.join("data"));
    let plugins = [wikirag_markdown::PLUGIN, wikirag_rrf::PLUGIN, wikirag_bm25::PLUGIN];
    Engine::new(Registry::from_plugins(plugins).unwrap(), Settings::load(&options).unwrap()).unwrap()
}

fn question(rng: &mut Rng) -> String {
    let about = words(rng.usize(1..6), rng);
    match rng.u8(..9) {
        0 => format!("what changed lately about {about}"),
        1 => format!("overview of {about}"),
        2 => format!("why {about}"),
        3 => format!("how to {about}"),
        4 => format!("\"{}\" {about}", word(rng)),
        5 => ["没有别的端口", "xyzzy", "\u{1f33f}"][rng.usize(..3)].to_owned(),
        6 => format!("{about} \u{1f33f} unheard-of"),
        _ => about,
    }
}

/// Fails where a load breaks a promise. `seen` gathers what was met, so that a test of nothing does not pass.
fn check(folder: &Path, drilled: &Drilled, seen: &mut HashSet<String>) {
    let told = || format!("{:?} in {}", drilled.query, drilled.budget);
    assert!(drilled.tokens <= drilled.budget, "{}", told());
    assert!(estimate_tokens(&drilled.context()) <= drilled.tokens, "{}", told());
    assert_eq!(drilled.tokens, drilled.levels.iter().map(|level| level.tokens).sum::<usize>());
    assert!((0.0..=1.0).contains(&drilled.coverage));
    seen.insert(drilled.kind.clone());
    let mut lines: HashMap<(String, String, String), usize> = HashMap::new();
    for level in &drilled.levels {
        assert!(level.tokens <= level.allowance && !level.reason.is_empty(), "{}", told());
        assert_eq!(level.tokens, level.blocks.iter().map(|block| block.tokens).sum::<usize>());
        seen.insert(format!("{} {}", level.level.name(), level.stopped));
        for block in &level.blocks {
            assert_eq!(block.tokens, estimate_tokens(&format!("{}\n{}", block.head, block.text)));
            assert!(!block.text.trim().is_empty() && block.head.contains(&block.citation), "{block:?}");
            if block.made {
                seen.insert(format!("{} made", level.level.name()));
                continue;
            }
            let file = fs::read_to_string(folder.join(&block.wiki).join(&block.path)).unwrap();
            let Some(PlaceRange::Lines(first, last)) = block.place else { panic!("{block:?}") };
            let cited: Vec<&str> = file.lines().collect();
            let cited = cited[first as usize - 1..last as usize].join("\n");
            assert!(cited.contains(&block.text), "{}: {block:?}", told());
            for line in block.text.lines().filter(|line| line.contains(char::is_alphanumeric)) {
                *lines.entry((block.wiki.clone(), block.path.clone(), line.to_owned())).or_default() += 1;
            }
        }
    }
    assert!(lines.values().all(|count| *count == 1), "a line is loaded twice: {}", told());
    if drilled.tokens == 0 {
        let is_told = drilled
            .hints
            .iter()
            .any(|hint| matches!(hint.code.as_str(), "budget-too-small" | "nothing-found" | "no-words"));
        assert!(is_told, "{}", told());
    }
}

#[test]
fn no_load_is_over_its_budget() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut rng = Rng::with_seed(4);
    wikis(folder, &mut rng);
    let engine = engine(folder);
    let rag = |name| locate::composition(name, folder, engine.settings(), Missing::Refuse).unwrap();
    let rags = [rag("r.rag.yaml"), rag("one"), rag("two")];
    let mut seen = HashSet::new();
    let kinds = Kinds::own().unwrap();
    for number in 0..QUESTIONS {
        let (rag, question) = (&rags[number % 3], question(&mut rng));
        let query = QueryOptions { limit: Some(30), refresh: crate::Refresh::Never, ..QueryOptions::default() };
        let answer = block_on(engine.query(rag, &question, &query, &Context::new())).unwrap();
        for _ in 0..BUDGETS {
            // Evenly over the powers of two from 200 to 32,000, and now and then next to nothing.
            let budget = if rng.u8(..20) == 0 { rng.usize(1..40) } else { (200.0 * 160_f64.powf(rng.f64())) as usize };
            let drilled = load(&engine, rag, answer.clone(), &kinds, budget).unwrap();
            check(folder, &drilled, &mut seen);
            if number % 10 == 0 {
                let options = DrillOptions { budget, query: query.clone(), kinds: None };
                let again = block_on(engine.drill(rag, &question, &options, &Context::new())).unwrap();
                let json = |drilled: &Drilled| serde_json::to_string(&drilled.levels).unwrap();
                assert_eq!(json(&drilled), json(&again), "{question:?}");
            }
        }
    }
    for met in [
        "recent",
        "overview",
        "reason",
        "how-to",
        "lookup",
        "topic",
        "hot full",
        "hot nothing",
        "index full",
        "index made",
        "domain full",
        "domain made",
        "page full",
        "page enough",
        "page nothing",
    ] {
        assert!(seen.contains(met), "{met} was never met: {seen:?}");
    }
}

#[test]
fn the_table_decides_what_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "w/.wiki.yaml", "language: en\n");
    write(folder, "w/hot.md", "# Hot\n\nBasil is in work.\n");
    write(folder, "w/herbs/basil.md", "# Basil\n\nSow basil in May, when nights stay warm.\n");
    write(folder, "w/herbs/mint.md", "---\nsummary: spreads by runners\n---\n# Mint\n\nCut mint often.\n");
    let engine = engine(folder);
    let rag = locate::composition("w", folder, engine.settings(), Missing::Refuse).unwrap();
    let load = |table: Option<&str>, question: &str| {
        let kinds = table.map(|table| Kinds::parse(table, "test").unwrap());
        let options = DrillOptions { budget: 1_000, query: QueryOptions::default(), kinds };
        block_on(engine.drill(&rag, question, &options, &Context::new())).unwrap()
    };
    let levels = |drilled: &Drilled| -> Vec<(&str, &str)> {
        drilled.levels.iter().map(|level| (level.level.name(), level.stopped)).collect()
    };
    let own = load(None, "when should one sow basil outside");
    assert_eq!(own.kind, "topic");
    assert_eq!(levels(&own)[..3], [("hot", "done"), ("index", "done"), ("domain", "done")]);
    assert!(own.context().contains("- mint.md: spreads by runners\n"), "{}", own.context());
    assert!(own.context().contains("[w/herbs/basil.md:1-3] Basil\n# Basil\n\nSow basil in May"), "{}", own.context());
    let table = "[[kind]]\nname = \"all\"\nsteps = [{level = \"page\", share = 0.5, enough = 0.1}, {level = \"hot\", share = 1.0}]";
    let other = load(Some(table), "when should one sow basil outside");
    assert_eq!(levels(&other), [("page", "enough"), ("hot", "skipped")]);
    assert_eq!(other.levels[0].allowance, 500);
    let none = load(Some(table), "zzz");
    assert_eq!(levels(&none), [("page", "nothing"), ("hot", "done")]);
}
