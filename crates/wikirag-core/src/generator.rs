//! A language model that writes.

use async_trait::async_trait;

use crate::{Context, Result};

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The rules of the conversation.
    System,
    /// The one who asks.
    User,
    /// The model.
    Assistant,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub speaker: Speaker,
    /// What is said.
    pub text: String,
}

/// What to write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompt {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The longest answer, in tokens of the model.
    pub max_tokens: usize,
}

/// What was written, and what it cost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// The whole text.
    pub text: String,
    /// Tokens read, where the model tells.
    pub tokens_in: Option<u64>,
    /// Tokens written, where the model tells.
    pub tokens_out: Option<u64>,
}

/// Writes text, piece by piece.
#[async_trait]
pub trait Generator: Send + Sync {
    /// Which model, for messages and cache keys.
    fn model(&self) -> &str;

    /// Writes; `piece` is called with each part as it comes, and the whole is returned at the end.
    ///
    /// # Errors
    /// Where the model or the service fails, or the context says stop.
    async fn generate(
        &self,
        prompt: &Prompt,
        piece: &mut (dyn for<'t> FnMut(&'t str) + Send),
        context: &Context,
    ) -> Result<Completion>;
}

const _: fn(&dyn Generator) = |_| {};
