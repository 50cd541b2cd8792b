//! Putting one server into a configuration. All else in the text stays as it is, byte by byte.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::clients::Form;

/// How a client starts the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Launch {
    /// The program.
    pub(super) command: String,
    /// Its arguments.
    pub(super) args: Vec<String>,
}

/// `text` with the server `name`. An entry of that name keeps what is not about how to start it.
///
/// # Errors
/// What is wrong with the text, and on which line as far as that can be told.
pub(super) fn with_server(text: &str, form: Form, name: &str, launch: &Launch) -> Result<String, String> {
    match form {
        Form::Json { servers, typed } => json(text, servers, typed, name, launch),
        Form::Toml => toml(text, name, launch),
    }
}

fn json(text: &str, servers: &str, typed: bool, name: &str, launch: &Launch) -> Result<String, String> {
    // What clients read: JSON, comments, and commas at the end.
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let broken = |error: jsonc_parser::errors::ParseError| format!("line {}: {}", error.line_display(), error.kind());
    let root = CstRootNode::parse(text, &options).map_err(broken)?;
    let document = root.object_value_or_create().ok_or("it is no object")?;
    let no_object = |what: &str| format!("`{what}` is no object");
    let servers = document.object_value_or_create(servers).ok_or_else(|| no_object(servers))?;
    let entry = servers.object_value_or_create(name).ok_or_else(|| no_object(name))?;
    if typed {
        set(&entry, "type", CstInputValue::String("stdio".to_owned()));
    }
    set(&entry, "command", CstInputValue::String(launch.command.clone()));
    let args = launch.args.iter().cloned().map(CstInputValue::String);
    set(&entry, "args", CstInputValue::Array(args.collect()));
    let mut text = root.to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn set(entry: &CstObject, key: &str, value: CstInputValue) {
    match entry.get(key) {
        Some(known) => known.set_value(value),
        None => {
            entry.append(key, value);
        }
    }
}

fn toml(text: &str, name: &str, launch: &Launch) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        format!("line {line}: {}", error.message())
    })?;
    let mut empty = Table::new();
    // `[mcp_servers.NAME]` alone, without a table of nothing above it.
    empty.set_implicit(true);
    let servers = document.entry("mcp_servers").or_insert(Item::Table(empty));
    let servers = servers.as_table_like_mut().ok_or("`mcp_servers` is no table")?;
    let entry = servers.entry(name).or_insert(Item::Table(Table::new()));
    let entry = entry.as_table_like_mut().ok_or_else(|| format!("`{name}` is no table"))?;
    put(entry, "command", value(launch.command.as_str()));
    put(entry, "args", value(launch.args.iter().collect::<Array>()));
    Ok(document.to_string())
}

/// With the comments that stand around what was there.
fn put(table: &mut dyn TableLike, key: &str, mut item: Item) {
    if let Some(known) = table.get_mut(key) {
        if let (Some(old), Some(new)) = (known.as_value(), item.as_value_mut()) {
            *new.decor_mut() = old.decor().clone();
        }
        *known = item;
    } else {
        table.insert(key, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: Form = Form::Json { servers: "mcpServers", typed: false };

    fn launch() -> Launch {
        Launch { command: "/bin/wikirag".to_owned(), args: ["mcp", "a \"b\".rag.yaml"].map(str::to_owned).to_vec() }
    }

    #[test]
    fn comments_and_other_servers_stay() {
        let before = "{\n  // mine\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" } /* keep */\n  },\n}\n";
        let after = with_server(before, JSON, "wikirag", &launch()).unwrap();
        for kept in ["// mine", "\"theme\": \"dark\",", "\"other\": { \"command\": \"x\" }", "/* keep */"] {
            assert!(after.contains(kept), "{after}");
        }
        assert!(after.contains(r#""a \"b\".rag.yaml""#), "{after}");
        assert_eq!(with_server(&after, JSON, "wikirag", &launch()).unwrap(), after);
    }

    #[test]
    fn an_entry_keeps_what_is_not_ours() {
        let before = r#"{"mcpServers": {"wikirag": {"env": {"A": "1"}, "command": "old", "disabled": true}}}"#;
        let after = with_server(before, JSON, "wikirag", &launch()).unwrap();
        assert!(after.contains(r#""env": {"A": "1"}"#) && after.contains(r#""disabled": true"#), "{after}");
        assert!(!after.contains("old"), "{after}");
    }

    #[test]
    fn nothing_becomes_a_whole_file() {
        for before in ["", "\n", "{}"] {
            let after =
                with_server(before, Form::Json { servers: "servers", typed: true }, "wikirag", &launch()).unwrap();
            let read: serde_json::Value = serde_json::from_str(&after).unwrap();
            let expected =
                serde_json::json!({"type": "stdio", "command": "/bin/wikirag", "args": ["mcp", "a \"b\".rag.yaml"]});
            assert_eq!(read["servers"]["wikirag"], expected, "{after}");
        }
    }

    #[test]
    fn broken_json_is_told_with_its_line() {
        for (before, said) in [
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 2"),
            ("{\n", "line 1"),
            ("[]", "no object"),
            ("{\"mcpServers\": []}", "`mcpServers`"),
            ("{\"mcpServers\": {\"wikirag\": 3}}", "`wikirag`"),
        ] {
            let error = with_server(before, JSON, "wikirag", &launch()).unwrap_err();
            assert!(error.contains(said), "{before}: {error}");
        }
    }

    #[test]
    fn toml_keeps_its_comments() {
        let before = "# mine\nmodel = \"o\" # best\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[mcp_servers.wikirag]\ncommand = \"old\" # why\nenv = { A = \"1\" }\n";
        let after = with_server(before, Form::Toml, "wikirag", &launch()).unwrap();
        for kept in
            ["# mine", "model = \"o\" # best", "[mcp_servers.other]\ncommand = \"x\"", "# why", "env = { A = \"1\" }"]
        {
            assert!(after.contains(kept), "{after}");
        }
        assert!(!after.contains("old"), "{after}");
        assert_eq!(with_server(&after, Form::Toml, "wikirag", &launch()).unwrap(), after);
        let fresh = with_server("", Form::Toml, "wikirag", &launch()).unwrap();
        assert!(fresh.starts_with("[mcp_servers.wikirag]\n"), "{fresh}");
        for (before, said) in [("a = 1\nb = \n", "line 2"), ("mcp_servers = 3\n", "`mcp_servers`")] {
            let error = with_server(before, Form::Toml, "wikirag", &launch()).unwrap_err();
            assert!(error.contains(said), "{before}: {error}");
        }
    }
}
