//! Documents that readers and chunkers must take: ordinary ones, odd ones, and ones made to hurt.
//!
//! They are written in Markdown as the commonest format; to a reader of another one they are plain text, or refused.

use fastrand::Rng;

/// A document with a name for messages.
#[derive(Debug, Clone)]
pub struct Document {
    /// What is special about it.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

fn document(name: &'static str, text: impl Into<String>) -> Document {
    Document { name, text: text.into() }
}

/// Ordinary and odd documents, each of at most 64 KiB: small enough to look at every character.
#[must_use]
pub fn varied() -> Vec<Document> {
    let mut random = Rng::with_seed(7);
    let sections = prose(&mut random, 30, true);
    let mut documents = vec![
        document("prose without headings", prose(&mut random, 30, false)),
        document("front matter", format!("---\ntitle: A title\ntags: [a, b]\n---\n\n{sections}")),
        document("front matter and nothing else", "---\ntitle: A title\n---\n"),
        document("front matter that does not end", format!("---\ntitle: A title\n\n{sections}")),
        document("a letterhead between rules", "---\n\n**OSTROWSKI LEGAL PLLC**\n\n---\n\nDear Madam,\n\nthe text.\n"),
        document("byte order mark", format!("\u{feff}{sections}")),
        document("CRLF", sections.replace('\n', "\r\n")),
        document("CR", sections.replace('\n', "\r")),
        document("mixed line ends", sections.replacen('\n', "\r\n", 20)),
        document("no line end at the end", sections.trim_end()),
        document("NUL", sections.replacen(' ', "\0", 50)),
        document("sections and prose", sections),
        document("headings only", "# One\n\n## Two\n\n### Three\n\n## Four\n\n# Five\n"),
        document("headings of every level", heading_ladder()),
        document("underlined headings", "One\n===\n\ntext\n\nTwo\n---\n\ntext\n"),
        document("list", (0..200).map(|n| format!("- item {n} of a list\n")).collect::<String>()),
        document("nested list", (0..40).map(|n| format!("{}- item {n}\n", "  ".repeat(n % 12))).collect::<String>()),
        document("nothing but list marks", "- \n".repeat(500)),
        document("table", format!("| a | b |\n|---|---|\n{}", "| cell | another cell |\n".repeat(300))),
        document("code", format!("before\n\n```rust\n{}```\n\nafter\n", "let x = 1; // # no heading\n".repeat(400))),
        document("fences in a fence", format!("````\n{}````\n\nafter\n", "```\ncode\n```\n\n".repeat(200))),
        document("a fence that does not end", format!("text\n\n~~~\n{}", "code\n\n# no heading\n".repeat(200))),
        document("quotes", "> said one\n> on two lines\n>\n> > said another\n\n".repeat(40)),
        document(
            "links",
            "See [[Note|the note]], ![[image.png]], [text](a/b.md#c) and <https://x.example>.\n\n".repeat(40),
        ),
        document("references", "[a]: https://x.example \"title\"\n[^1]: A footnote.\n\nSee [a] and [^1].\n".repeat(30)),
        document(
            "raw HTML",
            "<div>\n<p>text\n\n</div>\n<!-- a comment\n\nof two parts -->\n\n<script>\nx\n</script>\n".repeat(20),
        ),
        document(
            "definitions and tasks",
            "Term\n: what it is\n\n- [ ] open\n- [x] done\n\n> [!note] A callout\n> text\n\n".repeat(20),
        ),
        document("mathematics", "$$\n\\sum_{i=0}^n i\n$$\n\nand $x^2$ inside\n\n".repeat(40)),
        document(
            "Chinese without spaces",
            "知识库由许多小的维基组成。每个维基有自己的索引和信任级别！你问什么？".repeat(150),
        ),
        document("Thai without spaces or full stops", "ภาษาไทยเขียนโดยไม่เว้นวรรคระหว่างคำ".repeat(150)),
        document("right to left", "هذه جملة عربية قصيرة. זה משפט בעברית.\u{202e} abc\u{202c}\n\n".repeat(100)),
        document("emoji of many code points", "👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪".repeat(400)),
        document("emoji in words", "word👩‍👩‍👧‍👦 and e\u{301}\u{302}n\u{303} ".repeat(400)),
        document("one character of many marks", format!("a{} and more text", "\u{301}".repeat(10_000))),
        document(
            "invisible characters",
            "a\u{200b}b\u{200d}c\u{ad}d\u{2060} e\u{a0}f\u{3000}g\u{2028}h\u{2029}i\u{85}j\n".repeat(100),
        ),
        document(
            "control characters",
            (0..32_u8).cycle().take(3000).map(|byte| char::from(byte % 32)).collect::<String>(),
        ),
        document("a long line", "word ".repeat(12_000)),
        document("a long word", "w".repeat(60_000)),
        document("a long word of wide characters", "水".repeat(20_000)),
        document("sentences on one line", "Here is a sentence. Is it? It is! ".repeat(1_500)),
        document("marks of emphasis", "*_`~[(<!\\".repeat(2_000)),
        document("random characters", random_characters(&mut random, 20_000)),
        document("random marks", random_marks(&mut random, 20_000)),
        document("random bytes", random_bytes(&mut random, 30_000)),
    ];
    documents.extend(wordless());
    documents
}

/// Documents without a word.
#[must_use]
pub fn wordless() -> Vec<Document> {
    vec![
        document("nothing", ""),
        document("a line end", "\n"),
        document("white space", " \t\r\n\u{a0}\u{3000}\u{2028}\n\n  "),
        document("blank lines", "\n".repeat(5_000)),
    ]
}

/// Large documents that make careless code slow or end its stack.
#[must_use]
pub fn huge() -> Vec<Document> {
    SHAPES
        .iter()
        .map(|shape| document(shape.name, shape.of(shape.most)))
        .chain([document("a character of a million marks", format!("a{}", "\u{301}".repeat(1_000_000)))])
        .collect()
}

/// A text that may have any size.
pub struct Shape {
    /// What is repeated.
    pub name: &'static str,
    start: &'static str,
    part: &'static str,
    end: &'static str,
    most: usize,
}

impl Shape {
    /// The text of about `size` bytes.
    #[must_use]
    pub fn of(&self, size: usize) -> String {
        let count = size / (self.part.len() + self.end.len());
        format!("{}{}{}", self.start, self.part.repeat(count), self.end.repeat(count))
    }
}

const fn shape(name: &'static str, start: &'static str, part: &'static str, end: &'static str, most: usize) -> Shape {
    Shape { name, start, part, end, most }
}

/// The shapes whose time must grow in step with their size.
pub const SHAPES: [Shape; 16] = [
    shape("a line of words", "", "word ", "", 2 << 20),
    shape("a word", "", "w", "", 1 << 20),
    shape("paragraphs", "", "A sentence of a paragraph. Another one.\n\n", "", 1 << 20),
    shape("headings", "", "## A heading\n", "", 500_000),
    shape("sections", "", "## A heading\n\nA line of text.\n\n", "", 1 << 20),
    shape("a list", "", "- an item\n", "", 500_000),
    shape("lists in lists", "", "- ", "", 100_000),
    shape("quotes in quotes", "", "> ", "", 100_000),
    shape("an open fence", "```\n", "a line of code\n", "", 1 << 20),
    shape("a table", "| a | b |\n|---|---|\n", "| c | d |\n", "", 500_000),
    shape("open brackets", "", "[", "", 50_000),
    shape("brackets in brackets", "", "[", "](x)", 250_000),
    shape("open links", "", "[a](", "", 200_000),
    shape("emphasis that does not end", "", "*a **b _c ", "", 200_000),
    shape("backticks", "", "` `` ", "", 200_000),
    shape("open tags", "", "<a ", "", 200_000),
];

const WORDS: [&str; 40] = [
    "river", "mountain", "bread", "engine", "letter", "winter", "garden", "copper", "silver", "orchard", "harbour",
    "lantern", "meadow", "carpet", "violin", "planet", "basket", "timber", "marble", "falcon", "cotton", "pepper",
    "saddle", "anchor", "and", "the", "of", "with", "over", "near", "is", "was", "old", "small", "bright", "they",
    "carry", "follow", "under", "without",
];

/// A paragraph of two to six short sentences, without a line end.
pub(crate) fn paragraph(random: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(2..=6) {
        let words: Vec<_> = (0..random.usize(4..=12)).map(|_| WORDS[random.usize(0..WORDS.len())]).collect();
        let sentence = words.join(" ");
        let (first, rest) = sentence.split_at(1);
        let space = if text.is_empty() { "" } else { " " };
        text.push_str(&format!("{space}{}{rest}.", first.to_uppercase()));
    }
    text
}

/// Paragraphs, under headings of levels 1 to 3 if wanted.
pub(crate) fn prose(random: &mut Rng, paragraphs: usize, headings: bool) -> String {
    let mut text = String::new();
    for number in 0..paragraphs {
        if headings && random.usize(0..3) == 0 {
            let mark = "#".repeat(random.usize(1..=3));
            text.push_str(&format!("{mark} Heading {number}\n\n"));
        }
        text.push_str(&paragraph(random));
        text.push_str("\n\n");
    }
    text
}

fn heading_ladder() -> String {
    let levels = [1, 2, 3, 4, 5, 6, 7, 3, 1, 6, 2];
    levels
        .iter()
        .map(|level| format!("{} Level {level}\n\nText below level {level}.\n\n", "#".repeat(*level)))
        .collect()
}

fn random_characters(random: &mut Rng, count: usize) -> String {
    (0..count).map(|_| random.char(..)).collect()
}

fn random_marks(random: &mut Rng, count: usize) -> String {
    const MARKS: &[u8] = b"#-*+>`~|[]()<>!_=:\\&^$\"' \n\n\n\tab1.";
    (0..count).map(|_| char::from(MARKS[random.usize(0..MARKS.len())])).collect()
}

fn random_bytes(random: &mut Rng, count: usize) -> String {
    let bytes: Vec<u8> = (0..count).map(|_| random.u8(..)).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
