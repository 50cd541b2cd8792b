//! An archive is tried as a stranger would: unpacked anywhere, with an empty home and nothing of this machine.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use serde_json::Value;

use super::specification::Specification;
use crate::files;
use crate::tool::{Result, root, target_dir};

const QUESTION: &str = "why does fresh basil turn black";

/// Unpacks the archive and asks a question of the examples: by all layers, and, where there is a model, once more
/// without it.
pub(super) fn test(specification: &Specification, archive: &Path, folder: &str) -> Result<()> {
    let place = target_dir()?.join("dist").join("smoke").join(&specification.name);
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::create_dir_all(&place)?;
    tar::Archive::new(GzDecoder::new(File::open(archive)?)).unpack(&place)?;
    let unpacked = place.join(folder);
    let stranger = Stranger { program: unpacked.join(format!("wikirag{}", std::env::consts::EXE_SUFFIX)), place };
    stranger.answers_by(&specification.served_by, "whole", true)?;
    if specification.model.is_some() {
        for part in ["models", "lib"] {
            fs::remove_dir_all(unpacked.join(part))?;
        }
        stranger.answers_by(&["bm25", "graph"].map(str::to_owned), "without", false)?;
    }
    Ok(())
}

struct Stranger {
    program: PathBuf,
    place: PathBuf,
}

impl Stranger {
    /// Fails unless the answer came by exactly these layers, and says that it could be better unless it `is_whole`.
    fn answers_by(&self, layers: &[String], name: &str, is_whole: bool) -> Result<()> {
        let work = self.place.join(name);
        files::copy(&root().join("examples"), &work.join("examples"), &|path| {
            path != "out-of-tree-plugin" && files::is_source_folder(path)
        })?;
        let home = work.join("home");
        fs::create_dir_all(&home)?;
        let run = |args: &[&str]| -> Result<String> {
            println!("$ env -i HOME={} {} {}", home.display(), self.program.display(), args.join(" "));
            let output = Command::new(&self.program)
                .args(args)
                .current_dir(work.join("examples"))
                .env_clear()
                .env("HOME", &home)
                .output()
                .map_err(|error| format!("{}: {error}", self.program.display()))?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr);
                return Err(format!("the unpacked program failed ({}): {said}", output.status).into());
            }
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        run(&["build", "kitchen.rag.yaml"])?;
        let answer: Value = serde_json::from_str(&run(&["query", "kitchen.rag.yaml", QUESTION, "--json"])?)?;
        let names = |key: &str| answer[key].as_array().cloned().unwrap_or_default();
        let served: BTreeSet<String> =
            names("served_by").iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
        if served != layers.iter().cloned().collect() || names("results").is_empty() {
            return Err(format!("the answer should come by {layers:?}: {answer}").into());
        }
        if names("degraded").is_empty() != is_whole {
            return Err(format!("the answer says the wrong thing of what it lacks: {answer}").into());
        }
        Ok(())
    }
}
