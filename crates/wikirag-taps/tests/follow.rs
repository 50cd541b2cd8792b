//! A tap follows its remote, whatever becomes of that.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail like tests")]

mod common;

use std::fs;

use common::{Place, Repository, git};
use wikirag_core::{Context, ErrorKind, Sensitivity, WikiName};
use wikirag_engine::git_head;
use wikirag_engine::locate::{self, Locator, NewWiki};
use wikirag_engine::manifest::WikiKind;
use wikirag_taps::{NewTap, Source, TapState, UpdateState};

#[test]
fn a_clone_is_shallow_and_its_wiki_one_of_skills() {
    let place = Place::new();
    let repository = place.repository("origin");
    repository.add("a/SKILL.md", "one");
    repository.git(&["tag", "v1"]);
    repository.git(&["branch", "other"]);
    let commit = repository.add("b/SKILL.md", "two");
    let added = place.add(&repository, "acme", None).unwrap();
    assert_eq!(
        (added.was_there, added.branch.as_deref(), added.commit.unwrap().as_str()),
        (false, Some("main"), commit.as_str())
    );
    assert_eq!(added.contents.unwrap().files, 2);
    assert_eq!(place.files("acme"), ["a/SKILL.md", "b/SKILL.md"]);
    let clone = Repository { path: place.clone("acme") };
    assert_eq!(clone.git(&["rev-list", "--all", "--count", "HEAD"]), "1");
    assert_eq!(clone.git(&["for-each-ref"]), "", "neither tags nor branches");
    let wiki = Locator::new(&place.settings, &place.path(""), Sensitivity::Internal).wiki("acme").unwrap();
    assert_eq!((wiki.manifest.kind, wiki.root), (WikiKind::Skills, place.clone("acme")));
}

#[test]
fn an_update_takes_what_is_new_and_says_when_nothing_is() {
    let place = Place::new();
    let repository = place.repository("origin");
    let first = repository.add("a.md", "one");
    let _ = place.add(&repository, "acme", None).unwrap();
    let same = place.update("acme");
    assert_eq!((same.state, same.contents), (UpdateState::Unchanged, None));
    fs::remove_file(repository.path.join("a.md")).unwrap();
    let second = repository.add("b/c.md", "two");
    let updated = place.update("acme");
    assert_eq!(updated.state, UpdateState::Updated);
    assert_eq!((updated.from.unwrap().as_str(), updated.commit.unwrap().as_str()), (first.as_str(), second.as_str()));
    assert_eq!(place.files("acme"), ["b/c.md"]);
    let status = place.status("acme");
    assert_eq!((status.state, status.commit.unwrap().as_str()), (TapState::Ready, second.as_str()));
}

#[test]
fn a_history_that_was_written_anew_is_followed() {
    let place = Place::new();
    let repository = place.repository("origin");
    let root = repository.add("a.md", "one");
    repository.add("b.md", "two");
    let _ = place.add(&repository, "acme", None).unwrap();
    // Back to before what was cloned.
    repository.git(&["reset", "--quiet", "--hard", &root]);
    assert_eq!(place.update("acme").commit.unwrap().as_str(), root);
    assert_eq!(place.files("acme"), ["a.md"]);
    // Another history without a common commit.
    repository.git(&["checkout", "--quiet", "--orphan", "anew"]);
    let anew = repository.add("c.md", "three");
    repository.git(&["branch", "--force", "main", "anew"]);
    repository.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    assert_eq!(place.update("acme").commit.unwrap().as_str(), anew);
    assert_eq!(place.files("acme"), ["a.md", "c.md"]);
    assert_eq!(Repository { path: place.clone("acme") }.git(&["rev-list", "--count", "HEAD"]), "1");
}

#[test]
fn a_clone_that_somebody_changed_is_as_committed_again() {
    let place = Place::new();
    let repository = place.repository("origin");
    repository.write("a.md", "one");
    repository.write(".gitignore", "*.log\n");
    repository.add("b/c.md", "two");
    let _ = place.add(&repository, "acme", None).unwrap();
    let clone = place.clone("acme");
    fs::write(clone.join("a.md"), "changed").unwrap();
    fs::write(clone.join("x.log"), "ignored").unwrap();
    fs::remove_dir_all(clone.join("b")).unwrap();
    // A repository of its own in the way of a folder.
    Repository::init(&clone.join("nested"), &[]).add("n.md", "n");
    assert_eq!(place.update("acme").state, UpdateState::Unchanged);
    assert_eq!(place.files("acme"), [".gitignore", "a.md", "b/c.md"]);
    assert_eq!(fs::read_to_string(clone.join("a.md")).unwrap(), "one");
}

#[test]
fn a_remote_that_is_gone_leaves_the_tap_as_it_was_and_the_others_alone() {
    let place = Place::new();
    let (gone, other) = (place.repository("gone"), place.repository("other"));
    let commit = gone.add("a.md", "one");
    other.add("a.md", "one");
    let _ = place.add(&gone, "gone", None).unwrap();
    let _ = place.add(&other, "other", None).unwrap();
    fs::rename(&gone.path, place.path("away")).unwrap();
    other.add("b.md", "two");
    let updated = place.taps().update(&[], &Context::new()).unwrap();
    let states: Vec<_> = updated.iter().map(|tap| (tap.name.as_str(), tap.state)).collect();
    assert_eq!(states, [("gone", UpdateState::Failed), ("other", UpdateState::Updated)]);
    assert!(updated[0].reason.as_ref().is_some_and(|reason| reason.contains("gone")), "{updated:?}");
    let status = place.status("gone");
    assert_eq!((status.state, status.commit.unwrap().as_str()), (TapState::Stale, commit.as_str()));
    assert!(status.reason.is_some() && status.updated.is_some());
    assert_eq!(place.files("gone"), ["a.md"]);
    fs::rename(place.path("away"), &gone.path).unwrap();
    assert_eq!(place.update("gone").state, UpdateState::Unchanged);
    let status = place.status("gone");
    assert_eq!((status.state, status.reason), (TapState::Ready, None));
}

#[test]
fn a_branch_that_was_asked_for_is_followed_and_no_other() {
    let place = Place::new();
    let repository = place.repository("origin");
    repository.add("a.md", "one");
    repository.git(&["checkout", "--quiet", "-b", "feature/x"]);
    let feature = repository.add("f.md", "f");
    repository.git(&["checkout", "--quiet", "main"]);
    let added = place.add(&repository, "acme", Some("feature/x")).unwrap();
    assert_eq!((added.branch.as_deref(), added.commit.unwrap().as_str()), (Some("feature/x"), feature.as_str()));
    repository.add("b.md", "two");
    assert_eq!(place.update("acme").state, UpdateState::Unchanged);
    repository.git(&["branch", "--quiet", "-D", "feature/x"]);
    let failed = place.update("acme");
    assert!(failed.state == UpdateState::Failed && failed.reason.as_ref().unwrap().contains("feature/x"), "{failed:?}");
    assert_eq!(failed.commit.unwrap().as_str(), feature);
    assert_eq!(place.add(&repository, "none", Some("absent")).unwrap_err().kind(), ErrorKind::NotFound);
    // A name that ends like it is another.
    repository.git(&["update-ref", "refs/x/refs/heads/late", "HEAD"]);
    assert_eq!(place.add(&repository, "late", Some("late")).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn where_no_branch_was_asked_for_the_head_of_the_remote_is_followed() {
    let place = Place::new();
    let repository = place.repository("origin");
    repository.add("a.md", "one");
    let _ = place.add(&repository, "acme", None).unwrap();
    repository.git(&["branch", "--move", "main", "trunk"]);
    let moved = repository.add("b.md", "two");
    assert_eq!(place.update("acme").commit.unwrap().as_str(), moved);
    assert_eq!(place.status("acme").branch.as_deref(), Some("trunk"));
    repository.git(&["checkout", "--quiet", "--detach"]);
    let detached = repository.add("c.md", "three");
    assert_eq!(place.update("acme").commit.unwrap().as_str(), detached);
    assert_eq!(place.status("acme").branch, None);
}

#[test]
fn repositories_without_a_commit_without_history_and_with_longer_names_are_taken_as_they_are() {
    let place = Place::new();
    let empty = place.repository("empty");
    assert_eq!(place.refused(&empty, "empty").kind(), ErrorKind::NotFound);
    let full = place.repository("full");
    full.add("a.md", "one");
    let commit = full.add("b.md", "two");
    let shallow = place.path("shallow");
    let url = format!("file://{}", full.path.display());
    assert!(
        git(&place.path("")).args(["clone", "--quiet", "--depth=1", &url]).arg(&shallow).status().unwrap().success()
    );
    let shallow = Repository { path: shallow };
    assert_eq!(place.add(&shallow, "shallow", None).unwrap().commit.unwrap().as_str(), commit);
    let longer = Repository::init(&place.path("longer"), &["--object-format=sha256"]);
    let commit = longer.add("a.md", "one");
    assert_eq!(commit.len(), 64);
    assert_eq!(place.add(&longer, "longer", None).unwrap().commit.unwrap().as_str(), commit);
    longer.add("b.md", "two");
    assert_eq!(place.update("longer").state, UpdateState::Updated);
}

#[test]
fn a_clone_that_is_broken_is_mended() {
    let place = Place::new();
    let repository = place.repository("origin");
    repository.add("a.md", "one");
    let _ = place.add(&repository, "acme", None).unwrap();
    let clone = place.clone("acme");
    // What a git that was killed leaves behind.
    fs::write(clone.join(".git/index.lock"), "").unwrap();
    fs::write(clone.join(".git/shallow.lock"), "").unwrap();
    repository.add("b.md", "two");
    assert_eq!(place.update("acme").state, UpdateState::Updated);
    // Objects that are gone.
    fs::remove_dir_all(clone.join(".git/objects")).unwrap();
    fs::write(clone.join("a.md"), "changed").unwrap();
    assert_eq!(place.update("acme").state, UpdateState::Updated);
    assert_eq!(fs::read_to_string(clone.join("a.md")).unwrap(), "one");
    // No repository at all.
    fs::remove_dir_all(clone.join(".git")).unwrap();
    assert_eq!(place.status("acme").state, TapState::Missing);
    assert_eq!(place.update("acme").state, UpdateState::Updated);
    fs::remove_dir_all(&clone).unwrap();
    assert_eq!(place.update("acme").state, UpdateState::Updated);
    assert_eq!(place.files("acme"), ["a.md", "b.md"]);
    assert_eq!(place.status("acme").state, TapState::Ready);
}

#[test]
fn a_repository_around_the_data_folder_is_never_taken_for_the_clone() {
    let place = Place::new();
    let around = place.repository("");
    around.write(".gitignore", "data\n");
    around.add("precious.md", "committed");
    let repository = place.repository("origin");
    repository.add("a.md", "one");
    let _ = place.add(&repository, "acme", None).unwrap();
    around.write("precious.md", "not committed yet");
    around.write("untracked.md", "neither");
    fs::remove_dir_all(place.clone("acme").join(".git")).unwrap();
    let _ = place.update("acme");
    assert_eq!(fs::read_to_string(place.path("precious.md")).unwrap(), "not committed yet");
    assert!(place.path("untracked.md").exists());
}

#[test]
fn a_name_belongs_to_one_source() {
    let place = Place::new();
    let (first, second) = (place.repository("first"), place.repository("second"));
    first.add("a.md", "one");
    second.add("a.md", "one");
    let _ = place.add(&first, "acme", None).unwrap();
    // As after an interruption, and once more.
    fs::remove_dir_all(place.path("data/wikis/acme")).unwrap();
    for _ in 0..2 {
        assert!(place.add(&first, "acme", None).unwrap().was_there);
        assert!(place.path("data/wikis/acme/.wiki.yaml").exists());
    }
    let error = place.add(&second, "acme", None).unwrap_err();
    assert!(error.kind() == ErrorKind::Invalid && error.message().contains("first"), "{error}");
    assert_eq!(place.add(&first, "acme", Some("main")).unwrap_err().kind(), ErrorKind::Invalid, "another branch");
    // A wiki that somebody made by name stays what it is.
    fs::create_dir(place.path("notes")).unwrap();
    let new = NewWiki {
        name: WikiName::new("notes").unwrap(),
        source: &place.path("notes"),
        kind: WikiKind::Notes,
        tags: &[],
        sensitivity: None,
    };
    let _ = locate::register(&place.settings, &new).unwrap();
    assert_eq!(place.add(&second, "notes", None).unwrap_err().kind(), ErrorKind::Invalid);
    assert!(!place.path("data/taps/notes").exists() && place.path("data/wikis/notes/.wiki.yaml").exists());
}

#[test]
fn what_is_removed_is_gone_and_a_folder_in_place_is_not() {
    let place = Place::new();
    let repository = place.repository("origin");
    let commit = repository.add("a.md", "one");
    let _ = place.add(&repository, "acme", None).unwrap();
    // The working tree itself, where it lies.
    let source = Source::parse("origin", &place.path("")).unwrap();
    let folder = NewTap::new(source, Some("in place"), None).unwrap();
    let added = place.taps().add(&folder, &Context::new()).unwrap();
    assert_eq!((added.commit.unwrap().as_str(), added.contents), (commit.as_str(), None));
    assert_eq!(place.update("in place").state, UpdateState::InPlace);
    for (name, kept) in [("acme", false), ("in place", true)] {
        let removed = place.taps().remove(&WikiName::new(name).unwrap()).unwrap();
        assert_eq!((removed.wiki, removed.kept.is_some()), (true, kept));
        assert!(
            !place.path(&format!("data/taps/{name}")).exists() && !place.path(&format!("data/wikis/{name}")).exists()
        );
        assert_eq!(place.taps().remove(&WikiName::new(name).unwrap()).unwrap_err().kind(), ErrorKind::NotFound);
    }
    assert!(repository.path.join("a.md").exists() && place.taps().list().unwrap().is_empty());
}

#[test]
fn a_folder_that_is_gone_and_a_file_that_is_broken_are_told() {
    let place = Place::new();
    fs::create_dir(place.path("notes")).unwrap();
    let source = Source::parse("notes", &place.path("")).unwrap();
    let _ = place.taps().add(&NewTap::new(source, None, None).unwrap(), &Context::new()).unwrap();
    fs::remove_dir(place.path("notes")).unwrap();
    assert_eq!((place.status("notes").state, place.update("notes").state), (TapState::Missing, UpdateState::Failed));
    fs::write(place.path("data/taps/notes/tap.yaml"), "version: 9\n").unwrap();
    let status = place.status("notes");
    assert!(status.state == TapState::Broken && status.reason.unwrap().contains("version 9"));
    assert_eq!(place.update("notes").state, UpdateState::Failed);
    assert!(place.taps().remove(&WikiName::new("notes").unwrap()).is_ok());
}

#[test]
fn the_head_is_what_git_says_it_is() {
    let place = Place::new();
    let repository = place.repository("origin");
    assert_eq!(git_head(&repository.path), None);
    let same = |repository: &Repository| assert_eq!(git_head(&repository.path).unwrap().as_str(), repository.head());
    repository.add("a.md", "one");
    same(&repository);
    repository.git(&["branch", "side/branch"]);
    repository.git(&["pack-refs", "--all"]);
    same(&repository);
    repository.add("b.md", "two");
    same(&repository);
    let tree = Repository { path: place.path("tree") };
    repository.git(&["worktree", "add", "--quiet", tree.path.to_str().unwrap(), "side/branch"]);
    same(&tree);
    tree.add("c.md", "three");
    same(&tree);
    repository.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
    same(&repository);
    repository.git(&["gc", "--quiet"]);
    same(&repository);
}
