//! The lines of an answer, as they come.

use std::io::{self, Read};

use crate::client::Failures;
use crate::{Failure, unavailable};

/// Bytes that are asked for at a time.
const PART: usize = 8 << 10;

/// Lines of a body that ends in LF, CR LF or CR, in any mixture and cut anywhere. A line is handed out as soon as its end is
/// there; nothing waits for what may follow.
pub struct Lines<R> {
    source: R,
    failures: Failures,
    /// What came and is not handed out: the bytes from `from` to `to`.
    part: Box<[u8]>,
    from: usize,
    to: usize,
    /// The last line ended in CR: an LF right after it belongs to that end.
    after_cr: bool,
    /// Bytes a line.
    longest_line: usize,
    /// Bytes that may still come.
    left: u64,
    longest: u64,
}

impl<R: Read> Lines<R> {
    /// The lines of `source`, each of up to `longest_line` bytes, all together up to `longest`.
    pub(crate) fn new(source: R, failures: Failures, longest_line: usize, longest: u64) -> Self {
        let part = vec![0; PART].into_boxed_slice();
        Self { source, failures, part, from: 0, to: 0, after_cr: false, longest_line, left: longest, longest }
    }

    /// The next line, without its end, into `line`. Whether there is one: what stands after the last end is no line, since
    /// nobody knows whether it is whole.
    ///
    /// # Errors
    /// Where the connection broke, the service was silent for too long, or the line or the whole is too long.
    pub fn read(&mut self, line: &mut Vec<u8>) -> Result<bool, Failure> {
        line.clear();
        loop {
            if self.from == self.to && !self.more()? {
                return Ok(false);
            }
            if std::mem::take(&mut self.after_cr) && self.part[self.from] == b'\n' {
                self.from += 1;
                continue;
            }
            let came = &self.part[self.from..self.to];
            let end = came.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let text = &came[..end.unwrap_or(came.len())];
            if line.len() + text.len() > self.longest_line {
                return Err(self.too_long("a line of the answer", self.longest_line as u64));
            }
            line.extend_from_slice(text);
            self.from += text.len();
            if end.is_some() {
                self.after_cr = self.part[self.from] == b'\r';
                self.from += 1;
                return Ok(true);
            }
        }
    }

    /// Reads more. Whether there was more.
    fn more(&mut self) -> Result<bool, Failure> {
        let count = loop {
            match self.source.read(&mut self.part) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.map_err(|error| self.failures.of(ureq::Error::from(error)))?,
            }
        };
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| self.too_long("the answer", self.longest))?;
        (self.from, self.to) = (0, count);
        Ok(count > 0)
    }

    fn too_long(&self, what: &str, most: u64) -> Failure {
        let message = format!("{what} is longer than the {most} bytes that it can have");
        Failure::Lasting(unavailable(self.failures.operation, message))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Patience;

    /// Hands out its bytes in pieces of these lengths, over and over.
    struct Cut<'a>(&'a [u8], Vec<usize>);

    impl Read for Cut<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.first().copied().unwrap_or(usize::MAX).max(1);
            let next = usize::from(!self.1.is_empty());
            self.1.rotate_left(next);
            let count = most.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn lines(bytes: &[u8], cuts: Vec<usize>, longest_line: usize, longest: u64) -> Result<Vec<Vec<u8>>, String> {
        let failures = Failures { operation: "talk", patience: Patience::default() };
        let mut lines = Lines::new(Cut(bytes, cuts), failures, longest_line, longest);
        let (mut all, mut line) = (Vec::new(), Vec::new());
        while lines.read(&mut line).map_err(|failure| failure.into_error().to_string())? {
            all.push(line.clone());
        }
        Ok(all)
    }

    #[test]
    fn every_end_of_a_line_is_one() {
        let text = b"a\nb\r\nc\rd\n\n\r\r\ne\r\n\r\nrest";
        let expected: [&[u8]; 9] = [b"a", b"b", b"c", b"d", b"", b"", b"", b"e", b""];
        for cut in 1..text.len() {
            assert_eq!(lines(text, vec![cut], 9, 99).unwrap(), expected, "{cut}");
        }
        assert_eq!(lines(b"", vec![], 9, 99).unwrap(), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn what_is_too_long_is_an_error() {
        assert_eq!(lines(b"1234\n", vec![2], 4, 5).unwrap(), [b"1234"]);
        assert!(
            lines(b"12345", vec![2], 4, 99).unwrap_err().contains("a line of the answer is longer than the 4 bytes")
        );
        assert!(lines(b"123\n45", vec![2], 4, 5).unwrap_err().contains("the answer is longer than the 5 bytes"));
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(bytes in "[ab\r\n]{0,40}", cuts in prop::collection::vec(1_usize..5, 1..6)) {
            let whole = lines(bytes.as_bytes(), vec![], 99, 99).unwrap();
            prop_assert_eq!(&lines(bytes.as_bytes(), cuts, 99, 99).unwrap(), &whole);
            // The same by other means: all ends made one, and what stands after the last one left out.
            let plain = bytes.replace("\r\n", "\n").replace('\r', "\n");
            let mut expected: Vec<_> = plain.split('\n').map(|line| line.as_bytes().to_vec()).collect();
            expected.pop();
            prop_assert_eq!(whole, expected);
        }
    }
}
