//! The information dictionary: what the file says of itself.

use hayro_interpret::hayro_syntax::metadata::Metadata as Info;
use wikirag_core::Metadata;

/// Title, author, subject and keywords, those of them that are there. A title that is a file name or a filler of the
/// program that wrote the file is left out: it would hide the real one.
pub(crate) fn metadata(info: &Info) -> Metadata {
    let mut meta = Metadata::new();
    let entries =
        [("title", &info.title), ("author", &info.author), ("subject", &info.subject), ("keywords", &info.keywords)];
    for (key, bytes) in entries {
        let value = bytes.as_deref().map(text_string).unwrap_or_default();
        if value.chars().any(char::is_alphanumeric) && (key != "title" || is_title(&value)) {
            meta.insert(key.into(), value.into());
        }
    }
    meta
}

/// Endings of the files that PDF files are printed from.
const ENDINGS: [&str; 16] =
    ["doc", "docx", "dvi", "htm", "html", "indd", "md", "odt", "pdf", "ppt", "pptx", "ps", "qxd", "rtf", "tex", "txt"];

fn is_title(value: &str) -> bool {
    let lower = value.to_lowercase();
    let is_file = lower.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending));
    let filler = ["untitled", "microsoft word - ", "microsoft powerpoint - ", "(anonymous)", "title", "about:blank"];
    let is_filler =
        filler.iter().any(|filler| if filler.ends_with(' ') { lower.starts_with(filler) } else { lower == *filler });
    value.chars().any(char::is_alphabetic) && !is_file && !is_filler
}

/// A text string (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 by its mark, else `PDFDocEncoding`. White space is collapsed.
pub(crate) fn text_string(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    let decoded = match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // No mark, but no other encoding gives well-formed UTF-8 by chance: programs forget the mark.
        _ => std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(pdf_doc).collect(), str::to_owned),
    };
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    decoded.chars().map(plain).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `PDFDocEncoding` (ISO 32000-2, annex D.3): Latin-1 but for two rows of punctuation.
fn pdf_doc(byte: u8) -> char {
    const ACCENTS: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
    const PUNCTUATION: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
    ];
    match byte {
        0x18..=0x1f => ACCENTS[usize::from(byte - 0x18)],
        0x80..=0xa0 => PUNCTUATION[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_of_every_encoding() {
        assert_eq!(text_string(b"\xfe\xff\0G\0r\0\xf6\0\xdf\0e"), "Größe");
        assert_eq!(text_string(b"\xff\xfeG\0r\0"), "Gr");
        assert_eq!(text_string(b"\xef\xbb\xbfGr\xc3\xb6"), "Grö");
        assert_eq!(text_string(b"Gr\xc3\xb6"), "Grö");
        assert_eq!(text_string(b"Gr\xf6\xdfe \x84 \xa0 \x18"), "Größe — € ˘");
        assert_eq!(text_string(b" a\r\n\0b "), "a b");
        assert_eq!(text_string(b"\xfe\xff\0"), "");
    }

    #[test]
    fn a_title_looks_like_one() {
        for title in ["Title of the Song", "The .NET years", "Constitutional AI: Harmlessness", "知識"] {
            assert!(is_title(title), "{title}");
        }
        for title in ["report.DOCX", "untitled", "Untitled", "Microsoft Word - Letter", "12-34", ""] {
            assert!(!is_title(title), "{title}");
        }
    }

    #[test]
    fn empty_entries_are_left_out() {
        let bytes = |text: &str| Some(text.as_bytes().into());
        let info =
            Info { title: bytes("a.tex"), author: bytes(" "), subject: bytes("S"), keywords: None, ..Info::default() };
        assert_eq!(serde_json::Value::from(metadata(&info)), serde_json::json!({"subject": "S"}));
    }
}
