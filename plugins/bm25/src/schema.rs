//! What tantivy keeps of a chunk.

use std::sync::LazyLock;

use tantivy::Index;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

/// Raised whenever the same chunk would be written in another way, analysis included: the folder of the index carries
/// it.
pub(crate) const VERSION: u32 = 2;

/// The searched fields, in the order in which scores are added up.
pub(crate) const SEARCHED: [&str; 6] = ["title", "headings", "names", "path", "body", "exact"];
/// How many there are.
pub(crate) const SEARCHED_COUNT: usize = SEARCHED.len();
/// The place of the stemmed passage among them.
pub(crate) const BODY: usize = 4;
/// The place of the exact forms of the passage among them. It holds those of words that are not their own stem: of the
/// others, the stem says it all. Its length is that of the passage.
pub(crate) const EXACT: usize = 5;

/// The name of the column of chunk ids.
pub(crate) const CHUNK_ID: &str = "chunk_id";

/// The name under which [`Lines`] is registered.
const TOKENIZER: &str = "lines";

/// The schema with its fields.
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    /// The id of the chunk, as a column: read from hits, and searched by `removal.rs`.
    pub(crate) chunk_id: Field,
    /// Language of the document, to know in which languages to ask.
    pub(crate) language: Field,
    /// In the order of [`SEARCHED`].
    pub(crate) searched: [Field; SEARCHED_COUNT],
}

/// The one schema.
pub(crate) static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let mut builder = Schema::builder();
    let chunk_id = builder.add_u64_field(CHUNK_ID, FAST);
    let terms = |option, lengths| {
        let indexing =
            TextFieldIndexing::default().set_tokenizer(TOKENIZER).set_index_option(option).set_fieldnorms(lengths);
        TextOptions::default().set_indexing_options(indexing)
    };
    let language = builder.add_text_field("language", terms(IndexRecordOption::Basic, false));
    let searched = std::array::from_fn(|place| {
        builder.add_text_field(SEARCHED[place], terms(IndexRecordOption::WithFreqs, place != EXACT))
    });
    Fields { schema: builder.build(), chunk_id, language, searched }
});

/// Makes `index` able to write the fields.
pub(crate) fn register(index: &Index) {
    index.tokenizers().register(TOKENIZER, Lines::default());
}

/// What an index that is yet to be made writes the fields with.
pub(crate) fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register(TOKENIZER, Lines::default());
    tokenizers
}

/// Hands tantivy terms that are analysed already: each line of the text is one.
///
/// A field value is one buffer with all its terms; tantivy's own form for analysed text, a vector of tokens with a
/// string each, would cost an allocation a word.
#[derive(Clone, Default)]
struct Lines {
    token: Token,
}

struct LineStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl Tokenizer for Lines {
    type TokenStream<'a> = LineStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> LineStream<'a> {
        self.token.reset();
        LineStream { rest: text, token: &mut self.token }
    }
}

impl TokenStream for LineStream<'_> {
    fn advance(&mut self) -> bool {
        let Some((line, rest)) = self.rest.split_once('\n') else { return false };
        self.rest = rest;
        self.token.text.clear();
        self.token.text.push_str(line);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_term() {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        lines.token_stream("a\nbc\n").process(&mut |token| found.push((token.text.clone(), token.position)));
        assert_eq!(found, [("a".to_owned(), 0), ("bc".to_owned(), 1)]);
        assert!(!lines.token_stream("").advance());
    }
}
