//! The service of the testkit, and embedders for it.

use serde_json::{Value, json};
use wikirag_core::{Embedder, Result};
pub(crate) use wikirag_testkit::fakes::embedding_service::{
    DIMENSIONS, EmbeddingService as Fake, MODEL, Play, unit_vector,
};
use wikirag_testkit::make::setup;

pub(crate) trait Embedders {
    /// An embedder for the service, with these settings beside those that must be set.
    fn try_embedder(&self, settings: Value) -> Result<Box<dyn Embedder>>;

    /// The same where the settings are known to be right.
    fn embedder(&self, settings: Value) -> Box<dyn Embedder> {
        self.try_embedder(settings).unwrap()
    }
}

impl Embedders for Fake {
    fn try_embedder(&self, settings: Value) -> Result<Box<dyn Embedder>> {
        // Nothing here is about how long pauses are. Two cores may be busy with other tests, so limits are wide.
        let mut all = json!({"url": self.url(), "model": MODEL, "dimensions": DIMENSIONS, "pause_seconds": 0.001,
            "question_seconds": 60});
        if self.rules().voyage {
            all["protocol"] = json!("voyage");
        }
        for (key, value) in settings.as_object().unwrap() {
            all[key] = value.clone();
        }
        let setup = setup([wikirag_embed_api::PLUGIN], all)?;
        setup.host.registry().embedder("embed-api", &setup)
    }
}
