use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, IBM866, KOI8_U, SHIFT_JIS, WINDOWS_1255, X_MAC_CYRILLIC};
use encoding_rs::{ISO_2022_JP, WINDOWS_874, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253};
use proptest::prelude::*;

use super::*;

const RUSSIAN: &str = "Каждая вики хранит свой указатель, а читатель спрашивает их все сразу. Ответ приходит с местом, \
                       откуда он взят, и потому его можно проверить. Яблоко и ёж живут в Подмосковье.";

fn told(bytes: &[u8], declared: Option<&str>) -> (String, &'static str, Basis, bool) {
    let Decoded { text, encoding, basis, malformed } = decode(bytes, declared).unwrap();
    (text.into_owned(), encoding, basis, malformed)
}

fn guessed(bytes: &[u8]) -> (String, &'static str) {
    let (text, encoding, basis, malformed) = told(bytes, None);
    assert_eq!((basis, malformed), (Basis::Guess, false), "{encoding}");
    (text, encoding)
}

fn utf16(text: &str, units: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(units).collect()
}

fn utf32(text: &str, units: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().map(u32::from).flat_map(units).collect()
}

#[test]
fn marks_are_believed_and_taken_off() {
    let text = "Grüße, 世界 👍\n";
    let marked = format!("\u{feff}{text}");
    let cases = [
        ("UTF-8", marked.as_bytes().to_vec()),
        ("UTF-16LE", utf16(&marked, u16::to_le_bytes)),
        ("UTF-16BE", utf16(&marked, u16::to_be_bytes)),
        ("UTF-32LE", utf32(&marked, u32::to_le_bytes)),
        ("UTF-32BE", utf32(&marked, u32::to_be_bytes)),
    ];
    for (name, bytes) in cases {
        assert_eq!(told(&bytes, Some("latin1")), (text.to_owned(), name, Basis::Mark, false));
    }
}

#[test]
fn broken_bytes_behind_a_mark_are_told() {
    assert_eq!(told(b"\xef\xbb\xbfa\xffb", None), ("a\u{fffd}b".into(), "UTF-8", Basis::Mark, true));
    assert_eq!(told(b"\xff\xfea\0b", None), ("a\u{fffd}".into(), "UTF-16LE", Basis::Mark, true));
    assert_eq!(told(b"\xff\xfe\0\0a\0\0\0\0\0\0\xd8", None), ("a\u{fffd}".into(), "UTF-32LE", Basis::Mark, true));
}

#[test]
fn valid_utf8_is_not_copied() {
    for text in ["", "plain", "Grüße"] {
        let decoded = decode(text.as_bytes(), Some("windows-1251")).unwrap();
        assert!(matches!(decoded.text, Cow::Borrowed(_)) && decoded.basis == Basis::Valid);
    }
}

#[test]
fn wide_text_without_a_mark() {
    for text in ["A line.\nAnother line.\n", RUSSIAN, "Grüße aus Köln, 1. Mai"] {
        assert_eq!(guessed(&utf16(text, u16::to_le_bytes)), (text.to_owned(), "UTF-16LE"));
        assert_eq!(guessed(&utf16(text, u16::to_be_bytes)), (text.to_owned(), "UTF-16BE"));
        assert_eq!(guessed(&utf32(text, u32::to_le_bytes)), (text.to_owned(), "UTF-32LE"));
        assert_eq!(guessed(&utf32(text, u32::to_be_bytes)), (text.to_owned(), "UTF-32BE"));
    }
}

#[test]
fn a_few_nul_make_no_other_encoding() {
    let text = format!("{}\0{}", "word ".repeat(30), "word ".repeat(31));
    assert_eq!(told(text.as_bytes(), None), (text.clone(), "UTF-8", Basis::Valid, false));
}

#[test]
fn labels_are_followed_where_the_bytes_allow() {
    assert_eq!(told(b"caf\xe9", Some("latin1")), ("café".into(), "windows-1252", Basis::Declared, false));
    assert_eq!(told(b"\xa0\xd0", Some(" CP855 ")), ("ал".to_owned(), "IBM855", Basis::Declared, false));
    // No such label, one of no encoding, and one that the bytes contradict.
    for label in ["klingon", "iso-2022-cn", "x-user-defined", "utf-8"] {
        assert_eq!(told(b"caf\xe9", Some(label)).2, Basis::Guess, "{label}");
    }
}

#[test]
fn encodings_are_guessed() {
    let japanese = "検索は小さなウィキごとに索引を持ち、質問にまとめて答える。どこから来たかも分かる。";
    let chinese = "知识库由许多小的维基组成，每个维基有自己的索引。答案说明出处。";
    let korean = "위키마다 색인이 있고 질문에 함께 답한다. 답에는 출처가 있다.";
    let cases = [
        (SHIFT_JIS, japanese),
        (EUC_JP, japanese),
        (ISO_2022_JP, japanese),
        (GBK, chinese),
        (BIG5, "知識庫由許多小的維基組成，每個維基有自己的索引。答案說明出處。"),
        (EUC_KR, korean),
        (WINDOWS_1251, RUSSIAN),
        (KOI8_U, RUSSIAN),
        (IBM866, RUSSIAN),
        (X_MAC_CYRILLIC, RUSSIAN),
        (WINDOWS_1253, "Κάθε βιβλίο έχει το δικό του ευρετήριο και απαντά σε όλες τις ερωτήσεις."),
        (WINDOWS_1255, "לכל ויקי יש מפתח משלו והקורא שואל את כולם יחד"),
        (WINDOWS_874, "ภาษาไทยเขียนโดยไม่เว้นวรรคระหว่างคำ และมีสระหลายตัว"),
        (WINDOWS_1252, "Über die Größe der Bücher läßt sich streiten – so heißt es."),
    ];
    for (encoding, text) in cases {
        let (bytes, _, is_lossy) = encoding.encode(text);
        assert!(!is_lossy, "{}", encoding.name());
        assert_eq!(guessed(&bytes), (text.to_owned(), encoding.name()));
    }
}

#[test]
fn the_code_page_of_dos_is_guessed() {
    let page: String = cyrillic::ibm855(&(128..=255).collect::<Vec<u8>>(), Basis::Guess).text.into_owned();
    let byte = |letter: char| match page.chars().position(|other| other == letter) {
        Some(place) => u8::try_from(128 + place).unwrap(),
        None => u8::try_from(letter).unwrap(),
    };
    let bytes: Vec<u8> = RUSSIAN.chars().map(byte).collect();
    assert_eq!(guessed(&bytes), (RUSSIAN.to_owned(), "IBM855"));
}

#[test]
fn korean_in_seven_bits() {
    // The example of RFC 1557 with a line more, which begins shifted in again.
    let bytes = b"\x1b$)CHere \x0e>H3gGO<<?d\x0f.\n\x0e>H3g\nplain";
    assert_eq!(told(bytes, None), ("Here 안녕하세요.\n안녕\nplain".into(), "ISO-2022-KR", Basis::Declared, false));
}

#[test]
fn colours_of_a_terminal_are_no_other_encoding() {
    let log = "\u{1b}[31merror\u{1b}[0m: costs 3 \u{1b}$ and x\u{8}x\n";
    assert_eq!(told(log.as_bytes(), None), (log.to_owned(), "UTF-8", Basis::Valid, false));
}

#[test]
fn utf8_cut_short_is_still_utf8() {
    let cut = &"Ελληνικά και άλλα".as_bytes()[..29];
    let (text, encoding, basis, malformed) = told(cut, None);
    assert!(text.starts_with("Ελληνικά και") && text.ends_with('\u{fffd}'));
    assert_eq!((encoding, basis, malformed), ("UTF-8", Basis::Guess, true));
}

#[test]
fn what_is_no_text_is_refused() {
    let mut random = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut noise = vec![0; 4096];
    random.fill_bytes(&mut noise);
    assert_eq!(decode(&noise, None), Err(NotText));
    assert_eq!(decode(&[0; 4096], None), Err(NotText));
    assert_eq!(decode(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0", None), Err(NotText));
}

#[test]
fn a_letter_far_behind_decides() {
    let mut bytes = b"plain\n".repeat(400_000);
    bytes.extend(WINDOWS_1251.encode(RUSSIAN).0.iter());
    let (text, encoding) = guessed(&bytes);
    assert!(text.ends_with(RUSSIAN) && encoding == "windows-1251");
}

proptest! {
    #[test]
    fn any_bytes_are_decoded_or_refused(bytes: Vec<u8>, declared in prop::option::of("[a-z0-9-]{0,12}|utf-16|big5|hz-gb-2312")) {
        if let Ok(decoded) = decode(&bytes, declared.as_deref()) {
            prop_assert!(decoded.text.len() <= 4 * bytes.len());
        }
    }

    #[test]
    fn valid_utf8_comes_back_as_it_is(text in "[^\u{0}\u{1b}\u{feff}]{0,200}") {
        let decoded = decode(text.as_bytes(), None).unwrap();
        prop_assert_eq!((&*decoded.text, decoded.basis, decoded.malformed), (&*text, Basis::Valid, false));
    }

    #[test]
    fn wide_text_behind_a_mark_comes_back(text in "\\PC{0,100}") {
        let bytes = utf16(&format!("\u{feff}{text}"), u16::to_be_bytes);
        prop_assert_eq!(&*decode(&bytes, None).unwrap().text, &*text);
        let bytes = utf32(&format!("\u{feff}{text}"), u32::to_le_bytes);
        prop_assert_eq!(&*decode(&bytes, None).unwrap().text, &*text);
    }
}
