//! The form of the file.
//!
//! ```text
//! 8 bytes   "wrindex" and the version of this form as a digit
//! 4 bytes   length of the head, little endian
//! n bytes   the head: JSON, see `Head`
//! m bytes   the contents of all files in the order of the head, one after the other, as one zlib stream
//! 32 bytes  blake3 of all bytes before
//! ```
//!
//! zlib, since it is in the program already, in Rust: of text and of indexes it leaves a third to a quarter, and unpacks faster than
//! a disk writes. tar would tell names, owners and times once more, and unpacking it safely means to distrust each of them.

use std::io::{self, BufRead, BufReader, Read, Take, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use wikirag_core::{Error, ErrorKind, Result};

use super::head::{FilePart, Head, OPERATION, damaged};

const MAGIC: &[u8; 8] = b"wrindex1";

/// How many bytes of [`MAGIC`] say that it is an archive, whatever its version.
const KIND: usize = 7;

/// The longest head.
const LONGEST_HEAD: u32 = 8 << 20;

/// Bytes of the sum at the end.
const SUM: u64 = 32;

/// Bytes that are unpacked at a time.
const PIECE: usize = 128 << 10;

/// Whether `bytes`, the first of a file, are those of an archive of some version.
#[must_use]
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.get(..KIND) == Some(&MAGIC[..KIND])
}

/// Writes an archive: `content` opens each file in its turn.
///
/// # Errors
/// Where something cannot be read or written, and where a file is not as long as the head says.
pub(super) fn write<R: Read>(
    out: impl Write,
    head: &Head,
    level: Compression,
    mut content: impl FnMut(&FilePart) -> io::Result<R>,
) -> io::Result<()> {
    let mut out = Summed { inner: out, sum: blake3::Hasher::new() };
    let json = serde_json::to_vec(head)?;
    let length = u32::try_from(json.len()).ok().filter(|length| *length <= LONGEST_HEAD);
    let length = length.ok_or_else(|| io::Error::other("the head of the archive is too long"))?;
    out.write_all(MAGIC)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&json)?;
    let mut packed = ZlibEncoder::new(&mut out, level);
    for file in &head.contents.files {
        if io::copy(&mut content(file)?, &mut packed)? != file.bytes {
            return Err(io::Error::other(format!("{} has changed while it was packed", file.path)));
        }
    }
    packed.finish()?;
    let Summed { mut inner, sum } = out;
    inner.write_all(sum.finalize().as_bytes())?;
    inner.flush()
}

/// An archive whose head was read.
#[derive(Debug)]
pub struct ArchiveReader<R> {
    head: Head,
    input: Summed<Take<R>>,
}

impl<R: Read> ArchiveReader<R> {
    /// Reads the head of an archive of `length` bytes and checks it.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for what is no archive or none that may be unpacked, [`ErrorKind::StaleIndex`] for one of another form,
    /// [`ErrorKind::Damaged`] for one that was cut or altered, [`ErrorKind::Io`] where it cannot be read.
    pub fn open(mut input: R, length: u64) -> Result<Self> {
        let mut magic = [0; 8];
        match input.read_exact(&mut magic) {
            Ok(()) if magic == *MAGIC => {}
            Ok(()) if is_archive(&magic) => return Err(foreign(magic[KIND])),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(failed(error)),
            _ => return Err(Error::new(ErrorKind::Invalid, OPERATION, "the file is no archive of a wiki")),
        }
        let rest = length.checked_sub(MAGIC.len() as u64 + SUM).ok_or_else(cut)?;
        let mut input = Summed { inner: input.take(rest), sum: blake3::Hasher::new() };
        input.sum.update(MAGIC);
        let mut length_of_head = [0; 4];
        input.read_exact(&mut length_of_head).map_err(failed)?;
        let length_of_head = u32::from_le_bytes(length_of_head);
        if length_of_head > LONGEST_HEAD {
            return Err(damaged("its head has no length that may be"));
        }
        let mut json = Vec::new();
        (&mut input).take(length_of_head.into()).read_to_end(&mut json).map_err(failed)?;
        if json.len() != length_of_head as usize {
            return Err(cut());
        }
        let head: Head = serde_json::from_slice(&json).map_err(|error| damaged(format!("its head: {error}")))?;
        head.check(length)?;
        Ok(Self { head, input })
    }

    /// What it holds.
    #[must_use]
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// Unpacks all files in their order: `create` opens the place of each, `done` gets it back when all of it was written. What was
    /// written is good only if this ends well.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`] where anything is not what was written, [`ErrorKind::Io`] where something cannot be read or written.
    pub fn unpack<W: Write>(
        self,
        mut create: impl FnMut(&FilePart) -> Result<W>,
        mut done: impl FnMut(&FilePart, W) -> Result<()>,
    ) -> Result<Head> {
        let Self { head, input } = self;
        let mut packed = ZlibDecoder::new(BufReader::with_capacity(PIECE, input));
        let mut piece = vec![0; PIECE];
        for file in &head.contents.files {
            let mut to = create(file)?;
            unpack_one(&mut packed, file, &mut to, &mut piece)?;
            done(file, to)?;
        }
        if packed.read(&mut piece[..1]).map_err(failed)? != 0 {
            return Err(damaged("there is more in it than its head says"));
        }
        let mut rest = packed.into_inner();
        if !rest.fill_buf().map_err(failed)?.is_empty() {
            return Err(damaged("something stands behind its files"));
        }
        let Summed { inner, sum } = rest.into_inner();
        let (mut stored, mut inner) = ([0; SUM as usize], inner.into_inner());
        inner.read_exact(&mut stored).map_err(failed)?;
        if sum.finalize() != stored {
            return Err(damaged("its sum is another one"));
        }
        Ok(head)
    }
}

fn unpack_one(packed: &mut impl Read, file: &FilePart, to: &mut impl Write, piece: &mut [u8]) -> Result<()> {
    let (mut left, mut sum) = (file.bytes, blake3::Hasher::new());
    while left > 0 {
        let most = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = packed.read(&mut piece[..most]).map_err(failed)?;
        if read == 0 {
            return Err(damaged(format!("{} ends too early", file.path)));
        }
        sum.update(&piece[..read]);
        to.write_all(&piece[..read])
            .map_err(|error| Error::new(ErrorKind::Io, "unpack archive", error.to_string()).with("file", &file.path))?;
        left -= read as u64;
    }
    if sum.finalize().to_hex().as_str() == file.hash {
        Ok(())
    } else {
        Err(damaged(format!("{} has another hash", file.path)))
    }
}

/// What goes through, and the sum of it.
#[derive(Debug)]
struct Summed<T> {
    inner: T,
    sum: blake3::Hasher,
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.sum.update(&buffer[..read]);
        Ok(read)
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.sum.update(&buffer[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The error of reading: what ends too early or does not unpack was cut or altered, all else is the disk's.
fn failed(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => cut(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => damaged("it does not unpack"),
        _ => Error::new(ErrorKind::Io, OPERATION, error.to_string()),
    }
}

fn cut() -> Error {
    damaged("it ends too early")
}

fn foreign(version: u8) -> Error {
    let (theirs, ours) = (char::from(version), char::from(MAGIC[KIND]));
    let message = format!("the archive has form {theirs:?}, this program reads form {ours}");
    Error::new(ErrorKind::StaleIndex, OPERATION, message).help("export it anew, or take the program that wrote it")
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
