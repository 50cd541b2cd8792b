//! Mail addresses.

use std::ops::Range;

/// Names that documentation and programs use for nobody in particular.
const NOBODY: [&str; 21] = [
    "user",
    "username",
    "you",
    "your",
    "yourname",
    "your.name",
    "your-name",
    "name",
    "email",
    "your.email",
    "youremail",
    "someone",
    "somebody",
    "git",
    "noreply",
    "no-reply",
    "donotreply",
    "root",
    "ec2-user",
    "ubuntu",
    "test",
];

/// Names of boxes that several people read, as RFC 2142 and habit have them.
const SHARED: [&str; 20] = [
    "abuse",
    "admin",
    "billing",
    "careers",
    "contact",
    "hello",
    "help",
    "hi",
    "info",
    "jobs",
    "legal",
    "marketing",
    "office",
    "postmaster",
    "press",
    "privacy",
    "sales",
    "security",
    "support",
    "webmaster",
];

/// Domains that RFC 2606 and RFC 6761 set aside, and those that documentation uses for nobody.
const NOWHERE: [&str; 20] = [
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
    "example.com",
    "example.org",
    "example.net",
    "example.edu",
    "domain.com",
    "yourdomain.com",
    "company.com",
    "yourcompany.com",
    "mycompany.com",
    "mydomain.com",
    "test.com",
    "contoso.com",
    "fabrikam.com",
    "email.com",
    "noreply.github.com",
];

/// Ends of file names that are no domains: `logo@2x.png`.
const FILES: [&str; 14] =
    ["png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "html", "css", "js", "ts", "json", "yaml", "service"];

/// Bytes of the part before the sign, and of a domain, at most.
const LONGEST: (usize, usize) = (64, 255);

/// Hands over where mail addresses stand. One pass.
pub(super) fn find(text: &str, sink: &mut impl FnMut(Range<usize>)) {
    for (at, _) in text.match_indices('@') {
        let span = address(text, at);
        if let Some(span) = span {
            sink(span);
        }
    }
}

/// Whether an address is that of a box which several people read.
pub(super) fn is_shared(address: &str) -> bool {
    let name = address.split('@').next().unwrap_or_default();
    SHARED.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether the word that `text` ends in is an address of the web: `https://user:`.
fn is_in_address(text: &str) -> bool {
    let near = &text[text.floor_char_boundary(text.len().saturating_sub(LONGEST.1))..];
    near.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("://"))
}

/// The address around the sign at `at`.
fn address(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
    let is_host = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
    let length = bytes[..at].iter().rev().take(LONGEST.0 + 1).take_while(is_name).count();
    let mut start = at - length;
    while start < at && !bytes[start].is_ascii_alphanumeric() {
        start += 1;
    }
    let name = &text[start..at];
    // `//user@host/` is the user of an address, `@user@host` a handle, `é@host` the rest of a word.
    let before = text[..start].chars().next_back();
    let is_part = before.is_some_and(|c| matches!(c, '/' | '@' | '=') || c.is_alphanumeric())
        || before == Some(':') && is_in_address(&text[..start]);
    let mut length = bytes[at + 1..].iter().take(LONGEST.1 + 1).take_while(is_host).count();
    while length > 0 && !bytes[at + length].is_ascii_alphanumeric() {
        length -= 1;
    }
    let host = text[at + 1..at + 1 + length].to_ascii_lowercase();
    let after = text[at + 1 + length..].chars().next();
    let (labels, top) = host.rsplit_once('.')?;
    let is_domain =
        labels.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
            && labels.bytes().any(|byte| byte.is_ascii_lowercase())
            && (2..=24).contains(&top.len())
            && top.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_file = FILES.contains(&top) || ["2x.", "3x."].iter().any(|scale| host.starts_with(scale));
    let is_nowhere =
        NOWHERE.iter().any(|known| host.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
    let is_nobody = NOBODY.iter().any(|known| name.eq_ignore_ascii_case(known));
    let is_address = !name.is_empty() && name.len() <= LONGEST.0 && !name.ends_with('.') && !name.contains("..");
    // `git@host.org:path` and `host.org/path` go on as paths.
    let goes_on = after.is_some_and(|c| matches!(c, '@' | '(' | '_') || c.is_alphanumeric());
    (is_address && is_domain && !is_part && !is_file && !is_nowhere && !is_nobody && !goes_on)
        .then_some(start..at + 1 + length)
}
