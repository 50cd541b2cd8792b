//! `cargo xtask dist`: binaries for people who have neither Rust nor Python, each in an archive that was tried.

mod archive;
mod licences;
mod natives;
mod smoke;
mod specification;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tool::{Result, Tool, root, target_dir};
use crate::{files, model};
use archive::Packed;
use specification::Specification;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Make this one only; may be given several times
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// The folder of the specifications, one file each.
const SPECIFICATIONS: &str = "xtask/dist";

pub(crate) fn run(args: &Args) -> Result<()> {
    let all = Specification::all(&root().join(SPECIFICATIONS))?;
    if let Some(stranger) = args.names.iter().find(|name| !all.iter().any(|one| one.name == **name)) {
        let known: Vec<_> = all.iter().map(|one| one.name.as_str()).collect();
        return Err(format!("there is no `{stranger}` in {SPECIFICATIONS}; there are: {}", known.join(", ")).into());
    }
    let wanted = all.iter().filter(|one| args.names.is_empty() || args.names.contains(&one.name));
    let out = target_dir()?.join("dist");
    let mut made = Vec::new();
    for specification in wanted {
        println!("\n== {}: {}", specification.name, specification.summary);
        made.push(make(specification, &out)?);
    }
    archive::write_sums(&out, made.iter().map(|packed| packed.path.as_path()))?;
    println!();
    for packed in &made {
        print!("{packed}");
    }
    Ok(())
}

fn make(specification: &Specification, out: &Path) -> Result<Packed> {
    let target = host()?;
    let built = out.join("build").join(&specification.name);
    let program = build(specification, &built)?;
    natives::check(specification, &built)?;
    let listed = plugins(&program)?;
    if listed != specification.plugins.iter().cloned().collect() {
        return Err(format!(
            "`{}` should hold the plugins {:?} and holds {listed:?}",
            specification.name, specification.plugins
        )
        .into());
    }
    let folder = format!("{}-{}-{target}", specification.name, version(&program)?);
    let staged = out.join("staged").join(&folder);
    if staged.exists() {
        fs::remove_dir_all(&staged)?;
    }
    stage(specification, &program, &staged)?;
    let packed = archive::pack(&staged, &out.join(format!("{folder}.tar.gz")))?;
    if packed.bytes > specification.most_mb << 20 {
        return Err(format!("{packed}  which is more than the {} MB allowed", specification.most_mb).into());
    }
    smoke::test(specification, &packed.path, &folder)?;
    Ok(packed)
}

/// One call of cargo and one target folder for each binary: cargo would join the features of what it builds together.
fn build(specification: &Specification, target: &Path) -> Result<PathBuf> {
    Tool::cargo("build --package wikirag-cli --bin wikirag --profile dist --locked --no-default-features --features")
        .args([specification.features.join(",")])
        .args(["--target-dir".to_owned(), target.display().to_string()])
        .run()?;
    Ok(target.join("dist").join(format!("wikirag{}", std::env::consts::EXE_SUFFIX)))
}

/// What the finished binary says it holds: a plugin that the linker left out is not in there.
fn plugins(program: &Path) -> Result<BTreeSet<String>> {
    let listed: serde_json::Value =
        serde_json::from_str(&Tool::new(program, "wikirag").args(["plugins", "--json"]).output()?)?;
    let listed = listed.get("plugins").unwrap_or(&listed).as_array().ok_or("`wikirag plugins --json` gives no list")?;
    Ok(listed.iter().filter_map(|plugin| plugin["name"].as_str().map(str::to_owned)).collect())
}

/// `wikirag 0.1.0` without its first word.
fn version(program: &Path) -> Result<String> {
    let said = Tool::new(program, "wikirag").args(["--version"]).output()?;
    said.split_whitespace().last().map(str::to_owned).ok_or_else(|| "`wikirag --version` says nothing".into())
}

/// The target triple that cargo builds for here.
fn host() -> Result<String> {
    let said = Tool::new("rustc", "rustc").args(["-vV"]).output()?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not name its host".into())
}

/// Lays out what goes into the archive.
fn stage(specification: &Specification, program: &Path, staged: &Path) -> Result<()> {
    let name = program.file_name().ok_or("the program has no name")?;
    put(program, &staged.join(name))?;
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        put(&root().join(file), &staged.join(file))?;
    }
    for shell in ["bash", "zsh", "fish"] {
        let text = Tool::new(program, "wikirag").args(["completions", shell]).output()?;
        write(&staged.join("completions").join(format!("wikirag.{shell}")), &text)?;
    }
    write(&staged.join("man").join("wikirag.1"), &Tool::new(program, "wikirag").args(["man"]).output()?)?;
    licences::collect(specification, &staged.join("licenses"))?;
    if let Some(name) = &specification.model {
        let data = model::default_folder()?;
        model::ensure(&data)?;
        files::copy(&data.join("models").join(name), &staged.join("models").join(name), &|_| true)?;
        // Beside a program the library lies where one looks for libraries, without its version.
        files::walk(&data.join("runtime"), &|_| true, &mut |_, file| {
            let name = file.file_name().ok_or("a library without a name")?;
            put(file, &staged.join("lib").join(name))
        })?;
    }
    Ok(())
}

fn put(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))?;
    Ok(())
}

fn write(to: &Path, text: &str) -> Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(to, text).map_err(|error| format!("{}: {error}", to.display()).into())
}
