//! [B60] Random wikis, trust levels, callers and questions, over every way in: what a caller may not see is in no answer, and what it may
//! not see answers as what is not there.
//!
//! `WIKIRAG_LEAK_CASES=10000` asks more often than a run of all tests has time for.

use serde_json::{Value, json};
use wikirag_tests::World;

use super::{Server, token};
use crate::world_of_all_layers;

const LEVELS: [&str; 4] = ["public", "internal", "confidential", "restricted"];

/// Wikis of a world. Everything that is theirs alone holds `zq` and their letter.
const WIKIS: usize = 6;

/// The letters of wikis. With a number the words of one would have a word in common with texts of others.
const LETTERS: [char; WIKIS + 1] = ['b', 'c', 'd', 'f', 'g', 'h', 'k'];

/// The wiki that is nowhere, called as the others are.
const NOWHERE: usize = WIKIS;

/// Cases that one world serves.
const A_WORLD: usize = 200;

/// Of so many cases one is a run of the program, which costs as much as a hundred requests.
const RUNS: usize = 20;

struct Estate {
    world: World,
    levels: [usize; WIKIS],
    /// Wikis that the composition lists. The last is never one.
    listed: [bool; WIKIS],
    callers: Vec<Caller>,
}

struct Caller {
    header: String,
    level: usize,
    wikis: Option<Vec<usize>>,
}

impl Estate {
    fn new(random: &mut fastrand::Rng) -> Self {
        let mut world = world_of_all_layers();
        world.set_variable("WIKIRAG_LAYERS", "bm25,graph");
        let mut levels = [0; WIKIS];
        let mut listed = [false; WIKIS];
        for wiki in 0..WIKIS {
            levels[wiki] = random.usize(..4);
            listed[wiki] = wiki + 1 < WIKIS && random.usize(..5) > 0;
            write_wiki(&world, wiki, levels[wiki], random);
        }
        listed[0] = true;
        let names: Vec<String> =
            (0..WIKIS).filter(|wiki| listed[*wiki]).map(|wiki| format!("wzq{}", LETTERS[wiki])).collect();
        let highest = (0..WIKIS).filter(|wiki| listed[*wiki]).map(|wiki| levels[wiki]).max().unwrap();
        let clearance = LEVELS[highest];
        world.write("all.rag.yaml", format!("name: all\nclearance: {clearance}\nwikis: [{}]\n", names.join(", ")));
        for letter in &LETTERS[..WIKIS] {
            let _ = world.run(&["build", &format!("wzq{letter}")]).ok();
        }
        let mut callers = Vec::new();
        for number in 0..6 {
            let level = random.usize(..4);
            let wikis = random.bool().then(|| (0..WIKIS).filter(|_| random.bool()).collect::<Vec<_>>());
            let wikis = wikis.filter(|wikis| !wikis.is_empty());
            let name = format!("caller{number}");
            let mut args = vec![name, "--clearance".to_owned(), LEVELS[level].to_owned()];
            for wiki in wikis.iter().flatten() {
                args.extend(["--wiki".to_owned(), format!("wzq{}", LETTERS[*wiki])]);
            }
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let header = format!("Authorization: Bearer {}", token(&world, &args));
            callers.push(Caller { header, level, wikis });
        }
        Self { world, levels, listed, callers }
    }

    fn sees(&self, caller: &Caller, wiki: usize) -> bool {
        let is_given = caller.wikis.as_ref().is_none_or(|wikis| wikis.contains(&wiki));
        self.listed[wiki] && is_given && self.levels[wiki] <= caller.level
    }
}

fn write_wiki(world: &World, wiki: usize, level: usize, random: &mut fastrand::Rng) {
    let letter = LETTERS[wiki];
    let folder = format!("wzq{letter}");
    world.write(
        &format!("{folder}/.wiki.yaml"),
        format!("name: wzq{letter}\ntitle: Title tzq{letter}\nsensitivity: {}\n", LEVELS[level]),
    );
    for page in 0..3 {
        let other = random.usize(..3);
        let text = format!(
            "---\ntags: [gzq{letter}]\naliases: [azq{letter}p{page}]\n---\n# Heading hzq{letter} of compost {page}\n\n\
             The beans and the compost of szq{letter} number {page}. See [[pzq{letter}p{other}]] and [[pzq{letter}p{page}x]].\n"
        );
        world.write(&format!("{folder}/pzq{letter}p{page}.md"), text);
    }
}

/// What may stand in a question: common words, words and names of any wiki, and things that must mean nothing special.
fn words(random: &mut fastrand::Rng, wiki: usize) -> String {
    let letter = LETTERS[wiki];
    let special = ["__all__", "*", "../", "all wikis", "wiki:*", "-compost", "\"beans and\""];
    match random.usize(..6) {
        0 => format!("szq{letter}"),
        1 => format!("tzq{letter} compost"),
        2 => format!("[[pzq{letter}p1]] beans"),
        3 => special[random.usize(..special.len())].to_owned(),
        _ => "compost beans".to_owned(),
    }
}

/// A request: method, path and body.
fn request(random: &mut fastrand::Rng, wiki: usize) -> (&'static str, String, String) {
    let letter = LETTERS[wiki];
    let name = if random.usize(..8) == 0 { format!("../wzq{letter}") } else { format!("wzq{letter}") };
    let page = random.usize(..3);
    let question = words(random, wiki);
    let post = |path: &str, body: Value| ("POST", path.to_owned(), body.to_string());
    let get = |path: String| ("GET", path, String::new());
    let tool = |tool: &str, arguments: Value| {
        post(
            "/mcp",
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}),
        )
    };
    let mcp = |method: &str, params: Value| {
        post("/mcp", json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    };
    match random.usize(..26) {
        0 => post("/v1/query", json!({"question": question})),
        1 => post("/v1/query", json!({"question": question, "wikis": [name], "explain": true})),
        2 => post("/v1/query", json!({"question": question, "rag": name})),
        3 => post("/v1/query", json!({"question": question, "by": "document", "limit": 100})),
        4 => post("/v1/context", json!({"question": question, "budget": 4000})),
        5 => post("/v1/context", json!({"question": question, "wikis": [name]})),
        6 => post("/v1/ask", json!({"question": question})),
        7 => post("/v1/ask", json!({"question": question, "wikis": [name]})),
        8 => post("/chat", json!({"question": question})),
        9 => post(
            ["/v1/chat/completions", "/v1/messages"][page % 2],
            json!({"model": "all", "messages": [{"role": "user", "content": question}]}),
        ),
        10 => get(format!("/v1/documents/wzq{letter}/pzq{letter}p{page}.md")),
        11 => get(format!("/v1/documents/wzq{letter}/..%2Fwzq{letter}%2Fpzq{letter}p{page}.md")),
        12 => get(format!("/v1/documents?id=pzq{letter}p{page}.md")),
        13 => get(format!("/v1/documents?id=wzq{letter}%230123456789abcdef")),
        14 => get(format!("/v1/graph/wzq{letter}/pzq{letter}p{page}?depth=3&tags=true")),
        15 => get(format!("/v1/links/wzq{letter}/pzq{letter}p1.md")),
        16 => get("/v1/wikis".to_owned()),
        17 => get(["/v1/models", "/metrics", "/openapi.json"][random.usize(..3)].to_owned()),
        18 => tool("search", json!({"query": question, "wikis": [name]})),
        19 => tool("search", json!({"query": question})),
        20 => tool("fetch", json!({"id": format!("wzq{letter}/pzq{letter}p{page}.md")})),
        21 => tool("links", json!({"page": format!("pzq{letter}p{page}")})),
        22 => tool("status", json!({})),
        23 => tool("ask", json!({"question": question})),
        24 => mcp("resources/list", json!({})),
        _ => mcp(
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "wiki://{rag}/{wiki}/{+path}"},
                   "argument": {"name": "path", "value": "p"}, "context": {"arguments": {"rag": "all", "wiki": name}}}),
        ),
    }
}

fn send(server: &Server, caller: &Caller, (method, path, body): &(&str, String, String)) -> (u16, String) {
    let headers = [
        caller.header.as_str(),
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        "MCP-Protocol-Version: 2025-06-18",
    ];
    let reply = server.send(method, path, &headers, body);
    // A stream comes in chunks, each below its length, which is that of the figures in it.
    let is_length = |line: &&str| line.is_empty() || !line.trim_end().bytes().all(|byte| byte.is_ascii_hexdigit());
    (reply.status, reply.body.split('\n').filter(is_length).collect::<Vec<_>>().join("\n"))
}

/// What `text` tells of wiki `wiki` beside what was asked.
fn trace(text: &str, asked: &str, wiki: usize) -> Option<String> {
    ["wzq", "tzq", "szq", "pzq", "hzq", "gzq", "azq"]
        .map(|mark| format!("{mark}{}", LETTERS[wiki]))
        .into_iter()
        .find(|mark| text.contains(mark.as_str()) && !asked.contains(mark.as_str()))
}

/// Without what is different each time.
fn lasting(text: &str) -> String {
    let mut lasting = text.to_owned();
    for key in ["took_ms", "chatcmpl-", "msg_", "created"] {
        let parts = lasting.split(key).enumerate();
        let parts = parts.map(|(at, part)| match at {
            0 => part,
            _ => {
                part.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\\' | ':' | '.' | 'e' | '-'))
            }
        });
        lasting = parts.collect::<Vec<_>>().join(key);
    }
    lasting
}

#[test]
fn nothing_above_the_caller_leaves_by_any_way() {
    let cases = std::env::var("WIKIRAG_LEAK_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(400);
    let mut random = fastrand::Rng::with_seed(60);
    let mut done = 0;
    while done < cases {
        let estate = Estate::new(&mut random);
        let args = ["all.rag.yaml", "--tokens", "tokens.toml"];
        let server = Server::start(&estate.world, &args);
        for _ in 0..A_WORLD.min(cases - done) {
            done += 1;
            if done % RUNS == 0 {
                run_of_the_program(&estate, &mut random);
            } else {
                request_over_http(&estate, &server, &mut random);
            }
        }
        let log = estate.world.read("serve.log");
        let told = (0..WIKIS).find_map(|wiki| trace(&log, "", wiki));
        assert_eq!(told, None, "{log}");
    }
}

fn request_over_http(estate: &Estate, server: &Server, random: &mut fastrand::Rng) {
    let caller = &estate.callers[random.usize(..estate.callers.len())];
    let wiki = random.usize(..WIKIS);
    let seed = random.u64(..);
    let asked = request(&mut fastrand::Rng::with_seed(seed), wiki);
    let (status, body) = send(server, caller, &asked);
    assert!(status < 500 || status == 503, "{asked:?}: {status} {body}");
    let words = format!("{} {}", asked.1, asked.2);
    for hidden in (0..WIKIS).filter(|wiki| !estate.sees(caller, *wiki)) {
        assert_eq!(trace(&body, &words, hidden), None, "{asked:?}: {body}");
    }
    if !estate.sees(caller, wiki) {
        // The same of a wiki that is nowhere.
        let missing = request(&mut fastrand::Rng::with_seed(seed), NOWHERE);
        let (other_status, other_body) = send(server, caller, &missing);
        let renamed = body.replace(&format!("zq{}", LETTERS[wiki]), &format!("zq{}", LETTERS[NOWHERE]));
        assert_eq!(status, other_status, "{asked:?}: {body}\n{other_body}");
        // Figures go on, and the log of questions grows.
        if asked.1 != "/metrics" {
            assert_eq!(lasting(&renamed), lasting(&other_body), "{asked:?}");
        }
    }
}

/// On a command line the caller is the composition: what it may not see it must not list, and what it does not list is not there.
fn run_of_the_program(estate: &Estate, random: &mut fastrand::Rng) {
    let level = random.usize(..4);
    let listed: Vec<usize> = (0..WIKIS).filter(|_| random.usize(..3) > 0).collect();
    let names: Vec<String> = listed.iter().map(|wiki| format!("wzq{}", LETTERS[*wiki])).collect();
    let manifest = format!("name: some\nclearance: {}\nwikis: [{}]\n", LEVELS[level], names.join(", "));
    estate.world.write("some.rag.yaml", &manifest);
    let wiki = random.usize(..WIKIS);
    let letter = LETTERS[wiki];
    let question = words(random, wiki);
    let page = format!("wzq{letter}/pzq{letter}p1.md");
    estate.world.write("answer.md", format!("The compost of szq{letter} is hot [[{page}]].\n"));
    let args: Vec<&str> = match random.usize(..9) {
        0 => vec!["query", "some.rag.yaml", "--explain", "--", &question],
        1 => vec!["context", "some.rag.yaml", "--", &question],
        2 => vec!["ask", "some.rag.yaml", "--", &question],
        3 => vec!["drill", "some.rag.yaml", "--", &question],
        4 => vec!["get", "some.rag.yaml", &page],
        5 => vec!["graph", "some.rag.yaml", &page],
        6 => vec!["backlinks", "some.rag.yaml", &page],
        7 => vec!["verify-answer", "some.rag.yaml", "answer.md"],
        _ => vec!["gaps", "some.rag.yaml"],
    };
    let run = estate.world.run(&args);
    let told = format!("{}{}", run.stdout, run.stderr);
    let asked = format!("{args:?} {manifest} szq{letter} {page}");
    let is_refused = listed.iter().any(|wiki| estate.levels[*wiki] > level);
    if is_refused {
        assert_eq!(run.code, 6, "{run}");
    }
    for hidden in (0..WIKIS).filter(|wiki| is_refused || !listed.contains(wiki) || estate.levels[*wiki] > level) {
        assert_eq!(trace(&told, &asked, hidden), None, "{run}");
    }
}
