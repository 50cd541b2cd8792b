//! What a plugin says of itself.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::{
    Chunker, Embedder, Extractor, Fuser, Generator, Host, Reader, Reranker, Result, Retriever, Section, TokenCounter,
    WikiName,
};

/// The descriptor of one plugin crate. `name` is the folder, the Cargo feature and the registry key in one.
#[derive(Debug, Clone, Copy)]
pub struct Plugin {
    /// Lower case, words joined by `-`.
    pub name: &'static str,
    /// Version of the crate: `env!("CARGO_PKG_VERSION")`.
    pub version: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Keys of its settings that only the user may set, not the settings file of a project, which may come from a stranger:
    /// where texts and keys are sent, and what code is loaded.
    pub personal: &'static [&'static str],
    /// What it can make. At most one of each kind.
    pub provides: &'static [Capability],
}

inventory::collect!(Plugin);

/// What every plugin gets when it is made.
#[derive(Clone)]
pub struct PluginSetup {
    /// Its settings.
    pub settings: Section,
    /// The program around it, for plugins that need another one (a dense layer asks for an embedder).
    pub host: Arc<Host>,
}

/// What a layer gets beside that.
#[derive(Clone)]
pub struct LayerSetup {
    /// Settings and the program.
    pub plugin: PluginSetup,
    /// The wiki, for messages.
    pub wiki: WikiName,
    /// A place of its own below the index folder of the wiki. It may not exist yet; only `sync` may create it.
    pub dir: PathBuf,
    /// Where the index lies that this one is built to take the place of, if it is built beside one. It may not exist, and may be
    /// damaged: nothing is taken from it but what cost much to make and can be checked.
    pub previous: Option<PathBuf>,
    /// Memory for writing, in bytes. A layer stays within it as far as its library allows.
    pub write_memory: usize,
    /// Threads for writing, at least 1.
    pub write_threads: usize,
}

/// One thing that a plugin can make. `format` is raised whenever the same input gives another output: what was
/// made under another number is made anew.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Capability {
    /// A [`Reader`].
    Reader {
        /// See [`Capability`].
        format: u32,
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn Reader>>,
    },
    /// A [`Chunker`].
    Chunker {
        /// See [`Capability`].
        format: u32,
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn Chunker>>,
    },
    /// A [`Retriever`]. Making it opens what is there and creates nothing.
    Retriever {
        /// Makes it.
        make: fn(&LayerSetup) -> Result<Box<dyn Retriever>>,
    },
    /// A [`Fuser`].
    Fuser {
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn Fuser>>,
    },
    /// An [`Embedder`].
    Embedder {
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn Embedder>>,
    },
    /// A [`Reranker`].
    Reranker {
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn Reranker>>,
    },
    /// A [`Generator`].
    Generator {
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn Generator>>,
    },
    /// An [`Extractor`].
    Extractor {
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn Extractor>>,
    },
    /// A [`TokenCounter`].
    TokenCounter {
        /// Makes it.
        make: fn(&PluginSetup) -> Result<Box<dyn TokenCounter>>,
    },
    /// Tries native code that may crash or hang. The plugin has it run in a process of its own, see
    /// [`Host::with_prober`]; input and verdict are words between the plugin and itself.
    Probe {
        /// Runs it.
        run: fn(&str) -> Result<String>,
    },
}

impl Capability {
    /// The kind as a word: `reader`, `chunker`, `retriever`, ...
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Reader { .. } => "reader",
            Self::Chunker { .. } => "chunker",
            Self::Retriever { .. } => "retriever",
            Self::Fuser { .. } => "fuser",
            Self::Embedder { .. } => "embedder",
            Self::Reranker { .. } => "reranker",
            Self::Generator { .. } => "generator",
            Self::Extractor { .. } => "extractor",
            Self::TokenCounter { .. } => "token counter",
            Self::Probe { .. } => "probe",
        }
    }
}

impl fmt::Debug for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}
