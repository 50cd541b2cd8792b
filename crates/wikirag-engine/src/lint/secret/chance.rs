//! Whether a value was drawn by chance, or is a word of documentation.

/// Words by which documentation shows that a value is none, in lower case and without `-`, `_`, blanks.
const WORDS: [&str; 26] = [
    "example",
    "yourkey",
    "yourapi",
    "yourtoken",
    "yoursecret",
    "yourpass",
    "placeholder",
    "redacted",
    "changeme",
    "dummy",
    "xxxx",
    "insert",
    "sample",
    "replace",
    "notreal",
    "foobar",
    "abcdefg",
    "1234567",
    "7654321",
    "0000000",
    "deadbeef",
    "password",
    "passwort",
    "passwd",
    "mysecret",
    "abc123",
];

/// What passwords of examples are made of, in lower case, longer words before those that they hold.
const OF_EXAMPLES: [&str; 20] = [
    "password", "p@ssw0rd", "p@ssword", "passw0rd", "secret", "secure", "strong", "super", "admin", "user", "login",
    "valid", "wrong", "correct", "demo", "test", "pass", "old", "new", "my",
];

/// Marks of what is filled in or computed later.
const MARKS: [&str; 9] = ["...", "…", "***", "•", "{{", "${", "$(", "<", ">"];

/// Whether a value is none: a word of documentation, a variable, a mark of something left out.
pub(super) fn is_placeholder(value: &str) -> bool {
    let plain: String = value.chars().filter(|c| !"-_ ".contains(*c)).flat_map(char::to_lowercase).collect();
    MARKS.iter().any(|mark| value.contains(mark)) || WORDS.iter().any(|word| plain.contains(word)) || ascends(&plain)
}

/// Whether half of the characters follow the one before in the alphabet, or repeat it.
fn ascends(value: &str) -> bool {
    let bytes = value.as_bytes();
    let steps = bytes.windows(2).filter(|pair| pair[1].wrapping_sub(pair[0]) <= 1).count();
    steps * 2 >= bytes.len()
}

/// Shannon's entropy of the bytes, in bits a byte.
fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    #[expect(clippy::cast_precision_loss, reason = "bytes of one value, far below 2^52")]
    let length = value.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / length)
        .map(|share| -share * share.log2())
        .sum()
}

/// Whether a value of 16 bytes or more looks drawn by chance: it is no placeholder, its characters are about as many as they
/// can be, of two kinds at least, and it is not made of words.
pub(super) fn is_drawn(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    let kinds = [has(u8::is_ascii_digit as fn(&u8) -> bool), has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase)];
    let words = value.split(['-', '_', '.', '/', ':']).filter(|part| part.len() > 2 && is_word(part)).count();
    kinds.into_iter().filter(|kind| *kind).count() >= 2 && entropy(value) >= 3.0 && words < 2 && !is_placeholder(value)
}

/// Letters of one case.
fn is_word(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_lowercase()) || part.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a value of six bytes or more looks like a password that somebody chose: letters, with two digits, a sign, or a
/// digit beside both cases; no placeholder.
pub(super) fn is_chosen(value: &str) -> bool {
    let count = |kind: fn(&char) -> bool| value.chars().filter(kind).count();
    let (digits, lower, upper) =
        (count(char::is_ascii_digit), count(|c| c.is_lowercase()), count(|c| c.is_uppercase()));
    let signs = count(|c| "!@#$%^&*+=?~".contains(*c));
    let is_mixed = digits >= 2 || signs > 0 && value.len() > signs + 4 || digits > 0 && lower > 0 && upper > 0;
    lower + upper > 0 && is_mixed && !is_placeholder(value) && !is_example(value)
}

/// Whether little is left of a password without the words that examples are made of and `123`: `SecurePass123!`.
fn is_example(value: &str) -> bool {
    let mut rest = value.to_lowercase();
    for word in OF_EXAMPLES {
        rest = rest.replace(word, "");
    }
    rest = rest.trim_end_matches(|c: char| !c.is_alphanumeric()).trim_end_matches(['1', '2', '3', '4']).to_owned();
    rest.chars().filter(|c| c.is_alphanumeric()).count() < 4
}
