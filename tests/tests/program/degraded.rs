//! What many wikis lack for one reason is told to people once, and to programs for each.

use wikirag_testkit::fakes::embedding_service::{DIMENSIONS, EmbeddingService, MODEL};
use wikirag_tests::World;

use crate::world_of_all_layers;

fn use_service(world: &World, url: &str) {
    world.write_user_settings(&format!(
        "[plugins.dense]\nembedder = \"embed-api\"\n[plugins.embed-api]\nurl = \"{url}\"\nmodel = \"{MODEL}\"\n\
         dimensions = {DIMENSIONS}\nretries = 0\npause_seconds = 0.001\n"
    ));
}

#[test]
fn one_reason_is_one_line_however_many_wikis() {
    let service = EmbeddingService::new();
    let world = world_of_all_layers();
    use_service(&world, &service.url());
    let wikis = ["a", "b", "c", "d", "e"];
    for wiki in wikis {
        world.write(&format!("{wiki}/heron.md"), format!("# Heron\n\nThe heron of {wiki} nests by the weir.\n"));
    }
    world.write("all.rag.yaml", format!("wikis: [{}]\n", wikis.join(", ")));
    let _ = world.run(&["build", "all.rag.yaml"]).ok();
    // Another service, which their vectors are not of.
    use_service(&world, "http://127.0.0.1:9/v1");
    let run = world.run(&["query", "all.rag.yaml", "heron", "--json"]).ok();
    assert_eq!((run.json()["degraded"].as_array().unwrap().len(), run.hits().len()), (5, 5), "{run}");
    let warnings: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("warning:")).collect();
    assert_eq!(warnings.len(), 1, "{run}");
    assert!(warnings[0].starts_with("warning: 5 wikis (a, b, c, ...): dense: "), "{run}");
    let alone = world.run(&["query", "a", "heron"]).ok();
    assert!(alone.stderr.contains("warning: a/dense: "), "{alone}");
}
