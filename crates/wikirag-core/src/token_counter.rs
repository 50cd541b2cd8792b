//! How many tokens a text is for a language model.

use crate::Result;

/// Counts tokens as one model sees them.
pub trait TokenCounter: Send + Sync {
    /// Which counter this is, for those who read a count: `estimate`, or the name of a tokenizer and its file.
    fn name(&self) -> &str;

    /// Tokens of `text`, without those that a model puts around it.
    ///
    /// # Errors
    /// Where the tokenizer fails.
    fn count(&self, text: &str) -> Result<usize>;
}

const _: fn(&dyn TokenCounter) = |_| {};
