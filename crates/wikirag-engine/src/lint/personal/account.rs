//! International bank account numbers: the length that a country has, and the check digits modulo 97 (ISO 13616, ISO 7064).

use std::ops::Range;

/// Countries with the length of their numbers, as the registry of SWIFT has them.
const LENGTHS: [(&str, usize); 78] = [
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
];

/// Numbers that the registry and banks document as examples.
const EXAMPLES: [&str; 14] = [
    "DE89370400440532013000",
    "DE75512108001245126199",
    "GB82WEST12345698765432",
    "GB29NWBK60161331926819",
    "GB33BUKB20201555555555",
    "FR1420041010050500013M02606",
    "FR7630006000011234567890189",
    "NL91ABNA0417164300",
    "CH9300762011623852957",
    "ES9121000418450200051332",
    "IT60X0542811101000000123456",
    "AT611904300234573201",
    "BE68539007547034",
    "PL61109010140000071219812874",
];

/// Hands over where account numbers stand. One pass.
pub(super) fn find(text: &str, sink: &mut impl FnMut(Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 15 <= bytes.len() {
        let begins = bytes[at].is_ascii_uppercase() && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric());
        match begins.then(|| account(text, at)).flatten() {
            Some(end) => {
                sink(at..end);
                at = end;
            }
            None => at += 1,
        }
    }
}

/// The end of the number that begins at `start`, if one does.
fn account(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let country = text.get(start..start + 2)?;
    let (_, length) = LENGTHS.iter().find(|(known, _)| *known == country)?;
    let mut number = String::with_capacity(*length);
    let mut at = start;
    while number.len() < *length {
        match bytes.get(at)? {
            byte if byte.is_ascii_uppercase() || byte.is_ascii_digit() => number.push(char::from(*byte)),
            // Groups of four, as on paper.
            b' ' if number.len().is_multiple_of(4) && bytes[at - 1] != b' ' => {}
            _ => return None,
        }
        at += 1;
    }
    let is_whole = !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let is_number = number.as_bytes()[2..4].iter().all(u8::is_ascii_digit) && remainder(&number) == 1;
    (is_whole && is_number && !EXAMPLES.contains(&number.as_str())).then_some(at)
}

/// The number with its first four characters at the end and letters as 10 to 35, modulo 97.
fn remainder(number: &str) -> u32 {
    let (head, rest) = number.split_at(4);
    rest.chars().chain(head.chars()).filter_map(|c| c.to_digit(36)).fold(0, |sum, value| {
        let shift = if value > 9 { 100 } else { 10 };
        (sum * shift + value) % 97
    })
}
