//! The engine: plugins and settings, and nothing opened.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use wikirag_core::{Host, PluginSetup, Registry, Result};

use crate::looks::Looks;
use crate::manifest::PluginChoice;
use crate::open::OpenWikis;
use crate::settings::Settings;

/// Everything that build and query share. Making one opens no file, loads no model and starts no thread; wikis are opened
/// when first asked and kept open for the next question. Cloning shares all of it.
#[derive(Debug, Clone)]
pub struct Engine {
    host: Arc<Host>,
    settings: Arc<Settings>,
    open_wikis: Arc<OpenWikis>,
    looks: Arc<Looks>,
}

impl Engine {
    /// An engine over these plugins and settings.
    ///
    /// # Errors
    /// As [`Engine::on`].
    pub fn new(registry: Registry, settings: Settings) -> Result<Self> {
        Self::on(Host::new(registry), settings)
    }

    /// An engine in a program that gives its plugins more than that: see [`Host`]. What the settings tell (those of
    /// plugins, the data folder, threads) is put into it here.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`](wikirag_core::ErrorKind::Invalid) for settings of a plugin that is not there, and for one that the
    /// file of a project must not set.
    pub fn on(host: Host, settings: Settings) -> Result<Self> {
        settings.check_plugins(host.registry())?;
        let sections = settings.plugins.keys().map(|name| (name.clone(), settings.plugin(name))).collect();
        let host = host.with_sections(sections).with_data_dir(settings.own_data_dir()).with_threads(threads(&settings));
        Ok(Self {
            host: Arc::new(host),
            settings: Arc::new(settings),
            open_wikis: Arc::default(),
            looks: Arc::default(),
        })
    }

    /// An engine over the plugins that are linked into this program.
    ///
    /// # Errors
    /// Where two linked plugins have one name, and as [`Engine::on`].
    pub fn with_linked_plugins(settings: Settings) -> Result<Self> {
        Self::new(Registry::collect()?, settings)
    }

    /// The plugins.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        self.host.registry()
    }

    /// The program as its plugins see it.
    pub(crate) fn host(&self) -> &Arc<Host> {
        &self.host
    }

    /// What the plugin `name` is made with.
    #[must_use]
    pub fn setup(&self, name: &str) -> PluginSetup {
        self.host.setup(name)
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The wikis that earlier questions opened.
    pub(crate) fn open_wikis(&self) -> &OpenWikis {
        &self.open_wikis
    }

    /// When folders were last looked at.
    pub(crate) fn looks(&self) -> &Looks {
        &self.looks
    }

    /// What a plugin that a manifest names is made with: the settings given there, else those of `wikirag.toml`.
    pub(crate) fn setup_of(&self, choice: &PluginChoice) -> PluginSetup {
        let given = choice.settings.value().as_object().is_some_and(|settings| !settings.is_empty());
        if given {
            PluginSetup { settings: choice.settings.clone(), host: Arc::clone(&self.host) }
        } else {
            self.setup(&choice.name)
        }
    }

    /// Threads for building.
    pub(crate) fn threads(&self) -> usize {
        self.host.threads()
    }
}

/// As set, else one for each core that this process may use.
fn threads(settings: &Settings) -> usize {
    match settings.build.threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    }
}
