//! Whether a page holds the place that a link points to.

use std::borrow::Cow;

use wikirag_text::caseless;

use crate::resolution::Anchor;

/// Whether the Markdown `text` holds the heading or the block.
///
/// Headings are compared as Obsidian does: letters without case, while markup and punctuation are of no weight. The
/// forms that sites make of headings (`#getting-started`, `#notes-1` for the second `Notes`) are known too, and names
/// that were given (`{#name}`, `id="name"`). What stands in fenced code is no heading. Linear in the text.
#[must_use]
pub fn has_anchor(text: &str, anchor: &Anchor) -> bool {
    match anchor {
        Anchor::Block(id) => lines(text).any(|line| ends_with_block(line, id)),
        Anchor::Heading(parts) => {
            has_heading(text, parts) || parts.last().is_some_and(|name| has_given_name(text, name))
        }
    }
}

/// Whether a line closes with `^id`, also right behind a link (`[[a]]^id`), but not as a power (`2^10`).
fn ends_with_block(line: &str, id: &str) -> bool {
    line.trim_end()
        .rsplit_once('^')
        .is_some_and(|(before, name)| !before.ends_with(char::is_alphanumeric) && caseless(name) == caseless(id))
}

fn has_heading(text: &str, parts: &[String]) -> bool {
    let wanted: Vec<Wanted> = parts.iter().map(|part| Wanted::new(part)).collect();
    let Some(last) = wanted.last() else { return false };
    // The open headings, each with its level and how many of the parts are found down to it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut repeated = 0;
    let mut before = "";
    for line in lines(text) {
        let heading = heading(line).or_else(|| underlined(before, line));
        before = line;
        let Some((level, title)) = heading else { continue };
        while open.last().is_some_and(|(above, _)| *above >= level) {
            open.pop();
        }
        let found = open.last().map_or(0, |(_, found)| *found);
        let title = Title::new(title);
        if found + 1 >= wanted.len() && last.is(&title) {
            return true;
        }
        let is_next = wanted.get(found).is_some_and(|next| next.is(&title));
        open.push((level, found + usize::from(is_next)));
        repeated += usize::from(wanted.len() == 1 && last.repeats(&title));
        if last.copies.is_some_and(|copies| repeated > copies) {
            return true;
        }
    }
    false
}

/// A heading that is looked for.
struct Wanted {
    letters: String,
    slug: String,
    /// Where the slug ends in `-N`: `N`, the number of headings of the same slug before it.
    copies: Option<usize>,
}

impl Wanted {
    fn new(part: &str) -> Self {
        let slug = slug(part);
        let copies = slug.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
        Self { letters: letters(part), slug, copies }
    }

    fn is(&self, title: &Title) -> bool {
        title.letters.contains(&self.letters) || (!self.slug.is_empty() && title.slugs.contains(&self.slug))
    }

    /// Whether sites would number this heading to get the slug.
    fn repeats(&self, title: &Title) -> bool {
        self.copies.is_some()
            && self.slug.rsplit_once('-').is_some_and(|(slug, _)| title.slugs.iter().any(|own| own == slug))
    }
}

/// A heading of the text: as it is written, and as it is shown.
struct Title {
    letters: [String; 2],
    slugs: [String; 2],
}

impl Title {
    fn new(written: &str) -> Self {
        let shown = shown(written);
        Self { letters: [letters(written), letters(&shown)], slugs: [slug(written), slug(&shown)] }
    }
}

/// The letters and digits, with one space for all that stands between them. A heading without any is compared as it is.
fn letters(text: &str) -> String {
    let folded = caseless(text);
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { folded.split_whitespace().collect() } else { words.join(" ") }
}

/// What sites make of a heading: no punctuation, and a hyphen for white space. Runs of hyphens count as one, since
/// programs disagree on them.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in caseless(text).chars() {
        match c {
            c if c.is_alphanumeric() || c == '_' => slug.push(c),
            c if (c == '-' || c.is_whitespace()) && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug.trim_matches('-').to_owned()
}

/// A heading without the name given behind it (`{#name}`, `^block`), and with its links as they are shown: `[[a|b]]` as
/// `b`, `[text](url)` as `text`.
fn shown(heading: &str) -> Cow<'_, str> {
    let given = heading.rsplit_once(' ').filter(|(_, name)| name.starts_with('^') || name.starts_with("{#"));
    let heading = given.map_or(heading, |(heading, _)| heading);
    if !heading.contains('[') {
        return Cow::Borrowed(heading);
    }
    let mut shown = String::new();
    let mut rest = heading;
    while let Some(at) = rest.find('[') {
        shown.push_str(&rest[..at]);
        let link = &rest[at..];
        let (words, length) = wikilink(link).or_else(|| inline_link(link)).unwrap_or(("[", 1));
        shown.push_str(words);
        rest = &link[length..];
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// The words of the wikilink with which `text` begins, and its length.
fn wikilink(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix("[[")?;
    let end = inside.find(['[', ']']).filter(|end| inside[*end..].starts_with("]]"))?;
    let inside = &inside[..end];
    Some((inside.split_once('|').map_or(inside, |(_, alias)| alias), end + 4))
}

/// The words of the inline link with which `text` begins, and its length.
fn inline_link(text: &str) -> Option<(&str, usize)> {
    let end = 1 + text.get(1..)?.find(['[', ']'])?;
    let close = text[end..].strip_prefix("](")?.find([')', '('])?;
    text[end + 2 + close..].starts_with(')').then_some((&text[1..end], end + 2 + close + 1))
}

/// The level and title of a heading that begins with `#`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if !(1..=6).contains(&level) || !(title.is_empty() || title.starts_with([' ', '\t'])) {
        return None;
    }
    // Closing marks stand behind a space; a title may end in `C#`.
    let title = title.trim();
    let open = title.trim_end_matches('#');
    Some((level, if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { title }))
}

/// The level and title of a heading whose next line is `===` or `---`.
fn underlined<'a>(title: &'a str, line: &str) -> Option<(usize, &'a str)> {
    let line = line.trim();
    let level = if line.starts_with('=') { 1 } else { 2 };
    let is_rule = !line.is_empty() && line.bytes().all(|byte| byte == if level == 1 { b'=' } else { b'-' });
    let is_text = !title.trim().is_empty() && heading(title).is_none();
    (is_rule && is_text).then(|| (level, title.trim()))
}

/// Whether a name was given to a place: `{#name}` behind a heading, or `id="name"` or `name="name"` in HTML.
fn has_given_name(text: &str, name: &str) -> bool {
    let is_given = |(at, _): (usize, &str)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_attribute = |quote: char| {
            let key = before.strip_suffix(quote).filter(|_| after.starts_with(quote));
            key.is_some_and(|key| key.ends_with("id=") || key.ends_with("name="))
        };
        (before.ends_with("{#") && after.starts_with(['}', ' '])) || is_attribute('"') || is_attribute('\'')
    };
    !name.is_empty() && text.match_indices(name).any(is_given)
}

/// The lines of a text that are neither front matter nor fenced code, without the marks of quotations.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    let text = text.trim_start_matches('\u{feff}');
    text.lines().skip(front_matter_lines(text)).filter_map(move |line| {
        let line = line.trim_start_matches(['>', ' ', '\t']);
        let marks = marks(line);
        match fence {
            Some(open) => {
                if marks.starts_with(open) && line[marks.len()..].trim().is_empty() {
                    fence = None;
                }
                None
            }
            None if marks.len() >= 3 && !(marks.starts_with('`') && line[marks.len()..].contains('`')) => {
                fence = Some(marks);
                None
            }
            None => Some(line),
        }
    })
}

/// How many lines the front matter takes.
fn front_matter_lines(text: &str) -> usize {
    let mut lines = text.lines();
    if lines.next().is_none_or(|first| first.trim_end() != "---") {
        return 0;
    }
    lines.position(|line| matches!(line.trim_end(), "---" | "...")).map_or(0, |last| last + 2)
}

/// The backticks or tildes with which a line begins.
fn marks(line: &str) -> &str {
    let rest = match line.as_bytes().first() {
        Some(b'`') => line.trim_start_matches('`'),
        Some(b'~') => line.trim_start_matches('~'),
        _ => line,
    };
    &line[..line.len() - rest.len()]
}

#[cfg(test)]
mod tests;
