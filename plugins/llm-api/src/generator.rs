//! The plugin as the engine sees it.

use std::sync::Arc;

use async_trait::async_trait;
use wikirag_core::{
    Completion, Context, Ended, Error, ErrorKind, Generator, PluginSetup, Prompt, Result, ResultExt, offload,
};
use wikirag_remote::{Address, Call, KeySource, Pauses, Protection, Remote};

use crate::settings::Settings;
use crate::{OPERATION, writing};

/// Makes the generator. Nothing is sent.
///
/// # Errors
/// [`ErrorKind::Invalid`] where the settings are incomplete, make no sense, or would send something unprotected.
pub(crate) fn make(setup: &PluginSetup) -> Result<Box<dyn Generator>> {
    let settings = Settings::read(&setup.settings)?;
    let invalid =
        |message| Error::new(ErrorKind::Invalid, "read settings", message).with("in", setup.settings.origin());
    let address = Address::read(&settings.url, settings.protocol.path()).map_err(invalid)?;
    let key = settings.key_source().map_err(invalid)?;
    let protection = Protection { has_key: key.is_some(), allow_http: settings.allow_http };
    address.check(protection).with("in", setup.settings.origin())?;
    Ok(Box::new(ApiGenerator(Arc::new(Service::new(settings, address, key)))))
}

/// One configured service.
pub(crate) struct Service {
    settings: Settings,
    remote: Remote,
}

impl Service {
    fn new(settings: Settings, address: Address, key: Option<KeySource>) -> Self {
        let pauses = Pauses { retries: settings.retries, first: settings.first_pause() };
        let remote = Remote::new(OPERATION, address, settings.protocol.scheme(), key, settings.parallel, pauses);
        Self { settings, remote }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The other end.
    pub(crate) fn remote(&self) -> &Remote {
        &self.remote
    }
}

struct ApiGenerator(Arc<Service>);

#[async_trait]
impl Generator for ApiGenerator {
    fn model(&self) -> &str {
        &self.0.settings.model
    }

    async fn generate(
        &self,
        prompt: &Prompt,
        piece: &mut (dyn for<'t> FnMut(&'t str) + Send),
        context: &Context,
    ) -> Result<Completion> {
        prompt.check(OPERATION)?;
        context.check(OPERATION)?;
        let written = self.write(prompt, piece, context).await.map_err(|error| {
            let is_ours = error.kind() == ErrorKind::TimedOut && context.check(OPERATION).is_ok();
            if is_ours { error.help("see `timeout_seconds`, `first_seconds` and `between_seconds`") } else { error }
        });
        written.with("url", self.0.remote.endpoint()).with("model", self.model())
    }
}

impl ApiGenerator {
    async fn write(
        &self,
        prompt: &Prompt,
        piece: &mut (dyn for<'t> FnMut(&'t str) + Send),
        context: &Context,
    ) -> Result<Completion> {
        self.0.remote.key_to_send()?;
        let context = context.clone().with_time_limit(self.0.settings.timeout());
        let call = Arc::new(self.0.remote.call_apart(context));
        // However this is left, also where nobody waits for it any more.
        let _over = Over(Arc::clone(&call));
        let mut inbox = writing::begin(&self.0, &call, prompt)?;
        let mut text = String::new();
        loop {
            let waiting = Arc::clone(&call);
            let (back, came) = offload(move || {
                let came = inbox.wait(&waiting);
                (inbox, came)
            })
            .await;
            inbox = back;
            let came = came?;
            for part in came.pieces {
                call.check()?;
                piece(&part);
                text.push_str(&part);
            }
            if let Some(end) = came.end {
                let account = end?;
                let ended = account.ended.unwrap_or(Ended::Unclear);
                return Ok(Completion { text, tokens_in: account.tokens_in, tokens_out: account.tokens_out, ended });
            }
        }
    }
}

/// Ends a call however it is left.
struct Over(Arc<Call>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wikirag_testkit::make::setup;

    use super::*;
    use crate::PLUGIN;

    fn made(changes: &[(&str, Value)]) -> Result<Box<dyn Generator>> {
        let mut settings = json!({"url": "https://example.com/v1", "model": "m"});
        for (key, value) in changes {
            settings[*key] = value.clone();
        }
        make(&setup([PLUGIN], settings)?)
    }

    #[test]
    fn nothing_leaves_the_machine_unprotected_by_accident() {
        assert_eq!(made(&[]).unwrap().model(), "m");
        let http = ("url", json!("http://example.com/v1"));
        assert!(made(std::slice::from_ref(&http)).err().unwrap().to_string().contains("allow_http"));
        assert!(made(&[http.clone(), ("allow_http", json!(true))]).is_ok());
        let with_key = [http, ("allow_http", json!(true)), ("key_env", json!("SOME_KEY"))];
        assert!(made(&with_key).err().unwrap().to_string().contains("key"));
        assert!(made(&[("url", json!("http://localhost:1")), ("key_env", json!("SOME_KEY"))]).is_ok());
        assert_eq!(made(&[("url", json!("example.com"))]).err().unwrap().kind(), ErrorKind::Invalid);
    }
}
