//! Property lists of launchd.

use super::{Command, Job, NIGHTLY, Unit, WEEKLY};

pub(super) fn units(command: &Command<'_>) -> Vec<Unit> {
    vec![
        Unit {
            place: "~/Library/LaunchAgents/wikirag.refresh.plist",
            text: agent(command, "wikirag.refresh", NIGHTLY),
        },
        Unit {
            place: "~/Library/LaunchAgents/wikirag.refresh-full.plist",
            text: agent(command, "wikirag.refresh-full", WEEKLY),
        },
    ]
}

/// Times are those of the clock on the wall; a run that fell into the sleep of the machine is made up for when it wakes.
fn agent(command: &Command<'_>, label: &str, job: Job) -> String {
    let words: String = command.words_of(job).map(|word| format!("    <string>{}</string>\n", escaped(word))).collect();
    let day = if job.is_full { "    <key>Weekday</key>\n    <integer>0</integer>\n" } else { "" };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- {title} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{label}</string>
  <key>ProgramArguments</key>
  <array>
{words}  </array>
  <key>WorkingDirectory</key>
  <string>{folder}</string>
  <key>StartCalendarInterval</key>
  <dict>
{day}    <key>Hour</key>
    <integer>{hour}</integer>
    <key>Minute</key>
    <integer>0</integer>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
"#,
        title = job.title,
        folder = escaped(command.folder),
        hour = job.hour,
    )
}

/// Text of an XML element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::Scheduler;
    use super::super::tests::{ODD, plan};

    /// The texts of the elements of one name, in order.
    fn texts(plist: &str, name: &str) -> Vec<String> {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let parts = plist.split(&open).skip(1).map(|part| part.split_once(&close).unwrap().0);
        let text = |part: &str| {
            assert!(!part.contains('<'), "{part} holds another element");
            part.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        };
        parts.map(text).collect()
    }

    #[test]
    fn odd_words_arrive_as_they_are() {
        let folder = "/srv/me/R&D <notes>";
        let units = plan(folder, "/opt/w", &ODD).units(Scheduler::Launchd).unwrap();
        for (unit, more) in units.iter().zip([None, Some("--full")]) {
            let strings = texts(&unit.text, "string");
            let arguments = &strings[1..strings.len() - 2];
            let expected: Vec<&str> = std::iter::once("/opt/w").chain(ODD).chain(more).collect();
            assert_eq!(arguments, expected);
            assert_eq!(strings[strings.len() - 2], folder);
            assert!(unit.place.ends_with(&format!("/{}.plist", strings[0])), "a plist is called by its label");
        }
    }

    #[test]
    fn one_is_every_night_and_one_on_sunday() {
        let units = plan("/", "/w", &[]).units(Scheduler::Launchd).unwrap();
        let times: Vec<Vec<String>> = units.iter().map(|unit| texts(&unit.text, "integer")).collect();
        assert_eq!(times, [vec!["3", "0"], vec!["0", "4", "0"]]);
    }
}
