//! What can be set.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};

/// The settings of embedder and reranker.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Name of the recipe of the model that embeds. By default the first of the default models whose files are there: what
    /// `wikirag model pull` gets, or what lies beside the program.
    pub model: Option<String>,
    /// Name of the recipe of the model that scores a question and a passage together. There is no default.
    pub reranker: Option<String>,
    /// Absolute path of the ONNX Runtime library. By default the one that `wikirag model pull` got, or that lies beside the
    /// program.
    pub runtime: Option<PathBuf>,
    /// Cores to keep busy, each with a session of its own. By default all that the program may use.
    pub threads: Option<NonZeroUsize>,
    /// What is done before the library is loaded into this process.
    pub probe: Probe,
    /// How long the library may take in a process of its own before it counts as hanging, in seconds; 1 to 3600.
    pub probe_seconds: u32,
}

/// What is done before the library is loaded into this process, where it could crash or hang.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Probe {
    /// It is loaded and used in a process of its own first, once for each library and model; what came of it is
    /// remembered. A program without a second process does as with `here`.
    Process,
    /// The head of the file must be one for this machine.
    Here,
    /// Nothing.
    Off,
}

impl Default for Settings {
    fn default() -> Self {
        Self { model: None, reranker: None, runtime: None, threads: None, probe: Probe::Process, probe_seconds: 20 }
    }
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the setting that is unknown or out of its range.
    pub(crate) fn read(section: &Section) -> Result<Self> {
        let settings: Self = section.parse()?;
        let invalid =
            |message: String| Error::new(ErrorKind::Invalid, "read settings", message).with("in", section.origin());
        if let Some(path) = settings.runtime.as_ref().filter(|path| !path.is_absolute()) {
            return Err(invalid(format!("`runtime` is {}, it must be an absolute path", path.display())));
        }
        if !(1..=3600).contains(&settings.probe_seconds) {
            let message = format!("`probe_seconds` is {}, it must lie between 1 and 3600", settings.probe_seconds);
            return Err(invalid(message));
        }
        Ok(settings)
    }

    pub(crate) fn probe_limit(&self) -> Duration {
        Duration::from_secs(self.probe_seconds.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_set_keeps_its_default() {
        assert_eq!(Settings::read(&Section::empty()).unwrap(), Settings::default());
        let settings = Settings::read(&Section::new("x", json!({"threads": 3, "probe": "off"}))).unwrap();
        assert_eq!((settings.threads.map(NonZeroUsize::get), settings.probe), (Some(3), Probe::Off));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for settings in [
            json!({"modle": "x"}),
            json!({"threads": 0}),
            json!({"probe": "maybe"}),
            json!({"probe_seconds": 0}),
            json!({"runtime": "lib/onnxruntime.so"}),
        ] {
            let error = Settings::read(&Section::new("config.yaml: onnx", settings)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains("config.yaml: onnx"), "{error}");
        }
    }
}
