//! The links of a Markdown file, found line by line: words of a link that run over the end of a line are not found, nor blocks of
//! HTML by tags that notes do not use.

use std::collections::HashMap;

/// A link as it is written.
pub(crate) struct Link {
    /// From 1.
    pub(crate) line: usize,
    /// `wiki`, `embed` or `inline`.
    pub(crate) kind: &'static str,
    pub(crate) target: String,
}

/// What the front matter and the first heading say.
pub(crate) struct Head {
    pub(crate) title: String,
    pub(crate) aliases: Vec<String>,
}

/// Lines of the front matter between its markers, and the number of lines that it takes.
fn front_matter(text: &str) -> Option<(Vec<&str>, usize)> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    let inside: Vec<&str> = lines.take_while(|line| !matches!(line.trim_end(), "---" | "...")).collect();
    let taken = inside.len() + 2;
    (taken <= text.lines().count() && inside.iter().any(|line| line.contains(':'))).then_some((inside, taken))
}

/// Reads title and aliases as far as plain YAML goes: `key: value`, `key: [a, b]`, and lists of one item a line.
pub(crate) fn head(text: &str, path: &str) -> Head {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut head = Head { title: String::new(), aliases: Vec::new() };
    let bare = |value: &str| value.trim().trim_matches(['"', '\'']).trim().to_owned();
    let (inside, taken) = front_matter(text).unwrap_or_default();
    let mut key = "";
    for line in inside {
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            if matches!(key, "aliases" | "alias") {
                head.aliases.push(bare(item));
            }
            continue;
        }
        let Some((name, value)) = line.split_once(':').filter(|_| !line.starts_with([' ', '\t'])) else { continue };
        key = name.trim();
        match key {
            "title" => head.title = bare(value),
            "aliases" | "alias" => {
                let value = value.trim();
                match value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
                    Some(list) => head.aliases.extend(list.split(',').map(bare)),
                    None => head.aliases.push(bare(value)),
                }
            }
            _ => {}
        }
    }
    head.aliases.retain(|alias| !alias.is_empty() && alias != "null");
    if head.title.is_empty() {
        let mut in_code = false;
        for line in text.lines().skip(taken) {
            in_code ^= line.trim_start().starts_with("```");
            if let Some(title) = line.strip_prefix("# ").filter(|title| !in_code && !title.trim().is_empty()) {
                head.title = title.trim().trim_end_matches('#').trim().to_owned();
                break;
            }
        }
    }
    if head.title.is_empty() {
        head.title = name.trim_end_matches(".md").to_owned();
    }
    head
}

/// All links to other documents.
pub(crate) fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let (inside, taken) = front_matter(text).unwrap_or_default();
    for (at, line) in inside.into_iter().enumerate() {
        wikilinks(line, line, at + 2, &mut found);
    }
    let shown = shown(text, taken);
    let mut named = HashMap::new();
    for line in shown.lines() {
        if let Some((name, target)) = definition(line) {
            named.entry(name).or_insert(target);
        }
    }
    for (at, (line, written)) in shown.lines().zip(text.lines()).enumerate() {
        if definition(line).is_none() {
            wikilinks(line, written, at + 1, &mut found);
            inline(line, at + 1, &named, &mut found);
        }
    }
    found
}

/// The text with blanks for front matter, code and comments, line by line the same.
fn shown(text: &str, taken: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut fence: Option<String> = None;
    let mut html = false;
    for (at, line) in text.lines().enumerate() {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let bare = bare.strip_prefix("- ").unwrap_or(bare).trim_start();
        let marks: String = bare.chars().take_while(|c| *c == '`' || *c == '~').collect();
        match &fence {
            Some(open) => {
                if bare.trim_end() == marks && marks.starts_with(open.as_str()) {
                    fence = None;
                }
                lines.push(String::new());
                continue;
            }
            None if at >= taken && marks.len() >= 3 && !bare[marks.len()..].contains('`') => {
                fence = Some(marks);
                lines.push(String::new());
                continue;
            }
            None => {}
        }
        // Blocks of HTML end at a blank line; nothing in them is Markdown.
        let starts_html = HTML.iter().any(|tag| {
            let rest = line.trim_start().strip_prefix('<').map(|rest| rest.strip_prefix('/').unwrap_or(rest));
            rest.and_then(|rest| rest.to_lowercase().strip_prefix(tag).map(str::to_owned))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '>', '/', '\t']))
        });
        html = (html || starts_html) && !line.trim().is_empty();
        lines.push(if at < taken || html { String::new() } else { line.to_owned() });
    }
    let shown = without(&without_code(&lines.join("\n")), "<!--", "-->");
    without(&shown, "%%", "%%")
}

/// Tags that begin a block in which nothing is Markdown, of those that notes use.
const HTML: [&str; 15] = [
    "div", "p", "table", "tr", "td", "th", "thead", "tbody", "details", "summary", "iframe", "center", "ul", "ol", "li",
];

/// With blanks for what stands in backticks, paragraph by paragraph.
fn without_code(text: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    let mut at = 0;
    while at < out.len() {
        match out[at] {
            b'\\' => at += 2,
            b'`' => {
                let length = out[at..].iter().take_while(|byte| **byte == b'`').count();
                let end = text[at..].find("\n\n").map_or(out.len(), |end| at + end);
                let mut close = at + length;
                let mut found = None;
                while close < end {
                    let run = out[close..end].iter().take_while(|byte| **byte == b'`').count();
                    if run == length {
                        found = Some(close + run);
                        break;
                    }
                    close += run.max(1);
                }
                match found {
                    Some(behind) => {
                        out[at..behind].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
                        at = behind;
                    }
                    None => at += length,
                }
            }
            _ => at += 1,
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// With blanks for what stands between the marks. `%%` within a line takes nothing over its end.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(start) = text[at..].find(open).map(|start| at + start) {
        let inside = start + open.len();
        let Some(end) = text[inside..].find(close).map(|end| inside + end + close.len()) else { break };
        let before = text[..start].rsplit('\n').next().unwrap_or_default();
        if open == close
            && !before.trim_matches([' ', '\t', '>', '-', '*']).is_empty()
            && text[start..end].contains('\n')
        {
            at = inside;
            continue;
        }
        out[start..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `[name]: target`
fn definition(line: &str) -> Option<(String, String)> {
    let (name, target) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    let target = target.split_whitespace().next()?;
    (!name.starts_with('^') && !name.contains(['[', ']'])).then(|| (name.to_lowercase(), target.to_owned()))
}

/// The wikilinks of a line in which code and comments are blank. What is written says what they link to: code may stand in a link.
fn wikilinks(line: &str, written: &str, number: usize, found: &mut Vec<Link>) {
    let mut at = 0;
    while let Some(open) = line[at..].find("[[").map(|open| at + open) {
        let inside = &line[open + 2..];
        let end = inside.find(['[', ']']).unwrap_or(inside.len());
        at = open + 1;
        let is_escaped = line[..open].ends_with('\\');
        if is_escaped || !inside[end..].starts_with("]]") {
            continue;
        }
        let target = written.get(open + 2..open + 2 + end).unwrap_or_default();
        let target = target.split('|').next().unwrap_or_default().trim_end_matches('\\').trim();
        if !target.is_empty() {
            let kind = if line[..open].ends_with('!') { "embed" } else { "wiki" };
            found.push(Link { line: number, kind, target: target.to_owned() });
        }
        at = open + 2 + end + 2;
    }
}

fn inline(line: &str, number: usize, named: &HashMap<String, String>, found: &mut Vec<Link>) {
    let mut open = Vec::new();
    let mut previous = ' ';
    for (at, c) in line.char_indices() {
        let is_escaped = previous == '\\';
        previous = if is_escaped { ' ' } else { c };
        if is_escaped {
            continue;
        }
        if c == '[' {
            open.push(at);
        }
        if c != ']' {
            continue;
        }
        let Some(start) = open.pop() else { continue };
        let after = &line[at + 1..];
        let words = &line[start + 1..at];
        let is_wiki = line[..start].ends_with('[') || words.starts_with('[') && !after.starts_with('(');
        let target = match after.strip_prefix('(') {
            Some(rest) => destination(rest),
            None if is_wiki => None,
            None => {
                let name = after.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| name);
                let name = name.filter(|name| !name.is_empty()).unwrap_or(words).to_lowercase();
                named.get(&name).cloned()
            }
        };
        if let Some(target) = target.filter(|target| is_local(target)) {
            let kind = if line[..start].ends_with('!') { "embed" } else { "inline" };
            found.push(Link { line: number, kind, target });
        }
    }
}

/// The target of `(target "title")`, from behind the bracket on.
fn destination(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    if let Some(inside) = rest.strip_prefix('<') {
        return inside.split_once('>').map(|(target, _)| target.to_owned());
    }
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(rest[..at].to_owned()),
            ')' => depth -= 1,
            c if c.is_whitespace() => {
                // A title may follow, and nothing else.
                let title = rest[at..].trim_start();
                return title.starts_with(['"', '\'', '(', ')']).then(|| rest[..at].to_owned());
            }
            _ => {}
        }
    }
    None
}

/// Whether a target names neither a scheme nor a host.
fn is_local(target: &str) -> bool {
    let scheme = target.split_once(':').map_or("", |(scheme, _)| scheme);
    let has_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    !target.is_empty() && !has_scheme && !target.starts_with("//")
}
