//! The BEIR layout: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result};

use crate::manifest::yaml;

/// A line of `corpus.jsonl`.
#[derive(Debug, Clone, Deserialize)]
pub struct Document {
    /// Its id in the judgements.
    #[serde(rename = "_id")]
    pub id: String,
    /// Its title, or empty.
    #[serde(default)]
    pub title: String,
    /// Its text, or empty.
    #[serde(default)]
    pub text: String,
}

/// A line of `queries.jsonl` that has judgements.
#[derive(Debug, Clone, Deserialize)]
pub struct Question {
    /// Its id in the judgements.
    #[serde(rename = "_id")]
    pub id: String,
    /// The question.
    pub text: String,
    /// Grades of the judged documents.
    #[serde(skip)]
    pub grades: HashMap<String, i64>,
}

/// A judged collection.
#[derive(Debug, Clone)]
pub struct BeirSet {
    /// Name of the folder.
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
    /// Questions with at least one relevant document, in the order of the file.
    pub questions: Vec<Question>,
}

impl BeirSet {
    /// Reads the questions and judgements of a folder. The corpus is read when it is made a wiki.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with file and line; [`ErrorKind::Io`]; a set without judged questions is an error too, never a table
    /// of zeros.
    pub fn load(dir: &Path) -> Result<Self> {
        let name = dir.canonicalize().ok().and_then(|dir| Some(dir.file_name()?.to_str()?.to_owned()));
        let name = name.ok_or_else(|| fault(dir, None, "there is no such folder", ErrorKind::NotFound))?;
        let mut grades = grades(&dir.join("qrels.tsv"))?;
        let mut questions: Vec<Question> = lines(&dir.join("queries.jsonl"))?;
        for question in &mut questions {
            question.grades = grades.remove(&question.id).unwrap_or_default();
        }
        questions.retain(|question| question.grades.values().any(|grade| *grade > 0));
        if questions.is_empty() {
            return Err(fault(dir, None, "no question has a relevant document", ErrorKind::Invalid));
        }
        Ok(Self { name, dir: dir.to_owned(), questions })
    }

    /// Writes each document of the corpus as a file into `folder` and returns the name of each file with the id of its document.
    /// What was written before from the same corpus stays as it is; what another corpus left there goes.
    ///
    /// # Errors
    /// As [`BeirSet::load`], and for an id that stands twice.
    pub fn write_documents(&self, folder: &Path) -> Result<HashMap<String, String>> {
        let corpus = self.dir.join("corpus.jsonl");
        let documents: Vec<Document> = lines(&corpus)?;
        let mut ids = HashMap::with_capacity(documents.len());
        let io = |error: std::io::Error, path: &Path| fault(path, None, &error.to_string(), ErrorKind::Io);
        fs::create_dir_all(folder).map_err(|error| io(error, folder))?;
        for document in documents {
            let name = format!("{}.md", file_name(&document.id));
            let title = yaml::quoted(document.title.trim());
            let text = format!("---\ntitle: {title}\n---\n\n{}\n", document.text);
            let file = folder.join(&name);
            // An untouched file keeps its stamp, and the next build reads nothing.
            if fs::read(&file).ok().as_deref() != Some(text.as_bytes()) {
                fs::write(&file, text).map_err(|error| io(error, &file))?;
            }
            if let Some(twin) = ids.insert(name, document.id) {
                return Err(fault(&corpus, None, &format!("the id {twin:?} stands twice"), ErrorKind::Invalid));
            }
        }
        for entry in fs::read_dir(folder).map_err(|error| io(error, folder))? {
            let entry = entry.map_err(|error| io(error, folder))?;
            if !ids.contains_key(entry.file_name().to_string_lossy().as_ref()) {
                fs::remove_file(entry.path()).map_err(|error| io(error, &entry.path()))?;
            }
        }
        Ok(ids)
    }
}

/// An id as a file name: letters, digits, `-`, `_` and `.` stay, every other byte is written as `%XX`.
fn file_name(id: &str) -> String {
    let mut name = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || (byte == b'.' && !name.is_empty()) {
            name.push(char::from(byte));
        } else {
            let _ = write!(name, "%{byte:02X}");
        }
    }
    name
}

fn fault(path: &Path, line: Option<usize>, message: &str, kind: ErrorKind) -> Error {
    let error = Error::new(kind, "read judged set", message.to_owned()).with("path", path.display());
    let error = match line {
        Some(line) => error.with("line", line),
        None => error,
    };
    error.help("a BEIR folder holds corpus.jsonl, queries.jsonl and qrels.tsv")
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| fault(path, None, &error.to_string(), ErrorKind::Io))
}

fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = read(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            serde_json::from_str(line)
                .map_err(|error| fault(path, Some(index + 1), &error.to_string(), ErrorKind::Invalid))
        })
        .collect()
}

/// Grades by question and document. The first line is a header.
fn grades(path: &Path) -> Result<HashMap<String, HashMap<String, i64>>> {
    let mut grades: HashMap<String, HashMap<String, i64>> = HashMap::new();
    for (index, line) in read(path)?.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (question, document, grade) = match columns.as_slice() {
            [question, document, grade] => (question, document, grade.trim().parse()),
            _ => return Err(fault(path, Some(index + 1), "expected three columns parted by tabs", ErrorKind::Invalid)),
        };
        let grade =
            grade.map_err(|_| fault(path, Some(index + 1), "the grade is no whole number", ErrorKind::Invalid))?;
        grades.entry((*question).to_owned()).or_default().insert((*document).to_owned(), grade);
    }
    Ok(grades)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_distinct_file_names() {
        let names: Vec<_> = ["a/b", "a%2Fb", "..", ".x", "é", "a b"].iter().map(|id| file_name(id)).collect();
        assert_eq!(names, ["a%2Fb", "a%252Fb", "%2E.", "%2Ex", "%C3%A9", "a%20b"]);
    }

    #[test]
    fn faults_name_file_and_line() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        assert!(BeirSet::load(&dir.path().join("nowhere")).is_err());
        write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\tx\n");
        write("queries.jsonl", "{\"_id\": \"q1\", \"text\": \"one\"}\n");
        let error = BeirSet::load(dir.path()).unwrap_err();
        assert!(error.to_string().contains("line: 2"), "{error}");
        write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t0\n");
        assert!(BeirSet::load(dir.path()).unwrap_err().to_string().contains("no question has a relevant document"));
    }
}
