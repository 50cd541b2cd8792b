//! Card numbers: known first digits, the length that goes with them, and the check digit by Luhn's formula (ISO/IEC 7812).

use std::ops::Range;

use super::digits;

/// Numbers that payment services document for tests, beyond those of three different digits or less.
const TEST_NUMBERS: [&str; 18] = [
    "4012888888881881",
    "4917610000000000",
    "5105105105105100",
    "5200828282828210",
    "2223003122003222",
    "2223000048400011",
    "378282246310005",
    "371449635398431",
    "378734493671000",
    "6011000990139424",
    "6011981111111113",
    "3056930009020004",
    "30569309025904",
    "38520000023237",
    "36227206271667",
    "3530111333300000",
    "3566002020360505",
    "6205500000000000004",
];

/// Banks never got these first digits: services simulate refusals and checks with them.
const TEST_PREFIX: &str = "400000";

/// Lengths of card numbers.
const SHORTEST: usize = 13;
const LONGEST: usize = 19;

/// Hands over where card numbers stand. One pass.
pub(super) fn find(text: &str, sink: &mut impl FnMut(Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        at = end_of_number(bytes, start);
        // A number that is part of a longer word, of a fraction or of a path is no card number.
        let before = text[..start].chars().next_back();
        let after = text[at..].chars().next();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '=' | '%' | '-' | '#' | '+');
        if before.is_some_and(|c| is_part(c) || c == '.' || c == ',') || after.is_some_and(|c| is_part(c) && c != '/') {
            continue;
        }
        if at - start <= 2 * LONGEST && is_card(&text[start..at]) {
            sink(start..at);
        }
    }
}

/// The end of the digits that begin at `start`, with one blank or dash between groups.
fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        end += bytes[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let separated =
            matches!(bytes.get(end), Some(b' ' | b'-')) && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !separated {
            return end;
        }
        end += 1;
    }
}

fn is_card(text: &str) -> bool {
    let number = digits(text);
    if !(SHORTEST..=LONGEST).contains(&number.len()) || !is_grouped(text) {
        return false;
    }
    let first = |count: usize| number[..count].parse::<u32>().unwrap_or(0);
    let fits = match number.len() {
        13 => first(1) == 4,
        14 => (300..=305).contains(&first(3)) || matches!(first(2), 36 | 38 | 39),
        15 => matches!(first(2), 34 | 37),
        16 => {
            first(1) == 4
                || (51..=55).contains(&first(2))
                || (2221..=2720).contains(&first(4))
                || first(4) == 6011
                || (644..=659).contains(&first(3))
                || (3528..=3589).contains(&first(4))
                || first(2) == 62
        }
        17 | 18 => first(2) == 62,
        _ => first(1) == 4 || first(2) == 62,
    };
    let distinct = (b'0'..=b'9').filter(|digit| number.as_bytes().contains(digit)).count();
    let is_test = number.starts_with(TEST_PREFIX) || TEST_NUMBERS.contains(&number.as_str());
    fits && distinct > 3 && luhn(&number) && !is_test
}

/// Whether the groups are those of a card: none, or each but the last of four digits or more. A row of numbers in a table is no card.
fn is_grouped(text: &str) -> bool {
    let groups: Vec<usize> = text.split([' ', '-']).map(str::len).collect();
    match groups.as_slice() {
        [_] => true,
        [4, 6, 4 | 5] => true,
        [before @ .., last] => before.iter().all(|length| *length == 4) && (1..=4).contains(last),
        [] => false,
    }
}

/// Whether the last digit is the check digit of the others.
fn luhn(number: &str) -> bool {
    let sum: u32 = number
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, byte)| match (u32::from(byte - b'0'), at % 2) {
            (digit, 0) => digit,
            (digit, _) if digit > 4 => 2 * digit - 9,
            (digit, _) => 2 * digit,
        })
        .sum();
    sum.is_multiple_of(10)
}
