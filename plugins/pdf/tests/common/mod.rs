//! PDF files made by hand.
#![allow(dead_code, reason = "each test file uses a part of it")]

/// A file of the objects, which are numbered from 1; the first is the catalog. `trailer` is added to its last dictionary.
pub(crate) fn file(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", number + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let table = bytes.len();
    let size = objects.len() + 1;
    bytes.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").bytes());
    for offset in offsets {
        bytes.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    bytes.extend(format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{table}\n%%EOF\n").bytes());
    bytes
}

/// A stream object.
pub(crate) fn stream(dict: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("<< /Length {} {dict} >>\nstream\n", data.len()).into_bytes();
    object.extend(data);
    object.extend(b"\nendstream");
    object
}

/// Number of the first object that [`pages`] leaves free.
pub(crate) fn first_free(pages: usize) -> usize {
    4 + 2 * pages
}

/// The objects of a file whose pages have these contents, in Helvetica as `/F`. The catalog gets `catalog` added, the
/// resources `resources`.
pub(crate) fn pages(contents: &[Vec<u8>], catalog: &str, resources: &str) -> Vec<Vec<u8>> {
    let kids: String = (0..contents.len()).map(|page| format!("{} 0 R ", 4 + 2 * page)).collect();
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>").into_bytes(),
        format!("<< /Type /Pages /Count {} /Kids [{kids}] >>", contents.len()).into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec(),
    ];
    for (page, content) in contents.iter().enumerate() {
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R \
                 /Resources << /Font << /F 3 0 R >> {resources} >> >>",
                5 + 2 * page
            )
            .into_bytes(),
        );
        objects.push(stream("", content));
    }
    objects
}

/// The content of a page with these lines, 14 apart; an empty line leaves a gap.
pub(crate) fn lines(lines: &[&str]) -> Vec<u8> {
    let mut content = b"BT /F 12 Tf 14 TL 72 770 Td\n".to_vec();
    for line in lines {
        content.push(b'(');
        content.extend(line.chars().map(|c| u8::try_from(c).unwrap_or(b'?')));
        content.extend(b") Tj T*\n");
    }
    content.extend(b"ET\n");
    content
}

/// A file of such pages.
pub(crate) fn text_file(pages_of_lines: &[&[&str]]) -> Vec<u8> {
    let contents: Vec<_> = pages_of_lines.iter().map(|page| lines(page)).collect();
    file(&pages(&contents, "", ""), "")
}
