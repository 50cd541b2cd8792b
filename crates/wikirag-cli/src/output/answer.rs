//! An answer in each of its formats.

use std::fmt::Write as _;

use wikirag::core::PlaceRange;
use wikirag::{Answer, Conflict, ConflictSide, Error, ErrorKind, Freshness, LayerPart, Result, SearchResult, Snippet};

use super::{clean, count, json_line, json_text};
use crate::args::Format;
use crate::terminal::{paint, style};

/// Renders an answer. Colours and links are for `text` alone.
/// `width` is that of a line of `text`, in characters.
pub(crate) fn print(answer: &Answer, format: Format, color: bool, width: usize) -> Result<String> {
    match format {
        Format::Text => {
            Ok(answer.results.iter().map(|result| text(result, color, width)).collect::<Vec<_>>().join("\n"))
        }
        Format::Json => json_text(answer),
        Format::Jsonl => answer.results.iter().map(json_line).collect(),
        Format::Md => Ok(answer.results.iter().map(markdown).collect::<Vec<_>>().join("\n")),
        Format::Csv => csv(answer),
    }
}

fn text(result: &SearchResult, color: bool, width: usize) -> String {
    let place = format!("{}/{}{}", result.wiki, clean(&result.path), result.place);
    let place = paint(color, style::PATH, &place);
    let place = if color { link(result, &place) } else { place };
    let rank = format!("{:>2}.", result.rank);
    let mut out = format!(
        "{rank} {place}  {}  {}{}\n",
        paint(color, style::BOLD, &trail(result)),
        paint(color, style::DIM, &format!("{:.4}", result.score)),
        match result.freshness {
            Freshness::Stale => paint(color, style::HINT, "  (the file has changed since)"),
            _ => String::new(),
        },
    );
    let indent = "    ";
    for line in wrap(&marked(&result.snippet, color), width.saturating_sub(indent.len())) {
        let _ = writeln!(out, "{indent}{line}");
    }
    for line in beside(result) {
        let _ = writeln!(out, "{indent}{}", paint(color, style::DIM, &line));
    }
    for line in disagreeing(result) {
        let _ = writeln!(out, "{indent}{}", paint(color, style::HINT, &line));
    }
    out.push_str(&explained(result, color));
    out
}

/// Title and headings, without saying the same twice.
fn trail(result: &SearchResult) -> String {
    let mut trail = vec![result.title.as_str()];
    trail.extend(result.headings.iter().map(String::as_str).filter(|heading| *heading != result.title));
    clean(&trail.join(" > "))
}

/// What stands under a result: further passages of its document, and where else the same is said.
fn beside(result: &SearchResult) -> Vec<String> {
    let mut lines: Vec<String> = result
        .passages
        .iter()
        .map(|passage| format!("also {} {}  {:.4}", passage.place, clean(&passage.headings.join(" > ")), passage.score))
        .collect();
    lines.extend(result.same.iter().map(|same| format!("also in {}/{}{}", same.wiki, clean(&same.path), same.place)));
    if result.more > 0 {
        lines.push(format!("{} in this document", count(result.more as u64, "further passage")));
    }
    lines
}

/// What a result disagrees with. It stands out, since a reader who misses it takes one side for the whole.
fn disagreeing(result: &SearchResult) -> Vec<String> {
    let place = |side: &ConflictSide| format!("{}/{}{}", side.wiki, side.path, side.place);
    let line = |conflict: &Conflict| {
        let Conflict { kind, here, there } = conflict;
        // A copy or further passage may be what disagrees.
        let own = if here.id == result.id { "here".to_owned() } else { format!("in {}", place(here)) };
        match there {
            Some(there) => format!(
                "disagrees with {}: \"{}\" {own}, \"{}\" there ({})",
                place(there),
                here.text,
                there.text,
                kind.name()
            ),
            None => format!("disagrees with a document that was not found: \"{}\" {own} ({})", here.text, kind.name()),
        }
    };
    result.conflicts.iter().map(|conflict| clean(&line(conflict))).collect()
}

/// A link that a terminal makes clickable (OSC 8).
fn link(result: &SearchResult, text: &str) -> String {
    let path = result.file.to_string_lossy();
    let mut url = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    format!("\u{1b}]8;;{url}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
}

/// The snippet with its marks: colours on a terminal, asterisks elsewhere. Control characters of a document never
/// reach a terminal.
pub(crate) fn marked(snippet: &Snippet, color: bool) -> String {
    let mut out = String::new();
    let mut end = 0;
    for [start, stop] in &snippet.marks {
        out.push_str(&clean(snippet.text.get(end..*start).unwrap_or("")));
        let word = clean(snippet.text.get(*start..*stop).unwrap_or(""));
        out.push_str(&if color { paint(true, style::MARK, &word) } else { format!("*{word}*") });
        end = *stop;
    }
    out.push_str(&clean(snippet.text.get(end..).unwrap_or("")));
    out
}

/// Lines of at most `width` characters, broken at blanks where there are some. Escape sequences count as nothing.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let long = visible(word);
        if used > 0 && used + 1 + long > width {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += long;
        }
    }
    lines
}

fn visible(word: &str) -> usize {
    let mut count = 0;
    let mut escaped = false;
    for c in word.chars() {
        match c {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            _ if escaped => {}
            _ => count += 1,
        }
    }
    count
}

fn explained(result: &SearchResult, color: bool) -> String {
    let Some(explanation) = &result.explanation else { return String::new() };
    let mut out = String::new();
    let mut score = 0.0;
    for part in &explanation.wikis {
        score += part.value;
        let _ = writeln!(
            out,
            "    {score:.6} = {:.6} from {} (weight {:.3}, rank {})",
            part.value, result.wiki, part.weight, part.rank
        );
        if !part.evidence.is_empty() {
            let evidence: Vec<String> =
                part.evidence.iter().map(|one| format!("{} {:.3}", one.layer, one.value)).collect();
            let _ = writeln!(
                out,
                "      weight of {}: {:.3} x {}, in relation to the largest",
                result.wiki,
                part.given,
                evidence.join(" x ")
            );
        }
    }
    let parts: Vec<String> = result
        .layers
        .iter()
        .map(|part| {
            let LayerPart { layer, rank, score, weight, value } = part;
            format!("{value:.6} from {layer} (weight {weight:.3}, rank {rank}, score {score:.3})")
        })
        .collect();
    let _ = writeln!(out, "      inside {}: {:.6} = {}", result.wiki, explanation.inside, parts.join(" + "));
    if let Some(reranked) = explanation.reranked {
        score = reranked;
        let _ = writeln!(out, "    {score:.6} by a model in its place");
    }
    for factor in &explanation.factors {
        score *= factor.value;
        let _ = writeln!(out, "    {score:.6} = x {:.4} for {} ({})", factor.value, factor.name, clean(&factor.note));
    }
    paint(color, style::DIM, &out)
}

fn markdown(result: &SearchResult) -> String {
    let quote = marked(&result.snippet, false);
    let below = beside(result).into_iter().chain(disagreeing(result));
    let below: String = below.map(|line| format!("\n   {line}\n")).collect();
    format!(
        "{}. **{}** `{}/{}{}` ({:.4})\n\n   > {quote}\n{below}",
        result.rank,
        trail(result),
        result.wiki,
        clean(&result.path),
        result.place,
        result.score,
    )
}

fn csv(answer: &Answer) -> Result<String> {
    let failed = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Internal, "write CSV", error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "rank",
        "id",
        "wiki",
        "path",
        "unit",
        "first",
        "last",
        "title",
        "headings",
        "score",
        "freshness",
        "text",
        "conflicts",
    ];
    writer.write_record(head).map_err(|error| failed(&error))?;
    for result in &answer.results {
        let (first, last) = result.place.ends();
        let unit = match result.place {
            PlaceRange::Lines(..) => "line",
            PlaceRange::Pages(..) => "page",
        };
        let conflicts: Vec<String> = result
            .conflicts
            .iter()
            .map(|one| format!("{} {}", one.kind.name(), one.there.as_ref().map_or(&one.here.text, |there| &there.id)))
            .collect();
        let freshness = serde_json::to_value(result.freshness).map_err(|error| failed(&error))?;
        writer
            .write_record([
                &result.rank.to_string(),
                &result.id,
                result.wiki.as_str(),
                &result.path,
                unit,
                &first.to_string(),
                &last.to_string(),
                &result.title,
                &result.headings.join(" > "),
                &result.score.to_string(),
                freshness.as_str().unwrap_or(""),
                &result.text,
                &conflicts.join("; "),
            ])
            .map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_control_characters() {
        let snippet = Snippet { text: "a \u{1b}[31m basil".into(), marks: vec![[8, 13]] };
        let shown = marked(&snippet, false);
        assert!(shown.ends_with("*basil*") && !shown.contains('\u{1b}'), "{shown:?}");
    }

    #[test]
    fn lines_break_at_blanks_and_escapes_have_no_width() {
        assert_eq!(wrap("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap("abcdefgh i", 3), ["abcdefgh", "i"]);
        assert_eq!(visible("\u{1b}[1mab\u{1b}[0m"), 2);
    }
}
