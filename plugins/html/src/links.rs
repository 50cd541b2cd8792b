//! Which links lead to other documents.

/// The target of a link or an image as written, if it may lead to another document: it names neither a scheme nor a host.
pub(crate) fn relative(target: &str) -> Option<&str> {
    let target = target.trim();
    let scheme = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    let has_scheme = target.split_once(':').is_some_and(|(head, _)| {
        head.starts_with(|first: char| first.is_ascii_alphabetic()) && head.chars().all(scheme)
    });
    (!target.is_empty() && !has_scheme && !target.starts_with("//")).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_targets() {
        for target in ["a.html", "../a%20b.html#c", "#part", "/root.html", "a/b:c.html", "日本.html"] {
            assert_eq!(relative(&format!(" {target}\n")), Some(target));
        }
        for target in
            ["https://a.b", "mailto:a@b.c", "javascript:void(0)", "//host/a", "", " ", "data:image/png;base64,AA"]
        {
            assert_eq!(relative(target), None, "{target}");
        }
    }
}
