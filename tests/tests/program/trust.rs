//! Nothing above the clearance leaves the program. [B60]

use wikirag_tests::{Run, World};

use crate::world;

/// What stands in the confidential wiki and nowhere else, its title and the names of its notes included.
const SECRETS: [&str; 6] = ["Nightingale", "Project", "heron", "launch", "plan.md", "midnight"];

/// A public wiki `open`, a confidential wiki `secret` of three notes, a confidential folder inside the public one, and
/// no index.
fn both() -> World {
    let world = world();
    world.write("open/.wiki.yaml", "name: open\nsensitivity: public\n");
    world.write("open/note.md", "# Weather\n\nIt rains on Monday.\n");
    world.write("secret/.wiki.yaml", "name: secret\ntitle: Project Nightingale\nsensitivity: confidential\n");
    world.write("secret/plan.md", "# Nightingale launch\n\nThe heron flies at midnight.\n");
    world.write("secret/deep/cost.md", "# Cost\n\nThe heron costs much.\n");
    world.write("secret/crew.md", "# Crew\n\nFive people feed the heron.\n");
    world.write("open/inner/.wiki.yaml", "name: inner\nsensitivity: confidential\n");
    world.write("open/inner/plan.md", "# Inner\n\nThe heron of the inner circle.\n");
    world
}

/// Fails where the run says anything that only the confidential wiki knows.
#[track_caller]
fn assert_silent(run: &Run) {
    let said = format!("{}{}", run.stdout, run.stderr);
    for secret in SECRETS {
        let asked = run.args.contains(secret);
        assert!(asked || !said.to_lowercase().contains(&secret.to_lowercase()), "{secret} is told\n{run}");
    }
}

/// A composition that lists the public wiki and `reference`.
fn compose(world: &World, clearance: &str, reference: &str) {
    let reference = serde_json::Value::from(reference);
    world.write("r.rag.yaml", format!("clearance: {clearance}\nwikis:\n  - open\n  - {reference}\n"));
}

#[test]
fn the_clearance_decides_for_every_pair_of_levels() {
    let levels = ["public", "internal", "confidential", "restricted"];
    for (clearance_rank, clearance) in levels.iter().enumerate() {
        for (level_rank, level) in levels.iter().enumerate() {
            let world = world();
            world.write("a/.wiki.yaml", format!("sensitivity: {level}\n"));
            world.write("a/note.md", "# Note\n\nIt rains.\n");
            world.write("r.rag.yaml", format!("clearance: {clearance}\nwikis: [a]\n"));
            let run = world.run(&["query", "r.rag.yaml", "rains", "--json"]);
            if level_rank <= clearance_rank {
                assert_eq!(run.ok().hits(), ["a/note.md"]);
            } else {
                let run = run.expect(6);
                assert!(run.stderr.contains("`a` may not be read here") && run.stdout.is_empty(), "{run}");
                assert!(!world.holds(".index"), "no index is opened or made");
            }
        }
    }
}

#[test]
fn a_composition_is_refused_however_it_names_the_wiki() {
    let world = both();
    let absolute = world.path("secret").to_str().unwrap().to_owned();
    let mut references = vec![
        "secret",
        "./secret",
        "secret/",
        "../work/secret",
        "open/../secret",
        "secret/.wiki.yaml",
        "secret/deep",
        "open/inner",
        &absolute,
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("secret", world.path("alias")).unwrap();
        std::os::unix::fs::symlink("secret/deep", world.path("deep")).unwrap();
        references.extend(["alias", "deep"]);
    }
    for reference in references {
        compose(&world, "internal", reference);
        for args in [
            ["query", "r.rag.yaml", "rain"].as_slice(),
            &["query", "r.rag.yaml", "rain", "--json", "--explain", "--allow-missing"],
            &["get", "r.rag.yaml", "open/note.md"],
            &["status", "r.rag.yaml", "--files"],
            &["doctor", "r.rag.yaml"],
            &["build", "r.rag.yaml"],
        ] {
            let run = world.run(args).expect(6);
            assert!(run.stderr.contains("may not be read here"), "{reference}\n{run}");
            assert_silent(&run);
            assert!(!world.holds(".index"), "{reference}\n{run}");
        }
    }
}

#[test]
fn patterns_and_folders_above_lead_nowhere() {
    let world = both();
    for reference in ["*", "sec*", "**/*", "__all__", "all", "secret*", "~", "%", "SECRET/../open/*"] {
        compose(&world, "internal", reference);
        let run = world.run(&["query", "r.rag.yaml", "heron", "--json"]);
        assert!(run.code == 1 || run.code == 6, "{run}");
        assert_eq!(run.stdout, "");
        assert_silent(&run);
        assert!(!world.holds(".index"), "{run}");
    }
    // Folders around a wiki are wikis of their own, without it.
    for reference in [".", "..", "../"] {
        compose(&world, "internal", reference);
        world.write("beside.md", "# Beside\n\nSnow falls.\n");
        let run = world.run(&["query", "r.rag.yaml", "heron snow", "--json"]);
        assert!(!run.stdout.contains("secret") && !run.stdout.contains("inner"), "{run}");
        assert_silent(&run);
    }
}

#[test]
fn a_wiki_named_directly_is_refused_by_the_same_rule() {
    let world = both();
    let commands: [&[&str]; 5] = [
        &["query", "secret", "rain", "--json"],
        &["get", "secret", "crew.md"],
        &["status", "secret", "--files"],
        &["doctor", "secret"],
        &["query", "./secret/deep", "rain"],
    ];
    for args in commands {
        let run = world.run(args).expect(6);
        assert_eq!(run.stdout.lines().filter(|line| !line.starts_with("ok ")).count(), 0, "{run}");
        assert_silent(&run);
        assert!(!world.holds(".index"));
    }
    // Whoever has the folder may index it; what is in the index is read at a clearance.
    let run = world.run(&["build", "secret"]).ok();
    assert_silent(&run);
    for args in commands {
        assert_silent(&world.run(args).expect(6));
    }
    let run = world.run(&["--set", "clearance=confidential", "query", "secret", "heron", "--json"]).ok();
    assert_eq!(run.results().len(), 3);
}

/// The reader of a composition is not told whether something exists outside of it.
#[test]
fn what_is_refused_and_what_does_not_exist_look_alike() {
    let world = both();
    world.write("r.rag.yaml", "clearance: internal\nwikis: [open]\n");
    let found = world.run(&["--set", "clearance=restricted", "query", "secret", "heron", "--json"]).ok();
    let id = found.results()[0]["id"].as_str().unwrap().to_owned();
    let (_, chunk) = id.split_once('#').unwrap();
    let _ = world.run(&["query", "r.rag.yaml", "rain"]).ok();
    let absolute = world.path("secret/plan.md").to_str().unwrap().to_owned();
    let pairs = [
        ("secret/plan.md".to_owned(), "hidden/plan.md".to_owned()),
        ("secret/plan.md:1-2".to_owned(), "hidden/plan.md:1-2".to_owned()),
        ("plan.md".to_owned(), "nope.md".to_owned()),
        (id.clone(), format!("hidden#{chunk}")),
        (format!("open#{chunk}"), "open#00000000000000ff".to_owned()),
        ("../secret/plan.md".to_owned(), "../hidden/plan.md".to_owned()),
        ("open/../secret/plan.md".to_owned(), "open/../hidden/plan.md".to_owned()),
        ("inner/plan.md".to_owned(), "outer/plan.md".to_owned()),
        (absolute.clone(), absolute.replace("secret", "hidden")),
    ];
    for (existing, absent) in pairs {
        let (one, other) = (world.run(&["get", "r.rag.yaml", &existing]), world.run(&["get", "r.rag.yaml", &absent]));
        assert_eq!((one.code, one.stdout.as_str()), (1, ""), "{one}");
        assert_eq!((other.code, other.stdout.as_str()), (1, ""), "{other}");
        let named = |what: &str| what.trim_end_matches(":1-2").to_owned();
        assert_eq!(one.stderr.replace(&named(&existing), "WHAT"), other.stderr.replace(&named(&absent), "WHAT"));
        assert!(one.stderr.contains(&named(&existing)), "what was asked for is named: {one}");
        assert_silent(&one);
    }
}

#[test]
fn near_names_are_not_suggested_above_the_clearance() {
    let world = both();
    world.write("openly/.wiki.yaml", "name: openly\nsensitivity: public\n");
    world.write("openly/a.md", "# A\n\nSun.\n");
    for reference in ["secre", "secrte", "Secret"] {
        compose(&world, "internal", reference);
        let run = world.run(&["query", "r.rag.yaml", "rain"]).expect(1);
        assert!(!run.stderr.contains("did you mean"), "{run}");
        assert_silent(&run);
    }
    compose(&world, "internal", "openli");
    let run = world.run(&["query", "r.rag.yaml", "rain"]).expect(1);
    assert!(run.stderr.contains("did you mean `openly`"), "{run}");
}

#[test]
fn the_text_of_a_nested_wiki_does_not_come_in_from_above() {
    let world = both();
    let run = world.run(&["query", "open", "heron inner circle rains", "--json", "-k", "1000"]).ok();
    assert_eq!(run.hits(), ["open/note.md"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret/plan.md", world.path("open/link.md")).unwrap();
        std::os::unix::fs::symlink("../secret", world.path("open/folder")).unwrap();
        let run = world.run(&["query", "open", "heron inner circle rains", "--json", "-k", "1000"]).ok();
        assert_eq!(run.hits(), ["open/note.md"]);
        let _ = world.run(&["get", "open", "link.md"]).expect(1);
    }
}

/// A name for a confidential folder is as confidential.
#[test]
fn a_wiki_made_by_name_keeps_the_level_of_its_documents() {
    let world = both();
    let _ = world.run(&["build", "copy", "secret"]).ok();
    let _ = world.run(&["build", "part", "secret/deep"]).ok();
    for name in ["copy", "part"] {
        let run = world.run(&["query", name, "rain", "--json"]).expect(6);
        assert_silent(&run);
        compose(&world, "internal", name);
        let run = world.run(&["query", "r.rag.yaml", "rain", "--json"]).expect(6);
        assert_silent(&run);
    }
}

/// The level holds from the moment at which it is written down, whatever was indexed before.
#[test]
fn a_raised_level_holds_at_once() {
    let world = both();
    world.write("r.rag.yaml", "clearance: public\nwikis: [open]\n");
    let run = world.run(&["query", "r.rag.yaml", "rains", "--json"]).ok();
    let id = run.results()[0]["id"].as_str().unwrap().to_owned();
    world.write("open/.wiki.yaml", "name: open\nsensitivity: internal\n");
    for args in [["query", "r.rag.yaml", "rains"], ["get", "r.rag.yaml", &id], ["get", "r.rag.yaml", "open/note.md"]] {
        let run = world.run(&args).expect(6);
        assert!(run.stdout.is_empty() && !run.stderr.contains("Weather"), "{run}");
    }
}

/// What a manifest means to say cannot be taken for less.
#[test]
fn a_broken_manifest_opens_nothing() {
    let world = both();
    world.write("r.rag.yaml", "clearance: public\nwikis: [open]\n");
    for text in
        ["name: open\nsensitivity: secret\n", "name: open\nsensitivity:\n", "name: open\nsensitivty: restricted\n", "{"]
    {
        world.write("open/.wiki.yaml", text);
        let run = world.run(&["query", "r.rag.yaml", "rains"]).expect(1);
        assert!(run.stderr.contains(".wiki.yaml") && run.stdout.is_empty(), "{run}");
    }
    world.write("open/.wiki.yaml", "name: open\nsensitivity: public\n");
    for text in [
        "clearance: secret\nwikis: [secret]\n",
        "clearance:\nwikis: [secret]\n",
        "clearence: restricted\nwikis: [secret]\n",
    ] {
        world.write("r.rag.yaml", text);
        let run = world.run(&["query", "r.rag.yaml", "heron"]).expect(1);
        assert_silent(&run);
    }
    assert!(!world.holds(".index"));
}

/// What `open` gives of `path`, asked in every way that looks at no more than it must.
#[track_caller]
fn assert_gone(world: &World, id: &str, path: &str) {
    for args in [["get", "open", id].as_slice(), &["get", "open", path], &["get", "open", &format!("open/{path}")]] {
        let run = world.run(args).expect(1);
        assert!(run.stdout.is_empty() && run.stderr.contains("there is no"), "{run}");
        assert!(!run.stderr.contains("Otter"), "{run}");
    }
    for args in [["--no-refresh"].as_slice(), &["--no-refresh", "--explain"], &[]] {
        let run = world.run(&[&["query", "open", "otters rains", "--json"], args].concat()).ok();
        assert_eq!(run.hits(), ["open/note.md"], "{run}");
        assert!(!run.stdout.contains(path) && !run.stderr.contains(path), "{run}");
    }
}

/// What a manifest takes out of a wiki is out of it from the moment at which that is written down.
#[test]
fn a_document_leaves_with_the_manifest_that_says_so() {
    let manifests = [
        ("open/river/.wiki.yaml", "name: river\nsensitivity: restricted\n"),
        ("open/river/deep/.wiki.yaml", ""),
        ("open/river/deep/.wiki.yaml", "sensitivity: secre"),
        ("open/.wiki.yaml", "name: open\nsensitivity: public\nexclude: [deep/]\n"),
        ("open/.wiki.yaml", "name: open\nsensitivity: public\nexclude: ['otter*']\n"),
        ("open/.wiki.yaml", "name: open\nsensitivity: public\ninclude: ['note.*']\n"),
    ];
    for (manifest, text) in manifests {
        let world = both();
        world.write("open/river/deep/otter.md", "# Otters\n\nOtters do not mind.\n");
        let run = world.run(&["query", "open", "otters", "--json"]).ok();
        assert_eq!(run.hits()[0], "open/river/deep/otter.md");
        let id = run.results()[0]["id"].as_str().unwrap().to_owned();
        world.write(manifest, text);
        assert_gone(&world, &id, "river/deep/otter.md");
    }
}

#[test]
fn a_wiki_made_by_name_inside_another_leaves_it() {
    let world = both();
    world.write("open/river/deep/otter.md", "# Otters\n\nOtters do not mind.\n");
    let run = world.run(&["query", "open", "otters", "--json"]).ok();
    let id = run.results()[0]["id"].as_str().unwrap().to_owned();
    let _ = world.run(&["build", "water", "open/river"]).ok();
    assert_gone(&world, &id, "river/deep/otter.md");
    let run = world.run(&["build", "open", "--full", "--json"]).ok();
    assert_eq!(run.json()["skipped"]["nested-wiki"], 2, "{run}");
    let run = world.run(&["query", "water", "otters", "--json"]).ok();
    assert_eq!(run.hits(), ["water/deep/otter.md"]);
}

/// One wiki made by name whose manifest is broken is no matter of the others.
#[test]
fn a_broken_wiki_made_by_name_closes_its_own_documents_only() {
    let world = both();
    let _ = world.run(&["build", "heronry", "secret"]).ok();
    let manifest = world.home("data/wikirag/wikis/heronry/.wiki.yaml");
    let sound = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, format!("{sound}sensitivty: restricted\n")).unwrap();
    world.write("r.rag.yaml", "clearance: public\nwikis: [open]\n");
    for target in ["open", "r.rag.yaml"] {
        let run = world.run(&["query", target, "rains", "--json"]).ok();
        assert_eq!(run.hits(), ["open/note.md"]);
        assert_silent(&run);
    }
    for target in ["secret", "secret/deep", "heronry"] {
        let run = world.run(&["--set", "clearance=restricted", "query", target, "rains"]).expect(1);
        assert_eq!(run.stdout, "");
    }
    // Whose documents this one speaks of nobody can tell.
    std::fs::write(&manifest, "nightingale: [").unwrap();
    let run = world.run(&["query", "open", "rains", "--json"]).expect(1);
    assert!(run.stdout.is_empty() && run.stderr.contains("wikis made by name is broken"), "{run}");
    assert_silent(&run);
}

/// Rules that cannot be used might have kept something out.
#[test]
fn nothing_new_comes_in_past_a_bad_ignore_file() {
    let world = both();
    world.write("open/sub/old.md", "# Old\n\nBadgers dig.\n");
    let _ = world.run(&["build", "open"]).ok();
    for folder in ["open/sub", "open"] {
        let rules = format!("{folder}/.gitignore");
        world.write(&rules, "hidden.md\n[z-a].md\n");
        world.write(&format!("{folder}/hidden.md"), "# Badgers unseen\n\nBadgers hide.\n");
        let run = world.run(&["query", "open", "badgers", "--json"]);
        assert_eq!(run.hits(), ["open/sub/old.md"], "{run}");
        let run = world.run(&["build", "open"]);
        assert!(run.code == 4 || run.code == 1, "{run}");
        assert!(run.stderr.contains(".gitignore"), "{run}");
        assert_eq!(world.run(&["query", "open", "badgers", "--no-refresh", "--json"]).hits(), ["open/sub/old.md"]);
        world.write(&rules, "hidden.md\n");
        let _ = world.run(&["build", "open"]).ok();
    }
}
