//! What people, editors and file managers do to a folder, drawn by a seed.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use fastrand::Rng;
use wikirag_tests::notes;

/// Few names, so that they are taken again and again, by files and by folders.
const NAMES: [&str; 12] = ["a", "b", "c", "d", "ä", "e f", "g", "h", "i", "j", "k", "l"];

/// Edits a folder.
pub(super) struct Editor {
    root: PathBuf,
    rng: Rng,
}

impl Editor {
    pub(super) fn new(root: PathBuf, seed: u64) -> Self {
        Self { root, rng: Rng::with_seed(seed) }
    }

    /// One change, and often none of the time that a watch would like.
    pub(super) fn edit(&mut self, number: usize) {
        match self.rng.u8(..20) {
            0..=5 => self.write(number),
            6..=8 => self.append(),
            9 => self.change_one_letter(),
            10..=11 => self.save_beside_and_replace(number),
            12..=13 => self.remove_file(),
            14..=15 => self.rename_file(),
            16 => self.rename_folder(),
            17 => self.remove_folder(),
            18 => self.unpack(number),
            _ => self.ignore(),
        }
        match self.rng.u8(..10) {
            0 => sleep(Duration::from_millis(self.rng.u64(200..900))),
            1..=4 => sleep(Duration::from_millis(self.rng.u64(1..30))),
            _ => {}
        }
    }

    fn text(&mut self, number: usize) -> String {
        notes::note(&format!("Word {number}"), &mut self.rng) + "\nAlso a word.\n"
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.rng.usize(..NAMES.len())]
    }

    /// A folder up to three levels deep, which may not exist.
    fn folder(&mut self) -> PathBuf {
        let depth = self.rng.usize(..4);
        (0..depth).fold(self.root.clone(), |folder, _| folder.join(self.name()))
    }

    fn file(&mut self) -> PathBuf {
        let (folder, name) = (self.folder(), self.name());
        folder.join(format!("{name}.md"))
    }

    /// Something that is there, but not what holds the wiki open.
    fn existing(&mut self, is_folder: bool) -> Option<PathBuf> {
        let mut all = Vec::new();
        collect(&self.root, is_folder, &mut all);
        all.sort();
        if all.is_empty() { None } else { Some(all.swap_remove(self.rng.usize(..all.len()))) }
    }

    fn write(&mut self, number: usize) {
        let (file, text) = (self.file(), self.text(number));
        put(&file, &text);
    }

    fn append(&mut self) {
        let Some(file) = self.existing(false) else { return };
        let text = fs::read_to_string(&file).unwrap() + "\nOne more word.\n";
        put(&file, &text);
    }

    /// Nothing but the content and the time differ.
    fn change_one_letter(&mut self) {
        let Some(file) = self.existing(false) else { return };
        let text = fs::read_to_string(&file).unwrap();
        let letter = char::from(self.rng.u8(b'a'..=b'z'));
        let Some((at, _)) = text.char_indices().filter(|(_, c)| c.is_ascii_lowercase()).nth(3) else { return };
        put(&file, &format!("{}{letter}{}", &text[..at], &text[at + 1..]));
    }

    /// As editors save, so that a file is never half written.
    fn save_beside_and_replace(&mut self, number: usize) {
        let (Some(file), text) = (self.existing(false), self.text(number)) else { return };
        let beside = file.with_file_name(format!(".{number}.swp"));
        fs::write(&beside, text).unwrap();
        fs::rename(beside, file).unwrap();
    }

    fn remove_file(&mut self) {
        let Some(file) = self.existing(false) else { return };
        fs::remove_file(file).unwrap();
    }

    fn rename_file(&mut self) {
        let (Some(from), to) = (self.existing(false), self.file()) else { return };
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(from, to).unwrap();
    }

    fn rename_folder(&mut self) {
        let (Some(from), to) = (self.existing(true), self.folder()) else { return };
        if to.starts_with(&from) || from.starts_with(&to) || to.exists() {
            return;
        }
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(from, to).unwrap();
    }

    fn remove_folder(&mut self) {
        let Some(folder) = self.existing(true) else { return };
        fs::remove_dir_all(folder).unwrap();
    }

    /// A tree that comes at once from outside, and is written to at once.
    fn unpack(&mut self, number: usize) {
        let (outside, to) = (self.root.with_file_name("outside"), self.folder());
        for part in 0..4 {
            let (name, text) = (self.name(), self.text(number * 10 + part));
            put(&outside.join("x").join(name).join(format!("{part}.md")), &text);
        }
        if to.exists() {
            fs::remove_dir_all(outside).unwrap();
            return;
        }
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(&outside, &to).unwrap();
        put(&to.join("x/deep/late.md"), "# Late\n\nThe last word.\n");
    }

    /// Rules of what is left out come and go.
    fn ignore(&mut self) {
        let rules = self.root.join(".gitignore");
        if rules.exists() {
            fs::remove_file(rules).unwrap();
        } else {
            let name = self.name();
            fs::write(rules, format!("{name}.md\n")).unwrap();
        }
    }
}

fn put(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn collect(folder: &Path, is_folder: bool, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        if name.to_str().unwrap().starts_with('.') || name == "stays.md" {
            continue;
        }
        let is_dir = entry.file_type().unwrap().is_dir();
        if is_dir == is_folder {
            all.push(entry.path());
        }
        if is_dir {
            collect(&entry.path(), is_folder, all);
        }
    }
}
