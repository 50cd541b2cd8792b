//! Streams that unpack to more than anybody would read.
//!
//! The library unpacks a stream whole and without a limit, and some streams (tables of objects) as soon as a file is
//! opened. So sizes are measured here first, without keeping what is unpacked. Two kinds cannot be seen in time: tables of
//! objects that are encrypted, or packed otherwise than by deflate. They grow by [`Filter::growth`] for each filter.

use std::io::{BufRead, BufReader, Read};

use flate2::bufread::{DeflateDecoder, ZlibDecoder};
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Stream};

use crate::fault::Fault;

/// Bytes that one stream may unpack to.
const MAX_STREAM: u64 = 256 << 20;
/// Bytes that all streams together may unpack to.
const MAX_TOTAL: u64 = 2 << 30;
/// How many times its own length a file may be looked at: once for each layer, and once more for what looks packed only.
const OVERLAP: u64 = 8;
/// How often a stream may be packed over and over.
const MAX_LAYERS: usize = 4;
/// What is unpacked and forgotten at a time, in bytes.
const BUFFER: usize = 64 << 10;

/// Measures every packed stream of the file as it lies there, whether the file's tables name it or not.
pub(crate) fn measure_file(bytes: &[u8]) -> Result<(), Fault> {
    let mut spent = Spent::new(bytes.len());
    let mut from = 0;
    while let Some(found) = find(&bytes[from..], b"stream") {
        let at = from + found;
        from = at + b"stream".len();
        if !bytes[..at].ends_with(b"end") {
            let data = &bytes[from..];
            let data = data.strip_prefix(b"\r").unwrap_or(data);
            measure(data.strip_prefix(b"\n").unwrap_or(data), &mut spent)?;
        }
    }
    Ok(())
}

/// Measures the streams of an open file that [`measure_file`] could not see through: those that are encrypted, and those
/// with another packing around.
pub(crate) fn measure_streams(pdf: &Pdf) -> Result<(), Fault> {
    let mut spent = Spent::new(pdf.data().as_ref().len());
    let encrypted = find(pdf.data().as_ref(), b"/Encrypt").is_some();
    for object in pdf.objects() {
        if let Object::Stream(stream) = object {
            measure_filters(&stream, encrypted, &mut spent)?;
        }
    }
    Ok(())
}

/// How a stream is packed, by the names of its filters (ISO 32000-2, 7.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Hex,
    Base85,
    Lzw,
    Deflate,
    RunLength,
    Crypt,
    /// A picture, which is not unpacked for its text, or a filter that nobody knows.
    Other,
}

impl Filter {
    fn of(name: &[u8]) -> Self {
        match name {
            b"ASCIIHexDecode" | b"AHx" => Self::Hex,
            b"ASCII85Decode" | b"A85" => Self::Base85,
            b"LZWDecode" | b"LZW" => Self::Lzw,
            b"FlateDecode" | b"Fl" => Self::Deflate,
            b"RunLengthDecode" | b"RL" => Self::RunLength,
            b"Crypt" => Self::Crypt,
            _ => Self::Other,
        }
    }

    /// The filters of a stream, in the order of unpacking.
    fn all(dict: &Dict<'_>) -> Vec<Self> {
        let entry = |key: &[u8]| match dict.get::<Object<'_>>(key)? {
            Object::Name(name) => Some(vec![Self::of(&name)]),
            Object::Array(names) => Some(Self::each(&names)),
            _ => None,
        };
        entry(b"Filter").or_else(|| entry(b"F")).unwrap_or_default()
    }

    fn each(names: &Array<'_>) -> Vec<Self> {
        names.iter::<Name<'_>>().map(|name| Self::of(&name)).collect()
    }

    /// How many times longer it can make its input. Deflate: 258 bytes for 2 bits. LZW: strings of up to 4096 bytes for
    /// 12 bits. Run lengths: 128 bytes for 2.
    const fn growth(self) -> u64 {
        match self {
            Self::Deflate => 1032,
            Self::Lzw => 2731,
            Self::RunLength => 64,
            _ => 1,
        }
    }
}

fn measure_filters(stream: &Stream<'_>, encrypted: bool, spent: &mut Spent) -> Result<(), Fault> {
    let filters = Filter::all(stream.dict());
    let seen = filters.iter().all(|filter| *filter == Filter::Deflate);
    if filters.is_empty() || seen && !encrypted {
        return Ok(());
    }
    let mut unpacked = stream.raw_data();
    // What can be said without unpacking is enough for nearly all streams.
    let most = filters.iter().fold(unpacked.len() as u64, |size, filter| size.saturating_mul(filter.growth()));
    if most <= MAX_STREAM / 16 {
        return Ok(());
    }
    for filter in filters {
        match filter {
            Filter::Crypt => {}
            Filter::Hex => unpacked = unpack_hex(&unpacked).into(),
            Filter::Base85 => unpacked = unpack_base_85(&unpacked).into(),
            Filter::Deflate => return measure(&unpacked, spent),
            Filter::Lzw | Filter::RunLength => {
                let most = (unpacked.len() as u64).saturating_mul(filter.growth());
                return if most > MAX_STREAM { Err(TOO_LARGE) } else { Ok(()) };
            }
            Filter::Other => return Ok(()),
        }
    }
    Ok(())
}

const TOO_LARGE: Fault = Fault::TooMuch("a packed part of it unpacks to more than 256 MiB");

/// What all measuring took.
struct Spent {
    unpacked: u64,
    /// Packed bytes that may still be looked at. More than this only comes of streams that lie over each other.
    packed_left: u64,
}

impl Spent {
    /// For a file of `length` bytes.
    fn new(length: usize) -> Self {
        Self { unpacked: 0, packed_left: OVERLAP.saturating_mul(length as u64) }
    }

    fn packed(&mut self, length: usize) -> Result<(), Fault> {
        let left = self.packed_left.checked_sub(length as u64);
        self.packed_left = left.ok_or(Fault::TooMuch("its parts lie over each other"))?;
        Ok(())
    }

    fn unpacked(&mut self, length: usize) -> Result<(), Fault> {
        self.unpacked += length as u64;
        if self.unpacked > MAX_TOTAL {
            return Err(Fault::TooMuch("its packed parts unpack to more than 2 GiB"));
        }
        Ok(())
    }
}

/// Unpacks `data` to nowhere, and what comes of it again if that is packed as well.
fn measure(data: &[u8], spent: &mut Spent) -> Result<(), Fault> {
    let mut left = data;
    if !looks_packed(data) {
        let end = unpack(&mut DeflateDecoder::new(&mut left), spent);
        return spent.packed(data.len() - left.len()).and(end.map(|_| ()));
    }
    for layers in 1..=MAX_LAYERS {
        left = data;
        let unpacked = unpack(&mut layered(&mut left, layers), spent)?;
        spent.packed(data.len() - left.len())?;
        if unpacked.broken && layers == 1 {
            // The library tries this as well, header and all.
            unpack(&mut DeflateDecoder::new(data), spent)?;
        }
        if !unpacked.packed_again {
            return Ok(());
        }
    }
    Err(Fault::TooMuch("a part of it is packed over and over"))
}

fn layered<'d>(data: &'d mut &[u8], layers: usize) -> Box<dyn BufRead + 'd> {
    (0..layers)
        .fold(Box::new(data), |inner: Box<dyn BufRead + 'd>, _| Box::new(BufReader::new(ZlibDecoder::new(inner))))
}

/// What came of a packed stream.
struct Unpacked {
    /// Whether it broke off. The library uses what came before.
    broken: bool,
    /// Whether it looks packed once more.
    packed_again: bool,
}

fn unpack(reader: &mut dyn Read, spent: &mut Spent) -> Result<Unpacked, Fault> {
    let (mut size, mut head) = (0_u64, Vec::new());
    let mut buffer = vec![0; BUFFER];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(Unpacked { broken: false, packed_again: looks_packed(&head) }),
            Err(_) => return Ok(Unpacked { broken: true, packed_again: looks_packed(&head) }),
            Ok(read) => {
                head.extend(buffer[..read].iter().take(2_usize.saturating_sub(head.len())));
                size += read as u64;
                spent.unpacked(read)?;
                if size > MAX_STREAM {
                    return Err(TOO_LARGE);
                }
            }
        }
    }
}

/// Whether bytes begin as zlib does (RFC 1950): deflate, and a header that is a multiple of 31.
fn looks_packed(data: &[u8]) -> bool {
    matches!(data, [method, flags, ..] if method & 0x0f == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

fn unpack_hex(data: &[u8]) -> Vec<u8> {
    let digits = data.iter().filter(|byte| !byte.is_ascii_whitespace());
    let digits: Vec<u8> = digits.map_while(|digit| hex_digit(*digit)).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default()).collect()
}

const fn hex_digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

fn unpack_base_85(data: &[u8]) -> Vec<u8> {
    let (mut unpacked, mut group) = (Vec::with_capacity(data.len() / 5 * 4), Vec::with_capacity(5));
    for digit in data.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        match digit {
            b'z' if group.is_empty() => unpacked.extend([0; 4]),
            b'!'..=b'u' => group.push(digit - b'!'),
            _ => break,
        }
        if group.len() == 5 {
            unpacked.extend(base_85(&group));
            group.clear();
        }
    }
    if !group.is_empty() {
        let kept = group.len() - 1;
        group.resize(5, 84);
        unpacked.extend(&base_85(&group)[..kept]);
    }
    unpacked
}

fn base_85(group: &[u8]) -> [u8; 4] {
    group.iter().fold(0_u32, |number, digit| number.wrapping_mul(85).wrapping_add(u32::from(*digit))).to_be_bytes()
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn file(stream: &[u8]) -> Vec<u8> {
        [b"1 0 obj << >> stream\r\n", stream, b"\nendstream endobj"].concat()
    }

    #[test]
    fn a_bomb_is_told_by_its_size_only() {
        assert_eq!(measure_file(&file(&pack(&vec![b'a'; 10 << 20]))), Ok(()));
        assert_eq!(measure_file(&file(&pack(&vec![b'a'; (MAX_STREAM + 1) as usize]))), Err(TOO_LARGE));
    }

    #[test]
    fn a_bomb_in_a_bomb_is_seen() {
        let inner = pack(&vec![0; (MAX_STREAM + 1) as usize]);
        assert_eq!(measure_file(&file(&pack(&inner))), Err(TOO_LARGE));
        let onion = (0..6).fold(b"text".to_vec(), |bytes, _| pack(&bytes));
        assert!(matches!(measure_file(&file(&onion)), Err(Fault::TooMuch(_))));
    }

    #[test]
    fn a_broken_stream_counts_for_what_it_gives() {
        // The last buffer is lost where the sum at the end is wrong.
        let mut packed = pack(&vec![b'a'; MAX_STREAM as usize + 2 * BUFFER]);
        let sum = packed.len() - 4;
        packed[sum..].fill(0);
        assert_eq!(measure_file(&file(&packed)), Err(TOO_LARGE));
    }

    #[test]
    fn parts_over_each_other_are_not_measured_for_ever() {
        // Each begins a stream that looks packed and reaches to the end of the file.
        assert_eq!(measure_file(&b"stream\n".repeat(20_000)), Err(Fault::TooMuch("its parts lie over each other")));
    }

    #[test]
    fn ascii_is_unpacked() {
        assert_eq!(unpack_hex(b"48 65 6C6c 6F7>"), b"Hello\x70");
        assert_eq!(unpack_base_85(b"87cURD]i,\"Ebo80~>"), b"Hello World!");
        assert_eq!(unpack_base_85(b"z87cUR~>"), b"\0\0\0\0Hell");
    }
}
