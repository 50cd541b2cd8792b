//! Small forms for people.

/// `1 file`, `2 files`.
pub(crate) fn count(number: u64, singular: &str) -> String {
    if number == 1 { format!("1 {singular}") } else { format!("{number} {singular}s") }
}

/// Text as a terminal may have it, costing no more tokens than it did: control characters count as white space, so they become
/// blanks, and marks that turn the direction of text become another sign.
pub(crate) fn plain(text: &str) -> String {
    let plain = |c: char| match c {
        '\n' | '\t' => c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}

/// Text of a document or file name as a terminal may have it: no control characters, which could move the cursor or
/// change colours, and no marks that turn the direction of what follows.
pub(crate) fn clean(text: &str) -> String {
    let is_unsafe = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect()
}

/// Columns of equal width, the last one as it comes, all cleaned. No line ends in blanks.
pub(crate) fn table<const N: usize>(head: &[&str; N], rows: Vec<[String; N]>) -> String {
    let head = head.map(str::to_owned).into();
    lines(std::iter::once(head).chain(rows.into_iter().map(Vec::from)).collect())
}

/// The same for as many columns as the first row, the head, has.
pub(crate) fn lines(rows: Vec<Vec<String>>) -> String {
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|row| row.into_iter().map(|cell| clean(&cell)).collect()).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.chars().count())).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |cells: &Vec<String>| {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        line.trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![["a".to_owned(), "long".to_owned()], ["bcd".to_owned(), String::new()]];
        assert_eq!(table(&["X", "Y"], rows), "X    Y\na    long\nbcd\n");
        assert_eq!(clean("a\u{1b}[31m\n\u{202e}é"), "a\u{fffd}[31m\u{fffd}\u{fffd}é");
        assert_eq!((count(1, "file"), count(0, "file")), ("1 file".to_owned(), "0 files".to_owned()));
    }
}
