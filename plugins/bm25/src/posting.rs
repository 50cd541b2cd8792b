//! The chunks of one segment that hold one term in one field.

use tantivy::DocId;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};

/// What one occurrence in a field counts, by the length of the field as tantivy keeps it.
pub(crate) type Gains = [f32; 256];

/// Reads a posting list in ascending order.
pub(crate) struct Postings<'q> {
    postings: BlockSegmentPostings,
    /// Place of the next posting in the current block.
    at: usize,
    lengths: FieldNormReader,
    gains: &'q Gains,
}

impl<'q> Postings<'q> {
    pub(crate) fn open(
        segment: &SegmentReader,
        field: Field,
        info: &TermInfo,
        lengths: FieldNormReader,
        gains: &'q Gains,
    ) -> tantivy::Result<Self> {
        let index = segment.inverted_index(field)?;
        let postings = index.read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
        Ok(Self { postings, at: 0, lengths, gains })
    }

    /// The next chunk, if there is one.
    pub(crate) fn next(&mut self) -> Option<DocId> {
        loop {
            let docs = self.postings.docs();
            if let Some(doc) = docs.get(self.at) {
                return Some(*doc);
            }
            if docs.is_empty() {
                return None;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// Calls `sink` with each chunk before `end` and what the occurrences in it count.
    pub(crate) fn take_until(&mut self, end: DocId, mut sink: impl FnMut(DocId, f32)) {
        while self.next().is_some_and(|next| next < end) {
            let docs = &self.postings.docs()[self.at..];
            let frequencies = &self.postings.freqs()[self.at..];
            let mut taken = 0;
            for (doc, frequency) in docs.iter().zip(frequencies) {
                if *doc >= end {
                    break;
                }
                sink(*doc, self.gain(*doc, *frequency));
                taken += 1;
            }
            self.at += taken;
        }
    }

    /// What the occurrences in `doc` count; 0 where there are none. Must be called with ascending chunks, and not be
    /// followed by the other calls.
    pub(crate) fn look_up(&mut self, doc: DocId) -> f32 {
        let at = self.postings.seek(doc);
        match self.postings.docs().get(at) {
            Some(found) if *found == doc => self.gain(doc, self.postings.freq(at)),
            _ => 0.0,
        }
    }

    fn gain(&self, doc: DocId, frequency: u32) -> f32 {
        frequency as f32 * self.gains[usize::from(self.lengths.fieldnorm_id(doc))]
    }
}
