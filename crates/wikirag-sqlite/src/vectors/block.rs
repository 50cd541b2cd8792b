//! The compact form of a vector, and the blocks in which it is kept.
//!
//! A vector x is kept as `scale * code + rest`, where the code is a whole number from -127 to 127 in each dimension,
//! and the length of the rest is kept beside it. For a question q of unit length, which is rounded to 16 bits in the
//! same way, that gives not only an estimate of the cosine but an upper bound (Cauchy-Schwarz): `q·x <= q̂·x̂ + |q̂|
//! |rest x| + |rest q|`. So a search that looks at the exact vectors in the order of their bounds may stop as soon as
//! a bound falls below what it has, and has lost nothing.
//!
//! A record of a block, little-endian: chunk `u64`, vector `u64`, scale `f32`, length of the rest `f32`, then one
//! `i8` a dimension.

/// Records in a block. A commit writes whole blocks anew, and a block is the smallest thing that a reader refreshes:
/// of 384 dimensions it has 52 kB.
pub(super) const SLOTS: usize = 128;

/// Bytes of a record before its code.
const HEAD: usize = 24;

/// Bytes of a record.
pub(super) const fn width(dimensions: usize) -> usize {
    HEAD + dimensions
}

/// The block and the record in it of a slot.
pub(super) const fn place(slot: u64) -> (u64, usize) {
    // The remainder is below `SLOTS`.
    (slot / SLOTS as u64, (slot % SLOTS as u64) as usize)
}

/// How a vector of unit length differs from its code, at most one step of rounding of `f32` off.
fn rest_length(vector: &[f32], scale: f32, code: impl Iterator<Item = i32>) -> f64 {
    let squares = vector.iter().zip(code).map(|(value, code)| {
        let rest = f64::from(*value) - f64::from(scale) * f64::from(code);
        rest * rest
    });
    squares.sum::<f64>().sqrt()
}

/// The step by which the largest value of `vector` becomes `most`.
fn scale(vector: &[f32], most: f32) -> f32 {
    vector.iter().fold(0.0f32, |largest, value| largest.max(value.abs())) / most
}

/// The record of a chunk whose vector, of unit length, is `vector` and has the id `id`.
pub(super) fn record(chunk: u64, id: u64, vector: &[f32]) -> Vec<u8> {
    let scale = scale(vector, 127.0);
    // A cast from float saturates, so whatever the value is, the code is an `i8`.
    let code = || vector.iter().map(move |value| (value / scale).round() as i8);
    let rest = rest_length(vector, scale, code().map(i32::from)) as f32;
    let mut record = Vec::with_capacity(width(vector.len()));
    record.extend(chunk.to_le_bytes());
    record.extend(id.to_le_bytes());
    record.extend(scale.to_le_bytes());
    record.extend(rest.to_le_bytes());
    record.extend(code().flat_map(i8::to_le_bytes));
    record
}

/// The chunk and the vector of a record.
pub(super) fn ids(record: &[u8]) -> (u64, u64) {
    let [chunk, vector, _] = head(record);
    (chunk, vector)
}

/// The first three words of a record; zeros where it is too short, which no block that was checked is.
fn head(record: &[u8]) -> [u64; 3] {
    let (words, _) = record.as_chunks::<8>();
    let word = |index: usize| words.get(index).map_or(0, |word| u64::from_le_bytes(*word));
    [word(0), word(1), word(2)]
}

/// A block as a search reads it: one array for each part of the records.
pub(super) struct Block {
    ids: Vec<(u64, u64)>,
    /// Scale and length of the rest.
    steps: Vec<(f32, f32)>,
    codes: Vec<i8>,
}

impl Block {
    /// Takes the records of a block apart. `data` is a multiple of their width.
    pub(super) fn new(data: &[u8], dimensions: usize) -> Self {
        let count = data.len() / width(dimensions);
        let mut block = Self {
            ids: Vec::with_capacity(count),
            steps: Vec::with_capacity(count),
            codes: Vec::with_capacity(count * dimensions),
        };
        for record in data.chunks_exact(width(dimensions)) {
            let [chunk, vector, steps] = head(record);
            block.ids.push((chunk, vector));
            block.steps.push((f32::from_bits(steps as u32), f32::from_bits((steps >> 32) as u32)));
            block.codes.extend(record[HEAD..].iter().map(|byte| byte.cast_signed()));
        }
        block
    }

    /// Records in it.
    pub(super) const fn len(&self) -> usize {
        self.ids.len()
    }

    /// Chunk and vector of a record.
    pub(super) fn ids(&self, index: usize) -> Option<(u64, u64)> {
        self.ids.get(index).copied()
    }

    /// For each record the most that its cosine to the question can be.
    pub(super) fn bounds(&self, question: &Question) -> impl Iterator<Item = f32> {
        self.codes.chunks_exact(question.code.len()).zip(&self.steps).map(|(code, (scale, rest))| {
            question.scale * scale * dot(code, &question.code) as f32 + question.length * rest + question.slack
        })
    }
}

/// A question in whole numbers of 16 bits.
pub(super) struct Question {
    code: Vec<i16>,
    scale: f32,
    /// At least the length of what the code stands for.
    length: f32,
    /// What the rest of the question and the rounding of all sums may add to a cosine.
    slack: f32,
}

impl Question {
    /// Takes a question of unit length.
    pub(super) fn new(vector: &[f32]) -> Self {
        // So large that the products with the codes still add up in 32 bits.
        let most = (i32::MAX / 128 / i32::try_from(vector.len().max(1)).unwrap_or(i32::MAX)).clamp(1, 32_767);
        let scale = scale(vector, most as f32);
        let code: Vec<i16> = vector.iter().map(|value| (value / scale).round() as i16).collect();
        let rest = rest_length(vector, scale, code.iter().copied().map(i32::from)) as f32;
        // A sum of n products of `f32` is off by n roundings at most. The exact cosine has three such sums and the
        // bound a few more roundings; twice that is still nothing beside the rests of the codes.
        let rounding = (vector.len() + 16) as f32 * 3.0 * f32::EPSILON;
        Self { code, scale, length: 1.0 + rest + rounding, slack: rest + rounding }
    }
}

/// Sixteen products at a time: in that shape the compiler makes `pmaddwd` of it for any x86-64, in half the time of
/// the plain sum.
fn dot(code: &[i8], question: &[i16]) -> i32 {
    let product = |(a, b): (&i8, &i16)| i32::from(*a) * i32::from(*b);
    let (codes, codes_left) = code.as_chunks::<16>();
    let (questions, questions_left) = question.as_chunks::<16>();
    let mut sum = codes_left.iter().zip(questions_left).map(product).sum::<i32>();
    for (codes, questions) in codes.iter().zip(questions) {
        sum += codes.iter().zip(questions).map(product).sum::<i32>();
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unit(values: &[f32]) -> Vec<f32> {
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        values.iter().map(|value| value / length).collect()
    }

    fn vectors() -> impl Strategy<Value = (Vec<f32>, Vec<f32>)> {
        (1usize..150).prop_flat_map(|dimensions| {
            let one = || prop::collection::vec(prop_oneof![-1.0f32..1.0, -1e-3f32..1e-3, Just(0.0)], dimensions);
            (one(), one()).prop_filter("no direction", |(a, b)| {
                [a, b].iter().all(|vector| vector.iter().map(|value| value * value).sum::<f32>() > 1e-6)
            })
        })
    }

    proptest! {
        #[test]
        fn no_cosine_is_above_its_bound((question, vector) in vectors()) {
            let (question, vector) = (unit(&question), unit(&vector));
            let block = Block::new(&record(7, 9, &vector), vector.len());
            prop_assert_eq!(block.ids(0), Some((7, 9)));
            let bound = f64::from(block.bounds(&Question::new(&question)).next().unwrap());
            let exact: f64 = question.iter().zip(&vector).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            prop_assert!(exact <= bound, "{exact} is above {bound}");
            // The rest of the code is at most half a step in each dimension, and a bound is off by twice the rest.
            let step = vector.iter().fold(0.0f32, |largest, value| largest.max(value.abs())) / 127.0;
            let most = f64::from(step) * (vector.len() as f64).sqrt() + 1e-3;
            prop_assert!(bound - exact <= most, "{bound} is more than {most} above {exact}");
        }

        #[test]
        fn records_keep_what_they_hold(chunk: u64, id: u64, (vector, _) in vectors()) {
            let vector = unit(&vector);
            let record = record(chunk, id, &vector);
            prop_assert_eq!(record.len(), width(vector.len()));
            prop_assert_eq!(ids(&record), (chunk, id));
        }
    }

    #[test]
    fn the_longest_sum_does_not_overflow() {
        let vector = unit(&[1.0; 8192]);
        let block = Block::new(&record(1, 1, &vector), vector.len());
        let bound = block.bounds(&Question::new(&vector)).next().unwrap();
        assert!((1.0..1.1).contains(&bound), "{bound}");
    }

    #[test]
    fn slots_fill_block_after_block() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(SLOTS as u64 - 1), (0, SLOTS - 1));
        assert_eq!(place(SLOTS as u64), (1, 0));
    }
}
