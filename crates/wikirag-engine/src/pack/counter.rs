//! What counts the tokens of a budget.

use std::sync::Arc;

use wikirag_core::{Result, TokenCounter};
use wikirag_text::estimate_tokens;

use crate::Engine;

/// The plugin that counts with the tokenizer of a model.
const TOKENIZER: &str = "tokenizer";

/// Needs no model, see [`estimate_tokens`].
struct Estimate;

impl TokenCounter for Estimate {
    fn name(&self) -> &str {
        "estimate"
    }

    fn count(&self, text: &str) -> Result<usize> {
        Ok(estimate_tokens(text))
    }
}

/// The tokenizer that the settings name, else an estimate.
///
/// # Errors
/// Where the settings name one that cannot be had.
pub(crate) fn counter(engine: &Engine) -> Result<Arc<dyn TokenCounter>> {
    let is_set = engine.settings().plugins.contains_key(TOKENIZER);
    if is_set { engine.host().token_counter(TOKENIZER) } else { Ok(Arc::new(Estimate)) }
}
