//! What the program around the plugins gives each of them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Embedder, Extractor, Generator, PluginSetup, Registry, Result, Section, TokenCounter};

/// The program as a plugin sees it: the other plugins, their settings, a folder for data, and what is shared by all wikis.
///
/// One is made for each engine, and nothing is opened or loaded for it.
pub struct Host {
    registry: Registry,
    sections: BTreeMap<String, Section>,
    data_dir: Option<PathBuf>,
    threads: usize,
    prober: Option<Vec<PathBuf>>,
    embedders: Shared<dyn Embedder>,
    generators: Shared<dyn Generator>,
    extractors: Shared<dyn Extractor>,
    token_counters: Shared<dyn TokenCounter>,
}

/// What was made so far, by the name of its plugin.
type Shared<T> = Mutex<BTreeMap<String, Arc<T>>>;

impl Default for Host {
    fn default() -> Self {
        Self::new(Registry::default())
    }
}

impl Host {
    /// A program with these plugins, without settings, folders or a second process, and with one thread.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        Self {
            registry,
            sections: BTreeMap::new(),
            data_dir: None,
            threads: 1,
            prober: None,
            embedders: Mutex::default(),
            generators: Mutex::default(),
            extractors: Mutex::default(),
            token_counters: Mutex::default(),
        }
    }

    /// The same with the settings of each plugin, by its name.
    #[must_use]
    pub fn with_sections(mut self, sections: BTreeMap<String, Section>) -> Self {
        self.sections = sections;
        self
    }

    /// The same with a folder in which models and what else outlives a run is kept. It may not exist yet.
    #[must_use]
    pub fn with_data_dir(mut self, data_dir: impl Into<PathBuf>) -> Self {
        self.data_dir = Some(data_dir.into());
        self
    }

    /// The same with leave to keep `threads` cores busy, at least 1.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// The same with a command (program and first arguments) that runs [`Capability::Probe`](crate::Capability::Probe)
    /// of a plugin in a process of its own: the name of the plugin and the input are added as arguments, the verdict is
    /// its standard output, and it ends with 0 if there is one.
    #[must_use]
    pub fn with_prober(mut self, command: Vec<PathBuf>) -> Self {
        self.prober = Some(command);
        self
    }

    /// The plugins of the program.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The settings of the plugin `name`.
    #[must_use]
    pub fn section(&self, name: &str) -> Section {
        self.sections.get(name).cloned().unwrap_or_else(Section::empty)
    }

    /// The folder for what outlives a run, where the program has one.
    #[must_use]
    pub fn data_dir(&self) -> Option<&PathBuf> {
        self.data_dir.as_ref()
    }

    /// How many cores all plugins together may keep busy, at least 1.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// See [`Host::with_prober`]. `None`: native code is tried in this process or not at all.
    #[must_use]
    pub fn prober(&self) -> Option<&[PathBuf]> {
        self.prober.as_deref()
    }

    /// The embedder `name` with its own settings. All who ask get the same one: a model is loaded once for all wikis.
    ///
    /// # Errors
    /// As [`Registry::embedder`]. A failure is not remembered.
    pub fn embedder(self: &Arc<Self>, name: &str) -> Result<Arc<dyn Embedder>> {
        shared(&self.embedders, name, || Ok(self.registry.embedder(name, &self.setup(name))?.into()))
    }

    /// The generator `name` with its own settings, the same for all who ask: they share its pace and its connections.
    ///
    /// # Errors
    /// As [`Registry::generator`]. A failure is not remembered.
    pub fn generator(self: &Arc<Self>, name: &str) -> Result<Arc<dyn Generator>> {
        shared(&self.generators, name, || Ok(self.registry.generator(name, &self.setup(name))?.into()))
    }

    /// The extractor `name` with its own settings, the same for all who ask.
    ///
    /// # Errors
    /// As [`Registry::extractor`]. A failure is not remembered.
    pub fn extractor(self: &Arc<Self>, name: &str) -> Result<Arc<dyn Extractor>> {
        // It asks the host for a generator while it is made, so no lock of generators may be held.
        shared(&self.extractors, name, || Ok(self.registry.extractor(name, &self.setup(name))?.into()))
    }

    /// The token counter `name` with its own settings, the same for all who ask.
    ///
    /// # Errors
    /// As [`Registry::token_counter`]. A failure is not remembered.
    pub fn token_counter(self: &Arc<Self>, name: &str) -> Result<Arc<dyn TokenCounter>> {
        shared(&self.token_counters, name, || Ok(self.registry.token_counter(name, &self.setup(name))?.into()))
    }

    /// What the plugin `name` is made with, where nobody but `wikirag.toml` says anything of it.
    #[must_use]
    pub fn setup(self: &Arc<Self>, name: &str) -> PluginSetup {
        PluginSetup { settings: self.section(name), host: Arc::clone(self) }
    }
}

/// What is there of this name, or what `make` makes, which is then there.
fn shared<T: ?Sized>(all: &Shared<T>, name: &str, make: impl FnOnce() -> Result<Arc<T>>) -> Result<Arc<T>> {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(one) = all.get(name) {
        return Ok(Arc::clone(one));
    }
    let one = make()?;
    all.insert(name.to_owned(), Arc::clone(&one));
    Ok(one)
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("registry", &self.registry)
            .field("data_dir", &self.data_dir)
            .field("threads", &self.threads)
            .field("prober", &self.prober)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use crate::{Capability, Context, Plugin, Readiness, Role, Vectors};

    struct Ones(String);

    #[async_trait]
    impl Embedder for Ones {
        fn fingerprint(&self) -> &str {
            &self.0
        }
        fn dimensions(&self) -> usize {
            1
        }
        fn max_tokens(&self) -> usize {
            1
        }
        fn readiness(&self) -> Readiness {
            Readiness::Ready
        }
        async fn embed(&self, texts: &[&str], _: Role, _: &Context) -> Result<Vectors> {
            Vectors::new(vec![1.0; texts.len()], 1)
        }
    }

    const ONES: Plugin = Plugin {
        name: "ones",
        version: "0",
        summary: "",
        personal: &[],
        provides: &[Capability::Embedder { make: |setup| Ok(Box::new(Ones(setup.settings.value().to_string()))) }],
    };

    #[test]
    fn all_share_one_embedder_with_its_own_settings() {
        let section = Section::new("test", serde_json::json!({"model": "m"}));
        let host =
            Host::new(Registry::from_plugins([ONES]).unwrap()).with_sections([("ones".to_owned(), section)].into());
        let host = Arc::new(host);
        let (first, second) = (host.embedder("ones").unwrap(), host.embedder("ones").unwrap());
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(first.fingerprint(), r#"{"model":"m"}"#);
        assert!(host.embedder("twos").err().unwrap().to_string().contains("there are: ones"));
        assert_eq!(host.section("twos"), Section::empty());
    }
}
