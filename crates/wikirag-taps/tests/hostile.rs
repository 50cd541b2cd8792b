//! Repositories that mean no good. Each is made with git itself, survived, and told.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "the helpers of tests fail like tests")]

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::Duration;

use common::{Place, Repository};
use wikirag_core::{ErrorKind, Sensitivity};
use wikirag_engine::locate::Locator;
use wikirag_taps::UpdateState;

#[test]
fn more_files_than_allowed_are_not_written() {
    let mut place = Place::new();
    let repository = place.repository("origin");
    for number in 0..30 {
        repository.write(&format!("{number}.md"), "x");
    }
    repository.commit();
    place.limits.files = 29;
    let error = place.refused(&repository, "huge");
    assert!(error.kind() == ErrorKind::Invalid && error.message().contains("29 files"), "{error}");
    assert!(error.remedy().unwrap().contains("--max-files"));
    place.limits.files = 30;
    assert_eq!(place.add(&repository, "huge", None).unwrap().contents.unwrap().files, 30);
    repository.add("more.md", "x");
    let failed = place.update("huge");
    assert!(failed.state == UpdateState::Failed && failed.reason.unwrap().contains("30 files"));
    assert_eq!(place.files("huge").len(), 30, "it is as it was");
}

#[test]
fn a_few_folders_that_stand_for_ten_billion_files_are_not_unfolded() {
    let mut place = Place::new();
    let repository = place.repository("origin");
    let mut inner = format!("100644 blob {}", repository.blob(b"x"));
    for _ in 0..10 {
        let entries: Vec<String> = (0..10).map(|number| format!("{inner}\t{number}")).collect();
        inner = format!("040000 tree {}", repository.tree(&entries));
    }
    repository.commit_tree(inner.rsplit(' ').next().unwrap());
    place.limits.files = 1000;
    let error = place.refused(&repository, "bomb");
    assert!(error.kind() == ErrorKind::Invalid && error.message().contains("1000 files"), "{error}");
}

#[test]
fn more_bytes_than_allowed_are_not_written() {
    let mut place = Place::new();
    let repository = place.repository("origin");
    // Zeros, of which git fetches next to nothing.
    repository.write("a.md", vec![0; 3_000_000]);
    repository.commit();
    place.limits.bytes = 2_000_000;
    let error = place.refused(&repository, "large");
    assert!(error.kind() == ErrorKind::Invalid && error.remedy().unwrap().contains("--max-mb"), "{error}");
}

#[test]
fn no_clone_takes_longer_than_allowed() {
    let mut place = Place::new();
    let repository = place.repository("origin");
    repository.add("a.md", "x");
    let _ = place.add(&repository, "there", None).unwrap();
    place.limits.time = Duration::ZERO;
    let error = place.refused(&repository, "slow");
    assert!(error.kind() == ErrorKind::TimedOut && error.remedy().unwrap().contains("--max-seconds"), "{error}");
    assert!(place.update("there").reason.unwrap().contains("--max-seconds"));
    assert_eq!(place.files("there"), ["a.md"]);
}

#[test]
fn deep_folders_are_written_or_refused_as_a_whole() {
    let place = Place::new();
    let repository = place.repository("origin");
    let nested = |depth: usize| {
        let path = format!("{}a.md", "d/".repeat(depth));
        repository.git(&["read-tree", "--empty"]);
        repository.git(&["update-index", "--add", "--cacheinfo", "100644", &repository.blob(b"x"), &path]);
        repository.commit_tree(&repository.git(&["write-tree"]));
    };
    nested(300);
    assert_eq!(place.add(&repository, "deep", None).unwrap().contents.unwrap().files, 1);
    assert_eq!(place.files("deep"), [format!("{}a.md", "d/".repeat(300))]);
    nested(2_500);
    let error = place.refused(&repository, "deeper");
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert_eq!(place.update("deep").state, UpdateState::Failed);
}

#[test]
fn links_are_text_wherever_they_lead() {
    let place = Place::new();
    let repository = place.repository("origin");
    fs::write(place.path("secret.md"), "secret").unwrap();
    for (name, target) in
        [("out.md", "../../../secret.md"), ("absolute.md", "/etc/passwd"), ("loop", "loop"), ("up", "..")]
    {
        symlink(target, repository.path.join(name)).unwrap();
    }
    repository.commit();
    assert_eq!(place.add(&repository, "links", None).unwrap().contents.unwrap().links, 4);
    for name in place.files("links") {
        let path = place.clone("links").join(&name);
        assert!(fs::symlink_metadata(&path).unwrap().is_file(), "{name}");
    }
    assert_eq!(fs::read_to_string(place.clone("links").join("out.md")).unwrap(), "../../../secret.md");
    // A folder that becomes a link, through which a later file would be written elsewhere.
    fs::create_dir(place.path("target")).unwrap();
    repository.git(&["rm", "-r", "--quiet", "."]);
    repository.add("folder/a.md", "x");
    assert_eq!(place.update("links").state, UpdateState::Updated);
    fs::remove_dir_all(place.clone("links").join("folder")).unwrap();
    symlink(place.path("target"), place.clone("links").join("folder")).unwrap();
    repository.add("folder/b.md", "x");
    assert_eq!(place.update("links").state, UpdateState::Updated);
    assert_eq!(fs::read_dir(place.path("target")).unwrap().count(), 0);
    assert_eq!(place.files("links"), ["folder/a.md", "folder/b.md"]);
}

#[test]
fn names_are_data() {
    let place = Place::new();
    let repository = place.repository("origin");
    let mut names = vec![
        "-rf",
        "--help",
        "a\nb.md",
        "tab\there",
        "back\\slash.md",
        "..md",
        "...",
        "a..b",
        "🦀/é/日本語.md",
        " blank ",
        "\"quoted\"",
        "$(touch x)",
        "`touch x`",
        "a;b",
        "*",
        "con",
        "\u{202e}md.exe",
        "tap.yaml",
        "HEAD",
        "con fig/.gitignore",
    ];
    names.sort_unstable();
    for name in &names {
        repository.write(name, "x");
    }
    repository.commit();
    let added = place.add(&repository, "names", None).unwrap();
    assert_eq!(added.contents.unwrap().files, names.len() as u64);
    assert_eq!(place.files("names"), names);
    repository.add("later.md", "x");
    assert_eq!(place.update("names").state, UpdateState::Updated);
    assert_eq!(place.files("names").len(), names.len() + 1);
}

#[test]
fn manifests_of_a_stranger_are_not_written() {
    let place = Place::new();
    let repository = place.repository("origin");
    for manifest in ["sensitivity: public\nlayers: [none]\nexclude: '**'\n", "source: /etc\n", "no: manifest: at all"] {
        repository.write(".wiki.yaml", manifest);
        repository.write("a/b/.wiki.yaml", manifest);
        repository.write("a/b/c.md", manifest);
        repository.commit();
        if manifest.starts_with("sens") {
            let _ = place.add(&repository, "acme", None).unwrap();
        }
        let _ = place.update("acme");
        assert_eq!(place.files("acme"), ["a/b/c.md"]);
        assert_eq!(fs::read_to_string(place.clone("acme").join("a/b/c.md")).unwrap(), manifest);
        let wiki = Locator::new(&place.settings, &place.path(""), Sensitivity::Internal).wiki("acme").unwrap();
        assert_eq!((wiki.manifest.sensitivity, wiki.root), (Sensitivity::Internal, place.clone("acme")));
    }
}

#[test]
fn names_that_lead_out_of_the_clone_or_into_git_are_refused() {
    let place = Place::new();
    let repository = place.repository("origin");
    let hook = repository.blob(b"#!/bin/sh\ntouch canary\n");
    let evil = repository.tree(&[format!("100755 blob {hook}\tpost-checkout")]);
    for name in ["..", ".git", ".GIT", "git~1", ".g\u{200c}it"] {
        repository.commit_tree(&repository.tree(&[format!("040000 tree {evil}\t{name}")]));
        let error = place.refused(&repository, "evil");
        assert_eq!(error.kind(), ErrorKind::Io, "{name}: {error}");
    }
}

#[test]
fn submodules_are_counted_and_not_fetched() {
    let place = Place::new();
    let repository = place.repository("origin");
    let canary = place.path("canary");
    let commit = repository.add("a.md", "x");
    let modules = format!(
        "[submodule \"s\"]\n\tpath = s\n\turl = ext::touch {}\n\tupdate = !touch {}\n",
        canary.display(),
        canary.display()
    );
    let entries = [
        format!("100644 blob {}\t.gitmodules", repository.blob(modules.as_bytes())),
        format!("160000 commit {commit}\ts"),
        format!("160000 commit {commit}\t-u"),
    ];
    repository.commit_tree(&repository.tree(&entries));
    let contents = place.add(&repository, "modules", None).unwrap().contents.unwrap();
    assert_eq!((contents.files, contents.submodules), (1, 2));
    repository.add("b.md", "x");
    assert_eq!(place.update("modules").state, UpdateState::Updated);
    assert!(!canary.exists());
}

#[test]
fn pointers_of_git_lfs_stay_pointers() {
    let place = Place::new();
    let repository = place.repository("origin");
    let digits = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digits}\nsize 12345\n");
    repository.write("model.bin", &pointer);
    repository.write("a/é.md", &pointer);
    repository.write("version.md", "version https://git-lfs.github.com/spec/v1 is what a pointer begins with.\n");
    repository.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    repository.git(&["config", "filter.lfs.clean", "cat"]);
    repository.commit();
    let contents = place.add(&repository, "lfs", None).unwrap().contents.unwrap();
    assert_eq!((contents.files, contents.lfs_pointers), (4, 2));
    assert_eq!(fs::read_to_string(place.clone("lfs").join("model.bin")).unwrap(), pointer);
}

#[test]
fn attributes_change_no_byte() {
    let place = Place::new();
    let repository = place.repository("origin");
    let text = "one\ntwo $Id$\r\nthree é\n";
    let attributes = "*.md text eol=crlf ident working-tree-encoding=UTF-16\n";
    let entries = [
        format!("100644 blob {}\t.gitattributes", repository.blob(attributes.as_bytes())),
        format!("100644 blob {}\ta.md", repository.blob(text.as_bytes())),
    ];
    repository.commit_tree(&repository.tree(&entries));
    let _ = place.add(&repository, "bytes", None).unwrap();
    assert_eq!(fs::read_to_string(place.clone("bytes").join("a.md")).unwrap(), text);
}

/// Programs that a repository, or somebody who could write to a clone, would have git run.
#[test]
fn nothing_of_a_clone_or_of_its_origin_is_run() {
    let place = Place::new();
    let repository = place.repository("origin");
    let (canary, script) = (place.path("canary"), place.path("script"));
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\ncat\n", canary.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.to_str().unwrap();
    let booby_trap = |git: &Repository| {
        let hooks = git.bare().join("hooks");
        fs::create_dir_all(&hooks).unwrap();
        for hook in [
            "post-checkout",
            "post-merge",
            "reference-transaction",
            "post-index-change",
            "fsmonitor-watchman",
            "pre-auto-gc",
            "post-update",
            "post-rewrite",
        ] {
            fs::copy(script, hooks.join(hook)).unwrap();
        }
        for (key, value) in [
            ("core.fsmonitor", script),
            ("core.hooksPath", hooks.to_str().unwrap()),
            ("filter.evil.smudge", script),
            ("filter.evil.process", script),
            ("filter.evil.required", "true"),
            ("filter.lfs.smudge", script),
            ("filter.lfs.process", script),
            ("core.pager", script),
            ("core.editor", script),
            ("core.worktree", place.path("").to_str().unwrap()),
            ("core.bare", "false"),
            ("uploadpack.packObjectsHook", script),
            ("protocol.ext.allow", "always"),
            ("gc.auto", "1"),
            ("submodule.recurse", "true"),
            ("core.symlinks", "true"),
        ] {
            // Not by git, which would obey what was set before.
            let config = git.bare().join("config");
            let (section, name) = key.rsplit_once('.').unwrap();
            let section =
                section.split_once('.').map_or(section.to_owned(), |(outer, inner)| format!("{outer} \"{inner}\""));
            let text = format!("{}\n[{section}]\n\t{name} = {value}\n", fs::read_to_string(&config).unwrap());
            fs::write(config, text).unwrap();
        }
    };
    let attributes = "*.md filter=evil diff=evil merge=evil\n*.bin filter=lfs\n";
    let commit_of = |text: &str| {
        let entries = [
            format!("100644 blob {}\t.gitattributes", repository.blob(attributes.as_bytes())),
            format!("100644 blob {}\ta.md", repository.blob(text.as_bytes())),
            format!("100644 blob {}\tb.bin", repository.blob(text.as_bytes())),
        ];
        let commit = repository.git(&["commit-tree", "-m", "x", &repository.tree(&entries)]);
        fs::write(repository.bare().join("refs/heads/main"), format!("{commit}\n")).unwrap();
    };
    commit_of("one");
    commit_of("two");
    let second = fs::read_to_string(repository.bare().join("refs/heads/main")).unwrap();
    commit_of("one");
    booby_trap(&repository);
    let _ = place.add(&repository, "trap", None).unwrap();
    booby_trap(&Repository { path: place.clone("trap") });
    fs::write(place.clone("trap").join("a.md"), "dirty").unwrap();
    assert_eq!(place.update("trap").state, UpdateState::Unchanged);
    fs::write(repository.bare().join("refs/heads/main"), second).unwrap();
    assert_eq!(place.update("trap").state, UpdateState::Updated);
    assert_eq!(fs::read_to_string(place.clone("trap").join("a.md")).unwrap(), "two");
    assert!(place.path("script").exists(), "the folder named as working tree was not cleaned");
    assert!(!canary.exists(), "something was run");
}
