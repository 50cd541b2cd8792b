//! Real passages with one change, made without the code that is to find it.

use std::ops::Range;

use fastrand::Rng;

/// What is changed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Number,
    Date,
    Version,
    Negation,
}

pub(super) const KINDS: [Kind; 4] = [Kind::Number, Kind::Date, Kind::Version, Kind::Negation];

pub(super) struct Change {
    /// Where the changed word stands in the passage.
    pub(super) place: usize,
    /// Where the changed word stands in the copy.
    pub(super) copied: usize,
    /// The copy.
    pub(super) text: String,
}

/// Words of a line that is taken for a statement.
const MIN_WORDS: usize = 9;
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const LABELS: [&str; 9] = ["case", "chapter", "figure", "listing", "numbers", "page", "section", "step", "table"];
const VERBS: [&str; 8] = ["is", "are", "can", "must", "should", "will", "was", "were"];

/// A copy of `text` in which one `kind` is changed; with `edited`, its other paragraphs are reordered and lightly edited. `None`
/// where there is nothing of the kind.
pub(super) fn change(text: &str, kind: Kind, edited: bool, random: &mut Rng) -> Option<Change> {
    let mut places = Vec::new();
    let (mut at, mut in_code) = (0, false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let is_prose =
            !in_code && line.starts_with(|c: char| c.is_alphabetic()) && !line.contains(['|', '<', '\t', '=']);
        if is_prose && line.split_whitespace().count() >= MIN_WORDS {
            let words = words(line);
            let found = (1..words.len().saturating_sub(1)).filter_map(|word| {
                let (range, new) = replacement(line, &words, word, kind)?;
                Some((at + range.start..at + range.end, new))
            });
            places.extend(found);
        }
        at += line.len();
    }
    let (range, new) = random.choice(places)?;
    let changed = format!("{}{new}{}", &text[..range.start], &text[range.end..]);
    let place = range.start;
    if !edited {
        return Some(Change { place, copied: place, text: changed });
    }
    let mut copied = 0;
    let mut paragraphs = Vec::new();
    let mut at = 0;
    for paragraph in changed.split("\n\n") {
        let holds = (at..=at + paragraph.len()).contains(&place);
        let edited = if holds {
            paragraph.to_owned()
        } else {
            paragraph.replacen(" the ", " ", 1).replacen(" can ", " may ", 1)
        };
        paragraphs.push((holds.then(|| place - at), edited));
        at += paragraph.len() + 2;
    }
    paragraphs.reverse();
    let mut text = String::new();
    for (inside, paragraph) in paragraphs {
        if let Some(inside) = inside {
            copied = text.len() + inside;
        }
        text.push_str(&paragraph);
        text.push_str("\n\n");
    }
    Some(Change { place, copied, text })
}

/// A variant of a title, as copies have them.
pub(super) fn title(title: &str, number: usize) -> String {
    match number % 5 {
        0 => title.to_owned(),
        1 => format!("{title} (copy)"),
        2 => format!("Old {title}"),
        3 => title.to_lowercase(),
        _ => format!("{title} notes"),
    }
}

fn words(line: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    for piece in line.split_inclusive(char::is_whitespace) {
        if !piece.trim().is_empty() {
            words.push(at..at + piece.trim_end().len());
        }
        at += piece.len();
    }
    words
}

/// What to put in the place of the word, if it is one of the kind.
fn replacement(line: &str, words: &[Range<usize>], word: usize, kind: Kind) -> Option<(Range<usize>, String)> {
    let get = |at: usize| words.get(at).map_or("", |range| &line[range.clone()]);
    let range = words[word].clone();
    let (before, this, after) = (get(word - 1), get(word), get(word + 1));
    let bare = this.trim_end_matches(['.', ',', ';', ':', ')']);
    let bare_range = range.start..range.start + bare.len();
    let is_lower = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    match kind {
        // A quantity: something is counted; no year and no name such as `step 3`.
        Kind::Number if LABELS.contains(&before) => None,
        Kind::Number => {
            let value = number(bare).filter(|value| bare == this && !(1900..2100).contains(value))?;
            (is_lower(before) && is_lower(after.trim_end_matches(['.', ','])))
                .then(|| (bare_range, (value + 3).to_string()))
        }
        Kind::Date => {
            let year = number(bare).filter(|year| (1990..2030).contains(year));
            if year.is_some() && ["in", "since", "until", "by", "of"].contains(&before) || MONTHS.contains(&before) {
                return Some((bare_range, (number(bare)? + 1).to_string()));
            }
            let iso = bare.len() == 10 && bare.as_bytes()[4] == b'-' && bare.as_bytes()[7] == b'-';
            let day = bare.get(8..).and_then(number).filter(|_| iso)?;
            Some((bare_range, format!("{}{:02}", &bare[..8], day % 28 + 1)))
        }
        Kind::Version => {
            let plain = bare.strip_prefix('v').unwrap_or(bare);
            let (head, last) = plain.rsplit_once('.')?;
            let is_version =
                head.split('.').all(|part| number(part).is_some_and(|part| part < 1000)) && !head.is_empty();
            let named = before.starts_with(char::is_uppercase) || before == "version" || plain != bare;
            let last = number(last).filter(|last| is_version && named && *last < 1000)?;
            let sign = if plain == bare { "" } else { "v" };
            Some((bare_range, format!("{sign}{head}.{}", last + 1)))
        }
        Kind::Negation if this == "not" => Some((range.start..words.get(word + 1)?.start, String::new())),
        Kind::Negation => {
            (VERBS.contains(&this) && is_lower(before) && is_lower(after) && !["not", "no", "never"].contains(&after))
                .then(|| (range, format!("{this} not")))
        }
    }
}
