//! Taps as a user sees them: repositories in, wikis to ask, and nothing run.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use serde_json::Value;
use wikirag_tests::{Run, World};

use crate::world;

/// Git in a folder of the world, without the settings of whoever runs the tests.
#[track_caller]
fn git(world: &World, folder: &str, args: &[&str]) {
    let mut command = Command::new("git");
    command
        .args(args)
        .current_dir(world.path(folder))
        .env_clear()
        .env("HOME", world.home(""))
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("PATH", std::env::var_os("PATH").unwrap());
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "x").env(format!("GIT_{who}_EMAIL"), "x@example.org");
    }
    let _ = Run::of(&mut command).ok();
}

/// Writes files into `sources/NAME` and puts them into the bare repository `NAME.git`.
fn publish(world: &World, name: &str, files: &[(&str, &str)]) {
    let source = format!("sources/{name}");
    if !world.path(&format!("{name}.git")).exists() {
        fs::create_dir_all(world.path(&source)).unwrap();
        git(world, "", &["init", "--quiet", "--bare", "--initial-branch=main", &format!("{name}.git")]);
        git(world, &source, &["init", "--quiet", "--initial-branch=main"]);
    }
    for (path, text) in files {
        world.write(&format!("{source}/{path}"), text);
    }
    git(world, &source, &["add", "--all"]);
    git(world, &source, &["commit", "--quiet", "--allow-empty", "--message=x"]);
    git(world, &source, &["push", "--quiet", "--force", &format!("../../{name}.git"), "HEAD:main"]);
}

const REVIEW: &str =
    "---\nname: review\ndescription: Reviews a pull request for bugs\n---\n\n# Review\n\nRead the diff twice.\n";
const DEPLOY: &str =
    "---\nname: deploy\ndescription: Deploys a container to a cluster\n---\n\n# Deploy\n\nRoll out slowly.\n";

fn acme() -> World {
    let world = world();
    publish(&world, "acme", &[("skills/review/SKILL.md", REVIEW)]);
    world
}

/// The state of each tap in an answer of `list`, `update` or `add`.
fn states(run: &Run) -> Vec<(String, String)> {
    let json = run.json();
    assert_eq!(json["version"], 1);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    json["taps"].as_array().unwrap().iter().map(|tap| (text(&tap["name"]), text(&tap["state"]))).collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, state)| ((*name).to_owned(), (*state).to_owned())).collect()
}

/// A script that is found before other programs of its name.
fn program(world: &mut World, name: &str, script: &str) {
    let path = world.path("bin").join(name);
    world.write(&format!("bin/{name}"), script);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    world.set_variable("PATH", &format!("{}:{path}", world.path("bin").display()));
}

#[test]
fn a_tap_is_added_asked_updated_and_removed() {
    let world = acme();
    let run = world.run(&["tap", "add", "acme.git"]).ok();
    assert!(run.stdout.starts_with("acme: added at ") && run.stdout.contains(" of main, 1 file; "), "{run}");
    let again = world.run(&["tap", "add", "acme.git"]).ok();
    assert!(again.stdout.starts_with("acme: there at "), "{again}");
    let hits = world.run(&["query", "acme", "review a pull request", "--json"]).ok().hits();
    assert_eq!(hits[0], "acme/skills/review/SKILL.md");
    assert!(
        world.home("data/wikirag/wikis/acme/.index").is_dir(),
        "the index lies beside the manifest, not in the clone"
    );

    publish(&world, "acme", &[("skills/deploy/SKILL.md", DEPLOY)]);
    let run = world.run(&["tap", "update"]).ok();
    assert!(run.stdout.starts_with("acme: updated from "), "{run}");
    assert!(world.run(&["tap", "update", "acme"]).ok().stdout.starts_with("acme: unchanged at "));
    let hits = world.run(&["query", "acme", "deploy a container", "--json"]).ok().hits();
    assert_eq!(hits[0], "acme/skills/deploy/SKILL.md");

    let list = world.run(&["tap", "list"]).ok();
    assert!(list.stdout.contains("acme  ready  main") && list.stdout.contains("acme.git"), "{list}");
    let tap = world.run(&["tap", "list", "--json"]).ok().json()["taps"][0].clone();
    assert_eq!((tap["is_cloned"].as_bool(), tap["commit"].as_str().map(str::len)), (Some(true), Some(40)), "{tap}");

    let run = world.run(&["tap", "remove", "acme"]).ok();
    assert_eq!(run.stdout, "removed acme\n");
    assert!(!world.home("data/wikirag/wikis/acme").exists() && !world.home("data/wikirag/taps/acme").exists());
    assert_eq!(world.run(&["query", "acme", "review"]).code, 1);
    assert!(world.run(&["tap", "remove", "acme"]).expect(1).stderr.contains("wikirag tap list"));
    assert!(world.run(&["tap", "list"]).ok().stderr.contains("wikirag tap add"));
}

#[test]
fn the_manifest_of_a_tap_says_skills_and_a_stranger_does_not_say_who_may_see_it() {
    let world = acme();
    publish(&world, "acme", &[(".wiki.yaml", "name: other\nsensitivity: public\n")]);
    let _ = world.run(&["tap", "add", "acme.git"]).ok();
    let manifest = fs::read_to_string(world.home("data/wikirag/wikis/acme/.wiki.yaml")).unwrap();
    assert!(manifest.contains("kind: skills\n"), "{manifest}");
    world.write("all.rag.yaml", "clearance: public\nwikis: [acme]\n");
    assert_eq!(world.run(&["query", "all.rag.yaml", "review"]).code, 6);
}

#[test]
fn a_folder_is_used_where_it_lies() {
    let world = acme();
    let before = world.snapshot("sources/acme");
    let run = world.run(&["tap", "add", "sources/acme", "--name", "here", "--json"]).ok();
    assert_eq!(states(&run), pairs(&[("here", "added")]));
    let hits = world.run(&["query", "here", "review a pull request", "--json"]).ok().hits();
    assert_eq!(hits[0], "here/skills/review/SKILL.md");
    assert_eq!(states(&world.run(&["tap", "update", "--json"]).ok()), pairs(&[("here", "in-place")]));
    let run = world.run(&["tap", "remove", "here"]).ok();
    assert!(run.stdout.contains("stays as it is"), "{run}");
    assert_eq!(world.snapshot("sources/acme"), before);
    assert!(world.run(&["tap", "add", "sources/acme", "--branch", "main"]).expect(1).stderr.contains("--branch"));
}

#[test]
fn a_remote_that_is_gone_is_told_and_the_others_go_on() {
    let world = acme();
    publish(&world, "other", &[("a/SKILL.md", DEPLOY)]);
    let _ = world.run(&["tap", "add", "acme.git"]).ok();
    let _ = world.run(&["tap", "add", "other.git"]).ok();
    publish(&world, "other", &[("b/SKILL.md", REVIEW)]);
    world.remove("acme.git");
    let run = world.run(&["tap", "update", "--json"]).expect(4);
    assert_eq!(states(&run), pairs(&[("acme", "failed"), ("other", "updated")]));
    assert!(run.stderr.contains("acme: as it was: ") && run.stderr.contains("acme.git"), "{run}");
    assert_eq!(states(&world.run(&["tap", "list", "--json"]).ok()), pairs(&[("acme", "stale"), ("other", "ready")]));
    let hits = world.run(&["query", "acme", "review a pull request", "--json"]).ok().hits();
    assert_eq!(hits[0], "acme/skills/review/SKILL.md");
}

#[test]
fn a_catalog_adds_what_it_lists_and_tells_what_not() {
    let world = acme();
    publish(&world, "other", &[("a/SKILL.md", DEPLOY)]);
    world.write(
        "lists/catalog.yaml",
        "- path: ../acme.git\n  type: skills\n  category: coding\n  limit: 1\n- path: ../other.git\n  category: coding\n  limit: 1\n- path: ../absent.git\n- path: ../sources/other\n  name: here\n",
    );
    let run = world.run(&["tap", "add", "--catalog", "lists/catalog.yaml", "--json"]).expect(4);
    let expected = [("acme", "added"), ("../other.git", "left-out"), ("../absent.git", "failed"), ("here", "added")];
    assert_eq!(states(&run), pairs(&expected));
    assert!(run.stderr.contains("warning: ../absent.git: "), "{run}");
    let manifest = fs::read_to_string(world.home("data/wikirag/wikis/acme/.wiki.yaml")).unwrap();
    assert!(manifest.contains("tags: [\"skills\", \"coding\"]\n"), "{manifest}");
    let run = world.run(&["tap", "add", "--catalog", "lists/catalog.yaml"]).expect(4);
    assert!(run.stdout.starts_with("acme: there at "), "{run}");
    world.write("bad.yaml", "- path: acme.git\n- path: acme.git\n  kategory: x\n");
    let run = world.run(&["tap", "add", "--catalog", "bad.yaml"]).expect(1);
    assert!(run.stderr.contains("line: 3") && run.stderr.contains("`category`"), "{run}");
    assert_eq!(world.run(&["tap", "add"]).code, 2);
    assert_eq!(world.run(&["tap", "add", "x", "--catalog", "bad.yaml"]).code, 2);
}

#[test]
fn what_is_no_source_is_refused() {
    let world = acme();
    for (args, what) in [
        (&["tap", "add", "absent"][..], "neither a folder nor an address"),
        (&["tap", "add", "--", "--upload-pack=touch x"], "begin with `-`"),
        (&["tap", "add", "ext::touch x"], "neither"),
        (&["tap", "add", "ext::touch"], "not followed"),
        (&["tap", "add", "https://me:secret@example.org/a/b"], "password"),
        (&["tap", "add", "acme.git", "--name", "../x"], "name"),
        (&["tap", "add", "acme.git", "--name=-x"], "begins with `-`"),
        (&["tap", "add", "acme.git", "--branch=--upload-pack=x"], "no name of a branch"),
        (&["tap", "add", "acme.git", "--branch", "absent"], "no branch `absent`"),
        (&["tap", "update", "absent"], "no tap `absent`"),
    ] {
        let run = world.run(args).expect(1);
        assert!(run.stderr.contains(what) && !run.stderr.contains("secret"), "{run}");
    }
    assert!(!world.home("data/wikirag/taps/acme").exists() && !world.path("x").exists());
}

/// What somebody has set up for work of their own must neither run on the files of a stranger nor lead git elsewhere.
#[test]
fn settings_and_variables_of_the_user_run_nothing_and_lead_nowhere() {
    let mut world = acme();
    publish(&world, "acme", &[(".gitattributes", "*.md filter=evil\n*.md text eol=crlf\n"), ("a.md", "one\n")]);
    publish(&world, "precious", &[("keep.md", "keep")]);
    world.write("sources/precious/keep.md", "not committed");
    let canary = world.path("canary");
    let script = format!("#!/bin/sh\ntouch '{}'\ncat\n", canary.display());
    program(&mut world, "evil", &script);
    world.write("bin/hooks/post-checkout", &script);
    fs::set_permissions(world.path("bin/hooks/post-checkout"), fs::Permissions::from_mode(0o755)).unwrap();
    let hooks = world.path("bin/hooks");
    world.write(
        "gitconfig",
        format!(
            "[filter \"evil\"]\n\tsmudge = evil\n\tprocess = evil\n\trequired = true\n[core]\n\tfsmonitor = evil\n\thooksPath = {}\n\
             \tautocrlf = true\n[protocol \"ext\"]\n\tallow = always\n[url \"ext::evil \"]\n\tinsteadOf = https://evil.example/\n\
             [init]\n\ttemplateDir = {0}\n\tdefaultRefFormat = reftable\n",
            hooks.display()
        ),
    );
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", world.path("gitconfig")),
        ("GIT_DIR", world.path("sources/precious/.git")),
        ("GIT_WORK_TREE", world.path("sources/precious")),
        ("GIT_INDEX_FILE", world.path("elsewhere")),
        ("GIT_TEMPLATE_DIR", world.path("bin")),
    ] {
        world.set_variable(name, value.to_str().unwrap());
    }
    world.set_variable("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=evil'");
    world.set_variable("GIT_ALLOW_PROTOCOL", "ext:file");
    let _ = world.run(&["tap", "add", "acme.git"]).ok();
    let clone = world.home("data/wikirag/taps/acme/clone");
    fs::write(clone.join("a.md"), "dirty").unwrap();
    let _ = world.run(&["tap", "update"]).ok();
    assert_eq!(fs::read_to_string(clone.join("a.md")).unwrap(), "one\n");
    let run = world.run(&["tap", "add", "https://evil.example/a"]).expect(1);
    assert!(run.stderr.contains("ext"), "{run}");
    assert_eq!(world.read("sources/precious/keep.md"), "not committed");
    assert!(!canary.exists() && !world.path("elsewhere").exists());
    assert!(clone.join(".git/HEAD").is_file() && !clone.join(".git/hooks").exists());
}

#[test]
fn without_git_the_error_says_what_to_install() {
    let mut world = acme();
    let _ = world.run(&["tap", "add", "acme.git"]).ok();
    world.set_variable("PATH", "/nowhere");
    for args in [&["tap", "add", "acme.git", "--name", "more"][..], &["tap", "update"]] {
        let run = world.run(args).expect(1);
        assert!(run.stderr.contains("there is no program `git`") && run.stderr.contains("install git"), "{run}");
    }
    // What needs no git goes on.
    assert_eq!(states(&world.run(&["tap", "list", "--json"]).ok()), pairs(&[("acme", "ready")]));
    assert!(world.run(&["tap", "add", "sources/acme", "--name", "here"]).ok().stdout.starts_with("here: added"));
    let _ = world.run(&["tap", "remove", "acme"]).ok();
}

#[test]
fn a_repository_of_odd_files_is_indexed_and_each_is_accounted_for() {
    let world = world();
    publish(
        &world,
        "odd",
        &[
            ("skills/review/SKILL.md", REVIEW),
            ("-rf/SKILL.md", "# Flag\n\nA page about wombats.\n"),
            ("a\nb/back\\slash 🦀/SKILL.md", "# Crab\n\nA page about lobsters.\n"),
            ("nested/.wiki.yaml", "name: nested\n"),
            ("nested/SKILL.md", DEPLOY),
            (
                "deep/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/SKILL.md",
                "# Deep\n\nA page about moles.\n",
            ),
            (
                "skills/large/SKILL.md",
                "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
            ),
        ],
    );
    symlink("/etc/passwd", world.path("sources/odd/skills/link.md")).unwrap();
    publish(&world, "odd", &[]);
    let run = world.run(&["tap", "add", "odd.git"]).ok();
    assert!(run.stderr.contains("1 symbolic link: kept as text") && run.stderr.contains("1 Git LFS pointer"), "{run}");
    let _ = world.run(&["build", "odd"]).ok();
    for (question, path) in [("wombats", "odd/-rf/SKILL.md"), ("lobsters", "odd/a\nb/back\\slash 🦀/SKILL.md")] {
        assert_eq!(world.run(&["query", "odd", question, "--json"]).ok().hits(), [path]);
    }
    assert!(world.run(&["query", "odd", "moles", "--json"]).ok().hits()[0].starts_with("odd/deep/"));
    assert_eq!(world.run(&["query", "odd", "container", "--json"]).ok().hits(), ["odd/nested/SKILL.md"]);
    assert!(world.run(&["query", "odd", "root daemon nologin", "--json"]).ok().hits().is_empty());
}

/// Speaks what `gh` 2 speaks: the fields asked for by `--json`, as one list.
const GH: &str = r#"#!/bin/sh
echo "$@" >> "$GH_LOG"
case "$2" in
repos) cat <<'END'
[{"description":"Skills for testing","fullName":"acme/skills","pushedAt":"2026-10-01T12:00:00Z","stargazersCount":12,"url":"https://github.com/acme/skills"},
 {"description":"","fullName":"big/list","pushedAt":"2026-09-01T12:00:00Z","stargazersCount":900,"url":"https://github.com/big/list"}]
END
;;
code) cat <<'END'
[{"path":"skills/react/SKILL.md","repository":{"id":"R_kgDO","isFork":false,"isPrivate":false,"nameWithOwner":"acme/skills","url":"https://github.com/acme/skills"}}]
END
;;
esac
"#;

#[test]
fn discovery_asks_gh_and_lists_repositories_with_skills_first() {
    let mut world = world();
    program(&mut world, "gh", GH);
    world.set_variable("GH_LOG", world.path("log").to_str().unwrap());
    let run = world.run(&["tap", "discover", "testing react", "--limit", "5", "--json"]).ok();
    let json = run.json();
    let names: Vec<_> = json["found"].as_array().unwrap().iter().map(|found| found["repository"].clone()).collect();
    assert_eq!(names, ["acme/skills", "big/list"]);
    assert_eq!(json["found"][0]["skills"][0], "skills/react/SKILL.md");
    assert!(json["found"][1]["description"].is_null());
    let log = world.read("log");
    let expected = [
        "search repos --json fullName,url,description,stargazersCount,pushedAt --limit 5 -- testing react",
        "search code --json repository,path --limit 5 --filename SKILL.md -- testing react",
    ];
    assert_eq!(log.lines().collect::<Vec<_>>(), expected);
    let run = world.run(&["tap", "discover", "--", "--evil"]).ok();
    assert!(run.stdout.contains("acme/skills  1       12     2026-10-01  Skills for testing"), "{run}");
    assert!(world.read("log").contains("-- --evil"));
    assert_eq!(fs::read_dir(world.home("")).unwrap().count(), 0, "nothing is kept");
}

#[test]
fn without_gh_and_where_it_fails_the_error_says_what_to_do() {
    let mut world = world();
    world.set_variable("PATH", "/nowhere");
    let run = world.run(&["tap", "discover", "react"]).expect(1);
    assert!(run.stderr.contains("there is no program `gh`") && run.stderr.contains("install the GitHub CLI"), "{run}");
    for script in ["#!/bin/sh\necho 'HTTP 403: API rate limit exceeded' >&2\nexit 1\n", "#!/bin/sh\necho not json\n"] {
        program(&mut world, "gh", script);
        let run = world.run(&["tap", "discover", "react"]).expect(5);
        assert!(run.stderr.contains("try again in a minute"), "{run}");
    }
    assert_eq!(world.run(&["tap", "discover", " "]).code, 2);
}
