//! How the server starts, bears up and ends.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde_json::json;
use wikirag_tests::World;

use super::client::Client;
use super::plot;

/// As long as the program may take to end, and what a busy machine adds.
const SOON: Duration = Duration::from_secs(4);

/// Questions that never end: the layer `dense` waits for a service that does not answer.
fn stuck() -> (World, TcpListener) {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut world = plot();
    world.set_variable("WIKIRAG_LAYERS", "dense");
    world.write_user_settings(&format!(
        "[plugins.dense]\nembedder = \"embed-api\"\n[plugins.embed-api]\nurl = \"http://{}/v1\"\nmodel = \"m\"\ndimensions = 8\n\
         timeout_seconds = 600\nquestion_seconds = 600\n",
        silent.local_addr().unwrap()
    ));
    (world, silent)
}

/// Waits until the question has got as far as the service.
fn reached(silent: &TcpListener) -> std::net::TcpStream {
    silent.accept().unwrap().0
}

/// [B68]
#[test]
fn it_ends_when_its_input_does() {
    let world = plot();
    let client = Client::start_silently(&world, &["plot.rag.yaml"]);
    let (status, took, errors) = client.close();
    assert!(status.success() && took < SOON && errors.is_empty(), "{status} {took:?} {errors}");
    let client = Client::start(&world, &["plot.rag.yaml"]);
    let (status, took, errors) = client.close();
    assert!(status.success() && took < SOON && errors.is_empty(), "{status} {took:?} {errors}");
}

/// [B68] Also while a call runs that would go on for minutes.
#[test]
fn it_ends_while_a_call_runs() {
    let (world, silent) = stuck();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ask("tools/call", json!({ "name": "search", "arguments": { "query": "basil" } }));
    let _connection = reached(&silent);
    let (status, took, _) = client.close();
    assert!(status.success() && took < SOON, "{status} {took:?}");
}

/// What was asked before the input ended is still answered: `printf ... | wikirag mcp` is a fine way to try it.
#[test]
fn what_was_asked_is_answered_before_the_end() {
    let world = plot();
    let _ = world.run(&["build", "garden"]).ok();
    let mut child =
        world.command(&["mcp", "plot.rag.yaml"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
    ];
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.map(|line| format!("{line}\n")).concat().as_bytes()).unwrap();
    drop(input);
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(said.lines().count(), 2, "{said}");
}

/// [B68] The pipe is still open, held by others, and nobody is left who started the server.
#[cfg(unix)]
#[test]
fn it_does_not_outlive_its_parent() {
    let world = plot();
    let program = world.command(&["mcp", "plot.rag.yaml"]);
    let mut command = std::process::Command::new("/bin/sh");
    // The shell must stay: not the last command, and so not put in its place.
    command.args(["-c", "\"$@\"; true", "sh"]).arg(program.get_program()).args(program.get_args());
    command.env_clear().envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(program.get_current_dir().unwrap());
    let mut parent = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = parent.stdin.take().unwrap();
    let mut output = parent.stdout.take().unwrap();
    writeln!(input, "{}", json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).unwrap();
    let mut first = [0; 1];
    output.read_exact(&mut first).unwrap();
    parent.kill().unwrap();
    parent.wait().unwrap();
    let (end, ended) = channel();
    thread::spawn(move || {
        // Until nobody holds the other end any more.
        let _ = output.read_to_end(&mut Vec::new());
        let _ = end.send(());
    });
    assert!(ended.recv_timeout(SOON).is_ok());
    drop(input);
}

#[test]
fn a_cancelled_call_is_not_answered_and_others_are() {
    let (world, silent) = stuck();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    let stuck = client.ask("tools/call", json!({ "name": "search", "arguments": { "query": "basil" } }));
    let _connection = reached(&silent);
    // Others are answered while it runs, and after it was cancelled.
    assert!(client.request("ping", json!({}))["result"].is_object());
    client.ok("list_wikis", json!({}));
    client.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": stuck } }).to_string(),
    );
    for _ in 0..20 {
        assert!(client.request("ping", json!({}))["result"].is_object());
    }
    assert!(!client.answered.contains(&stuck));
}

#[test]
fn progress_is_told_to_those_who_ask() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    let meta = json!({ "progressToken": "t1" });
    client.request("tools/call", json!({ "name": "search", "arguments": { "query": "basil" }, "_meta": meta }));
    let steps: Vec<f64> = client
        .notifications
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| {
            assert_eq!(message["params"]["progressToken"], "t1");
            message["params"]["progress"].as_f64().unwrap()
        })
        .collect();
    assert!(!steps.is_empty() && steps.is_sorted_by(|one, next| one < next), "{steps:?}");
    client.notifications.clear();
    world.write("garden/new.md", "# New\n\nA new bed.\n");
    client.ok("search", json!({ "query": "new bed" }));
    assert_eq!(client.notifications.len(), 0);
}

/// Lines that are no request leave it as it was.
#[test]
fn it_bears_what_is_no_protocol() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    for line in [
        "",
        "hello",
        "{",
        "[]",
        "null",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":[1]}",
        &"x".repeat(1 << 20),
    ] {
        client.send(line);
    }
    let answer = client.request("no/such/method", json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let answer = client.request("tools/call", json!({ "name": "search", "arguments": "basil" }));
    assert!(answer["error"].is_object(), "{answer}");
    client.ok("search", json!({ "query": "basil" }));
}

/// Nothing is opened before the first call, and an index that is broken is the matter of the calls that need it.
#[test]
fn nothing_is_opened_before_the_first_call() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.request("prompts/list", json!({}));
    assert!(!world.holds(".index"));
    world.write("garden/.index/catalog.db", "no catalog");
    let text = client.fails("search", json!({ "query": "basil" }));
    // Paths of this machine are for the operator.
    assert!(!text.contains("catalog.db") && !text.contains(world.path("").to_str().unwrap()), "{text}");
    client.ok("list_wikis", json!({}));
    let (status, _, errors) = client.close();
    assert!(status.success() && errors.contains("garden") && !errors.contains('\u{1b}'), "{errors}");
}

#[test]
fn what_cannot_be_served_is_told_at_once() {
    let world = plot();
    for (args, code, said) in [
        (["mcp", "nowhere"].as_slice(), 1, "nowhere"),
        (&["mcp"], 2, "Usage"),
        (&["mcp", "plot.rag.yaml", "plot.rag.yaml"], 2, "`plot`"),
    ] {
        let run = world.run(args).expect(code);
        assert!(run.stdout.is_empty() && run.stderr.contains(said), "{run}");
    }
}
