//! Corpora: copied, or generated from a fixed seed so that every machine measures the same.

use std::fs;
use std::io;
use std::path::Path;

use fastrand::Rng;

/// Distinct words of generated text.
const VOCABULARY: usize = 20_000;

/// Copies a folder without hidden files.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Writes notes of one to eight sections with lists and links.
pub(crate) fn write(folder: &Path, notes: usize) -> io::Result<()> {
    let mut random = Rng::with_seed(1);
    for note in 0..notes {
        let mut text = format!("---\ntitle: {}\ntags: [{}]\n---\n\n", words(&mut random, 3), word(&mut random));
        for _ in 0..random.usize(1..=8) {
            text.push_str(&format!("## {}\n\n", words(&mut random, 4)));
            for _ in 0..random.usize(1..=4) {
                let length = random.usize(20..=120);
                text.push_str(&format!("{}.\n\n", words(&mut random, length)));
            }
            text.push_str(&format!("- see [[note-{}]]\n- {}\n\n", random.usize(0..notes), words(&mut random, 8)));
        }
        put(folder, note, &text)?;
    }
    Ok(())
}

/// Writes notes of one passage that link to and name each other, the first ones most often: four links and four names a note.
pub(crate) fn write_linked(folder: &Path, notes: usize) -> io::Result<()> {
    let mut random = Rng::with_seed(3);
    let some = |random: &mut Rng| title(((notes as f64).powf(random.f64()) as usize).min(notes - 1));
    for note in 0..notes {
        let mut text = format!("# {}\n\n", title(note));
        for _ in 0..4 {
            let (before, after) = (words(&mut random, 12), words(&mut random, 12));
            text.push_str(&format!("{before} {} {after} [[{}]]. ", some(&mut random), some(&mut random)));
        }
        let folder = folder.join(format!("part-{:03}", note % 400));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{}.md", title(note))), text)?;
    }
    Ok(())
}

/// The title of a note: two words that are its own.
fn title(note: usize) -> String {
    let capital = |word: String| {
        word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>()
    };
    format!("{} {}", capital(spelled(note + 16)), capital(spelled(note * 7 + 256)))
}

/// Sections of a note, each of which is one passage.
const SECTIONS: usize = 10;

/// Writes notes of [`SECTIONS`] passages until there are `passages`.
pub(crate) fn write_passages(folder: &Path, passages: usize) -> io::Result<()> {
    let mut random = Rng::with_seed(2);
    for (note, first) in (0..passages).step_by(SECTIONS).enumerate() {
        let mut text = String::new();
        for _ in first..passages.min(first + SECTIONS) {
            // Long enough that sections are not joined: more than half of the default size of a passage.
            text.push_str(&format!("# {}\n\n{}.\n\n", words(&mut random, 4), words(&mut random, 230)));
        }
        put(folder, note, &text)?;
    }
    Ok(())
}

/// Four words, as rare and common as those of the text.
pub(crate) fn question(random: &mut Rng) -> String {
    words(random, 4)
}

fn put(folder: &Path, note: usize, text: &str) -> io::Result<()> {
    let folder = folder.join(format!("part-{:02}", note % 40));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("note-{note}.md")), text)
}

fn words(random: &mut Rng, count: usize) -> String {
    (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

/// A word by Zipf's law: the n-th word is about n times as rare as the first.
fn word(random: &mut Rng) -> String {
    let rank = ((VOCABULARY as f64).powf(random.f64()) as usize).clamp(1, VOCABULARY);
    // Common words are short.
    spelled(rank)
}

/// A number by syllables.
fn spelled(number: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va"];
    let mut text = String::new();
    let mut rest = number;
    while rest > 0 {
        text.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    text
}
