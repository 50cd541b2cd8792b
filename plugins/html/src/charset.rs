//! The encoding that a page says it is in.

/// How far into a file browsers look for the declaration.
const LOOKED_AT: usize = 1024;

/// The label that the file declares in its first kilobyte: in the XML declaration or in a `<meta>`. Labels of UTF-16 are
/// passed over: a declaration that can be read byte by byte is not in UTF-16.
pub(crate) fn declared(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(LOOKED_AT)]).to_ascii_lowercase();
    let in_xml = head.trim_start().strip_prefix("<?xml").and_then(|rest| label(rest.split("?>").next()?, "encoding"));
    let mut metas = head.split("<meta").skip(1).map(|rest| rest.split('>').next().unwrap_or(rest));
    in_xml.or_else(|| metas.find_map(|meta| label(meta, "charset"))).filter(|label| !label.starts_with("utf-16"))
}

/// What stands behind `key =`, with or without quotes.
fn label(text: &str, key: &str) -> Option<String> {
    let value = text.split(key).skip(1).find_map(|rest| rest.trim_start().strip_prefix('='))?;
    let value = value.trim_start().trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.+".contains(c)).unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_every_form() {
        for (file, expected) in [
            ("<meta charset=koi8-r>", Some("koi8-r")),
            ("<META CHARSET = 'Big5' />", Some("big5")),
            ("<meta name=a><meta http-equiv=Content-Type content=\"text/html; charset=Shift_JIS\">", Some("shift_jis")),
            ("<?xml version='1.0' encoding='ISO-8859-2'?><html>", Some("iso-8859-2")),
            ("<meta name=charset content=x>", None),
            ("<meta charset=utf-16le>", None),
            ("<meta charset=>", None),
            ("charset=big5", None),
            ("", None),
        ] {
            assert_eq!(declared(file.as_bytes()).as_deref(), expected, "{file}");
        }
    }

    #[test]
    fn bytes_of_any_encoding_may_stand_before_it() {
        assert_eq!(declared(b"<title>\xc4\xe3</title><meta charset=gbk>").as_deref(), Some("gbk"));
    }
}
