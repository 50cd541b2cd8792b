//! Timers for the schedulers of systems.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use wikirag_tests::{Run, World};

use crate::world;

/// A folder with what schedulers and shells take for something else.
const ODD: &str = "my \"50%\" notes $HOME & <b> o'clock";

fn print_in(world: &World, folder: &str, args: &[&str]) -> Run {
    std::fs::create_dir_all(world.path(folder)).unwrap();
    let mut command = world.command(&[&["schedule", "print"], args].concat());
    Run::of(command.current_dir(world.path(folder))).ok()
}

/// Name and text of each file.
fn units(world: &World, folder: &str, args: &[&str]) -> Vec<(String, String)> {
    let units = print_in(world, folder, &[args, &["--json"]].concat()).json()["units"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let name = |place: &str| place.rsplit('/').next().unwrap().to_owned();
    units.as_array().unwrap().iter().map(|unit| (name(&text(&unit["place"])), text(&unit["text"]))).collect()
}

/// Whether a tool is on this machine. A test without it has not looked, and says so.
#[expect(clippy::print_stderr, reason = "for whoever reads the output of the tests")]
fn has(tool: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no {tool} on this machine");
    }
    is_there
}

#[test]
fn nothing_is_installed() {
    let world = world();
    let before = (world.snapshot(""), world.holds("systemd"));
    for scheduler in ["--systemd", "--cron", "--launchd"] {
        let _ = world.run(&["schedule", "print", scheduler]).ok();
    }
    assert_eq!((world.snapshot(""), world.holds("systemd")), before);
    assert!(!world.holds("LaunchAgents") && !world.holds("data"));
    let _ = world.run(&["schedule", "print"]).expect(2);
    let _ = world.run(&["schedule", "print", "--cron", "--systemd"]).expect(2);
}

#[test]
fn one_file_is_printed_as_it_belongs_there() {
    let world = world();
    for (name, text) in units(&world, "x", &["--systemd"]) {
        assert_eq!(print_in(&world, "x", &["--systemd", "--only", &name]).stdout, text);
    }
    let run = world.run(&["schedule", "print", "--systemd", "--only", "x.timer"]).expect(2);
    assert!(run.stderr.contains("wikirag-refresh-full.timer"), "{run}");
}

#[test]
fn systemd_takes_the_units() {
    if !has("systemd-analyze") {
        return;
    }
    let world = world();
    for (round, folder) in ["plain", ODD, "ends in a backslash\\", "and a blank "].into_iter().enumerate() {
        let units = units(&world, folder, &["--systemd", "two words", "50%h", "$HOME"]);
        assert_eq!(units.len(), 4);
        let mut paths = Vec::new();
        for (name, text) in units {
            world.write(&format!("units-{round}/{name}"), text);
            paths.push(world.path(&format!("units-{round}/{name}")));
        }
        let output = Command::new("systemd-analyze").arg("verify").args(&paths).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Of other units of the machine it may say what it likes.
        let of_ours: Vec<&str> = said.lines().filter(|line| line.contains("wikirag-refresh")).collect();
        assert!(output.status.success() && of_ours.is_empty(), "{folder}: {said}");
    }
    for time in ["*-*-* 03:00:00", "Sun *-*-* 04:00:00"] {
        assert!(Command::new("systemd-analyze").args(["calendar", time]).output().unwrap().status.success(), "{time}");
    }
}

#[test]
fn launchd_takes_the_agents() {
    let world = world();
    let units = units(&world, ODD, &["--launchd", "a & b", "<c>"]);
    assert_eq!(units.len(), 2);
    for (name, text) in &units {
        assert!(text.contains("<string>a &amp; b</string>") && text.contains("<string>&lt;c&gt;</string>"));
        world.write(name, text);
    }
    if has("plutil") {
        for (name, _) in &units {
            let lint = Command::new("plutil").arg("-lint").arg(world.path(name)).output().unwrap();
            assert!(lint.status.success(), "{}", String::from_utf8_lossy(&lint.stdout));
        }
    }
    if has("python3") {
        let parse = "import plistlib,sys; p=plistlib.load(open(sys.argv[1],'rb')); print(p['WorkingDirectory'])";
        for (name, _) in &units {
            let output = Command::new("python3").args(["-c", parse]).arg(world.path(name)).output().unwrap();
            let folder = String::from_utf8(output.stdout).unwrap();
            assert_eq!(Path::new(folder.trim_end_matches('\n')), world.path(ODD).canonicalize().unwrap());
        }
    }
}

/// What cron hands to the shell: all behind the five fields; `%` would end it, unless there is a backslash before it.
fn handed_on(line: &str) -> String {
    let command = line.splitn(6, ' ').nth(5).unwrap();
    assert!(!command.replace("\\%", "").contains('%'), "{line}");
    command.replace("\\%", "%")
}

/// The lines of the crontab do what they say, from the folder in which they were made.
#[cfg(unix)]
#[test]
fn the_lines_of_cron_run() {
    let world = world();
    for folder in ["plain", ODD] {
        let wiki = format!("{folder}/wiki 100% o'clock");
        world.write(&format!("{wiki}/a.md"), "# A\n\nThe heron waits.\n");
        let text = units(&world, folder, &["--cron", "wiki 100% o'clock"]).remove(0).1;
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines[0].starts_with("0 3 * * * ") && lines[1].starts_with("0 4 * * 0 ") && lines.len() == 2, "{text}");
        for (number, line) in lines.into_iter().enumerate() {
            let mut shell = world.command(&[]);
            let environment: Vec<_> =
                shell.get_envs().map(|(key, value)| (key.to_owned(), value.unwrap().to_owned())).collect();
            shell = Command::new("/bin/sh");
            shell.arg("-c").arg(handed_on(line)).env_clear().envs(environment).current_dir("/");
            let run = Run::of(&mut shell).ok();
            assert!(run.stdout.is_empty(), "{run}");
            let log = world.read(&format!("{wiki}/.index/log.jsonl"));
            assert_eq!(log.lines().count(), number + 1);
            // The full one reads what the other left alone.
            assert!(log.lines().last().unwrap().contains("\"indexed\":1"), "{log}");
        }
    }
}

#[test]
fn settings_of_the_call_go_along_and_variables_are_told_of() {
    let world = world();
    let run = world.run(&["--set", "limit=3", "schedule", "print", "--cron"]).ok();
    assert!(run.stdout.contains("--set limit=3 refresh --all >"), "{run}");
    assert!(run.stderr.contains("layers"), "the layers of this world are set by a variable: {run}");
}
