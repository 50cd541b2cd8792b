//! Values that are called a password, a key or a token, and passwords in addresses.

use std::ops::Range;

use super::Leak;
use super::chance::{is_chosen, is_drawn};
use crate::lint::finding::Severity;

/// Ends of names of passwords, in lower case, without `-`, `_` and blanks.
const PASSWORDS: [&str; 11] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "passwort",
    "kennwort",
    "contraseña",
    "motdepasse",
    "пароль",
    "密码",
    "パスワード",
];

/// Ends of names of keys and tokens, in the same form.
const KEYS: [&str; 14] = [
    "apikey",
    "secret",
    "secretkey",
    "accesskey",
    "authtoken",
    "accesstoken",
    "refreshtoken",
    "bearertoken",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "accountkey",
    "token",
    "authorization",
];

/// Ends of names that are no secrets, though they end so.
const NOT_SECRET: [&str; 8] =
    ["pagetoken", "nexttoken", "continuationtoken", "csrftoken", "padtoken", "eostoken", "canceltoken", "synctoken"];

/// Bytes of a name or value, at most.
const LONGEST: usize = 200;

/// Bytes of a chosen password, and of a value drawn by chance, at least.
const LEAST_CHOSEN: usize = 8;
const LEAST_DRAWN: usize = 16;

/// Finds `name = value` and `name: value`, and `scheme://user:password@host`.
pub(super) fn find(text: &str, sink: &mut impl FnMut(Leak)) {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if !matches!(byte, b'=' | b':') {
            continue;
        }
        // No name and no value is longer, so the time stays linear.
        let around = text.floor_char_boundary(at.saturating_sub(LONGEST))..text.ceil_char_boundary(at + 2 * LONGEST);
        let (start, text, at) = (around.start, &text[around.clone()], at - around.start);
        if let Some(mut leak) = in_address(text, at).or_else(|| assigned(text, at)) {
            leak.span = start + leak.span.start..start + leak.span.end;
            sink(leak);
        }
    }
}

/// What stands behind the sign at `at`, if what stands before it calls it a secret.
fn assigned(text: &str, at: usize) -> Option<Leak> {
    let name = name_before(&text[..at])?;
    let is = |names: &[&str]| names.iter().any(|known| name.ends_with(known));
    let is_password = is(&PASSWORDS);
    if !is_password && (!is(&KEYS) || is(&NOT_SECRET)) {
        return None;
    }
    let span = value_behind(text, at + 1)?;
    let value = &text[span.clone()];
    let is_leak = if is_password {
        value.len() >= LEAST_CHOSEN && is_chosen(value) && is_literal(value)
    } else {
        value.len() >= LEAST_DRAWN && is_drawn(value) && is_literal(value) && digits(value) >= 2
    };
    let what = if is_password { "a password" } else { "a key or token" };
    is_leak.then_some(Leak { what, span, severity: Severity::Error })
}

fn digits(value: &str) -> usize {
    value.bytes().filter(u8::is_ascii_digit).count()
}

/// The name at the end of `text`, in lower case and without separators: the last word of its line, which may stand in quotes.
fn name_before(text: &str) -> Option<String> {
    let is_around = |c: char| matches!(c, ' ' | '\t' | '"' | '\'' | '`' | '*' | ']' | ':' | '?');
    let text = text.trim_end_matches(is_around);
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        if !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) || text.len() - at > LONGEST {
            break;
        }
        start = at;
    }
    let word = &text[start..];
    let mut name: String = word.chars().filter(|c| !"_-.".contains(*c)).flat_map(char::to_lowercase).collect();
    // The one name of several words.
    if name == "passe" {
        name = text[..start].trim_end().strip_suffix("mot de").map_or(name, |_| "motdepasse".to_owned());
    }
    (!name.is_empty()).then_some(name)
}

/// The value that begins behind byte `from`: what stands in quotes, or up to the next white space.
fn value_behind(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = &text[from..];
    let lead = rest.len() - rest.trim_start_matches(['=', ':', '>', ' ', '\t', '*']).len();
    let mut start = from + lead;
    for scheme in ["Bearer ", "Basic ", "token "] {
        if text[start..].starts_with(scheme) {
            start += scheme.len();
        }
    }
    let rest = &text[start..];
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let (start, length) = match quote {
        Some(quote) => (start + 1, rest[1..].find([quote, '\n'])?),
        None => {
            let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '&' | ',' | ';' | '|');
            (start, rest.find(ends).unwrap_or(rest.len()))
        }
    };
    let value = text[start..start + length].trim_end_matches([')', ']', '}', '.', ',', ';', '\\']);
    (!value.is_empty() && value.len() <= LONGEST).then_some(start..start + value.len())
}

/// Whether a value is written out, and not a call, a path, a variable or an address.
fn is_literal(value: &str) -> bool {
    // What is left of a web token in an example: a whole one is found by its form.
    let begins = value.starts_with(['$', '%', '@', '/', '{', '[', '(', '&', '\\', '~', '#', '|', '^'])
        || value.starts_with("eyJ");
    !begins && !value.contains(['(', ' ', '[', '{']) && !value.contains("://") && !value.contains("::")
}

/// The password of `scheme://user:password@host`, of which the second colon is at `at`.
fn in_address(text: &str, at: usize) -> Option<Leak> {
    let before = &text[..at];
    let user = before.rfind("://").map(|scheme| &before[scheme + 3..])?;
    let is_part =
        |part: &str| part.len() <= LONGEST && !part.contains(|c: char| c.is_whitespace() || "/@:\"'`<>()".contains(c));
    if !is_part(user) {
        return None;
    }
    let password = text[at + 1..].split('@').next()?;
    let host = text[at + 1 + password.len()..].strip_prefix('@')?;
    let is_host = host.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    let is_leak = is_host && is_part(password) && password.len() >= 6 && password != user && is_chosen(password);
    let span = at + 1..at + 1 + password.len();
    is_leak.then_some(Leak { what: "a password in an address", span, severity: Severity::Error })
}
