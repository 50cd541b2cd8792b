//! The archives that `wikirag import` takes: bytes as they come, and bytes whose sums fit, since no fuzzer finds a sum.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use wikirag_core::ErrorKind;
use wikirag_engine::portable::Contents;
use wikirag_engine::portable::archive::ArchiveReader;

/// How much one input may unpack to in memory. The reader itself bounds it by the size of the archive, and 64 MiB.
const MOST: usize = 80 << 20;

fuzz_target!(|data: &[u8]| {
    unpack(data);
    if let Some(archive) = summed(data) {
        unpack(&archive);
    }
});

/// An archive of the contents that the input tells of up to its first zero byte, and of the files behind that.
fn summed(data: &[u8]) -> Option<Vec<u8>> {
    let end = data.iter().position(|byte| *byte == 0)?;
    let contents: Contents = serde_json::from_slice(&data[..end]).ok()?;
    let digest = blake3::hash(&serde_json::to_vec(&contents).ok()?).to_hex();
    let head = json!({"program": "0", "wiki": "w", "digest": digest.as_str(), "contents": contents}).to_string();
    let mut archive = b"wrindex1".to_vec();
    archive.extend(u32::try_from(head.len()).ok()?.to_le_bytes());
    archive.extend(head.as_bytes());
    archive.extend(&data[end + 1..]);
    archive.extend(blake3::hash(&archive).as_bytes());
    Some(archive)
}

fn unpack(archive: &[u8]) {
    let mut unpacked = 0;
    let read = ArchiveReader::open(archive, archive.len() as u64).and_then(|reader| {
        for file in &reader.head().contents.files {
            let is_below = file.path.split('/').all(|name| !matches!(name, "" | "." | ".."));
            assert!(is_below && !file.path.contains(['\\', ':', '\0']), "a path that leads elsewhere: {:?}", file.path);
        }
        reader.unpack(
            |_| Ok(Vec::new()),
            |file, content| {
                assert_eq!(content.len() as u64, file.bytes, "a file of another length");
                unpacked += content.len();
                assert!(unpacked <= MOST, "{unpacked} bytes out of {}", archive.len());
                Ok(())
            },
        )
    });
    if let Err(error) = read {
        let kinds = [ErrorKind::Damaged, ErrorKind::Invalid, ErrorKind::StaleIndex];
        assert!(kinds.contains(&error.kind()), "refused as no archive may be: {error:?}");
        assert!(!error.message().trim().is_empty(), "an error without a word: {error:?}");
    }
}
