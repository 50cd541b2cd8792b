//! BM25F, exactly and fast.
//!
//! **Formula** (Robertson, Zaragoza and Taylor, 2004). A word that occurs `f` times in a field of weight `w` and length
//! `l` counts `w f / (1 - b + b l / mean l)` there. The sum `t` over the fields gives the score of the word,
//! `idf t (k1 + 1) / (t + k1)`, with `idf = ln(1 + (n - df + 0.5) / (df + 0.5))`. The scores of the words are added up,
//! each as often as the question holds the word.
//!
//! **Exactness.** The score of a word is rounded to a whole number of [`UNIT`]s before it is added, so a sum does not
//! depend on the order of its parts, nor on how chunks are spread over segments. Ties are told apart by chunk id while
//! hits are collected, so the cut at `want` is right as well.
//!
//! **Speed** (MaxScore: Turtle and Flood, 1995). Words are sorted by the most that they can add. Once `want` hits are
//! known, the words which together cannot lift a chunk above the worst of them are only looked up in chunks that hold
//! another word. The others are read in windows of chunks, word by word. tantivy's block maxima would cut more, but
//! they hold only for the mean length that their segment had when it was written.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentReader;
use tantivy::postings::TermInfo;
use tantivy::{DocId, Term};
use wikirag_core::{ChunkId, Context, Ranked, RankedList, Result, Score};

use crate::damage::translate;
use crate::posting::{Gains, Postings};
use crate::question::Word;
use crate::schema::{BODY, EXACT, FIELDS, SEARCHED_COUNT};
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::statistics::live_frequency;

/// Scores are whole numbers of this, until they leave.
const UNIT: f64 = 1.0 / (1 << 20) as f64;

/// Words of a question that are scored: the rarest ones. The others would change little and cost most.
const MAX_SCORED: usize = 128;

/// How many times the weight of exact forms counts where the question writes accents: who takes the trouble means them.
const ACCENTED: f32 = 10.0;
/// The place of such exact forms among the gains.
const EXACT_ACCENTED: usize = SEARCHED_COUNT;

/// What `k1` is for pairs of characters and the like, as a share of what it is for words: they are parts of words, and a
/// name of four characters that is repeated once repeats three of them. Chosen by the questions with odd numbers of two
/// collections, in Chinese and Japanese (`docs/quality.md`).
const PART_K1: f32 = 0.35;

/// Chunks that are scored at a time: their scores fit into the first-level cache.
const WINDOW: usize = 4096;

/// A word of the question with what the index knows of it.
pub(crate) struct Known<'q> {
    pub(crate) word: &'q Word,
    /// Live chunks that hold it, in the field in which most do. The number of chunks that hold it in any field would
    /// cost a pass over all of them, and hardly differs.
    pub(crate) frequency: u64,
    /// Where it is found: by segment, field and term.
    found: Vec<(usize, usize, TermInfo)>,
}

/// Looks the words up, in their order.
pub(crate) fn look_up<'q>(snapshot: &Snapshot, words: &'q [Word], settings: &Settings) -> Result<Vec<Known<'q>>> {
    let weights = field_weights(settings);
    let known = words.iter().map(|word| look_up_one(snapshot, word, &weights)).collect::<tantivy::Result<_>>();
    known.map_err(|error| translate("search", error, &snapshot.dir))
}

fn look_up_one<'q>(snapshot: &Snapshot, word: &'q Word, weights: &[f32]) -> tantivy::Result<Known<'q>> {
    let mut found = Vec::new();
    let frequency = frequency_of(word, weights, snapshot.statistics.chunks, |field, form| {
        let mut frequency = 0;
        let term = Term::from_field_text(FIELDS.searched[field], form);
        for (index, (segment, _)) in snapshot.segments().enumerate() {
            let reader = segment.inverted_index(term.field())?;
            if let Some(info) = reader.get_term_info(&term)? {
                frequency += live_frequency(segment, term.field(), &info)?;
                if weights[field] > 0.0 {
                    found.push((index, field, info));
                }
            }
        }
        Ok::<_, tantivy::TantivyError>(frequency)
    })?;
    Ok(Known { word, frequency, found })
}

/// How many of `chunks` hold a word, from how many hold one of its forms in one of the fields: see [`Known::frequency`].
pub(crate) fn frequency_of<E>(
    word: &Word,
    weights: &[f32],
    chunks: u64,
    mut of_form: impl FnMut(usize, &str) -> Result<u64, E>,
) -> Result<u64, E> {
    let mut most = 0;
    for (field, weight) in weights.iter().enumerate() {
        let forms = if field == EXACT { &word.exact } else { &word.stems };
        let mut frequency = 0;
        for form in forms {
            frequency += of_form(field, form)?;
        }
        // What stands in other forms stands in its own too, save what a language without stems is asked for bare.
        let counts = if field == EXACT { most == 0 && *weight > 0.0 } else { *weight > 0.0 || field == BODY };
        if counts {
            most = most.max(frequency);
        }
    }
    // Chunks with stems of two languages are counted twice.
    Ok(most.min(chunks))
}

/// The weights of the fields, in the order of [`SEARCHED`](crate::schema::SEARCHED).
pub(crate) fn field_weights(settings: &Settings) -> [f32; SEARCHED_COUNT] {
    let weights = &settings.weights;
    [weights.title, weights.headings, weights.names, weights.path, weights.body, weights.exact]
}

/// The best `want` chunks.
pub(crate) fn best(
    snapshot: &Snapshot,
    known: &[Known<'_>],
    settings: &Settings,
    want: usize,
    context: &Context,
) -> Result<RankedList> {
    let chunks = usize::try_from(snapshot.statistics.chunks).unwrap_or(usize::MAX);
    let want = want.min(chunks);
    if want == 0 {
        return Ok(RankedList::default());
    }
    let gains = gains(snapshot, settings);
    let terms = scored_terms(snapshot, known, settings);
    let mut best = Best { want, heap: BinaryHeap::with_capacity(want + 1) };
    let mut window = Window::new();
    for (index, (segment, ids)) in snapshot.segments().enumerate() {
        let opened =
            open_terms(segment, index, &terms, &gains).map_err(|error| translate("search", error, &snapshot.dir))?;
        let mut pass = Pass { segment, ids, terms: opened, best: &mut best, window: &mut window };
        pass.run(context)?;
    }
    best.into_list()
}

/// The field whose length counts for `field`.
fn length_field(field: usize) -> usize {
    if field == EXACT || field == EXACT_ACCENTED { BODY } else { field }
}

/// What an occurrence counts, by field and length.
fn gains(snapshot: &Snapshot, settings: &Settings) -> Vec<Gains> {
    let weights = field_weights(settings);
    let accented = ACCENTED * weights[EXACT];
    let fields = weights.into_iter().chain([accented]).enumerate();
    let of_field = |(field, weight): (usize, f32)| {
        let mean = snapshot.statistics.lengths[length_field(field)].mean();
        let mut gains = [0.0; 256];
        for (id, gain) in (0..=u8::MAX).zip(&mut gains) {
            let length = FieldNormReader::id_to_fieldnorm(id) as f32;
            // Never 0, also where `b` is 1 and a damaged file names the length 0.
            *gain = weight / (1.0 - settings.b + settings.b * length / mean).max(1e-3);
        }
        gains
    };
    fields.map(of_field).collect()
}

/// A word that is scored.
struct Scored<'k> {
    idf: f32,
    k1: f32,
    /// More than it can add to any chunk, in units.
    bound: u64,
    /// Whether exact forms count [`ACCENTED`] times.
    accented: bool,
    found: &'k [(usize, usize, TermInfo)],
}

/// The words to score, those that can add least first.
fn scored_terms<'k>(snapshot: &Snapshot, known: &'k [Known<'_>], settings: &Settings) -> Vec<Scored<'k>> {
    let there = known.iter().filter(|known| known.frequency > 0 && !known.found.is_empty());
    let mut terms: Vec<Scored<'k>> = there
        .map(|known| {
            let (chunks, frequency) = (snapshot.statistics.chunks as f64, known.frequency as f64);
            let idf = (1.0 + (chunks - frequency + 0.5) / (frequency + 0.5)).ln();
            let idf = (idf * f64::from(known.word.count)) as f32;
            let k1 = if known.word.part { settings.k1 * PART_K1 } else { settings.k1 };
            let most = f64::from(idf) * f64::from(k1 + 1.0);
            Scored {
                idf,
                k1,
                bound: (most / UNIT * 1.000_001).ceil() as u64 + 1,
                accented: known.word.accented,
                found: &known.found,
            }
        })
        .collect();
    // Stable, so that equal words stay in the order of the question.
    terms.sort_by_key(|term| term.bound);
    terms.drain(..terms.len().saturating_sub(MAX_SCORED));
    terms
}

/// A word in one segment.
struct Opened<'q> {
    idf: f32,
    k1: f32,
    bound: u64,
    lists: Vec<Postings<'q>>,
}

fn open_terms<'q>(
    segment: &SegmentReader,
    index: usize,
    terms: &[Scored<'_>],
    gains: &'q [Gains],
) -> tantivy::Result<Vec<Opened<'q>>> {
    let mut opened = Vec::with_capacity(terms.len());
    for term in terms {
        let mut lists = Vec::new();
        for (_, field, info) in term.found.iter().filter(|(segment, ..)| *segment == index) {
            let lengths = segment.get_fieldnorms_reader(FIELDS.searched[length_field(*field)])?;
            let gains = &gains[if *field == EXACT && term.accented { EXACT_ACCENTED } else { *field }];
            lists.push(Postings::open(segment, FIELDS.searched[*field], info, lengths, gains)?);
        }
        if !lists.is_empty() {
            opened.push(Opened { idf: term.idf, k1: term.k1, bound: term.bound, lists });
        }
    }
    Ok(opened)
}

/// The score of a word whose occurrences count `weight`, in units.
fn units(idf: f32, weight: f32, k1: f32) -> u64 {
    let saturated = weight * (k1 + 1.0) / (weight + k1);
    // Rounded by the cast: the value is not negative.
    (f64::from(idf * saturated) / UNIT + 0.5) as u64
}

/// The chunks that are being scored together.
struct Window {
    /// Scores in units.
    scores: Vec<u64>,
    /// Chunks with a score.
    scored: Vec<u64>,
    /// What the occurrences of the current word count.
    weights: Vec<f32>,
    /// Chunks with the current word.
    holding: Vec<u64>,
}

impl Window {
    fn new() -> Self {
        Self {
            scores: vec![0; WINDOW],
            scored: vec![0; WINDOW / 64],
            weights: vec![0.0; WINDOW],
            holding: vec![0; WINDOW / 64],
        }
    }

    /// Adds the scores of `term` to the chunks `base..end`.
    fn add(&mut self, term: &mut Opened<'_>, base: DocId, end: DocId) {
        let (idf, k1) = (term.idf, term.k1);
        let place = |doc: DocId| (doc - base) as usize;
        if let [list] = term.lists.as_mut_slice() {
            list.take_until(end, |doc, weight| {
                let at = place(doc);
                self.scores[at] += units(idf, weight, k1);
                self.scored[at / 64] |= 1 << (at % 64);
            });
            return;
        }
        for list in &mut term.lists {
            list.take_until(end, |doc, weight| {
                let at = place(doc);
                self.weights[at] += weight;
                self.holding[at / 64] |= 1 << (at % 64);
            });
        }
        for (block, holding) in self.holding.iter_mut().enumerate() {
            self.scored[block] |= *holding;
            for at in bits(block, std::mem::take(holding)) {
                self.scores[at] += units(idf, std::mem::take(&mut self.weights[at]), k1);
            }
        }
    }
}

/// The places of the bits of one word of a bitmap.
fn bits(block: usize, mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(block * 64 + bit)
    })
}

/// The search through one segment.
struct Pass<'p, 'q> {
    segment: &'p SegmentReader,
    ids: &'p Column<u64>,
    /// Those that can add least first.
    terms: Vec<Opened<'q>>,
    best: &'p mut Best,
    window: &'p mut Window,
}

impl Pass<'_, '_> {
    fn run(&mut self, context: &Context) -> Result<()> {
        // The first `spare` words cannot make a hit by themselves; the number only grows.
        let mut spare = 0;
        let mut spare_bound = 0;
        loop {
            context.check("search")?;
            while let Some(term) = self.terms.get(spare)
                && self.best.is_out_of_reach(spare_bound + term.bound)
            {
                spare_bound += term.bound;
                spare += 1;
            }
            let (spared, needed) = self.terms.split_at_mut(spare);
            let lists = needed.iter_mut().flat_map(|term| &mut term.lists);
            let Some(base) = lists.filter_map(Postings::next).min() else { return Ok(()) };
            let end = base.saturating_add(WINDOW as DocId);
            for term in needed {
                self.window.add(term, base, end);
            }
            for block in 0..self.window.scored.len() {
                for at in bits(block, std::mem::take(&mut self.window.scored[block])) {
                    let score = std::mem::take(&mut self.window.scores[at]);
                    let doc = base + at as DocId;
                    if !self.segment.is_deleted(doc)
                        && let Some(score) = with_spared(spared, spare_bound, doc, score, self.best)
                    {
                        self.best.offer(score, || self.ids.first(doc).unwrap_or_default());
                    }
                }
            }
        }
    }
}

/// The whole score of a chunk that has `score` without the spared words; `None` as soon as it is out of reach.
fn with_spared(spared: &mut [Opened<'_>], mut bound: u64, doc: DocId, mut score: u64, best: &Best) -> Option<u64> {
    for term in spared.iter_mut().rev() {
        if best.is_out_of_reach(score + bound) {
            return None;
        }
        bound -= term.bound;
        let weight: f32 = term.lists.iter_mut().map(|list| list.look_up(doc)).sum();
        if weight > 0.0 {
            score += units(term.idf, weight, term.k1);
        }
    }
    Some(score)
}

/// The best hits so far.
struct Best {
    want: usize,
    /// The worst on top: lower score, then higher id.
    heap: BinaryHeap<Reverse<(u64, Reverse<u64>)>>,
}

impl Best {
    /// Whether a chunk with at most this score cannot become a hit. An equal score may, by its id.
    fn is_out_of_reach(&self, score: u64) -> bool {
        self.heap.len() == self.want && self.heap.peek().is_some_and(|Reverse((worst, _))| score < *worst)
    }

    fn offer(&mut self, score: u64, id: impl FnOnce() -> u64) {
        if self.is_out_of_reach(score) {
            return;
        }
        self.heap.push(Reverse((score, Reverse(id()))));
        if self.heap.len() > self.want {
            self.heap.pop();
        }
    }

    fn into_list(self) -> Result<RankedList> {
        let want = self.want;
        let hits = self.heap.into_iter().map(|Reverse((score, Reverse(id)))| {
            Ok(Ranked { chunk: ChunkId(id), score: Score::new(score as f64 * UNIT)? })
        });
        Ok(RankedList::from_unordered(hits.collect::<Result<_>>()?, want))
    }
}
