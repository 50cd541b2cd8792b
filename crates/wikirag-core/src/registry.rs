//! The plugins that are linked into this program.

use crate::{
    Capability, Chunker, Embedder, Error, ErrorKind, Extractor, Fuser, Generator, LayerSetup, Plugin, PluginSetup,
    Reader, Reranker, Result, Retriever, TokenCounter,
};

/// All plugins by name. Made once at start; opens and loads nothing.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    plugins: Vec<Plugin>,
}

impl Registry {
    /// Collects what is linked. The order in which the linker lays plugins out means nothing: they are sorted by name.
    ///
    /// # Errors
    /// See [`Registry::from_plugins`].
    pub fn collect() -> Result<Self> {
        Self::from_plugins(inventory::iter::<Plugin>.into_iter().copied())
    }

    /// A registry of exactly these plugins.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where two plugins have one name, or one plugin provides two things of one kind.
    pub fn from_plugins(plugins: impl IntoIterator<Item = Plugin>) -> Result<Self> {
        let mut plugins: Vec<Plugin> = plugins.into_iter().collect();
        plugins.sort_by_key(|plugin| plugin.name);
        if let Some(pair) = plugins.windows(2).find(|pair| pair[0].name == pair[1].name) {
            let message = format!("two plugins are named `{}`", pair[0].name);
            return Err(
                Error::new(ErrorKind::Invalid, "collect plugins", message).help("link only one of them, or rename one")
            );
        }
        for plugin in &plugins {
            let mut kinds: Vec<_> = plugin.provides.iter().map(Capability::kind).collect();
            kinds.sort_unstable();
            if let Some(pair) = kinds.windows(2).find(|pair| pair[0] == pair[1]) {
                let message = format!("plugin `{}` provides two of the kind {}", plugin.name, pair[0]);
                return Err(Error::new(ErrorKind::Invalid, "collect plugins", message));
            }
        }
        Ok(Self { plugins })
    }

    /// All plugins, sorted by name.
    #[must_use]
    pub fn plugins(&self) -> &[Plugin] {
        &self.plugins
    }

    /// Names of the plugins that provide `kind`, sorted.
    pub fn names_of(&self, kind: &str) -> impl Iterator<Item = &'static str> {
        self.plugins
            .iter()
            .filter(move |plugin| plugin.provides.iter().any(|capability| capability.kind() == kind))
            .map(|plugin| plugin.name)
    }

    fn find<T>(&self, name: &str, kind: &'static str, pick: impl Fn(&Capability) -> Option<T>) -> Result<T> {
        let plugin = self.plugins.iter().find(|plugin| plugin.name == name);
        if let Some(found) = plugin.and_then(|plugin| plugin.provides.iter().find_map(pick)) {
            return Ok(found);
        }
        let known: Vec<_> = self.names_of(kind).collect();
        let message = format!("there is no {kind} `{name}` in this program");
        let help = if known.is_empty() {
            format!("no {kind} is linked; build with the feature that brings it")
        } else {
            format!("there are: {}; another may need its Cargo feature", known.join(", "))
        };
        Err(Error::new(ErrorKind::NotFound, "find plugin", message).help(help))
    }

    /// The format number of a reader or chunker, for fingerprints.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] naming what there is.
    pub fn format_of(&self, name: &str, kind: &'static str) -> Result<u32> {
        self.find(name, kind, |capability| match capability {
            Capability::Reader { format, .. } | Capability::Chunker { format, .. } if capability.kind() == kind => {
                Some(*format)
            }
            _ => None,
        })
    }

    /// Makes the reader `name`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn reader(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn Reader>> {
        let make = self.find(name, "reader", |capability| match capability {
            Capability::Reader { make, .. } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }

    /// Makes the chunker `name`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn chunker(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn Chunker>> {
        let make = self.find(name, "chunker", |capability| match capability {
            Capability::Chunker { make, .. } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }

    /// Makes the layer `name`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings or its index.
    pub fn retriever(&self, name: &str, setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
        let make = self.find(name, "retriever", |capability| match capability {
            Capability::Retriever { make } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name).with("wiki", &setup.wiki))
    }

    /// Makes the fuser `name`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn fuser(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn Fuser>> {
        let make = self.find(name, "fuser", |capability| match capability {
            Capability::Fuser { make } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }

    /// Makes the embedder `name`. Those who can share one ask [`Host::embedder`](crate::Host::embedder).
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn embedder(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn Embedder>> {
        let make = self.find(name, "embedder", |capability| match capability {
            Capability::Embedder { make } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }

    /// Runs the probe of the plugin `name` in this process.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the probe finds.
    pub fn probe(&self, name: &str, input: &str) -> Result<String> {
        let run = self.find(name, "probe", |capability| match capability {
            Capability::Probe { run } => Some(*run),
            _ => None,
        })?;
        run(input).map_err(|error| error.with("plugin", name))
    }

    /// Makes the reranker `name`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn reranker(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn Reranker>> {
        let make = self.find(name, "reranker", |capability| match capability {
            Capability::Reranker { make } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }

    /// Makes the generator `name`. Those who can share one ask [`Host::generator`](crate::Host::generator).
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn generator(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn Generator>> {
        let make = self.find(name, "generator", |capability| match capability {
            Capability::Generator { make } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }

    /// Makes the extractor `name`. Those who can share one ask [`Host::extractor`](crate::Host::extractor).
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn extractor(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn Extractor>> {
        let make = self.find(name, "extractor", |capability| match capability {
            Capability::Extractor { make } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }

    /// Makes the token counter `name`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], or what the plugin says of its settings.
    pub fn token_counter(&self, name: &str, setup: &PluginSetup) -> Result<Box<dyn TokenCounter>> {
        let make = self.find(name, "token counter", |capability| match capability {
            Capability::TokenCounter { make } => Some(*make),
            _ => None,
        })?;
        make(setup).map_err(|error| error.with("plugin", name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn plugin(name: &'static str, provides: &'static [Capability]) -> Plugin {
        Plugin { name, version: "0", summary: "", personal: &[], provides }
    }

    struct Nothing;
    impl Fuser for Nothing {
        fn fuse(&self, _: &[crate::WeightedList<'_>], _: usize) -> Vec<crate::FusedHit> {
            Vec::new()
        }
    }
    const FUSER: Capability = Capability::Fuser { make: |_| Ok(Box::new(Nothing)) };

    #[test]
    fn plugins_are_sorted_and_names_unique() {
        let registry = Registry::from_plugins([plugin("b", &[FUSER]), plugin("a", &[])]).unwrap();
        assert_eq!(registry.plugins().iter().map(|p| p.name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(registry.names_of("fuser").collect::<Vec<_>>(), ["b"]);
        let error = Registry::from_plugins([plugin("a", &[]), plugin("a", &[])]).unwrap_err();
        assert!(error.to_string().contains("two plugins are named `a`"), "{error}");
        let error = Registry::from_plugins([plugin("a", &[FUSER, FUSER])]).unwrap_err();
        assert!(error.to_string().contains("two of the kind fuser"), "{error}");
    }

    #[test]
    fn an_unknown_name_lists_what_there_is() {
        let registry = Registry::from_plugins([plugin("rrf", &[FUSER])]).unwrap();
        let host = crate::Host::new(registry.clone()).into();
        let setup = PluginSetup { settings: crate::Section::empty(), host };
        let error = registry.fuser("rff", &setup).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.to_string().contains("there are: rrf"), "{error}");
        assert!(registry.chunker("rrf", &setup).is_err());
    }
}
