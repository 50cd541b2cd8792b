//! Where each client keeps its servers, and in what form.

use std::path::{Path, PathBuf};

use crate::args::Client;

/// The form of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON, perhaps with comments: an object of servers under this key.
    Json {
        /// The key.
        servers: &'static str,
        /// Whether an entry says that it is a program and no address.
        typed: bool,
    },
    /// TOML: a table of servers under `mcp_servers`.
    Toml,
}

/// The systems that differ in where programs keep their settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Mac,
    Windows,
}

/// Where programs keep settings on this machine.
#[derive(Debug, Clone)]
pub(super) struct Folders {
    pub(super) system: System,
    pub(super) home: PathBuf,
    /// `XDG_CONFIG_HOME`, or `APPDATA` on Windows.
    pub(super) config: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`.
    pub(super) claude: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub(super) codex: Option<PathBuf>,
}

impl Folders {
    /// Of whoever runs the program; `None` where it has no home.
    pub(super) fn of_process() -> Option<Self> {
        let system = match std::env::consts::OS {
            "macos" => System::Mac,
            "windows" => System::Windows,
            _ => System::Linux,
        };
        let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let config = if system == System::Windows { "APPDATA" } else { "XDG_CONFIG_HOME" };
        let home = std::env::home_dir().filter(|home| home.is_absolute())?;
        let (claude, codex) = (folder("CLAUDE_CONFIG_DIR"), folder("CODEX_HOME"));
        Some(Self { system, home, config: folder(config), claude, codex })
    }

    /// Where programs with windows keep theirs.
    fn settings(&self) -> PathBuf {
        let config = self.config.clone();
        match self.system {
            System::Linux => config.unwrap_or_else(|| self.home.join(".config")),
            System::Mac => self.home.join("Library/Application Support"),
            System::Windows => config.unwrap_or_else(|| self.home.join("AppData/Roaming")),
        }
    }

    /// The file in which this client keeps the servers of its user.
    pub(super) fn of_user(&self, client: Client) -> PathBuf {
        let home = |below: &str| self.home.join(below);
        match client {
            Client::Claude => self.claude.as_ref().unwrap_or(&self.home).join(".claude.json"),
            Client::ClaudeDesktop => self.settings().join("Claude/claude_desktop_config.json"),
            Client::Codex => self.codex.clone().unwrap_or_else(|| home(".codex")).join("config.toml"),
            Client::Cursor => home(".cursor/mcp.json"),
            Client::Gemini => home(".gemini/settings.json"),
            Client::Vscode => self.settings().join("Code/User/mcp.json"),
            Client::Windsurf => home(".codeium/windsurf/mcp_config.json"),
            Client::Zed => match self.system {
                System::Linux => self.settings().join("zed/settings.json"),
                System::Mac => home(".config/zed/settings.json"),
                System::Windows => self.settings().join("Zed/settings.json"),
            },
        }
    }
}

/// The file in which this client looks for the servers of the project in `folder`; `None` where it has none.
pub(super) fn of_project(client: Client, folder: &Path) -> Option<PathBuf> {
    let below = match client {
        Client::Claude => ".mcp.json",
        Client::Codex => ".codex/config.toml",
        Client::Cursor => ".cursor/mcp.json",
        Client::Gemini => ".gemini/settings.json",
        Client::Vscode => ".vscode/mcp.json",
        Client::Zed => ".zed/settings.json",
        Client::ClaudeDesktop | Client::Windsurf => return None,
    };
    Some(folder.join(below))
}

/// The form of that file.
pub(super) const fn form(client: Client) -> Form {
    match client {
        Client::Codex => Form::Toml,
        Client::Vscode => Form::Json { servers: "servers", typed: true },
        Client::Claude => Form::Json { servers: "mcpServers", typed: true },
        Client::Zed => Form::Json { servers: "context_servers", typed: false },
        Client::ClaudeDesktop | Client::Cursor | Client::Gemini | Client::Windsurf => {
            Form::Json { servers: "mcpServers", typed: false }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_places() {
        let folders = |system, config: Option<&str>| Folders {
            system,
            home: "/folk/ada".into(),
            config: config.map(PathBuf::from),
            claude: None,
            codex: None,
        };
        let linux = folders(System::Linux, None);
        assert_eq!(linux.of_user(Client::Vscode), Path::new("/folk/ada/.config/Code/User/mcp.json"));
        assert_eq!(linux.of_user(Client::Claude), Path::new("/folk/ada/.claude.json"));
        assert_eq!(
            folders(System::Linux, Some("/etc/ada")).of_user(Client::Zed),
            Path::new("/etc/ada/zed/settings.json")
        );
        let mac = folders(System::Mac, Some("/etc/ada"));
        let desktop = Path::new("/folk/ada/Library/Application Support/Claude/claude_desktop_config.json");
        assert_eq!(mac.of_user(Client::ClaudeDesktop), desktop);
        assert_eq!(mac.of_user(Client::Zed), Path::new("/folk/ada/.config/zed/settings.json"));
        let windows = folders(System::Windows, Some("/roaming"));
        assert_eq!(windows.of_user(Client::Vscode), Path::new("/roaming/Code/User/mcp.json"));
        let codex = Folders { codex: Some("/codex".into()), ..linux };
        assert_eq!(codex.of_user(Client::Codex), Path::new("/codex/config.toml"));
    }
}
