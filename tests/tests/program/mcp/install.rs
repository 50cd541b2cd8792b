//! Writing the server into the configuration of a client.

use std::fs;

use serde_json::{Value, json};
use wikirag_tests::World;

use super::plot;

fn read(world: &World, below: &str) -> String {
    fs::read_to_string(world.home(below)).unwrap()
}

fn write(world: &World, below: &str, text: &str) {
    fs::create_dir_all(world.home(below).parent().unwrap()).unwrap();
    fs::write(world.home(below), text).unwrap();
}

/// The programs that a configuration names are started by that configuration.
fn starts(entry: &Value, world: &World) {
    let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    assert_eq!(entry["command"], env!("CARGO_BIN_EXE_wikirag-under-test"));
    assert_eq!(args[0], "mcp");
    assert!(std::path::Path::new(args[1]).is_absolute(), "{args:?}");
    let mut command = std::process::Command::new(entry["command"].as_str().unwrap());
    command.args(args).current_dir(world.home("")).env("HOME", world.home("")).stdin(std::process::Stdio::null());
    assert!(command.output().unwrap().status.success());
}

#[test]
fn the_difference_is_shown_and_written_on_demand() {
    let world = plot();
    let run = world.run(&["mcp", "install", "--client", "cursor", "plot.rag.yaml", "--dry-run"]).ok();
    assert!(run.stdout.contains("+    \"wikirag\": {"), "{run}");
    assert!(!world.home(".cursor").exists());
    // Nobody can agree where there is no terminal.
    let run = world.run(&["mcp", "install", "--client", "cursor", "plot.rag.yaml"]).expect(2);
    assert!(run.stderr.contains("--yes") && !world.home(".cursor").exists(), "{run}");
    let _ = world.run(&["mcp", "install", "--client", "cursor", "plot.rag.yaml", "--yes"]).ok();
    let written: Value = serde_json::from_str(&read(&world, ".cursor/mcp.json")).unwrap();
    starts(&written["mcpServers"]["wikirag"], &world);
    let run = world.run(&["mcp", "install", "--client", "cursor", "plot.rag.yaml", "--yes"]).ok();
    assert!(run.stdout.is_empty() && run.stderr.contains("no change"), "{run}");
    assert_eq!(fs::read_dir(world.home(".cursor")).unwrap().count(), 1);
}

#[test]
fn all_that_is_not_ours_stays() {
    let world = plot();
    let before = "{\n\t// mine\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\", \"args\": []}, // keep\n\t},\n\t\"theme\": 1\n}\n";
    write(&world, ".gemini/settings.json", before);
    let _ = world.run(&["mcp", "install", "--client", "gemini", "--name", "plot", "plot.rag.yaml", "--yes"]).ok();
    let after = read(&world, ".gemini/settings.json");
    for line in before.lines() {
        assert!(after.contains(line.trim_end_matches(',')), "{line}\n{after}");
    }
    assert!(after.contains("\"plot\": {"), "{after}");

    let before = "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\" # keep\n";
    write(&world, ".codex/config.toml", before);
    let _ = world.run(&["mcp", "install", "--client", "codex", "plot.rag.yaml", "--yes"]).ok();
    let after = read(&world, ".codex/config.toml");
    assert!(after.starts_with(before) && after.contains("[mcp_servers.wikirag]"), "{after}");
}

#[test]
fn a_broken_configuration_is_told_and_left_alone() {
    let world = plot();
    for (client, file, text, line) in [
        ("claude", ".claude.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "line 2"),
        ("codex", ".codex/config.toml", "a = 1\nb =\n", "line 2"),
        ("windsurf", ".codeium/windsurf/mcp_config.json", "{\"mcpServers\": 3}", "`mcpServers`"),
    ] {
        write(&world, file, text);
        let run = world.run(&["mcp", "install", "--client", client, "plot.rag.yaml", "--yes"]).expect(1);
        assert!(run.stderr.contains(line) && run.stderr.contains(file), "{run}");
        assert_eq!(read(&world, file), text);
    }
}

#[test]
fn a_project_has_its_own() {
    let world = plot();
    for (client, file, key) in [
        ("claude", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("zed", ".zed/settings.json", "context_servers"),
    ] {
        let _ = world.run(&["mcp", "install", "--client", client, "--project", "garden", "--yes"]).ok();
        let written: Value = serde_json::from_str(&world.read(file)).unwrap();
        starts(&written[key]["wikirag"], &world);
    }
    assert_eq!(
        serde_json::from_str::<Value>(&world.read(".vscode/mcp.json")).unwrap()["servers"]["wikirag"]["type"],
        json!("stdio")
    );
    let run = world.run(&["mcp", "install", "--client", "windsurf", "--project", "garden", "--yes"]).expect(2);
    assert!(run.stderr.contains("--project"), "{run}");
}

/// Links to files kept elsewhere stay links, and what others may not read stays so.
#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let world = plot();
    write(&world, "dotfiles/claude.json", "{\"key\": \"k\"}");
    fs::set_permissions(world.home("dotfiles/claude.json"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink(world.home("dotfiles/claude.json"), world.home(".claude.json")).unwrap();
    let _ = world.run(&["mcp", "install", "--client", "claude", "garden", "--yes"]).ok();
    assert!(fs::symlink_metadata(world.home(".claude.json")).unwrap().is_symlink());
    let metadata = fs::metadata(world.home("dotfiles/claude.json")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    assert!(read(&world, "dotfiles/claude.json").contains("\"key\": \"k\""));
}

#[test]
fn what_cannot_be_served_is_not_installed() {
    let world = plot();
    let _ = world.run(&["mcp", "install", "--client", "cursor", "nowhere", "--yes"]).expect(1);
    let _ = world.run(&["mcp", "install", "--client", "cursor", "vault", "--yes"]).expect(6);
    let _ = world.run(&["mcp", "install", "--client", "cursor", "--name", "a b", "garden", "--yes"]).expect(2);
    let run = world.run(&["mcp", "install", "--client", "emacs", "garden"]).expect(2);
    assert!(run.stderr.contains("claude-desktop"), "{run}");
    assert!(!world.home(".cursor").exists());
}
