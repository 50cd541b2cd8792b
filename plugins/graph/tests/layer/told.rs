//! An extractor without a model: entities are what stands in braces, and two of them with `~` between are related. A text that holds
//! `GIBBERISH` is one of which nothing can be read.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use async_trait::async_trait;
use wikirag_core::{
    Capability, Context, Entity, Error, ErrorKind, Extraction, Extractor, Plugin, PluginSetup, Relation, Result,
};

pub(crate) const TOLD: Plugin = Plugin {
    name: "told",
    version: "0",
    summary: "finds what is marked, for tests",
    personal: &[],
    provides: &[Capability::Extractor { make }],
};

/// What the extractors of one model saw, and how they fare. A test takes a model of its own.
#[derive(Default)]
pub(crate) struct Log(Mutex<State>);

#[derive(Default)]
struct State {
    seen: Vec<String>,
    trouble: Trouble,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Trouble {
    #[default]
    None,
    /// Nobody is there, and will not be.
    Gone,
    /// Texts that hold `SLOW` take too long.
    Slow,
    /// Everything takes too long.
    AllSlow,
}

impl Log {
    pub(crate) fn of(model: &str) -> Arc<Self> {
        static LOGS: LazyLock<Mutex<BTreeMap<String, Arc<Log>>>> = LazyLock::new(Mutex::default);
        Arc::clone(LOGS.lock().unwrap_or_else(PoisonError::into_inner).entry(model.to_owned()).or_default())
    }

    /// The texts since the last call, in no order.
    pub(crate) fn seen(&self) -> Vec<String> {
        let mut seen = std::mem::take(&mut self.0.lock().unwrap().seen);
        seen.sort();
        seen
    }

    pub(crate) fn set(&self, trouble: Trouble) {
        self.0.lock().unwrap().trouble = trouble;
    }
}

struct Told {
    fingerprint: String,
    log: Arc<Log>,
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Extractor>> {
    let model = setup.settings.value()["model"].as_str().unwrap_or("plain").to_owned();
    Ok(Box::new(Told { log: Log::of(&model), fingerprint: format!("told {model}") }))
}

#[async_trait]
impl Extractor for Told {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    async fn extract(&self, passage: &str, context: &Context) -> Result<Extraction> {
        context.check("tell")?;
        let trouble = {
            let mut state = self.log.0.lock().unwrap();
            state.seen.push(passage.to_owned());
            state.trouble
        };
        let error = |kind, message| Err(Error::new(kind, "tell", message));
        match trouble {
            Trouble::Gone => return error(ErrorKind::Unavailable, "nobody is there"),
            Trouble::AllSlow => return error(ErrorKind::TimedOut, "it took too long"),
            Trouble::Slow if passage.contains("SLOW") => return error(ErrorKind::TimedOut, "it took too long"),
            _ if passage.contains("GIBBERISH") => return error(ErrorKind::Invalid, "nothing could be read"),
            _ => Ok(marked(passage)),
        }
    }
}

fn marked(passage: &str) -> Extraction {
    let mut found = Extraction::default();
    let mut last: Option<String> = None;
    for (place, part) in passage.split(['{', '}']).enumerate() {
        if place % 2 == 0 {
            last = last.filter(|_| part == "~");
            continue;
        }
        if found.entities.iter().all(|entity| entity.name != part) {
            found.entities.push(Entity { name: part.to_owned(), kind: String::new(), description: String::new() });
        }
        if let Some(from) = last.replace(part.to_owned())
            && from != part
        {
            found.relations.push(Relation { from, to: part.to_owned(), description: String::new() });
        }
    }
    found
}
