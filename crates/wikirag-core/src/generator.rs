//! A language model that writes.

use async_trait::async_trait;

use crate::{Context, Error, ErrorKind, Result};

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
    /// The conversation so far: the system first or not at all, then user and assistant in turn, the user first and last.
    pub messages: Vec<Message>,
    /// The longest answer, in tokens of the model, at least 1.
    pub max_tokens: usize,
}

impl Prompt {
    /// Whether this is a conversation that a model can go on with. Services differ in what else they take; what passes here is
    /// taken by all.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`], without a word of the prompt.
    pub fn check(&self, operation: &'static str) -> Result<()> {
        let refuse = |what: &'static str| Err(Error::new(ErrorKind::Invalid, operation, what));
        let speakers: Vec<_> = self.messages.iter().map(|message| message.speaker).collect();
        let talk = speakers.strip_prefix(&[Speaker::System]).unwrap_or(&speakers);
        let in_turn = |(place, speaker): (usize, &Speaker)| match place % 2 {
            0 => *speaker == Speaker::User,
            _ => *speaker == Speaker::Assistant,
        };
        if talk.len() % 2 == 0 || !talk.iter().enumerate().all(in_turn) {
            return refuse(
                "user and assistant must speak in turn, the user first and last, and the system before them or not at all",
            );
        }
        if self.messages.iter().any(|message| message.text.trim().is_empty()) {
            return refuse("a message of the prompt says nothing");
        }
        if self.max_tokens == 0 {
            return refuse("the prompt allows no token to be written");
        }
        Ok(())
    }
}

/// Why a model stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ended {
    /// It was done.
    #[default]
    Complete,
    /// It had written as much as it may; what is there is the beginning of an answer.
    Cut,
    /// The model, or a filter of the service, would not go on. What is there may be nothing, or the words of the refusal.
    Refused,
    /// For a reason that the service does not tell, or that is known to the service alone.
    Unclear,
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
    /// Why it ended. Whoever takes the text for an answer looks here first.
    pub ended: Ended,
}

/// Writes text, piece by piece.
#[async_trait]
pub trait Generator: Send + Sync {
    /// Which model, for messages and cache keys.
    fn model(&self) -> &str;

    /// Writes; `piece` is called with each part as it comes, none of them empty, and the whole is returned at the end: the
    /// parts one after the other. Where the call fails, what was handed on is all there is. After the context says stop
    /// nothing more is handed on.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where the prompt is none (see [`Prompt::check`]) or longer than the model takes. Else where the
    /// model or the service fails, or the context says stop. No error repeats the prompt.
    async fn generate(
        &self,
        prompt: &Prompt,
        piece: &mut (dyn for<'t> FnMut(&'t str) + Send),
        context: &Context,
    ) -> Result<Completion>;
}

const _: fn(&dyn Generator) = |_| {};

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(speakers: &[Speaker]) -> Prompt {
        let message = |speaker: &Speaker| Message { speaker: *speaker, text: "secret".to_owned() };
        Prompt { messages: speakers.iter().map(message).collect(), max_tokens: 2 }
    }

    #[test]
    fn a_prompt_is_a_conversation() {
        use Speaker::{Assistant, System, User};
        for fine in [&[User][..], &[System, User], &[User, Assistant, User], &[System, User, Assistant, User]] {
            assert!(prompt(fine).check("write").is_ok(), "{fine:?}");
        }
        let silent = Message { speaker: User, text: " \n".to_owned() };
        for odd in [
            prompt(&[]),
            prompt(&[System]),
            prompt(&[User, Assistant]),
            prompt(&[User, User, User]),
            prompt(&[User, System, User]),
            prompt(&[Assistant, User, User]),
            Prompt { max_tokens: 0, ..prompt(&[User]) },
            Prompt { messages: vec![silent], max_tokens: 2 },
        ] {
            let error = odd.check("write").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{odd:?}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
