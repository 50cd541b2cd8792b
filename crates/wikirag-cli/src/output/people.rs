//! Small forms for people.

/// `1 file`, `2 files`.
pub(crate) fn count(number: u64, singular: &str) -> String {
    if number == 1 { format!("1 {singular}") } else { format!("{number} {singular}s") }
}

/// Columns of equal width, the last one as it comes. No line ends in blanks.
pub(crate) fn table<const N: usize>(head: &[&str; N], rows: Vec<[String; N]>) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |cells: Vec<&str>| {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        line.trim_end().to_owned() + "\n"
    };
    let mut text = line(head.to_vec());
    for row in &rows {
        text.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![["a".to_owned(), "long".to_owned()], ["bcd".to_owned(), String::new()]];
        assert_eq!(table(&["X", "Y"], rows), "X    Y\na    long\nbcd\n");
        assert_eq!((count(1, "file"), count(0, "file")), ("1 file".to_owned(), "0 files".to_owned()));
    }
}
