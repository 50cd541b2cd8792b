//! A way of answering that is measured: `route=auto,layers=bm25+dense,plugins.rrf.k=20`.

use std::collections::HashSet;
use std::str::FromStr;

use wikirag_core::{Error, ErrorKind, Registry, Result};

use crate::Engine;
use crate::manifest::Route;
use crate::settings::suggest;

/// Makes the engine of a system: the settings of the run with these keys set otherwise.
pub type MakeEngine<'a> = &'a dyn Fn(&[(String, String)]) -> Result<Engine>;

/// What is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Over {
    /// Each question is asked of all sets, each set a wiki of one composition.
    #[default]
    Composed,
    /// Each question is asked of one wiki that holds the documents of all sets: what composing has to be better than.
    Merged,
    /// Each question is asked of the wiki of its own set alone: as good as composing could be if it always chose the right wiki.
    Own,
}

/// One way of answering.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct System {
    /// How the results call it.
    pub name: String,
    /// What is searched.
    pub over: Over,
    /// How the wikis are weighed.
    pub route: Route,
    /// Only these layers; `None`: all that a wiki has.
    pub layers: Option<Vec<String>>,
    /// The plugin that fuses; `None`: that of a composition which names none.
    pub fuse: Option<String>,
    /// Settings that are not those of the run: dotted keys with values as text, as `--set` takes them.
    pub settings: Vec<(String, String)>,
}

/// The keys that are no settings.
const KEYS: [&str; 4] = ["route", "layers", "fuse", "over"];

/// Settings that change nothing of what is found in indexes that are built already: a key of this name, or below it.
const WITHOUT_EFFECT: [&str; 8] =
    ["data_dir", "index_dir", "wiki_path", "limit", "clearance", "refresh", "build", "questions"];

/// Kinds of plugins that only building an index asks.
const BUILDING: [&str; 3] = ["reader", "chunker", "extractor"];

impl System {
    /// This system, but for what `text` says: `KEY=VALUE,KEY=VALUE,...`. The keys are `route`, `layers` (joined by `+`), `fuse`,
    /// `over` (`composed`, `merged`, `own`) and the settings. A value cannot hold a comma.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for a pair that is none, for a key that stands twice, for a value that its key does not take, and for a
    /// setting that does not act on a question.
    pub fn with(&self, text: &str) -> Result<Self> {
        let mut system = Self { name: text.trim().to_owned(), ..self.clone() };
        let mut seen = HashSet::new();
        for pair in text.split(',') {
            let (key, value) = match pair.split_once('=') {
                Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => (key.trim(), value.trim()),
                _ => {
                    let message = format!("`{}` is no KEY=VALUE", suggest::shorten(pair));
                    return Err(fault(text, message).help("write a system as in `route=auto,layers=bm25+dense`"));
                }
            };
            if !seen.insert(key) {
                return Err(fault(text, format!("`{}` stands twice", suggest::shorten(key))));
            }
            system.set(key, value).map_err(|error| error.with("system", suggest::shorten(text)))?;
        }
        Ok(system)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "route" => self.route = value.parse()?,
            "over" => self.over = value.parse()?,
            "layers" => self.layers = Some(value.split('+').map(|name| name.trim().to_owned()).collect()),
            "fuse" => self.fuse = Some(value.to_owned()),
            _ => {
                acts_on_questions(key)?;
                self.settings.retain(|(known, _)| known != key);
                self.settings.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// The engine that answers as this system does: `base`, or one with other settings. Everything was looked at that can be told before
    /// an index is opened.
    pub(super) fn engine(&self, base: &Engine, make: MakeEngine<'_>) -> Result<Engine> {
        let engine = if self.settings.is_empty() { base.clone() } else { make(&self.settings)? };
        let registry = engine.registry();
        if let Some(name) =
            self.layers.iter().flatten().find(|name| !registry.names_of("retriever").any(|known| known == *name))
        {
            let help = format!("the layers are: {}", registry.names_of("retriever").collect::<Vec<_>>().join(", "));
            return Err(fault(&self.name, format!("there is no layer `{}`", suggest::shorten(name))).help(help));
        }
        if let Some(name) = &self.fuse {
            let _ = registry.fuser(name, &engine.setup(name)).map_err(|error| error.with("system", &self.name))?;
        }
        self.settings.iter().try_for_each(|(key, _)| is_asked(registry, key))?;
        Ok(engine)
    }
}

impl FromStr for Over {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "composed" => Ok(Self::Composed),
            "merged" => Ok(Self::Merged),
            "own" => Ok(Self::Own),
            _ => {
                let message = format!("`over={}` is none of composed, merged, own", suggest::shorten(text));
                Err(Error::new(ErrorKind::Usage, OPERATION, message))
            }
        }
    }
}

const OPERATION: &str = "read system";

fn fault(system: &str, message: String) -> Error {
    Error::new(ErrorKind::Usage, OPERATION, message).with("system", suggest::shorten(system))
}

fn acts_on_questions(key: &str) -> Result<()> {
    let first = key.split('.').next().unwrap_or(key);
    if WITHOUT_EFFECT.contains(&first) {
        let message = format!("`{}` does not act on a question over indexes that are built", suggest::shorten(key));
        let help = "set it for the whole run with --set";
        return Err(Error::new(ErrorKind::Usage, OPERATION, message).help(help));
    }
    // Whether there is such a setting is for the settings to say, where no slip of the hand is more likely.
    if let Some(near) = suggest::near(key, KEYS).first() {
        let error = Error::new(ErrorKind::Usage, OPERATION, format!("there is no key `{}`", suggest::shorten(key)));
        return Err(error.help(format!("did you mean `{near}`?")));
    }
    Ok(())
}

/// Whether the plugin whose setting `key` is has anything to do with a question. All systems share their indexes, which are built
/// with the settings of the run.
fn is_asked(registry: &Registry, key: &str) -> Result<()> {
    let name = key.strip_prefix("plugins.").and_then(|below| below.split('.').next());
    let plugin = name.and_then(|name| registry.plugins().iter().find(|plugin| plugin.name == name));
    match plugin {
        Some(plugin) if plugin.provides.iter().all(|capability| BUILDING.contains(&capability.kind())) => {
            let message = format!("`{}` acts when an index is built", suggest::shorten(key));
            let help = "set it for the whole run with --set, and give each value a --work of its own";
            Err(Error::new(ErrorKind::Usage, OPERATION, message).help(help))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_before() {
        let base = System { layers: Some(vec!["bm25".to_owned()]), ..System::default() };
        let system = base.with(" route=top:2, over = own,plugins.rrf.k=20").unwrap();
        let settings = vec![("plugins.rrf.k".to_owned(), "20".to_owned())];
        let name = "route=top:2, over = own,plugins.rrf.k=20".to_owned();
        assert_eq!(system, System { name, route: Route::Top(2), over: Over::Own, settings, ..base });
        let again = system.with("plugins.rrf.k=3,layers=bm25+dense,fuse=other").unwrap();
        assert_eq!(again.settings, [("plugins.rrf.k".to_owned(), "3".to_owned())]);
        assert_eq!(again.layers.unwrap(), ["bm25", "dense"]);
        assert_eq!((again.fuse.as_deref(), again.route), (Some("other"), Route::Top(2)));
        assert!(System::default().with("per_document=3").is_ok());
    }

    #[test]
    fn what_is_no_system_is_told() {
        for (text, said) in [
            ("", "no KEY=VALUE"),
            ("auto", "`auto` is no KEY=VALUE"),
            ("route=auto,", "no KEY=VALUE"),
            ("route=", "no KEY=VALUE"),
            ("=auto", "no KEY=VALUE"),
            ("route=auto,route=all", "`route` stands twice"),
            ("route=best", "top:N"),
            ("over=all", "composed, merged, own"),
            ("rout=auto", "did you mean `route`"),
            ("limit=3", "does not act on a question"),
            ("build.threads=3", "does not act on a question"),
        ] {
            let error = System::default().with(text).unwrap_err();
            assert!(error.kind() == ErrorKind::Usage && error.to_string().contains(said), "{text}: {error}");
        }
    }
}
