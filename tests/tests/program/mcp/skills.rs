//! Skills for agents.

use serde_json::{Value, json};
use wikirag_tests::World;

use super::client::Client;
use super::plot;

/// Two registries, one of them above the clearance of what is served, and a composition over the first and the garden.
fn registries() -> World {
    let world = plot();
    let skill =
        |name: &str, text: &str| format!("---\nname: {name}\ndescription: What to do with {name}\n---\n{text}\n");
    world.write("tap/.wiki.yaml", "name: tap\nkind: skills\nsensitivity: public\nlayers: [bm25]\n");
    world.write(
        "tap/pdf/SKILL.md",
        skill("pdf", "Merge files. See [forms](forms.md) and [out](../../vault/hidden.md)."),
    );
    world.write("tap/pdf/forms.md", "Forms.\n");
    world.write("tap/pdf/scripts/merge.py", "print()\n");
    world.write("tap/pdf/inner/SKILL.md", skill("inner", "Another one."));
    world.write("tap/pdf/closed/.wiki.yaml", "name: closed\nsensitivity: restricted\n");
    world.write("tap/pdf/closed/secret.md", "Secret.\n");
    world.write("secret/.wiki.yaml", "name: secret\nkind: skills\nsensitivity: restricted\nlayers: [bm25]\n");
    world.write("secret/merge/SKILL.md", skill("merge", "Merge secrets."));
    world.write("skills.rag.yaml", "wikis: [tap, garden]\nclearance: public\n");
    world
}

#[test]
fn a_skill_is_found_and_read_with_its_resources() {
    let world = registries();
    let mut client = Client::start(&world, &["skills.rag.yaml"]);
    let result = client.call("find_skills", json!({ "task": "Can you merge two pdf files?" }));
    let found = &result["structuredContent"]["skills"][0];
    assert_eq!(
        (&found["id"], &found["tap"], &found["kind"]),
        (&json!("tap/pdf/SKILL.md"), &json!("tap"), &json!("skill"))
    );
    assert!(found["why"].to_string().contains("text: merge, files"), "{found}");
    assert!(
        result["content"][0]["text"].as_str().unwrap().starts_with("1. pdf (skill, tap): What to do with pdf\n"),
        "{result}"
    );
    let skill = client.ok("get_skill", json!({ "id": found["id"] }));
    assert_eq!(skill["text"], world.read("tap/pdf/SKILL.md"));
    let resources: Vec<(&str, bool)> = skill["resources"].as_array().unwrap().iter().map(listed).collect();
    assert_eq!(resources, [("forms.md", true), ("scripts/merge.py", false)], "no other skill, wiki or folder: {skill}");
    let found = client.ok("find_skills", json!({ "task": "merge", "kind": "rule" }));
    assert_eq!(found["skills"], json!([]));
}

fn listed(resource: &Value) -> (&str, bool) {
    (resource["path"].as_str().unwrap(), resource["linked"].as_bool().unwrap())
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    let world = registries();
    std::os::unix::fs::symlink(world.path("vault"), world.path("tap/pdf/away")).unwrap();
    std::os::unix::fs::symlink(world.path("vault/hidden.md"), world.path("tap/pdf/file.md")).unwrap();
    world.write("tap/commands/x.md", "See [a](away/hidden.md), [b](link/hidden.md).\n");
    std::os::unix::fs::symlink(world.path("vault"), world.path("tap/commands/link")).unwrap();
    let mut client = Client::start(&world, &["skills.rag.yaml"]);
    client.ok("find_skills", json!({ "task": "merge" }));
    for id in ["tap/pdf/SKILL.md", "tap/commands/x.md"] {
        let skill = client.ok("get_skill", json!({ "id": id }));
        assert!(
            !skill["resources"].to_string().contains("hidden") && !skill["resources"].to_string().contains("file.md"),
            "{skill}"
        );
    }
}

#[test]
fn what_is_no_skill_or_may_not_be_seen_is_an_error_result() {
    let world = registries();
    let _ = world.run(&["--set", "clearance=restricted", "build", "secret"]).ok();
    let mut client = Client::start(&world, &["skills.rag.yaml"]);
    assert!(client.fails("find_skills", json!({ "task": " " })).contains("empty"));
    assert!(client.fails("find_skills", json!({ "task": "x", "wikis": ["garden"] })).contains("no wiki of skills"));
    assert!(client.fails("find_skills", json!({ "task": "x", "limit": 51 })).contains("from 1 to 50"));
    client.ok("find_skills", json!({ "task": "merge secrets" }));
    client.ok("search", json!({ "query": "beans" }));
    assert!(client.fails("get_skill", json!({ "id": "garden/beans.md" })).contains("there is no"));
    let refused = client.fails("get_skill", json!({ "id": "secret/merge/SKILL.md" }));
    let missing = client.fails("get_skill", json!({ "id": "secrex/merge/SKILL.md" }));
    assert_eq!(refused, missing.replace("secrex", "secret"));
    for id in ["../secret/merge/SKILL.md", "tap/pdf/closed/secret.md", "tap/pdf/forms.md", "/etc/passwd", ""] {
        client.fails("get_skill", json!({ "id": id }));
    }
    let found = client.ok("find_skills", json!({ "task": "merge secrets" }));
    assert!(!found.to_string().contains("secret/"), "{found}");
}

#[test]
fn without_a_name_all_that_is_served_is_searched() {
    let world = registries();
    let mut client = Client::start(&world, &["garden", "tap", "skills.rag.yaml"]);
    assert_eq!(client.ok("find_skills", json!({ "task": "merge files" }))["skills"][0]["id"], "tap/pdf/SKILL.md");
    client.ok("get_skill", json!({ "id": "tap/pdf/SKILL.md" }));
    client.fails("find_skills", json!({ "task": "merge files", "rag": "garden" }));
}

#[test]
fn a_damaged_index_and_a_missing_program_do_not_end_the_server() {
    let mut world = registries();
    // No program of this machine is there.
    world.set_variable("PATH", world.path("garden").to_str().unwrap());
    let _ = world.run(&["build", "tap"]).ok();
    world.write("tap/.index/catalog.db", "no catalog");
    let mut client = Client::start(&world, &["skills.rag.yaml"]);
    client.fails("find_skills", json!({ "task": "merge files" }));
    client.fails("get_skill", json!({ "id": "tap/pdf/SKILL.md" }));
    assert!(client.fails("discover_github", json!({ "query": "pdf skills" })).contains("gh auth login"));
    assert!(client.fails("discover_github", json!({ "query": " " })).contains("no word"));
    assert!(!client.ok("list_wikis", json!({}))["wikis"].as_array().unwrap().is_empty());
}
