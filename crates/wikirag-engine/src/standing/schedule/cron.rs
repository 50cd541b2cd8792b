//! Lines of a crontab.

use super::{Command, Job, NIGHTLY, Unit, WEEKLY};

pub(super) fn unit(command: &Command<'_>) -> Unit {
    Unit { place: "crontab -e", text: [NIGHTLY, WEEKLY].map(|job| line(command, job)).concat() }
}

/// What is printed of each wiki goes nowhere, since it stands in the logs; what fails is mailed by cron.
fn line(command: &Command<'_>, job: Job) -> String {
    let words: Vec<String> = command.words_of(job).map(quoted).collect();
    let day = if job.is_full { "0" } else { "*" };
    let (title, hour, folder, words) = (job.title, job.hour, quoted(command.folder), words.join(" "));
    format!("# {title}\n0 {hour} * * {day} cd {folder} && {words} >/dev/null\n")
}

/// A word for the shell that cron starts. `%` ends a command in a crontab unless there is a backslash before it, which cron takes away
/// and a shell too, but not inside quotes: so each stands outside of them.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let mut quoted = String::from("'");
    for c in word.chars() {
        match c {
            '\'' => quoted.push_str("'\\''"),
            '%' => quoted.push_str("'\\%'"),
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Scheduler;
    use super::super::tests::{ODD, plan};

    /// What cron hands to the shell of a line: all behind the five fields, up to a `%` without a backslash before it. One with
    /// a backslash loses that.
    fn handed_on(line: &str) -> String {
        let mut rest = line;
        for _ in 0..5 {
            rest = rest.trim_start_matches(' ').split_once(' ').unwrap().1;
        }
        let (mut command, mut chars) = (String::new(), rest.chars().peekable());
        while let Some(c) = chars.next() {
            match c {
                '\\' if chars.peek() == Some(&'%') => command.extend(chars.next()),
                '%' => break,
                c => command.push(c),
            }
        }
        command
    }

    /// The words of a command as a shell reads it that knows single quotes, backslashes and nothing else.
    fn words(command: &str) -> Vec<String> {
        let (mut words, mut word, mut chars) = (Vec::new(), None::<String>, command.chars());
        while let Some(c) = chars.next() {
            match c {
                ' ' => words.extend(word.take()),
                '\'' => word.get_or_insert_default().extend(chars.by_ref().take_while(|&c| c != '\'')),
                '\\' => word.get_or_insert_default().extend(chars.next()),
                c => {
                    assert!(!"\"$`;|*?[]#~<()".contains(c), "{c} is bare in {command}");
                    word.get_or_insert_default().push(c);
                }
            }
        }
        words.extend(word);
        words
    }

    fn check(folder: &str, program: &str, arguments: &[&str]) {
        let unit = plan(folder, program, arguments).units(Scheduler::Cron).unwrap().remove(0);
        let lines: Vec<&str> = unit.text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines.iter().map(|line| &line[..10]).collect::<Vec<_>>(), ["0 3 * * * ", "0 4 * * 0 "]);
        for (line, more) in lines.into_iter().zip([None, Some("--full")]) {
            // With a cron that takes the backslash of a `%` away, and one that knows nothing of it.
            for command in [handed_on(line), line[10..].to_owned()] {
                let expected = ["cd", folder, "&&", program].into_iter().chain(arguments.iter().copied());
                let expected: Vec<&str> = expected.chain(more).chain([">/dev/null"]).collect();
                assert_eq!(words(&command), expected, "{line}");
            }
        }
    }

    #[test]
    fn odd_words_arrive_as_they_are() {
        check("/srv/me/my notes", "/opt/100% wiki's/wikirag", &ODD);
        check("/plain", "/usr/bin/wikirag", &["refresh", "--all"]);
    }

    #[test]
    fn plain_words_are_not_quoted() {
        let unit = plan("/srv/me", "/usr/bin/wikirag", &["refresh", "--all"]).units(Scheduler::Cron).unwrap().remove(0);
        assert!(unit.text.contains("\n0 4 * * 0 cd /srv/me && /usr/bin/wikirag refresh --all --full >/dev/null\n"));
    }

    proptest! {
        #[test]
        fn any_words_arrive_as_they_are(folder in "/\\PC{0,8}", words in prop::collection::vec("[ -~]{0,8}|\\PC{0,8}", 0..4)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            check(&folder, "/bin/w", &words);
        }
    }
}
