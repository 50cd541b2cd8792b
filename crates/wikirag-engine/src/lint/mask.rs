//! Showing what must not be shown.

/// Characters of a secret that are shown, at most.
const SHOWN: usize = 4;

/// The first characters of a secret, never more than a quarter of it, and how many it has.
pub(super) fn mask(secret: &str) -> String {
    let length = secret.chars().count();
    let shown: String =
        secret.chars().take(SHOWN.min(length / 4)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{shown}…` ({length} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_is_shown_and_no_more_than_four_characters() {
        assert_eq!(mask("ghp_abcdefghijklmnop"), "`ghp_…` (20 characters)");
        assert_eq!(mask("hunter22"), "`hu…` (8 characters)");
        assert_eq!(mask("äöü"), "`…` (3 characters)");
        assert_eq!(mask(""), "`…` (0 characters)");
    }
}
