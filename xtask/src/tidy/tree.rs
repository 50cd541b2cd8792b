//! The workspace as the rules see it: packages and text files, all in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cargo_metadata::{CargoOpt, DependencyKind, MetadataCommand, TargetKind};

use crate::files;
use crate::tool::Result;

/// A workspace.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    /// The packages of the workspace, sorted by folder.
    pub(crate) packages: Vec<Package>,
    /// Its text files, sorted by path.
    pub(crate) files: Vec<File>,
    /// The root `Cargo.toml`.
    pub(crate) manifest: toml::Table,
    /// Every package, ours or not, that has a feature `default`.
    pub(crate) with_defaults: BTreeSet<String>,
}

/// One package of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Below the root, with `/`.
    pub(crate) folder: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// The files in which its library and its programs begin.
    pub(crate) entries: Vec<String>,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) manifest: toml::Table,
}

impl Package {
    /// The name of the plugin whose folder this is.
    pub(crate) fn plugin(&self) -> Option<&str> {
        self.folder.strip_prefix("plugins/")
    }

    /// Its `Cargo.toml`, for messages.
    pub(crate) fn manifest_path(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }
}

/// One dependency of a package.
#[derive(Debug, Clone)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Needed for tests only.
    pub(crate) dev: bool,
}

/// One text file.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// Below the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

impl Tree {
    /// Reads the workspace at `root`.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(root.join("Cargo.toml"))
            .features(CargoOpt::AllFeatures)
            .exec()
            .map_err(|error| format!("cargo metadata: {error}"))?;
        let relative = |path: &cargo_metadata::camino::Utf8Path| {
            path.strip_prefix(&metadata.workspace_root).unwrap_or(path).as_str().replace('\\', "/")
        };

        let mut packages = Vec::new();
        for package in metadata.workspace_packages() {
            let is_entry = |kind: &TargetKind| matches!(kind, TargetKind::Lib | TargetKind::Bin);
            let targets = package.targets.iter().filter(|target| target.kind.iter().any(is_entry));
            packages.push(Package {
                name: package.name.to_string(),
                folder: package.manifest_path.parent().map(relative).unwrap_or_default(),
                dependencies: package
                    .dependencies
                    .iter()
                    .map(|dependency| Dependency {
                        name: dependency.name.clone(),
                        dev: dependency.kind == DependencyKind::Development,
                    })
                    .collect(),
                features: package.features.clone().into_iter().collect(),
                entries: targets.map(|target| relative(&target.src_path)).collect(),
                description: package.description.clone(),
                license: package.license.clone(),
                manifest: fs::read_to_string(&package.manifest_path)?.parse()?,
            });
        }
        packages.sort_by(|a, b| a.folder.cmp(&b.folder));

        let with_defaults = metadata.packages.iter().filter(|package| package.features.contains_key("default"));
        Ok(Self {
            packages,
            files: text_files(root)?,
            manifest: fs::read_to_string(root.join("Cargo.toml"))?.parse()?,
            with_defaults: with_defaults.map(|package| package.name.to_string()).collect(),
        })
    }

    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// The packages of `plugins/`.
    pub(crate) fn plugins(&self) -> impl Iterator<Item = (&str, &Package)> {
        self.packages.iter().filter_map(|package| Some((package.plugin()?, package)))
    }

    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The Rust files below `folder`.
    pub(crate) fn rust_files(&self, folder: &str) -> impl Iterator<Item = &File> {
        let prefix = format!("{folder}/");
        self.files.iter().filter(move |file| file.is_rust() && file.path.starts_with(&prefix))
    }
}

fn text_files(root: &Path) -> Result<Vec<File>> {
    let is_text = |path: &str| {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        matches!(ending, "rs" | "toml" | "md" | "yaml" | "yml" | "json" | "sh" | "txt") || path.starts_with(".ci/")
    };
    let mut found = Vec::new();
    files::walk(root, &files::is_source_folder, &mut |path, file| {
        // Fixtures may be any bytes; only files that are text can break a rule about text.
        if is_text(path)
            && let Ok(text) = String::from_utf8(fs::read(file)?)
        {
            found.push(File { path: path.to_owned(), text });
        }
        Ok(())
    })?;
    Ok(found)
}
