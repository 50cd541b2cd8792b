//! Which language model writes.

use std::sync::Arc;

use wikirag_core::{Error, ErrorKind, Generator, Result};

use crate::{Degradation, Engine, open};

/// What to do where there is none.
pub(super) const HOW: &str = "set one, see `docs/llm.md`: `[plugins.llm-api]` with `url` and `model` in wikirag.toml";

/// A language model with the name of its plugin.
pub(super) struct Writer {
    name: &'static str,
    pub(super) generator: Arc<dyn Generator>,
}

impl Writer {
    /// The one generator plugin that has settings. `None` where none has: a plugin that is only linked knows no model.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] where several have settings; what the plugin says of them.
    pub(super) fn of(engine: &Engine) -> Result<Option<Self>> {
        let is_set = |name: &&'static str| engine.settings().plugins.contains_key(*name);
        let set: Vec<&'static str> = engine.registry().names_of("generator").filter(is_set).collect();
        match set[..] {
            [] => Ok(None),
            [name] => Ok(Some(Self { name, generator: engine.host().generator(name)? })),
            _ => {
                let message = format!("several language models are set: {}", set.join(", "));
                let help = "keep the settings of one";
                Err(Error::new(ErrorKind::Usage, "find language model", message).help(help))
            }
        }
    }

    /// That it did not answer.
    pub(super) fn degradation(&self, error: &Error) -> Degradation {
        Degradation {
            wiki: String::new(),
            layer: self.name.to_owned(),
            code: open::code_of(error).to_owned(),
            sentence: format!("the language model did not answer: {}", error.statement()),
            remedy: error.remedy().unwrap_or("the passages are the answer; try again").to_owned(),
        }
    }
}
