//! Server-sent events, from lines.
//!
//! After the standard (<https://html.spec.whatwg.org/multipage/server-sent-events.html>): an event is some lines
//! `field: value` and an empty line; what the last empty line is not followed by is no event. Of the fields, `data` is all
//! that either protocol needs: Anthropic's names stand in the data as well.

/// The longest event, in bytes of its data.
pub(crate) const LONGEST: usize = 1 << 20;

/// Puts lines together to events.
#[derive(Debug, Default)]
pub(crate) struct Events {
    begun: bool,
    data: Vec<u8>,
    /// Whether there was any line of data, which may have been empty.
    has_data: bool,
}

/// An event is longer than [`LONGEST`].
#[derive(Debug, PartialEq)]
pub(crate) struct TooLong;

impl Events {
    /// Takes the next line, without its end. The data of the event that it completes.
    ///
    /// # Errors
    /// Where the event is too long.
    pub(crate) fn line(&mut self, line: &[u8]) -> Result<Option<Vec<u8>>, TooLong> {
        let line = match std::mem::replace(&mut self.begun, true) {
            false => line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line),
            true => line,
        };
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return Ok(std::mem::take(&mut self.has_data).then_some(data));
        }
        // A line that begins with a colon is a comment: its field has no name.
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let (field, value) = (&line[..colon], line.get(colon + 1..).unwrap_or_default());
        if field != b"data" {
            return Ok(None);
        }
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if self.data.len() + value.len() >= LONGEST {
            return Err(TooLong);
        }
        if std::mem::replace(&mut self.has_data, true) {
            self.data.push(b'\n');
        }
        self.data.extend_from_slice(value);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(text: &str) -> Vec<String> {
        let mut events = Events::default();
        // What stands after the last line end is no line.
        let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        lines
            .filter_map(|line| events.line(line.as_bytes()).unwrap())
            .map(|data| String::from_utf8(data).unwrap())
            .collect()
    }

    /// The examples of the standard, and what services send.
    #[test]
    fn data_is_taken_and_the_rest_left() {
        for (text, expected) in [
            ("data: a\n\n", &["a"][..]),
            ("data: a\ndata: b\n\n", &["a\nb"]),
            ("data:a\n\ndata:  b\n\n", &["a", " b"]),
            ("data\n\ndata\ndata\n\ndata:\n", &["", "\n"]),
            (": keep-alive\n\n: OPENROUTER PROCESSING\n\ndata: a\n: in between\ndata: b\n\n", &["a\nb"]),
            ("event: ping\nid: 7\nretry: 10\ndata: {\"type\": \"ping\"}\n\n", &["{\"type\": \"ping\"}"]),
            ("event: nothing\n\ndata: a: b\n\n\n\n", &["a: b"]),
            ("\u{feff}data: a\n\n\u{feff}data: b\n\n", &["a"]),
            ("data: whole\n\ndata: not the end", &["whole"]),
            ("data: whole\n\ndata: not ended\n", &["whole"]),
            ("DATA: a\n data: b\ndatas: c\n\n", &[]),
            ("", &[]),
        ] {
            assert_eq!(events(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let mut events = Events::default();
        let line = format!("data: {}", "x".repeat(LONGEST / 4));
        let taken = (0..8).take_while(|_| events.line(line.as_bytes()) == Ok(None)).count();
        assert_eq!(taken, 3);
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            all in prop::collection::vec(prop::collection::vec("[ a:é\u{feff}]{0,6}", 1..4), 0..6),
            noise in prop::collection::vec("(:.{0,5}|id: 1|event: x|retry: 5|data2: no)?", 24),
        ) {
            let mut noise = noise.iter();
            let mut text = String::from(": begin\n");
            for data in &all {
                for line in data {
                    // A line of noise that is empty would end the event.
                    if let Some(noise) = noise.next().filter(|noise| !noise.is_empty()) {
                        text.push_str(&format!("{noise}\n"));
                    }
                    text.push_str(&format!("data: {line}\n"));
                }
                text.push('\n');
            }
            let expected: Vec<_> = all.iter().map(|data| data.join("\n")).collect();
            prop_assert_eq!(events(&text), expected);
        }

        #[test]
        fn any_bytes_are_lines(lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..20)) {
            let mut events = Events::default();
            let longest = lines.iter().map(Vec::len).sum::<usize>() + lines.len();
            for line in &lines {
                prop_assert!(events.line(line).unwrap().is_none_or(|data| data.len() <= longest));
            }
        }
    }
}
