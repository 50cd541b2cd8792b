//! The embedder of the layer, and what keeps it from serving.

use std::sync::Arc;

use wikirag_core::Context;
use wikirag_core::{Embedder, Error, ErrorKind, PluginSetup, Readiness, Reason, Result, Role, Vectors};
use wikirag_sqlite::VectorSpace;

/// The embedder that is set, or why there is none.
pub(crate) enum Model {
    Known(Arc<dyn Embedder>),
    Unknown(Reason),
}

impl Model {
    /// Asks the program for the embedder `name`.
    ///
    /// # Errors
    /// Where its settings are wrong. Whatever else keeps it from being made makes the layer unavailable.
    pub(crate) fn find(setup: &PluginSetup, name: &str) -> Result<Self> {
        let mut embedders = setup.host.registry().names_of("embedder");
        if !embedders.any(|known| known == name) {
            let known: Vec<_> = setup.host.registry().names_of("embedder").collect();
            let remedy = if known.is_empty() {
                format!("build the program with the feature `{name}`")
            } else {
                format!("set `dense.embedder` to one of: {}", known.join(", "))
            };
            let sentence = format!("there is no embedder `{name}` in this program");
            return Ok(Self::Unknown(Reason::new("embedder-missing", sentence, remedy)));
        }
        match setup.host.embedder(name) {
            Ok(embedder) => Ok(Self::Known(embedder)),
            Err(error) if matches!(error.kind(), ErrorKind::Invalid | ErrorKind::Usage) => Err(error),
            Err(error) => Ok(Self::Unknown(reason(&error))),
        }
    }

    /// The embedder.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where there is none.
    pub(crate) fn get(&self) -> Result<&Arc<dyn Embedder>> {
        match self {
            Self::Known(embedder) => Ok(embedder),
            Self::Unknown(reason) => {
                let error = Error::new(ErrorKind::Unavailable, "find embedder", reason.sentence.clone());
                Err(error.help(reason.remedy.clone()))
            }
        }
    }

    /// Whether the embedder could embed now.
    pub(crate) fn readiness(&self) -> Readiness {
        match self {
            Self::Known(embedder) => embedder.readiness(),
            Self::Unknown(reason) => Readiness::Unavailable(vec![reason.clone()]),
        }
    }
}

/// Whose vectors `embedder` gives.
pub(crate) fn space_of(embedder: &dyn Embedder) -> VectorSpace {
    VectorSpace { fingerprint: embedder.fingerprint().to_owned(), dimensions: embedder.dimensions() }
}

/// Embeds, and counts the rows: one too few would give every later text the vector of another.
pub(crate) async fn embed(embedder: &dyn Embedder, texts: &[&str], role: Role, context: &Context) -> Result<Vectors> {
    let vectors = embedder.embed(texts, role, context).await?;
    if vectors.rows().len() == texts.len() {
        return Ok(vectors);
    }
    let message = format!("the embedder gave {} vectors for {} texts", vectors.rows().len(), texts.len());
    Err(Error::new(ErrorKind::Internal, "embed", message))
}

/// An error as a reason. The codes are those of the kinds of errors.
pub(crate) fn reason(error: &Error) -> Reason {
    let remedy = error.remedy().unwrap_or("look at the message and try again");
    let sentence = match error.context("path") {
        Some(path) => format!("{} ({path})", error.message()),
        None => error.message().to_owned(),
    };
    Reason::new(error.kind().code(), sentence, remedy)
}
