//! One source of settings: the defaults, a file, an environment variable or the flags.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};
use serde_json::Value as Json;
use wikirag_core::{Error, ErrorKind, Result};

use super::keys::{self, Fault};
use super::{LoadOptions, OPERATION, OTHER_VARIABLES, Origin, PREFIX, suggest, toml_text};
use crate::manifest::text_file;

/// Settings of one source. Those of a later layer win.
pub(super) struct Layer {
    /// The source.
    pub(super) origin: Origin,
    /// Against which its relative paths are taken.
    pub(super) base: PathBuf,
    values: serde_json::Map<String, Json>,
    lines: BTreeMap<String, usize>,
}

impl Layer {
    pub(super) fn defaults(values: serde_json::Map<String, Json>, base: &Path) -> Self {
        Self { origin: Origin::Default, base: base.to_owned(), values, lines: BTreeMap::new() }
    }

    /// The layer of a settings file, or `None` where the file does not exist.
    pub(super) fn file(path: &Path, origin: fn(PathBuf) -> Origin) -> Result<Option<Self>> {
        let Some(text) = text_file::read(path, OPERATION)? else { return Ok(None) };
        let parsed = toml_text::parse(&text).map_err(|fault| {
            Error::new(ErrorKind::Invalid, OPERATION, fault.message)
                .with("path", path.display())
                .with("line", fault.line)
        })?;
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        let layer = Self { origin: origin(path.to_owned()), base, values: parsed.values, lines: parsed.lines };
        layer.checked().map(Some)
    }

    /// A layer for each environment variable that sets something. An empty variable sets nothing.
    pub(super) fn environment(options: &LoadOptions) -> Result<Vec<Self>> {
        let mut layers = Vec::new();
        for (name, value) in &options.env {
            let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
            if OTHER_VARIABLES.iter().any(|(other, _)| *other == name) || value.is_empty() {
                continue;
            }
            let text = value.to_str().ok_or_else(|| {
                Error::new(ErrorKind::Invalid, OPERATION, "the value is no UTF-8 text").with("environment", name)
            })?;
            let origin = Origin::Environment(name.to_owned());
            let values = keys::from_text(&key_of(name), text).map_err(|fault| misnamed(name, fault))?;
            layers.push(Self { origin, base: options.cwd.clone(), values, lines: BTreeMap::new() }.checked()?);
        }
        // Where two variables set the same (`plugins.a` and `plugins.a.k`), the answer must not depend on the
        // order in which the system keeps them.
        layers.sort_by_key(|layer| layer.origin.to_string());
        Ok(layers)
    }

    /// A layer for each flag, in their order.
    pub(super) fn flags(options: &LoadOptions) -> Result<Vec<Self>> {
        let layer = |(key, text): &(String, String)| {
            let values = keys::from_text(key, text).map_err(|fault| describe(&Origin::Flag, None, fault))?;
            Self { origin: Origin::Flag, base: options.cwd.clone(), values, lines: BTreeMap::new() }.checked()
        };
        options.flags.iter().map(layer).collect()
    }

    fn checked(self) -> Result<Self> {
        match keys::check(&self.values) {
            Ok(()) => Ok(self),
            Err(fault) => Err(self.fault(fault)),
        }
    }

    /// The fault as an error that names this layer and, where there is one, the line.
    pub(super) fn fault(&self, fault: Fault) -> Error {
        let line = self.lines.get(&fault.key).copied();
        describe(&self.origin, line, fault)
    }
}

/// `WIKIRAG_BUILD__MEMORY_MB` is `build.memory_mb`. Plugin names are joined by `-`, which no shell allows in the name
/// of a variable: `WIKIRAG_PLUGINS__EMBED_API__URL` is `plugins.embed-api.url`.
fn key_of(name: &str) -> String {
    let name = name.strip_prefix(PREFIX).unwrap_or(name).to_ascii_lowercase();
    let mut parts: Vec<String> = name.split("__").map(str::to_owned).collect();
    if let [first, plugin, ..] = parts.as_mut_slice()
        && first == "plugins"
    {
        *plugin = plugin.replace('_', "-");
    }
    parts.join(".")
}

/// The fault of a variable in the spelling of variables.
fn misnamed(name: &str, fault: Fault) -> Error {
    let variables: Vec<String> = keys::KEYS
        .iter()
        .map(|(key, _)| format!("{PREFIX}{}", key.replace('.', "__").to_ascii_uppercase()))
        .chain(OTHER_VARIABLES.iter().map(|(name, _)| (*name).to_owned()))
        .collect();
    let known: Vec<&str> = variables.iter().map(String::as_str).collect();
    // `WIKIRAG_BUILD_THREADS` is nearer to a key than to anything else.
    let help = match variables.iter().find(|known| known.replace("__", "_") == name.replace("__", "_")) {
        Some(known) => format!("did you mean `{known}`?"),
        None => suggest::remedy(name, &known),
    };
    Error::new(
        ErrorKind::Invalid,
        OPERATION,
        format!("no setting belongs to the variable `{}`", suggest::shorten(name)),
    )
    .with("key", suggest::shorten(&fault.key))
    .help(help)
}

fn describe(origin: &Origin, line: Option<usize>, fault: Fault) -> Error {
    let kind = if *origin == Origin::Flag { ErrorKind::Usage } else { ErrorKind::Invalid };
    let mut error = Error::new(kind, OPERATION, fault.message).with("in", origin);
    if let Some(line) = line {
        error = error.with("line", line);
    }
    match fault.help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// All layers merged, each value knowing the layer it came from.
pub(super) struct Merged {
    figment: Figment,
    layers: Vec<Layer>,
}

impl Merged {
    pub(super) fn new(layers: Vec<Layer>) -> Self {
        let figment = layers
            .iter()
            .enumerate()
            .fold(Figment::new(), |figment, (index, layer)| figment.merge(Numbered { index, values: &layer.values }));
        Self { figment, layers }
    }

    /// The settings as `T`, which denies unknown fields.
    pub(super) fn extract<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        self.figment.extract().map_err(|error| {
            let key = error.path.join(".");
            let layer = error.metadata.as_ref().and_then(|metadata| self.numbered(metadata));
            let fault = Fault::new(&key, format!("`{key}`: {}", error.kind));
            match layer {
                Some(layer) => layer.fault(fault),
                None => Error::new(ErrorKind::Invalid, OPERATION, fault.message),
            }
        })
    }

    /// The layer whose value of `key` is in force; the defaults where nobody set it.
    pub(super) fn layer_of(&self, key: &str) -> &Layer {
        let metadata = self.figment.find_metadata(key);
        metadata.and_then(|metadata| self.numbered(metadata)).unwrap_or(&self.layers[0])
    }

    /// Every leaf below `plugins`: its path from the name of the plugin on, and its layer.
    pub(super) fn plugin_leaves(&self) -> Vec<(Vec<String>, &Layer)> {
        let mut leaves = Vec::new();
        if let Ok(value) = self.figment.find_value("plugins") {
            self.collect_leaves(&value, &mut Vec::new(), &mut leaves);
        }
        leaves
    }

    fn collect_leaves<'a>(&'a self, value: &Value, path: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, &'a Layer)>) {
        match value {
            Value::Dict(_, entries) => {
                for (name, value) in entries {
                    path.push(name.clone());
                    self.collect_leaves(value, path, leaves);
                    path.pop();
                }
            }
            value => {
                let metadata = self.figment.get_metadata(value.tag());
                let layer = metadata.and_then(|metadata| self.numbered(metadata)).unwrap_or(&self.layers[0]);
                leaves.push((path.clone(), layer));
            }
        }
    }

    fn numbered(&self, metadata: &Metadata) -> Option<&Layer> {
        self.layers.get(metadata.name.parse::<usize>().ok()?)
    }
}

/// A layer as figment takes it. Its name is its number, by which it is found again.
struct Numbered<'a> {
    index: usize,
    values: &'a serde_json::Map<String, Json>,
}

impl Provider for Numbered<'_> {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.index.to_string())
    }

    fn data(&self) -> std::result::Result<Map<Profile, Dict>, figment::Error> {
        let values = Value::serialize(self.values)?;
        Ok(Map::from([(Profile::Default, values.into_dict().unwrap_or_default())]))
    }
}
