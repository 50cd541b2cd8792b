use std::fs::File;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use wikirag_models::Store;

use super::*;

/// A library and a model, as files of a few bytes.
struct Place {
    folder: TempDir,
    trial: Trial,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("library"), "library").unwrap();
    fs::write(path("model"), "model").unwrap();
    let recipe = Store::new(folder.path()).recipe("all-minilm-l6-v2").unwrap();
    let trial = Trial::new(path("library"), path("model"), &recipe);
    Place { trial, folder }
}

impl Place {
    fn verdicts(&self) -> Verdicts {
        Verdicts::new(&self.folder.path().join("probes"), "small")
    }
}

fn fault() -> Verdict {
    Verdict::RuntimeUnusable("it hangs".to_owned())
}

#[test]
fn a_verdict_is_remembered_over_runs() {
    let place = place();
    assert_eq!(place.verdicts().get(&place.trial), None);
    for verdict in [fault(), Verdict::Usable] {
        place.verdicts().put(&place.trial, &verdict);
        assert_eq!(place.verdicts().get(&place.trial), Some(verdict));
    }
    assert_eq!(fs::read_dir(place.folder.path().join("probes")).unwrap().count(), 1, "no half-written file stays");
}

#[test]
fn it_counts_for_as_long_as_nothing_changes() {
    let place = place();
    place.verdicts().put(&place.trial, &fault());
    for file in [&place.trial.library, &place.trial.model] {
        let before = fs::metadata(file).unwrap().modified().unwrap();
        let touch = |time: SystemTime| File::options().append(true).open(file).unwrap().set_modified(time).unwrap();
        touch(before + Duration::from_nanos(1000));
        assert_eq!(place.verdicts().get(&place.trial), None, "{} was touched", file.display());
        touch(before);
        assert_eq!(place.verdicts().get(&place.trial), Some(fault()));
    }
    let mut other = place.trial.clone();
    other.library.clone_from(&place.trial.model);
    assert_eq!(place.verdicts().get(&other), None, "another library");
    fs::remove_file(&place.trial.model).unwrap();
    assert_eq!(place.verdicts().get(&place.trial), None, "the model is gone");
}

#[test]
fn what_cannot_be_read_is_no_verdict() {
    let place = place();
    place.verdicts().put(&place.trial, &fault());
    let path = place.verdicts().path().to_owned();
    let text = fs::read_to_string(&path).unwrap();
    for broken in ["", "null", &text[..text.len() / 2], &text.replace(env!("CARGO_PKG_VERSION"), "0.0.0-other")] {
        fs::write(&path, broken).unwrap();
        assert_eq!(place.verdicts().get(&place.trial), None, "{broken}");
    }
    fs::write(&path, text).unwrap();
    assert_eq!(place.verdicts().get(&place.trial), Some(fault()));
}

#[test]
fn a_folder_that_cannot_be_made_is_no_error() {
    let place = place();
    fs::write(place.folder.path().join("probes"), "a file").unwrap();
    place.verdicts().put(&place.trial, &fault());
    assert_eq!(place.verdicts().get(&place.trial), None);
}
