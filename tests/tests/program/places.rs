//! Where wikis lie, and what lies in them.

use crate::world;

/// [B31]
#[test]
fn files_of_one_name_are_separate_documents() {
    let world = world();
    world.write("wiki/a/readme.md", "# Readme\n\nThe heron of the north.\n");
    world.write("wiki/b/readme.md", "# Readme\n\nThe otter of the south.\n");
    let mut expected = vec![("heron", "wiki/a/readme.md"), ("otter", "wiki/b/readme.md")];
    world.write("wiki/README.md", "# Readme\n\nThe badger of the east.\n");
    expected.push(("badger", "wiki/README.md"));
    // Not where the file system takes both names for one.
    if !world.path("wiki/readme.md").exists() {
        world.write("wiki/readme.md", "# Readme\n\nThe lynx of the west.\n");
        expected.push(("lynx", "wiki/readme.md"));
    }
    let report = world.run(&["build", "wiki", "--json"]).ok().json();
    assert_eq!(report["documents"], expected.len());
    for (word, path) in expected {
        assert_eq!(world.run(&["query", "wiki", word, "--json"]).ok().hits(), [path]);
    }
}

/// [B34] What lies above a wiki does not decide what is in it.
#[test]
fn rules_of_folders_above_do_not_count() {
    let world = world();
    world.write(".gitignore", "*\n");
    world.write(".ignore", "*\n");
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    world.write(".vault/tmp/wiki/note.md", "# Note\n\nThe heron waits.\n");
    world.write(".vault/tmp/wiki/skipped.md", "# Skipped\n\nThe otter swims.\n");
    world.write(".vault/tmp/wiki/.gitignore", "skipped.md\n");
    let report = world.run(&["build", ".vault/tmp/wiki", "--json"]).ok().json();
    assert_eq!((&report["indexed"], &report["skipped"]["ignored"]), (&1.into(), &1.into()));
    assert_eq!(world.run(&["query", ".vault/tmp/wiki", "heron", "--json"]).ok().hits(), ["wiki/note.md"]);
}

/// [B34]
#[test]
fn a_folder_without_notes_is_told() {
    let world = world();
    world.write("wiki/.gitignore", "*.md\n");
    world.write("wiki/note.md", "# Note\n");
    for args in [["build", "wiki"].as_slice(), &["query", "wiki", "note"]] {
        let run = world.run(args).expect(1);
        assert!(run.stderr.contains("wiki") && run.stderr.contains("document"), "{run}");
    }
}

/// A wiki inside another is one of its own.
#[test]
fn a_nested_wiki_is_not_part_of_the_outer_one() {
    let world = world();
    world.write("outer/note.md", "# Outer\n\nThe heron waits.\n");
    world.write("outer/inner/.wiki.yaml", "name: inner\n");
    world.write("outer/inner/note.md", "# Inner\n\nThe otter swims.\n");
    let report = world.run(&["build", "outer", "--json"]).ok().json();
    assert_eq!((&report["indexed"], &report["skipped"]["nested-wiki"]), (&1.into(), &1.into()));
    assert!(world.run(&["query", "outer", "otter", "--json"]).ok().hits().is_empty());
    assert_eq!(world.run(&["query", "outer/inner", "otter", "--json"]).ok().hits(), ["inner/note.md"]);
}

/// [B36] A folder that is suddenly empty was not mounted; nobody deleted it all.
#[test]
fn an_emptied_folder_keeps_what_was_indexed() {
    let world = world();
    world.write("wiki/.wiki.yaml", "name: wiki\n");
    world.write("wiki/a.md", "# A\n\nThe heron waits.\n");
    world.write("wiki/b.md", "# B\n\nThe otter swims.\n");
    let _ = world.run(&["build", "wiki"]).ok();
    world.rename("wiki/a.md", "away/a.md");
    world.rename("wiki/b.md", "away/b.md");
    let run = world.run(&["build", "wiki"]).expect(1);
    assert!(run.stderr.contains("mounted") && run.stderr.contains("holds 2"), "{run}");
    assert_eq!(world.run(&["status", "wiki", "--json"]).ok().json()["wikis"][0]["documents"], 2);
    world.rename("away/a.md", "wiki/a.md");
    world.rename("away/b.md", "wiki/b.md");
    assert_eq!(world.run(&["query", "wiki", "heron", "--json"]).ok().hits(), ["wiki/a.md"]);
}

#[test]
fn a_wiki_whose_folder_is_gone_is_told() {
    let world = world();
    world.write("docs/a.md", "# A\n\nThe heron waits.\n");
    let _ = world.run(&["build", "birds", "docs"]).ok();
    world.rename("docs", "elsewhere");
    for args in [["build", "birds"].as_slice(), &["query", "birds", "heron"]] {
        let run = world.run(args).expect(1);
        assert!(run.stderr.contains("birds") && run.stderr.contains("mount"), "{run}");
    }
    world.rename("elsewhere", "docs");
    assert_eq!(world.run(&["query", "birds", "heron", "--no-build", "--json"]).ok().hits(), ["birds/a.md"]);
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::os::unix::process::CommandExt;

    use wikirag_tests::{Run, World};

    use crate::world;

    /// [B35]
    #[test]
    fn links_are_named_and_each_file_is_read_once() {
        let world = world();
        world.write("real/note.md", "# Note\n\nThe heron waits.\n");
        world.write("outside.md", "# Outside\n\nThe otter swims.\n");
        symlink(world.path("real"), world.path("wiki")).unwrap();
        symlink("..", world.path("real/loop")).unwrap();
        symlink(".", world.path("real/self")).unwrap();
        symlink("note.md", world.path("real/again.md")).unwrap();
        symlink("../outside.md", world.path("real/outside.md")).unwrap();
        symlink("/etc", world.path("real/etc")).unwrap();
        symlink("nowhere.md", world.path("real/broken.md")).unwrap();
        let report = world.run(&["build", "wiki", "--json"]).ok().json();
        assert_eq!(report["indexed"], 1);
        let expected = serde_json::json!({ "hidden": 1, "link-broken": 1, "link-inside": 2, "link-outside": 3 });
        assert_eq!(report["skipped"], expected);
        let files = world.run(&["status", "wiki", "--files", "--reason", "link-outside"]).ok().stdout;
        assert!(files.contains("etc") && files.contains("outside.md"), "{files}");
        assert!(world.run(&["query", "wiki", "otter", "--json"]).ok().hits().is_empty());
        assert_eq!(world.run(&["query", "wiki", "heron", "--json"]).ok().hits(), ["wiki/note.md"]);
    }

    /// Nobody. Permissions bind every user but root, and tests may well be run by root.
    const NOBODY: u32 = 65_534;

    /// Runs the program as a user whom permissions bind; `None`, said on stderr, where that cannot be done.
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    fn run_bound(world: &World, args: &[&str]) -> Option<Run> {
        let mut command = world.command(args);
        if fs::metadata(world.path("")).unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        match Run::try_of(&mut command) {
            Ok(run) => Some(run),
            // Nobody may be kept from the program itself.
            Err(error) => {
                eprintln!("skipped: the program cannot be run as another user: {error}");
                None
            }
        }
    }

    fn set_mode(world: &World, path: &str, mode: u32) {
        fs::set_permissions(world.path(path), Permissions::from_mode(mode)).unwrap();
    }

    /// A wiki that anybody may read, and whose index anybody may write.
    fn shared() -> World {
        let world = world();
        world.write("wiki/open.md", "# Open\n\nThe heron waits.\n");
        world.write("wiki/shut.md", "# Shut\n\nThe otter swims.\n");
        world.write("wiki/sub/deep.md", "# Deep\n\nThe badger digs.\n");
        for path in ["..", ".", "wiki", "wiki/sub", "../home"] {
            set_mode(&world, path, 0o777);
        }
        world
    }

    fn documents(world: &World) -> Option<u64> {
        let status = run_bound(world, &["status", "wiki", "--json"])?;
        status.json()["wikis"][0]["documents"].as_u64()
    }

    /// [B36] What cannot be read is not gone.
    #[test]
    fn an_unreadable_file_or_folder_keeps_its_rows() {
        let world = shared();
        let Some(run) = run_bound(&world, &["build", "wiki"]) else { return };
        let _ = run.ok();
        for (path, told) in [("wiki/shut.md", "wiki/shut.md"), ("wiki/sub", "wiki/sub/")] {
            set_mode(&world, path, 0o000);
            // A changed note beside it does not hide what failed.
            world.append("wiki/open.md", "More herons.\n");
            let run = run_bound(&world, &["build", "wiki"]).unwrap().expect(4);
            assert!(run.stderr.contains(&format!("{told}: not read")) && run.stderr.contains("unreadable"), "{run}");
            assert_eq!(documents(&world), Some(3));
            set_mode(&world, path, 0o777);
            let _ = run_bound(&world, &["build", "wiki"]).unwrap().ok();
            assert_eq!(documents(&world), Some(3));
        }
    }

    /// The documents may lie where nothing may be written.
    #[test]
    fn a_read_only_wiki_is_indexed_elsewhere() {
        let world = shared();
        set_mode(&world, "wiki", 0o555);
        let Some(run) = run_bound(&world, &["build", "wiki"]) else { return };
        let run = run.expect(1);
        assert!(run.stderr.contains("index_dir"), "{run}");
        let run = run_bound(&world, &["--set", "index_dir=indexes", "query", "wiki", "heron", "--json"]).unwrap().ok();
        assert_eq!(run.hits(), ["wiki/open.md"]);
        set_mode(&world, "wiki", 0o777);
    }

    /// Who may read an index but not write it asks all the same.
    #[test]
    fn an_index_of_somebody_else_answers() {
        let world = shared();
        let _ = world.run(&["build", "wiki"]).ok();
        // What the builder's own umask gives the others: to read.
        let index = world.snapshot("wiki/.index");
        let files: Vec<String> = index.paths().into_iter().map(|path| format!("wiki/.index/{path}")).collect();
        let folders = files.iter().flat_map(|file| file.match_indices('/').map(|(end, _)| file[..end].to_owned()));
        let folders: std::collections::BTreeSet<String> = folders.collect();
        folders.iter().for_each(|folder| set_mode(&world, folder, 0o555));
        let is_hidden = |file: &&String| fs::metadata(world.path(file)).unwrap().mode() & 0o004 == 0;
        let hidden: Vec<_> = files.iter().filter(is_hidden).collect();
        assert!(hidden.is_empty(), "others may not read {hidden:?}");
        if let Some(run) = run_bound(&world, &["query", "wiki", "heron", "--json"]) {
            assert_eq!(run.ok().hits(), ["wiki/open.md"]);
        }
        folders.iter().for_each(|folder| set_mode(&world, folder, 0o777));
    }
}
