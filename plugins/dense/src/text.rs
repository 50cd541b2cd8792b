//! The text that stands for a chunk.

use wikirag_core::ChunkRecord;

/// Title, headings and passage, a line each: a passage often says "it" of what only its title names.
///
/// What says the same as the line after it is left out. Most notes begin with their title as the first heading, and
/// most passages with the heading above them: said twice, it would weigh twice in a vector and take room from the
/// passage.
pub(crate) fn text_of(record: &ChunkRecord) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let above = std::iter::once(&record.title).chain(&record.headings);
    for line in above.map(|line| line.trim()).filter(|line| !line.is_empty()) {
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    // Hash signs mark a heading in Markdown. Other marks stand on a line of their own.
    let opening =
        record.text.lines().map(|line| line.trim_matches(['#', ' ', '\t', '\r'])).find(|line| !line.is_empty());
    if lines.last().is_some_and(|last| Some(*last) == opening) {
        lines.pop();
    }
    lines.push(&record.text);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(title: &str, headings: &[&str], text: &str) -> String {
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        text_of(&ChunkRecord { title: title.into(), headings, text: text.into(), ..ChunkRecord::default() })
    }

    #[test]
    fn title_and_headings_come_before_the_passage() {
        assert_eq!(text("Tea", &["Green", "Sencha"], "Steep it."), "Tea\nGreen\nSencha\nSteep it.");
        assert_eq!(text("", &[], "Steep it."), "Steep it.");
        assert_eq!(text("Tea", &[], ""), "Tea\n");
        assert_eq!(text("", &[], ""), "");
    }

    #[test]
    fn nothing_is_said_twice_in_a_row() {
        assert_eq!(text("Tea", &["Tea", "Green"], "Steep it."), "Tea\nGreen\nSteep it.");
        assert_eq!(text("Tea", &["Tea"], "# Tea\n\nSteep it."), "# Tea\n\nSteep it.");
        assert_eq!(text("Tea", &["Green"], "\n## Green ##\r\nSteep it."), "Tea\n\n## Green ##\r\nSteep it.");
        assert_eq!(text("Tea", &["Green"], "Green\n=====\nSteep it."), "Tea\nGreen\n=====\nSteep it.");
        assert_eq!(text("Tea", &["Green"], "Greenish.\n"), "Tea\nGreen\nGreenish.\n");
        // A word that comes back later is no repetition.
        assert_eq!(text("Tea", &["Green", "Tea"], "Steep it."), "Tea\nGreen\nTea\nSteep it.");
    }
}
