//! Chunks into what tantivy writes.

use std::collections::HashMap;

use tantivy::TantivyDocument;
use wikirag_core::ChunkRecord;
use wikirag_text::{Analyser, Form, Language};

use crate::schema::{BODY, EXACT, FIELDS};

/// Makes tantivy documents of chunks. Remembers what the chunks of one document share, since they follow each other.
#[derive(Default)]
pub(crate) struct Writer {
    analysers: HashMap<Option<Language>, Analyser>,
    shared: Shared,
    stems: String,
    exact: String,
}

/// What all chunks of a document have in common: as it came, and as terms.
#[derive(Default)]
struct Shared {
    of: ChunkRecord,
    title: String,
    names: String,
    path: String,
}

impl Writer {
    /// The tantivy document of `record`.
    pub(crate) fn document(&mut self, record: &ChunkRecord) -> TantivyDocument {
        // A code that is not known is analysed like none.
        let language = Language::from_code(&record.language);
        let analyser = self.analysers.entry(language).or_insert_with(|| Analyser::new(language));
        if !self.shared.fits(record) {
            self.shared = Shared::new(analyser, record);
        }
        let fields = &*FIELDS;
        let [title, headings, names, path, ..] = fields.searched;
        let mut document = TantivyDocument::default();
        document.add_u64(fields.chunk_id, record.id.0);
        document.add_text(fields.language, term(language.map_or("", Language::code)));
        document.add_text(title, &self.shared.title);
        document.add_text(names, &self.shared.names);
        document.add_text(path, &self.shared.path);

        self.stems.clear();
        record.headings.iter().for_each(|heading| stems(analyser, heading, &mut self.stems));
        document.add_text(headings, &self.stems);

        self.stems.clear();
        self.exact.clear();
        analyser.tokens(&record.text, |token| {
            if !token.form.repeats() {
                push(&token.stem, &mut self.stems);
            }
            // The whole of an identifier is found by its stem, in whatever way it is joined.
            if token.form.repeats() || (token.text != token.stem && token.form != Form::Whole) {
                push(&token.text, &mut self.exact);
            }
        });
        document.add_text(fields.searched[BODY], &self.stems);
        document.add_text(fields.searched[EXACT], &self.exact);
        document
    }
}

impl Shared {
    fn new(analyser: &Analyser, record: &ChunkRecord) -> Self {
        let mut shared = Self::default();
        stems(analyser, &record.title, &mut shared.title);
        let names = record.aliases.iter().chain(&record.tags).chain([&record.summary]);
        names.for_each(|name| stems(analyser, name, &mut shared.names));
        stems(analyser, &record.path, &mut shared.path);
        shared.of = ChunkRecord { text: String::new(), headings: Vec::new(), ..record.clone() };
        shared
    }

    fn fits(&self, record: &ChunkRecord) -> bool {
        let of = &self.of;
        (of.document, &of.path, &of.title, &of.language)
            == (record.document, &record.path, &record.title, &record.language)
            && (&of.aliases, &of.tags, &of.summary) == (&record.aliases, &record.tags, &record.summary)
    }
}

/// The terms of a field that has no field of exact forms beside it: every form goes into it.
fn stems(analyser: &Analyser, text: &str, out: &mut String) {
    analyser.tokens(text, |token| push(&token.stem, out));
}

fn push(term: &str, out: &mut String) {
    out.push_str(term);
    out.push('\n');
}

/// The field value of a single term. An empty one stands for no language.
fn term(text: &str) -> String {
    let mut out = String::new();
    push(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use tantivy::schema::Value;

    use super::*;

    #[test]
    fn fields_hold_the_terms_of_their_own_record() {
        let mut writer = Writer::default();
        let mut record = ChunkRecord {
            title: "First notes".into(),
            language: "eng".into(),
            headings: vec!["Top".into(), "Below".into()],
            text: "Running dog".into(),
            ..ChunkRecord::default()
        };
        let text = |document: &TantivyDocument, index: usize| {
            let value = document.get_first(FIELDS.searched[index]);
            value.and_then(|value| value.as_str().map(str::to_owned)).unwrap()
        };
        let document = writer.document(&record);
        assert_eq!(text(&document, 0), "first\nnote\n");
        assert_eq!(text(&document, 1), "top\nbelow\n");
        assert_eq!(text(&document, BODY), "run\ndog\n");
        assert_eq!(text(&document, EXACT), "running\n");
        record.title = "Second".into();
        assert_eq!(text(&writer.document(&record), 0), "second\n");
    }
}
