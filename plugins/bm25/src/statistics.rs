//! Numbers about the chunks that are there now.
//!
//! tantivy counts removed chunks until their segment is merged, and when that happens depends on what was edited when.
//! Scores must not, so everything here counts live chunks only. Lengths are tantivy's, which keeps one byte for each
//! (exact up to 40 words, then within an eighth): the sum of those is a function of the chunks too.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentReader;
use tantivy::postings::TermInfo;
use tantivy::schema::{Field, IndexRecordOption};

use crate::schema::{EXACT, FIELDS, SEARCHED_COUNT};

/// Lengths of one field over all live chunks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lengths {
    /// Words in all.
    pub(crate) words: u64,
    /// Chunks in which the field is not empty.
    pub(crate) chunks: u64,
}

impl Lengths {
    /// The mean over the chunks that have the field: a field that few chunks have (aliases, say) would else have a mean
    /// near 0, and each chunk that has it would look overlong.
    pub(crate) fn mean(self) -> f32 {
        if self.chunks == 0 { 1.0 } else { (self.words as f64 / self.chunks as f64) as f32 }
    }
}

/// What scores need to know about the whole index.
#[derive(Debug, Clone, Default)]
pub(crate) struct Statistics {
    /// Live chunks.
    pub(crate) chunks: u64,
    /// In the order of the searched fields.
    pub(crate) lengths: [Lengths; SEARCHED_COUNT],
}

impl Statistics {
    /// Counts. Needs time linear in the number of chunks, about a millisecond for 100,000 of them.
    pub(crate) fn of(segments: &[SegmentReader]) -> tantivy::Result<Self> {
        let mut statistics = Self::default();
        for segment in segments {
            statistics.chunks += u64::from(segment.num_docs());
            // The exact forms have no lengths of their own.
            for (field, lengths) in FIELDS.searched.iter().zip(&mut statistics.lengths).take(EXACT) {
                let norms = segment.get_fieldnorms_reader(*field)?;
                let mut histogram = [0u64; 256];
                for chunk in 0..segment.max_doc() {
                    if !segment.is_deleted(chunk) {
                        histogram[usize::from(norms.fieldnorm_id(chunk))] += 1;
                    }
                }
                for (id, count) in (0..=u8::MAX).zip(histogram) {
                    let length = u64::from(FieldNormReader::id_to_fieldnorm(id));
                    lengths.words += length * count;
                    lengths.chunks += if length == 0 { 0 } else { count };
                }
            }
        }
        Ok(statistics)
    }
}

/// How many live chunks of `segment` are in the posting list that `info` tells of.
pub(crate) fn live_frequency(segment: &SegmentReader, field: Field, info: &TermInfo) -> tantivy::Result<u64> {
    let Some(alive) = segment.alive_bitset() else { return Ok(u64::from(info.doc_freq)) };
    let postings = segment.inverted_index(field)?.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
    Ok(u64::from(postings.doc_freq_given_deletes(alive)))
}
