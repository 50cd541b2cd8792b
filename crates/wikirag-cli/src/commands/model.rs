//! `wikirag model`

use std::path::Path;

use serde_json::{Value, json};
use wikirag::models::{Origin, Pulled, RUNTIME_NAME, Recipe, RuntimeRecipe, State, Store};
use wikirag::{Error, ErrorKind, Result};

use crate::args::{Model, ModelCommand};
use crate::exit::ExitStatus;
use crate::output::{clean, json_text, table};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Model) -> Result<ExitStatus> {
    let store = Store::new(session.settings()?.own_data_dir());
    match &args.command {
        ModelCommand::List { json } => list(session, &store, *json),
        ModelCommand::Pull { name, from } => pull(session, &store, name.as_deref(), from.as_deref()),
        ModelCommand::Path { name } => path(session, &store, name),
        ModelCommand::Remove { name } => remove(session, &store, name),
    }
}

/// One line of the list: a model, or the library.
struct Row {
    name: String,
    kind: &'static str,
    dimensions: usize,
    languages: Vec<String>,
    licence: String,
    /// `None`: the library is not to be had for this platform.
    bytes: Option<u64>,
    state: State,
    is_default: bool,
}

fn list(session: &Session, store: &Store, as_json: bool) -> Result<ExitStatus> {
    let default = store.default_recipe()?.name;
    let mut rows: Vec<Row> = store
        .recipes()?
        .into_iter()
        .map(|recipe| Row {
            kind: recipe.kind.as_str(),
            dimensions: recipe.dimensions,
            bytes: Some(recipe.bytes()),
            state: store.state(&recipe),
            is_default: recipe.name == default,
            name: recipe.name,
            languages: recipe.languages,
            licence: recipe.licence,
        })
        .collect();
    let runtime = RuntimeRecipe::built_in()?;
    rows.push(Row {
        name: RUNTIME_NAME.to_owned(),
        kind: "library",
        dimensions: 0,
        languages: Vec::new(),
        bytes: runtime.library().map(|file| file.bytes),
        state: store.runtime_state(),
        is_default: false,
        licence: runtime.licence,
    });
    if as_json {
        let rows: Vec<Value> = rows.iter().map(Row::as_json).collect();
        session.print(&json_text(&json!({ "version": 1, "models": rows }))?)?;
    } else {
        let head = ["MODEL", "KIND", "DIMENSIONS", "LANGUAGES", "LICENCE", "SIZE", "STATE"];
        session.print(&table(&head, rows.iter().map(Row::cells).collect()))?;
    }
    Ok(ExitStatus::Fine)
}

impl Row {
    fn cells(&self) -> [String; 7] {
        let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let is_model = self.kind != "library";
        let languages = if is_model && self.languages.is_empty() { "any".into() } else { self.languages.join(" ") };
        let default = if self.is_default { " (default)" } else { "" };
        let state = match &self.state {
            State::Damaged(error) => format!("damaged{default}: {}", error.statement()),
            state => format!("{}{default}", state.as_str()),
        };
        [
            self.name.clone(),
            self.kind.to_owned(),
            or_dash(if self.dimensions == 0 { String::new() } else { self.dimensions.to_string() }),
            or_dash(languages),
            self.licence.clone(),
            or_dash(self.bytes.map(megabytes).unwrap_or_default()),
            state,
        ]
    }

    fn as_json(&self) -> Value {
        let reason = match &self.state {
            State::Damaged(error) => Some(error.to_string()),
            _ => None,
        };
        json!({
            "name": self.name,
            "kind": self.kind,
            "dimensions": self.dimensions,
            "languages": self.languages,
            "licence": self.licence,
            "bytes": self.bytes,
            "state": self.state.as_str(),
            "reason": reason,
            "default": self.is_default,
        })
    }
}

/// Files of models are some tens of megabytes; of a small one of a test not even one.
fn megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_add(99_999) / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

fn pull(session: &Session, store: &Store, name: Option<&str>, from: Option<&Path>) -> Result<ExitStatus> {
    let origin = from.map_or(Origin::Sources, Origin::Folder);
    if name != Some(RUNTIME_NAME) {
        let recipe = name.map_or_else(|| store.default_recipe(), |name| store.recipe(name))?;
        for pulled in store.pull(&recipe, origin, &session.context(&recipe.name))? {
            tell(session, &pulled);
        }
        session.print(&ready(&recipe.name, folder(store, &recipe).as_deref()))?;
    }
    match store.pull_runtime(origin, &session.context(RUNTIME_NAME)) {
        Ok(pulled) => pulled.iter().for_each(|pulled| tell(session, pulled)),
        // The folder gave the model it was named for; the library may well come another way.
        Err(error) if error.kind() == ErrorKind::NotFound && from.is_some() && name != Some(RUNTIME_NAME) => {
            let help = format!("`wikirag model pull {RUNTIME_NAME}` gets it");
            session.warn(&clean(&format!("there is no library to run the model: {}; {help}", error.statement())));
            return Ok(ExitStatus::Partial);
        }
        Err(error) => return Err(error),
    }
    session.print(&ready(RUNTIME_NAME, Some(&store.runtime()?)))?;
    Ok(ExitStatus::Fine)
}

fn tell(session: &Session, pulled: &Pulled) {
    session.tell(&clean(&format!("{} from {}", pulled.path.display(), pulled.source)));
}

fn ready(name: &str, path: Option<&Path>) -> String {
    let place = path.map(|path| format!(" in {}", path.display())).unwrap_or_default();
    clean(&format!("ready   {name}{place}")) + "\n"
}

fn path(session: &Session, store: &Store, name: &str) -> Result<ExitStatus> {
    let path = if name == RUNTIME_NAME {
        store.runtime()?
    } else {
        let recipe = store.recipe(name)?;
        store.check_recipe(&recipe)?;
        folder(store, &recipe).ok_or_else(|| Error::new(ErrorKind::Internal, "find model", "its file has no folder"))?
    };
    // As it is, not cleaned: whoever asks opens it.
    session.print(&format!("{}\n", path.display()))?;
    Ok(ExitStatus::Fine)
}

fn folder(store: &Store, recipe: &Recipe) -> Option<std::path::PathBuf> {
    store.model_file(recipe, &recipe.model).parent().map(Path::to_owned)
}

fn remove(session: &Session, store: &Store, name: &str) -> Result<ExitStatus> {
    let was_there = store.remove(name)?;
    let name = clean(name);
    session.print(&if was_there { format!("removed {name}\n") } else { format!("{name} was not there\n") })?;
    Ok(ExitStatus::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up() {
        assert_eq!(megabytes(23_375_447), "23.4 MB");
        assert_eq!(megabytes(1), "0.1 MB");
        assert_eq!(megabytes(100_000_000), "100.0 MB");
    }
}
