//! Making wikis and compositions.

use crate::{garden, world};

#[test]
fn a_folder_becomes_a_wiki() {
    let world = world();
    world.write("herbs/basil.md", "# Basil\n\nSow basil in May.\n");
    let run = world.run(&["init", "herbs", "--sensitivity", "public"]).ok();
    assert!(run.stdout.contains(".wiki.yaml"), "{run}");
    assert_eq!(world.read("herbs/.wiki.yaml"), "name: \"herbs\"\nsensitivity: public\n");
    let hits = world.run(&["query", "herbs", "basil", "--json"]).ok().results();
    assert_eq!((&hits[0]["wiki"], &hits[0]["sensitivity"]), (&"herbs".into(), &"public".into()));
}

#[test]
fn a_composition_is_written_and_answers() {
    let world = garden();
    world.write("food/pesto.md", "# Pesto\n\nCrush basil with pine nuts.\n");
    let _ = world.run(&["init", "dinner.rag.yaml", "garden", "./food"]).ok();
    let run = world.run(&["query", "dinner.rag.yaml", "basil", "--json"]).ok();
    assert_eq!((&run.json()["rag"], run.hits().len()), (&"dinner".into(), 2));
}

#[test]
fn a_composition_is_called_as_its_file() {
    let world = garden();
    for file in ["dinner.rag.yml", "Lunch.RAG.yaml"] {
        let _ = world.run(&["init", file, "garden"]).ok();
        let run = world.run(&["query", file, "basil", "--json"]).ok();
        assert_eq!(run.json()["rag"], file.split('.').next().unwrap());
        assert_eq!(
            world.read(file).lines().next().unwrap(),
            format!("name: \"{}\"", run.json()["rag"].as_str().unwrap())
        );
    }
}

/// A level that nobody asked for is not written down: in a manifest it would hold in place of the wiki around.
#[test]
fn no_level_is_written_unless_it_is_given() {
    let world = world();
    world.write("vault/.wiki.yaml", "name: vault\nsensitivity: confidential\n");
    world.write("vault/deep/a.md", "# A\n\nThe heron waits.\n");
    let _ = world.run(&["query", "vault/deep", "heron"]).expect(6);
    let _ = world.run(&["init", "vault/deep"]).ok();
    assert_eq!(world.read("vault/deep/.wiki.yaml"), "name: \"deep\"\n");
    let _ = world.run(&["query", "vault/deep", "heron"]).expect(6);
    let _ = world.run(&["init", "all.rag.yaml", "vault/deep"]).ok();
    assert!(!world.read("all.rag.yaml").contains("clearance"));
    let _ = world.run(&["query", "all.rag.yaml", "heron"]).expect(6);
    let _ = world.run(&["init", "more.rag.yaml", "vault/deep", "--sensitivity", "confidential"]).ok();
    assert!(world.read("more.rag.yaml").contains("clearance: confidential\n"));
    let run = world.run(&["query", "more.rag.yaml", "heron", "--json"]).ok();
    assert_eq!(run.results()[0]["sensitivity"], "confidential");
}

#[test]
fn nothing_is_written_over() {
    let world = garden();
    let before = world.read("garden/.wiki.yaml");
    let run = world.run(&["init", "garden", "--name", "other"]).expect(1);
    assert!(run.stderr.contains("there already"), "{run}");
    assert_eq!(world.read("garden/.wiki.yaml"), before);
    world.write("a.rag.yaml", "wikis: [garden]\n");
    let _ = world.run(&["init", "a.rag.yaml", "food"]).expect(1);
    assert_eq!(world.read("a.rag.yaml"), "wikis: [garden]\n");
}

#[test]
fn mistakes_are_told_before_anything_is_written() {
    let world = world();
    let _ = world.run(&["init", "empty.rag.yaml"]).expect(2);
    let _ = world.run(&["init", "food", "garden"]).expect(2);
    let _ = world.run(&["init", "food", "--sensitivity", "secret"]).expect(2);
    let run = world.run(&["init", "food", "--name", "a/b"]).expect(1);
    assert!(run.stderr.contains("a/b"), "{run}");
    assert!(!world.holds(".wiki.yaml") && !world.holds("empty.rag.yaml"));
    // Odd names come back as they went in.
    let odd = "it's: \"odd\" # yes";
    let run = world.run(&["init", "odd.rag.yaml", "--name", odd, "garden"]).ok();
    assert!(run.stdout.contains("odd.rag.yaml"), "{run}");
    world.write("garden/a.md", "# A\n\nBasil.\n");
    assert_eq!(world.run(&["query", "odd.rag.yaml", "basil", "--json"]).ok().json()["rag"], odd);
}

/// The first form of the program: a name, a source, a tag.
#[test]
fn a_wiki_is_made_by_name() {
    let world = garden();
    world.remove("garden/.wiki.yaml");
    let before = world.snapshot("garden");
    let _ = world.run(&["build", "plants", "garden", "--tag", "growing", "--tag", "outdoors"]).ok();
    assert!(world.snapshot("garden") == before, "sources are not written to");
    // By name from anywhere, and again without its source.
    let mut command = world.command(&["query", "plants", "basil", "--json"]);
    command.current_dir(world.home(""));
    assert_eq!(wikirag_tests::Run::of(&mut command).ok().hits()[0], "plants/herbs/basil.md");
    let _ = world.run(&["build", "plants"]).ok();
    let _ = world.run(&["build", "plants", "garden", "--tag", "growing"]).ok();
    world.write("all.rag.yaml", "wikis: [plants]\n");
    assert_eq!(world.run(&["query", "all.rag.yaml", "basil", "--json"]).ok().hits()[0], "plants/herbs/basil.md");
    // One name, one source.
    world.write("other/a.md", "# A\n\nBasil.\n");
    let run = world.run(&["build", "plants", "other"]).expect(1);
    assert!(run.stderr.contains("garden"), "{run}");
    let run = world.run(&["build", "more", "nowhere"]).expect(1);
    assert!(run.stderr.contains("nowhere"), "{run}");
    let run = world.run(&["query", "more", "basil"]).expect(1);
    assert!(run.stderr.contains("`more`"), "{run}");
}
