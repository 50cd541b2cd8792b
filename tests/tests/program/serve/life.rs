//! How a server starts, lives and ends.

use std::io::{Read, Write};

use serde_json::json;

use super::server::Reply;
use super::{Server, estate};
use crate::garden;

#[test]
fn what_changes_is_found_within_moments() {
    let world = garden();
    let server = Server::start(&world, &["garden"]);
    let ask = || {
        server.post("/v1/query", &json!({"question": "quince jelly"})).expect(200)["results"].as_array().unwrap().len()
    };
    assert_eq!(ask(), 0);
    world.write("garden/quince.md", "# Quince\n\nQuince jelly sets by itself.\n");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while ask() == 0 {
        assert!(std::time::Instant::now() < deadline, "it was never found");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    world.remove("garden/quince.md");
    // A document that is gone is in no answer, looked at or not.
    assert_eq!(ask(), 0);
}

/// A level that is raised holds for the next request.
#[test]
fn a_wiki_that_was_closed_is_closed_for_those_who_run() {
    let world = estate();
    let server = Server::start(&world, &["estate.rag.yaml"]);
    let ask = || server.post("/v1/query", &json!({"question": "rota of the beans"}));
    assert!(ask().expect(200).to_string().contains("rota.md"));
    world.write("office/.wiki.yaml", "name: office\nsensitivity: restricted\n");
    let reply = ask();
    assert_eq!(reply.error(503), "unavailable");
    assert!(!reply.body.contains("office") && !reply.body.contains("rota"), "{reply:?}");
}

#[test]
fn many_ask_at_once_and_all_are_answered() {
    let world = estate();
    let server = Server::start(&world, &["estate.rag.yaml"]);
    let body = |number: usize| json!({"question": format!("compost {number}"), "limit": 3});
    let replies: Vec<Reply> = std::thread::scope(|scope| {
        let one = |number| {
            let server = &server;
            scope.spawn(move || server.post("/v1/query", &body(number)))
        };
        let all: Vec<_> = (0..64).map(one).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let found: Vec<_> = replies.iter().map(|reply| reply.expect(200)["results"].clone()).collect();
    assert!(found.iter().all(|results| *results == found[0] && !results.as_array().unwrap().is_empty()));
}

#[cfg(unix)]
#[test]
fn it_ends_when_told_and_what_it_was_asked_before_is_answered() {
    for signal in ["-TERM", "-INT"] {
        let world = garden();
        let mut server = Server::start(&world, &["garden"]);
        let mut open = server.connect();
        let body = json!({"question": "basil"}).to_string();
        let head = format!(
            "POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        open.write_all(head.as_bytes()).unwrap();
        let (first, rest) = body.as_bytes().split_at(5);
        open.write_all(first).unwrap();
        // It is read before the server is told to stop: another request that began later has been answered.
        assert_eq!(server.get("/health").status, 200);
        let (address, status) = std::thread::scope(|scope| {
            let stopping = scope.spawn(|| (server.address, server.stop(signal)));
            std::thread::sleep(std::time::Duration::from_millis(300));
            open.write_all(rest).unwrap();
            let mut reply = Vec::new();
            open.read_to_end(&mut reply).unwrap();
            assert!(Reply::parse(&reply).expect(200)["results"][0]["path"].as_str().unwrap().contains("basil"));
            stopping.join().unwrap()
        });
        assert!(status.success(), "{signal}: {status}");
        assert!(std::net::TcpStream::connect(address).is_err());
        assert!(world.read("serve.log").contains("stopped"));
    }
}

#[test]
fn what_cannot_be_served_is_told_at_the_start() {
    let world = garden();
    assert!(world.run(&["serve", "nowhere"]).stderr.contains("nowhere"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let run = world.run(&["serve", "garden", "--port", &port]).expect(1);
    assert!(run.stderr.contains("--port"), "{run}");
}
