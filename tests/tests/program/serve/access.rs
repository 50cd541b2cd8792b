//! Who comes in, and under which names the server is called.

use serde_json::json;

use super::{Server, estate, token};
use crate::garden;

/// [B63]
#[test]
fn a_page_of_another_site_is_sent_away() {
    let world = garden();
    let server = Server::start(&world, &["garden"]);
    let json = "Content-Type: application/json";
    let body = json!({"question": "basil"}).to_string();
    let own = format!("Origin: http://{}", server.address);
    assert_eq!(server.send("POST", "/v1/query", &[json, &own], &body).status, 200);
    for origin in ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1.evil.example"] {
        let origin = format!("Origin: {origin}");
        for (method, path) in
            [("POST", "/v1/query"), ("POST", "/mcp"), ("GET", "/v1/wikis"), ("GET", "/"), ("OPTIONS", "/v1/query")]
        {
            let reply = server.send(method, path, &[json, &origin], &body);
            assert_eq!(reply.error(403), "origin", "{method} {path} {origin}");
            assert!(!reply.headers.iter().any(|(name, _)| name.starts_with("access-control")), "{reply:?}");
        }
    }
    for host in ["evil.example", "evil.example:80", "10.0.0.1", ""] {
        let reply = server.send("GET", "/v1/wikis", &[&format!("Host: {host}")], "");
        assert_eq!(reply.error(403), "host", "{host}");
    }
    let named = Server::start(&world, &["garden", "--allow-host", "Wiki.example"]);
    assert_eq!(named.send("GET", "/v1/wikis", &["Host: wiki.example"], "").status, 200);
}

#[test]
fn each_token_sees_what_it_may() {
    let world = estate();
    let everyone = token(&world, &["everyone", "--clearance", "public"]);
    let team = token(&world, &["team"]);
    let boss = token(&world, &["boss", "--clearance", "restricted"]);
    let one = token(&world, &["one", "--clearance", "restricted", "--wiki", "office"]);
    assert!(![&everyone, &team, &boss, &one].iter().any(|token| world.read("tokens.toml").contains(token.as_str())));
    let server = Server::start(&world, &["estate.rag.yaml", "--tokens", "tokens.toml"]);
    for (token, seen) in [
        (&everyone, &["garden"][..]),
        (&team, &["garden", "office"]),
        (&boss, &["garden", "office", "crypt"]),
        (&one, &["office"]),
    ] {
        let authorization = format!("Authorization: Bearer {token}");
        let wikis = server.send("GET", "/v1/wikis", &[&authorization], "").expect(200);
        let names: Vec<&str> =
            wikis["wikis"].as_array().unwrap().iter().filter_map(|wiki| wiki["wiki"].as_str()).collect();
        assert_eq!(names, seen);
        let body = json!({"question": "compost beans"}).to_string();
        let found =
            server.send("POST", "/v1/query", &[&authorization, "Content-Type: application/json"], &body).expect(200);
        let mut hit: Vec<&str> =
            found["results"].as_array().unwrap().iter().filter_map(|hit| hit["wiki"].as_str()).collect();
        hit.sort_unstable();
        hit.dedup();
        let mut seen = seen.to_vec();
        seen.sort_unstable();
        assert_eq!(hit, seen);
    }
    let strangers = [
        vec![],
        vec!["Authorization: Bearer wrong".to_owned()],
        vec!["Authorization: Basic Og==".to_owned()],
        vec![format!("Authorization: Bearer {}", &team[1..])],
    ];
    let replies: Vec<_> = strangers
        .iter()
        .map(|headers| {
            let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
            let reply = server.send("GET", "/v1/wikis", &headers, "");
            assert_eq!((reply.error(401).as_str(), reply.header("www-authenticate")), ("unauthorized", Some("Bearer")));
            reply.body
        })
        .collect();
    // Nobody is told whether a token was missing or wrong.
    assert!(replies.iter().all(|body| *body == replies[0]));
    for path in ["/v1/models", "/metrics", "/v1/documents/garden/beans.md", "/mcp"] {
        assert_eq!(server.get(path).error(401), "unauthorized", "{path}");
    }
    for path in ["/health", "/openapi.json", "/"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
}

#[test]
fn this_machine_is_let_in_where_that_was_said() {
    let world = garden();
    let _ = token(&world, &["team"]);
    let server = Server::start(&world, &["garden", "--tokens", "tokens.toml", "--open-loopback"]);
    assert_eq!(server.get("/v1/wikis").status, 200);
    let wrong = server.send("GET", "/v1/wikis", &["Authorization: Bearer wrong"], "");
    assert_eq!(wrong.error(401), "unauthorized");
}

#[test]
fn a_token_asks_as_often_as_it_may() {
    let world = garden();
    let slow = format!("Authorization: Bearer {}", token(&world, &["slow", "--rate", "2"]));
    let fast = format!("Authorization: Bearer {}", token(&world, &["fast"]));
    let server = Server::start(&world, &["garden", "--tokens", "tokens.toml"]);
    let statuses: Vec<u16> = (0..3).map(|_| server.send("GET", "/v1/models", &[&slow], "").status).collect();
    assert_eq!(statuses, [200, 200, 429]);
    let reply = server.send("GET", "/v1/models", &[&slow], "");
    assert_eq!(reply.error(429), "too-often");
    assert!((1..=60).contains(&reply.header("retry-after").unwrap().parse::<u32>().unwrap()), "{reply:?}");
    assert_eq!(server.send("GET", "/v1/models", &[&fast], "").status, 200);
}

#[test]
fn a_server_for_others_needs_tokens() {
    let world = garden();
    let run = world.run(&["serve", "garden", "--address", "0.0.0.0", "--port", "0"]).expect(2);
    assert!(run.stderr.contains("--tokens"), "{run}");
    world.write("tokens.toml", "[[token]]\nname = \"a\"\nhash = \"wikirag_secret\"\nclearance = \"public\"\n");
    let run = world.run(&["serve", "garden", "--tokens", "tokens.toml"]).expect(1);
    assert!(run.stderr.contains("64 hexadecimal digits") && !run.stderr.contains("wikirag_secret"), "{run}");
    let run = world.run(&["token", "more", "--into", "tokens.toml"]).expect(1);
    assert!(run.stdout.is_empty(), "{run}");
}
