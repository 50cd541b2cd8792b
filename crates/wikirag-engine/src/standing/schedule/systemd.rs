//! Services and timers of systemd, for its instance of a user.

use super::{Command, Job, NIGHTLY, Unit, WEEKLY};

pub(super) fn units(command: &Command<'_>) -> Vec<Unit> {
    // The full run waits for a delta that takes longer than it should: two at once are refused.
    let after = "After=wikirag-refresh.service\n";
    vec![
        Unit { place: "~/.config/systemd/user/wikirag-refresh.service", text: service(command, NIGHTLY, "") },
        Unit { place: "~/.config/systemd/user/wikirag-refresh.timer", text: timer(NIGHTLY) },
        Unit { place: "~/.config/systemd/user/wikirag-refresh-full.service", text: service(command, WEEKLY, after) },
        Unit { place: "~/.config/systemd/user/wikirag-refresh-full.timer", text: timer(WEEKLY) },
    ]
}

/// What is printed goes to the journal.
fn service(command: &Command<'_>, job: Job, after: &str) -> String {
    let words: Vec<String> = command.words_of(job).map(quoted).collect();
    let (title, folder, words) = (job.title, folder(command.folder), words.join(" "));
    format!(
        "[Unit]\nDescription={title}\n{after}\n\
         [Service]\nType=oneshot\nWorkingDirectory={folder}\nExecStart=:{words}\nNice=10\nIOSchedulingClass=idle\n"
    )
}

/// A run that fell into a time when the machine was off is made up for.
fn timer(job: Job) -> String {
    let (title, hour, day) = (job.title, job.hour, if job.is_full { "Sun " } else { "" });
    format!(
        "[Unit]\nDescription={title}\n\n\
         [Timer]\nOnCalendar={day}*-*-* {hour:02}:00:00\nPersistent=true\n\n\
         [Install]\nWantedBy=timers.target\n"
    )
}

/// A word of a command line. `%` begins a specifier, quoted or not; the `:` before the program keeps `$` from meaning a variable.
fn quoted(word: &str) -> String {
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@=%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { escaped } else { format!("\"{escaped}\"") }
}

/// A folder that stands for itself up to the end of the line. White space there would be lost, and a backslash would continue the
/// line; a slash behind them changes nothing.
fn folder(folder: &str) -> String {
    let escaped = folder.replace('%', "%%");
    if folder.ends_with(|c: char| c == '\\' || c.is_whitespace()) { escaped + "/" } else { escaped }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Scheduler;
    use super::super::tests::{ODD, plan};

    /// The value of a key, with specifiers resolved: only `%%` may occur.
    fn value(unit: &str, key: &str) -> String {
        let line = unit.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        line.split("%%").inspect(|part| assert!(!part.contains('%'), "{line}")).collect::<Vec<_>>().join("%")
    }

    /// The words of a command line, by the rules of systemd for double quotes.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut chars) = (Vec::new(), line.strip_prefix(':').unwrap().chars().peekable());
        while let Some(first) = chars.next() {
            let mut word = String::new();
            if first == '"' {
                while let Some(c) = chars.next().filter(|&c| c != '"') {
                    word.push(if c == '\\' { chars.next().unwrap() } else { c });
                }
                assert!(matches!(chars.next(), None | Some(' ')), "{line}");
            } else {
                word.push(first);
                word.extend(chars.by_ref().take_while(|&c| c != ' '));
                assert!(!word.contains(['\\', '\'', '"']), "{line}");
            }
            words.push(word);
        }
        words
    }

    fn check(folder: &str, program: &str, arguments: &[&str]) {
        let units = plan(folder, program, arguments).units(Scheduler::Systemd).unwrap();
        for (unit, more) in [&units[0], &units[2]].into_iter().zip([None, Some("--full")]) {
            let expected: Vec<&str> = std::iter::once(program).chain(arguments.iter().copied()).chain(more).collect();
            assert_eq!(words(&value(&unit.text, "ExecStart=")), expected);
            let place = value(&unit.text, "WorkingDirectory=");
            assert_eq!(std::path::Path::new(&place), std::path::Path::new(folder));
            assert!(!place.ends_with(|c: char| c == '\\' || c.is_whitespace()), "{place:?}");
        }
    }

    #[test]
    fn odd_words_arrive_as_they_are() {
        check("/srv/me/my \"50%\" notes\\", "/opt/100% $wiki's/wikirag", &ODD);
        check("/ends ", "/usr/bin/wikirag", &["refresh", "--all"]);
    }

    #[test]
    fn one_is_every_night_and_one_on_sunday() {
        let units = plan("/", "/w", &[]).units(Scheduler::Systemd).unwrap();
        assert_eq!(value(&units[1].text, "OnCalendar="), "*-*-* 03:00:00");
        assert_eq!(value(&units[3].text, "OnCalendar="), "Sun *-*-* 04:00:00");
    }

    proptest! {
        #[test]
        fn any_words_arrive_as_they_are(folder in "/\\PC{0,8}", words in prop::collection::vec("[ -~]{0,8}|\\PC{0,8}", 0..4)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            check(&folder, "/bin/w", &words);
        }
    }
}
