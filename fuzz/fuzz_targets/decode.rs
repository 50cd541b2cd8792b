//! Bytes into text: in the encoding that the first line names, and without a name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wikirag_text::{Basis, decode};

fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|&byte| byte == b'\n');
    let (label, bytes) = end.map_or((data, data), |end| (&data[..end], &data[end + 1..]));
    for declared in [None, std::str::from_utf8(label).ok()] {
        let Ok(decoded) = decode(bytes, declared) else { continue };
        assert!(!decoded.encoding.is_empty());
        // UTF-8 comes back as it was. Text that also is UTF-16 or an encoding of escapes is another matter.
        if decoded.basis == Basis::Valid {
            assert_eq!(decoded.text.as_bytes(), bytes, "valid UTF-8 became something else");
            assert!(!decoded.malformed);
        }
        let lost = decoded.remarks().count();
        assert_eq!(lost, usize::from(decoded.basis == Basis::Guess) + usize::from(decoded.malformed));
        // What was decoded once is UTF-8, and stays what it is unless it may be one of those others.
        if let Ok(again) = decode(decoded.text.as_bytes(), None)
            && again.basis == Basis::Valid
        {
            assert_eq!(again.text, decoded.text);
        }
    }
});
