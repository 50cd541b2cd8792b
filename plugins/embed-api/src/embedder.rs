//! The plugin as the engine sees it.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use wikirag_core::{
    Context, Embedder, Error, ErrorKind, PluginSetup, Readiness, RecentVectors, Result, ResultExt, Role, Vectors,
    offload,
};
use wikirag_remote::{Address, Protection};

use crate::OPERATION;
use crate::service::Service;
use crate::settings::Settings;

/// Raised whenever the same settings give other vectors: the way texts are cut and put together again.
const FORMAT: u32 = 1;

/// Makes the embedder. Nothing is sent.
///
/// # Errors
/// [`ErrorKind::Invalid`] where the settings are incomplete, make no sense, or would send something unprotected.
pub(crate) fn make(setup: &PluginSetup) -> Result<Box<dyn Embedder>> {
    let settings = Settings::read(&setup.settings)?;
    let invalid =
        |message| Error::new(ErrorKind::Invalid, "read settings", message).with("in", setup.settings.origin());
    let address = Address::read(&settings.url, "/embeddings").map_err(invalid)?;
    let key = settings.key_source().map_err(invalid)?;
    let protection = Protection { has_key: key.is_some(), allow_http: settings.allow_http };
    address.check(protection).with("in", setup.settings.origin())?;
    let fingerprint = fingerprint(&settings, address.host());
    let service = Arc::new(Service::new(settings, address, key));
    Ok(Box::new(ApiEmbedder { service, fingerprint, recent: Arc::default() }))
}

/// What decides about vectors. The path of the address is left out, since it may hold what is nobody's business.
fn fingerprint(settings: &Settings, host: &str) -> String {
    let Settings { protocol, model, dimensions, max_tokens, query_prefix, passage_prefix, .. } = settings;
    let parts = json!([protocol.name(), host, model, dimensions, max_tokens, query_prefix, passage_prefix]);
    format!("embed-api {FORMAT} {parts}")
}

struct ApiEmbedder {
    service: Arc<Service>,
    fingerprint: String,
    recent: Arc<RecentVectors>,
}

#[async_trait]
impl Embedder for ApiEmbedder {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        self.service.settings().dimensions
    }

    fn max_tokens(&self) -> usize {
        self.service.settings().max_tokens
    }

    fn languages(&self) -> &[String] {
        &self.service.settings().languages
    }

    fn readiness(&self) -> Readiness {
        match self.service.remote().key() {
            Ok(_) => Readiness::Ready,
            Err(reason) => Readiness::Unavailable(vec![reason]),
        }
    }

    async fn embed(&self, texts: &[&str], role: Role, context: &Context) -> Result<Vectors> {
        context.check(OPERATION)?;
        self.service.remote().key_to_send()?;
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let (service, recent, context) = (Arc::clone(&self.service), Arc::clone(&self.recent), context.clone());
        let embedding = offload(move || match (role, texts.as_slice()) {
            (Role::Query, [question]) => recent.get_or_embed(question, || service.embed(&texts, role, &context)),
            _ => service.embed(&texts, role, &context),
        });
        let flat = embedding.await.with("url", self.service.remote().endpoint())?;
        Vectors::new(flat, self.dimensions())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use wikirag_testkit::make::setup;

    use super::*;
    use crate::PLUGIN;

    fn made(changes: &[(&str, Value)]) -> Result<Box<dyn Embedder>> {
        let mut settings = json!({"url": "https://example.com/secret/v1", "model": "m", "dimensions": 8});
        for (key, value) in changes {
            settings[*key] = value.clone();
        }
        make(&setup([PLUGIN], settings)?)
    }

    #[test]
    fn the_fingerprint_changes_with_the_vectors_and_only_then() {
        let of = |changes: &[(&str, Value)]| made(changes).unwrap().fingerprint().to_owned();
        let plain = of(&[]);
        assert!(!plain.contains("secret"), "{plain}");
        for (key, value) in [
            ("batch", json!(1)),
            ("parallel", json!(9)),
            ("key_env", json!("SOME_KEY")),
            ("url", json!("https://EXAMPLE.com:443/other/")),
            ("languages", json!(["eng"])),
            ("retries", json!(0)),
        ] {
            assert_eq!(of(&[(key, value)]), plain, "{key}");
        }
        for (key, value) in [
            ("protocol", json!("voyage")),
            ("url", json!("https://example.org/v1")),
            ("model", json!("n")),
            ("dimensions", json!(9)),
            ("max_tokens", json!(100)),
            ("query_prefix", json!("q")),
            ("passage_prefix", json!("q")),
        ] {
            assert_ne!(of(&[(key, value)]), plain, "{key}");
        }
    }

    #[test]
    fn nothing_leaves_the_machine_unprotected_by_accident() {
        let http = ("url", json!("http://example.com/v1"));
        assert!(made(std::slice::from_ref(&http)).err().unwrap().to_string().contains("allow_http"));
        assert!(made(&[http.clone(), ("allow_http", json!(true))]).is_ok());
        let with_key = [http, ("allow_http", json!(true)), ("key_env", json!("SOME_KEY"))];
        assert!(made(&with_key).err().unwrap().to_string().contains("key"));
        assert!(made(&[("url", json!("http://localhost:1")), ("key_env", json!("SOME_KEY"))]).is_ok());
        assert_eq!(made(&[("url", json!("example.com"))]).err().unwrap().kind(), ErrorKind::Invalid);
    }

    #[test]
    fn a_missing_key_is_told_before_anything_is_sent() {
        let embedder = made(&[("key_env", json!("WIKIRAG_NO_SUCH_KEY"))]).unwrap();
        assert_eq!(embedder.readiness().reasons()[0].code, "key-missing");
        assert!(!embedder.readiness().is_usable());
        assert_eq!(made(&[]).unwrap().readiness(), Readiness::Ready);
    }
}
