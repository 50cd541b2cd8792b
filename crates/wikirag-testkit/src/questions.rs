//! Questions that people and programs ask without meaning harm, and that broke other engines.

/// Every one of them is a valid question.
#[must_use]
pub fn naughty() -> Vec<String> {
    let mut questions: Vec<String> = PLAIN.iter().map(|question| (*question).to_owned()).collect();
    questions.push("river ".repeat(20_000));
    questions.push("x".repeat(200_000));
    questions.push("(".repeat(20_000));
    questions.push("\"a\" AND ".repeat(2_000));
    questions.push("e\u{301}\u{302}\u{303}".repeat(5_000));
    questions.push("水".repeat(20_000));
    questions.push((0..=0x2ff).filter_map(char::from_u32).collect());
    questions
}

const PLAIN: [&str; 64] = [
    "",
    " ",
    "\t\r\n",
    "\u{feff}",
    "\0",
    "a\0b",
    "\u{200b}",
    "\u{202e}abc",
    "-",
    "--",
    "*",
    "?",
    ".",
    "...",
    ":",
    "/",
    "\\",
    "\"",
    "\"unbalanced",
    "'",
    "`",
    "(",
    "foo)",
    "[1 TO",
    "[* TO *]",
    "{a TO b}",
    "^2",
    "a~",
    "a~0.5",
    "a^1e99",
    "AND",
    "OR",
    "NOT x",
    "retry OR",
    "+a -b",
    "-a",
    "a AND NOT",
    "title:",
    "title:x",
    "_id:1",
    "status: done",
    "a:b",
    "src/main.rs",
    "user@host",
    "2026-03-31",
    "DEC-0054",
    "atomic_write_json",
    "C:\\agent",
    "%s%n",
    "%00",
    "${x}",
    "'; DROP TABLE chunks;--",
    "SELECT * FROM chunks",
    "<script>",
    "&amp;",
    "🦀",
    "👩‍👩‍👧‍👦",
    "e\u{301}",
    "日本語の文書",
    "ภาษาไทย",
    "العربية",
    "𝕿𝖍𝖊",
    "the of and",
    "zxqv blorptang",
];
