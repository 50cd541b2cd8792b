//! Plugins made the way the engine makes them: by name, out of a registry, with settings.

use serde_json::Value;
use std::sync::Arc;
use wikirag_core::{
    Chunker, Fuser, Host, LayerSetup, Plugin, PluginSetup, Reader, Registry, Result, Retriever, Section,
};

/// What a plugin gets in a program that links `plugins` and in which `settings` are set.
///
/// # Errors
/// See [`Registry::from_plugins`].
pub fn setup(plugins: impl IntoIterator<Item = Plugin>, settings: Value) -> Result<PluginSetup> {
    let host = Arc::new(Host::new(Registry::from_plugins(plugins)?));
    Ok(PluginSetup { settings: Section::new("test settings", settings), host })
}

/// The reader of `plugin`.
///
/// # Errors
/// Where the plugin provides none or refuses the settings.
pub fn reader(plugin: Plugin, settings: Value) -> Result<Box<dyn Reader>> {
    let setup = setup([plugin], settings)?;
    setup.host.registry().reader(plugin.name, &setup)
}

/// The chunker of `plugin`.
///
/// # Errors
/// Where the plugin provides none or refuses the settings.
pub fn chunker(plugin: Plugin, settings: Value) -> Result<Box<dyn Chunker>> {
    let setup = setup([plugin], settings)?;
    setup.host.registry().chunker(plugin.name, &setup)
}

/// The fuser of `plugin`.
///
/// # Errors
/// Where the plugin provides none or refuses the settings.
pub fn fuser(plugin: Plugin, settings: Value) -> Result<Box<dyn Fuser>> {
    let setup = setup([plugin], settings)?;
    setup.host.registry().fuser(plugin.name, &setup)
}

/// The layer of `plugin`, with the settings and the host that stand in `setup`.
///
/// # Errors
/// Where the plugin provides none, refuses the settings or cannot open its index.
pub fn retriever(plugin: Plugin, setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
    Registry::from_plugins([plugin])?.retriever(plugin.name, setup)
}
