//! `wikirag config`

use serde_json::{Map, Value, json};
use wikirag::Result;

use crate::args::{Config, ConfigCommand};
use crate::exit::ExitStatus;
use crate::output::{json_text, table};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Config) -> Result<ExitStatus> {
    let ConfigCommand::Show { origin, json } = args.command;
    let settings = session.settings()?;
    if json {
        let entries = settings.origins().iter().map(|setting| {
            let value = match origin {
                true => json!({ "value": setting.value, "origin": setting.origin.to_string() }),
                false => setting.value.clone(),
            };
            (setting.key.clone(), value)
        });
        session.print(&json_text(&Value::Object(entries.collect::<Map<_, _>>()))?)?;
    } else {
        let rows = settings.origins().iter().map(|setting| {
            let came_from = if origin { setting.origin.to_string() } else { String::new() };
            [setting.key.clone(), setting.value.to_string(), came_from]
        });
        session.print(&table(&["KEY", "VALUE", if origin { "FROM" } else { "" }], rows.collect()))?;
    }
    Ok(ExitStatus::Fine)
}
