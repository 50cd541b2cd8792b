//! `wikirag plugins`

use serde_json::json;
use wikirag::{Registry, Result};

use crate::args::Plugins;
use crate::exit::ExitStatus;
use crate::output::{json_text, table};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Plugins) -> Result<ExitStatus> {
    let registry = Registry::collect()?;
    let kinds = |plugin: &wikirag::Plugin| plugin.provides.iter().map(|one| one.kind()).collect::<Vec<_>>();
    if args.json {
        let plugins: Vec<_> = registry
            .plugins()
            .iter()
            .map(|plugin| {
                json!({
                    "name": plugin.name,
                    "version": plugin.version,
                    "summary": plugin.summary,
                    "provides": kinds(plugin),
                })
            })
            .collect();
        session.print(&json_text(&json!({ "version": 1, "plugins": plugins }))?)?;
    } else {
        let rows = registry.plugins().iter().map(|plugin| {
            [plugin.name.to_owned(), kinds(plugin).join(", "), plugin.version.to_owned(), plugin.summary.to_owned()]
        });
        session.print(&table(&["PLUGIN", "PROVIDES", "VERSION", "SUMMARY"], rows.collect()))?;
    }
    Ok(ExitStatus::Fine)
}
