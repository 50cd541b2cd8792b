//! Text into words: normalising, folding, words per script, stems per language, and a token estimate.
//!
//! * [`Analyser`] turns text into [`Token`]s: an exact form and a stem, with the bytes they came from. The same
//!   analyser reads passages when they are indexed and questions when they are asked, so the two always meet.
//! * [`detect_language`] says which [`Language`] a text is in, or nothing where that is not sure.
//! * [`Phrase`] is a sequence of words to be found side by side.
//! * [`mark_terms`] finds the words of a question in a passage.
//! * [`estimate_tokens`] says about how many word pieces a model will see.
//!
//! Everything here is pure, takes any text, never panics and needs time linear in its input.

mod analyser;
mod cjk;
mod classes;
mod decode;
mod fold;
mod identifiers;
mod language;
mod mark;
mod phrase;
mod stem;
mod tokens_estimate;
mod words;

pub use analyser::{Analyser, Form, MAX_TERM_BYTES, Token};
pub use decode::{Basis, Decoded, NotText, decode};
pub use fold::caseless;
pub use fold::is_accented;
pub use fold::is_same_text;
pub use language::{Language, detect_language};
pub use mark::mark_terms;
pub use phrase::Phrase;
pub use tokens_estimate::estimate_tokens;
