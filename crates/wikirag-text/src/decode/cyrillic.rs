//! The Cyrillic code page of DOS, and how much a text looks like words in Cyrillic letters.

use super::{Basis, Decoded};

/// What the upper half of IBM code page 855 means, from 0x80 on (Unicode Consortium, `CP855.TXT`). Russian DOS had 866,
/// which the Encoding Standard knows; this one served Bulgaria, Serbia and the IBM world.
const IBM855: [char; 128] = [
    'ђ', 'Ђ', 'ѓ', 'Ѓ', 'ё', 'Ё', 'є', 'Є', 'ѕ', 'Ѕ', 'і', 'І', 'ї', 'Ї', 'ј', 'Ј', //
    'љ', 'Љ', 'њ', 'Њ', 'ћ', 'Ћ', 'ќ', 'Ќ', 'ў', 'Ў', 'џ', 'Џ', 'ю', 'Ю', 'ъ', 'Ъ', //
    'а', 'А', 'б', 'Б', 'ц', 'Ц', 'д', 'Д', 'е', 'Е', 'ф', 'Ф', 'г', 'Г', '«', '»', //
    '░', '▒', '▓', '│', '┤', 'х', 'Х', 'и', 'И', '╣', '║', '╗', '╝', 'й', 'Й', '┐', //
    '└', '┴', '┬', '├', '─', '┼', 'к', 'К', '╚', '╔', '╩', '╦', '╠', '═', '╬', '¤', //
    'л', 'Л', 'м', 'М', 'н', 'Н', 'о', 'О', 'п', '┘', '┌', '█', '▄', 'П', 'я', '▀', //
    'Я', 'р', 'Р', 'с', 'С', 'т', 'Т', 'у', 'У', 'ж', 'Ж', 'в', 'В', 'ь', 'Ь', '№', //
    '\u{ad}', 'ы', 'Ы', 'з', 'З', 'ш', 'Ш', 'э', 'Э', 'щ', 'Щ', 'ч', 'Ч', '§', '■', '\u{a0}',
];

/// Whether that is what files call the code page.
pub(super) fn is_label_of_ibm855(label: &str) -> bool {
    ["ibm855", "cp855", "855", "csibm855"].iter().any(|name| name.eq_ignore_ascii_case(label.trim()))
}

/// The bytes as IBM code page 855, in which every byte means something.
pub(super) fn ibm855(bytes: &[u8], basis: Basis) -> Decoded<'static> {
    let letter = |&byte: &u8| IBM855.get(usize::from(byte).wrapping_sub(128)).copied().unwrap_or(char::from(byte));
    let text = bytes.iter().map(letter).collect::<String>().into();
    Decoded { text, encoding: "IBM855", basis, malformed: false }
}

/// A mean [`likeness`] from here on is that of words. Letters drawn by chance have less than 1, and texts in Russian,
/// Bulgarian and Ukrainian about 2.5.
pub(super) const LIKE_WORDS: f64 = 2.0;

/// So few letters say nothing.
const FEWEST: u32 = 8;

/// How much the characters beyond ASCII look like words in Cyrillic letters: the mean of what each of them is worth, at
/// most 3. `None` where there are too few.
///
/// Common letters are worth more than rare ones. A capital after a small letter, and a Cyrillic letter after a Latin one,
/// stand in no word: this is what tells apart two code pages that agree on the small letters.
pub(super) fn likeness(text: &str) -> Option<f64> {
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    let mut before = ' ';
    for letter in text.chars() {
        if !letter.is_ascii() {
            let is_break = letter.is_alphabetic()
                && (before.is_ascii_alphabetic() || before.is_lowercase() && letter.is_uppercase());
            sum += if is_break { -4.0 } else { worth(letter) };
            count += 1;
        }
        before = letter;
    }
    (count >= FEWEST).then(|| sum / f64::from(count))
}

/// By how common the letter is in Russian, Bulgarian and Ukrainian.
fn worth(letter: char) -> f64 {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    match small {
        'о' | 'е' | 'а' | 'и' | 'н' | 'т' | 'с' | 'р' | 'в' | 'л' | 'і' => 3.0,
        'к' | 'м' | 'д' | 'п' | 'у' | 'я' | 'ы' | 'ь' | 'г' | 'з' | 'б' => 2.0,
        'ч' | 'й' | 'х' | 'ж' | 'ш' | 'ю' | 'ц' | 'щ' | 'э' | 'ф' | 'ъ' | 'ё' | 'ї' | 'є' | 'ґ' => 0.5,
        _ if small.is_alphabetic() => -3.0,
        '«' | '»' | '“' | '”' | '„' | '‘' | '’' | '–' | '—' | '…' | '№' | '\u{a0}' | '•' | '©' | '§' | '°' => {
            1.0
        }
        _ => -2.0,
    }
}
