//! `wikirag.toml` and what may override it: defaults < user file < project file < environment < flags.
//!
//! The library that merges the layers does not show: settings leave this module as plain values, and each of them
//! knows where it came from.

mod keys;
mod layer;
mod origin;
pub(crate) mod suggest;
mod toml_text;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::QueryOptions;
use etcetera::BaseStrategy as _;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use wikirag_core::{Error, ErrorKind, Registry, Result, Section, Sensitivity};

use self::keys::Fault;
use self::layer::{Layer, Merged};
pub use self::origin::{Origin, Setting};

/// The name of the settings file, both of the user and of a project.
pub const FILE_NAME: &str = "wikirag.toml";

/// What the environment variables of wikirag begin with. `__` stands for the dot of a key:
/// `WIKIRAG_BUILD__THREADS` is `build.threads`.
pub const PREFIX: &str = "WIKIRAG_";

/// Variables that begin with [`PREFIX`] and are no settings. Any other one is an error, so that a misspelt name is
/// never without effect in silence.
pub const OTHER_VARIABLES: [(&str, &str); 1] = [(CONFIG_VARIABLE, "names the user file")];

const CONFIG_VARIABLE: &str = "WIKIRAG_CONFIG";

const OPERATION: &str = "read settings";

/// All settings of the program. The dotted names of these fields are the keys.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Where wikis made by name and their indexes live. Default: `wikirag` in the data folder of the user
    /// (`$XDG_DATA_HOME/wikirag`, `~/.local/share/wikirag`); `.wikirag` in the current folder for a user without one.
    pub data_dir: PathBuf,
    /// Where indexes are put instead of in `.index` beside the documents. Default: not set.
    pub index_dir: Option<PathBuf>,
    /// Folders in which wikis are looked up by name: each folder directly below one of them is a wiki.
    /// Default: none.
    pub wiki_path: Vec<PathBuf>,
    /// How many hits an answer has, from 1. Default: 10.
    pub limit: usize,
    /// How many passages of one document an answer has while other documents have some, from 1. Default: 2.
    pub per_document: usize,
    /// What the caller may see where a wiki is queried without a composition: `public`, `internal`, `confidential` or
    /// `restricted`. Default: `internal`.
    pub clearance: Sensitivity,
    /// The layers that `layers: auto` of a wiki means, by name; the first ones first. Default: not set, which is every layer of the program that is
    /// ready, and a remark for one that is not.
    pub layers: Option<Vec<String>>,
    /// The table `refresh`.
    pub refresh: Refresh,
    /// The table `build`.
    pub build: Build,
    /// The table `questions`.
    pub questions: Questions,
    /// `plugins.NAME` is the table of settings of the plugin NAME, which alone knows the keys. Default: none.
    pub plugins: BTreeMap<String, Map<String, Value>>,
    #[serde(skip)]
    origins: Vec<Setting>,
    /// Where `data_dir` is the word of a project: the one that holds without it.
    #[serde(skip)]
    own_data_dir: Option<PathBuf>,
}

/// What is done at query time about files that changed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refresh {
    /// Up to so many changed files of a wiki are read again before it is queried; if there are more, a hint is given
    /// instead. 0: never. Default: 16.
    pub max_files: usize,
}

/// How much of the machine a build takes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Threads, at most 1024. 0: one per core. Default: 0.
    pub threads: usize,
    /// Memory for writing indexes, in MiB, from 16. Default: 96.
    pub memory_mb: usize,
    /// Seconds after which a file that is still being read is given up, from 1. Default: 120.
    pub file_seconds: u64,
}

/// What is kept of the questions that were asked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    /// Whether they are kept at all. Default: true.
    pub log: bool,
    /// Bytes of a log, from 65536; then it makes room for a new one, and the one before is kept beside it. Default: 10485760.
    pub max_bytes: u64,
}

/// What [`Settings::load`] looks at. Nothing else of the process is read, so a test or a server can pass its own.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// The current folder, absolute: the project file is looked for in it and its parents.
    pub cwd: PathBuf,
    /// The home folder, for paths in settings that begin with `~/`.
    pub home: Option<PathBuf>,
    /// The user file; it may not exist. `WIKIRAG_CONFIG` in `env` names another one, which must exist.
    pub user_file: Option<PathBuf>,
    /// The default of `data_dir`.
    pub data_dir: Option<PathBuf>,
    /// The environment.
    pub env: Vec<(OsString, OsString)>,
    /// Dotted keys with values as text, as the command line gives them. Later ones win.
    pub flags: Vec<(String, String)>,
}

impl LoadOptions {
    /// Looks at nothing but the current folder and its parents.
    #[must_use]
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self { cwd: cwd.into(), home: None, user_file: None, data_dir: None, env: Vec::new(), flags: Vec::new() }
    }

    /// What belongs to this process and its user. Flags are for the caller to add.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the current folder does not exist any more.
    pub fn from_process() -> Result<Self> {
        let cwd = std::env::current_dir()
            .map_err(|error| Error::new(ErrorKind::Io, OPERATION, "there is no current folder").caused_by(error))?;
        // Without a home folder there is no user file, and the program works all the same.
        let folders = etcetera::choose_base_strategy().ok();
        Ok(Self {
            home: folders.as_ref().map(|folders| folders.home_dir().to_owned()),
            user_file: folders.as_ref().map(|folders| folders.config_dir().join("wikirag").join(FILE_NAME)),
            data_dir: folders.as_ref().map(|folders| folders.data_dir().join("wikirag")),
            env: std::env::vars_os().collect(),
            ..Self::new(cwd)
        })
    }

    fn user_layer(&self) -> Result<Option<Layer>> {
        let named = self.env.iter().find(|(name, value)| name == CONFIG_VARIABLE && !value.is_empty());
        if let Some((_, path)) = named {
            let path = self.cwd.join(path);
            let layer = Layer::file(&path, Origin::UserFile)?;
            return layer.map(Some).ok_or_else(|| {
                Error::new(ErrorKind::NotFound, OPERATION, "there is no such file")
                    .with("path", path.display())
                    .with("named by", CONFIG_VARIABLE)
            });
        }
        match &self.user_file {
            Some(path) => Layer::file(path, Origin::UserFile),
            None => Ok(None),
        }
    }

    fn project_layer(&self, user: Option<&Layer>) -> Result<Option<Layer>> {
        for folder in self.cwd.ancestors() {
            let path = folder.join(FILE_NAME);
            if path.is_dir() {
                continue;
            }
            // Somebody who works in the configuration folder itself has one file, not two.
            if user.is_some_and(|user| user.origin == Origin::UserFile(path.clone())) {
                return Ok(None);
            }
            if let Some(layer) = Layer::file(&path, Origin::ProjectFile)? {
                return Ok(Some(layer));
            }
        }
        Ok(None)
    }
}

impl Settings {
    /// Merges all layers.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] (for flags [`ErrorKind::Usage`]) for an unknown key, with the nearest known one, or a
    /// value that does not fit, naming the key, its origin and the line; [`ErrorKind::Io`] for a file that cannot
    /// be read; [`ErrorKind::NotFound`] where `WIKIRAG_CONFIG` names no file.
    pub fn load(options: &LoadOptions) -> Result<Self> {
        let user = options.user_layer()?;
        let project = options.project_layer(user.as_ref())?;
        let mut layers = vec![Layer::defaults(defaults(options), &options.cwd)];
        layers.extend(user);
        layers.extend(project);
        layers.extend(Layer::environment(options)?);
        layers.extend(Layer::flags(options)?);
        let merged = Merged::new(layers);
        let mut settings: Self = merged.extract()?;
        settings.check_ranges(&merged)?;
        if merged.layer_of("data_dir").origin == Origin::Default {
            // The path itself: in the layer it had to be text, and a home folder may be none.
            settings.data_dir = default_data_dir(options);
        }
        settings.resolve_paths(&merged, options.home.as_deref())?;
        settings.origins = settings.list(&merged);
        if matches!(merged.layer_of("data_dir").origin, Origin::ProjectFile(_)) {
            settings.own_data_dir = Some(default_data_dir(options));
        }
        Ok(settings)
    }

    /// Every key with its value and where that came from, in the order of the documentation; plugins by name.
    #[must_use]
    pub fn origins(&self) -> &[Setting] {
        &self.origins
    }

    /// The settings of the plugin `name`, empty where there are none.
    #[must_use]
    pub fn plugin(&self, name: &str) -> Section {
        let Some(table) = self.plugins.get(name) else { return Section::empty() };
        let below = format!("plugins.{name}.");
        let origins: BTreeSet<String> = self
            .origins
            .iter()
            .filter(|setting| setting.key.starts_with(&below))
            .map(|setting| setting.origin.to_string())
            .collect();
        let origins: Vec<String> = origins.into_iter().collect();
        Section::new(format!("{}: plugins.{name}", origins.join(", ")), Value::Object(table.clone()))
    }

    /// The folder for models and for the library that runs them: `data_dir`, unless the file of a project set that. Native code
    /// is loaded from there, and a project may come from a stranger.
    #[must_use]
    pub fn own_data_dir(&self) -> &Path {
        self.own_data_dir.as_ref().unwrap_or(&self.data_dir)
    }

    /// Checks that there are settings for plugins of this program alone, and that each was set by somebody who may.
    pub(crate) fn check_plugins(&self, registry: &Registry) -> Result<()> {
        let plugin = |name: &str| registry.plugins().iter().find(|plugin| plugin.name == name);
        if let Some(name) = self.plugins.keys().find(|name| plugin(name).is_none()) {
            let names: Vec<&str> = registry.plugins().iter().map(|plugin| plugin.name).collect();
            let message = format!("there are settings for a plugin `{name}`, which is not in this program");
            let help = format!("there are: {}; `wikirag config show --origin` tells where it is set", names.join(", "));
            return Err(Error::new(ErrorKind::Invalid, OPERATION, message).help(help));
        }
        let is_personal = |key: &str| {
            let mut parts = key.splitn(3, '.');
            let (Some("plugins"), Some(name), Some(below)) = (parts.next(), parts.next(), parts.next()) else {
                return false;
            };
            plugin(name).is_some_and(|plugin| plugin.personal.contains(&below.split('.').next().unwrap_or(below)))
        };
        let set_by_project = |setting: &&Setting| matches!(setting.origin, Origin::ProjectFile(_));
        match self.origins.iter().filter(set_by_project).find(|setting| is_personal(&setting.key)) {
            None => Ok(()),
            Some(Setting { key, origin, .. }) => {
                let message =
                    format!("`{key}` may not be set by the file of a project, which may come from a stranger");
                let help = format!("set it in your own {FILE_NAME}, in the environment or by --set");
                Err(Error::new(ErrorKind::Invalid, OPERATION, message).with("in", origin).help(help))
            }
        }
    }

    fn check_ranges(&self, merged: &Merged) -> Result<()> {
        let rules = [
            ("limit", (1..=QueryOptions::MAX_LIMIT).contains(&self.limit), "lies between 1 and 1000"),
            ("per_document", self.per_document >= 1, "is at least 1"),
            ("build.threads", self.build.threads <= 1024, "is at most 1024"),
            ("build.file_seconds", (1..=86_400).contains(&self.build.file_seconds), "lies between 1 and 86400"),
            ("build.memory_mb", (16..=1 << 20).contains(&self.build.memory_mb), "lies between 16 and 1048576"),
            ("questions.max_bytes", self.questions.max_bytes >= 1 << 16, "is at least 65536"),
        ];
        match rules.iter().find(|(_, holds, _)| !holds) {
            Some((key, _, rule)) => Err(merged.layer_of(key).fault(Fault::new(key, format!("`{key}` {rule}")))),
            None => Ok(()),
        }
    }

    fn resolve_paths(&mut self, merged: &Merged, home: Option<&Path>) -> Result<()> {
        let resolve = |key: &str, path: &mut PathBuf| {
            let layer = merged.layer_of(key);
            let fault = |message| layer.fault(Fault::new(key, message));
            *path = match path.strip_prefix("~") {
                Ok(rest) => home.ok_or_else(|| fault("there is no home folder for `~`"))?.join(rest),
                Err(_) => layer.base.join(&*path),
            };
            Ok::<_, Error>(())
        };
        resolve("data_dir", &mut self.data_dir)?;
        if let Some(path) = &mut self.index_dir {
            resolve("index_dir", path)?;
        }
        self.wiki_path.iter_mut().try_for_each(|path| resolve("wiki_path", path))
    }

    fn list(&self, merged: &Merged) -> Vec<Setting> {
        let keys = keys::KEYS.iter().filter(|(_, kind)| *kind != keys::Kind::Plugins).map(|(key, _)| Setting {
            key: (*key).to_owned(),
            value: self.value(key),
            origin: merged.layer_of(key).origin.clone(),
        });
        let plugins = merged.plugin_leaves().into_iter().filter_map(|(path, layer)| {
            let (plugin, below) = path.split_first()?;
            let table = self.plugins.get(plugin)?;
            let (first, below) = below.split_first()?;
            let value = below.iter().try_fold(table.get(first)?, |value, name| value.get(name))?;
            let key = format!("plugins.{}", path.join("."));
            Some(Setting { key, value: value.clone(), origin: layer.origin.clone() })
        });
        keys.chain(plugins).collect()
    }

    /// The value of a key for display; a path that is no UTF-8 is shown as well as it can be.
    fn value(&self, key: &str) -> Value {
        let path = |path: &PathBuf| json!(path.to_string_lossy());
        match key {
            "data_dir" => path(&self.data_dir),
            "index_dir" => self.index_dir.as_ref().map_or(Value::Null, path),
            "wiki_path" => self.wiki_path.iter().map(path).collect(),
            "limit" => json!(self.limit),
            "per_document" => json!(self.per_document),
            "clearance" => json!(self.clearance),
            "layers" => json!(self.layers),
            "refresh.max_files" => json!(self.refresh.max_files),
            "build.threads" => json!(self.build.threads),
            "build.memory_mb" => json!(self.build.memory_mb),
            "build.file_seconds" => json!(self.build.file_seconds),
            "questions.log" => json!(self.questions.log),
            "questions.max_bytes" => json!(self.questions.max_bytes),
            _ => Value::Null,
        }
    }
}

fn defaults(options: &LoadOptions) -> Map<String, Value> {
    let defaults = json!({
        "data_dir": default_data_dir(options).to_string_lossy(),
        "wiki_path": [],
        "limit": 10,
        "per_document": 2,
        "clearance": Sensitivity::default(),
        "refresh": { "max_files": 16 },
        "build": { "threads": 0, "memory_mb": 96, "file_seconds": 120 },
        "questions": { "log": true, "max_bytes": 10 << 20 },
        "plugins": {},
    });
    defaults.as_object().cloned().unwrap_or_default()
}

fn default_data_dir(options: &LoadOptions) -> PathBuf {
    options.data_dir.clone().unwrap_or_else(|| options.cwd.join(".wikirag"))
}
