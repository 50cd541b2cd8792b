//! Routes together with their description, so that neither can be without the other: the router, and the OpenAPI document of it.

use axum::Router;
use axum::routing::MethodRouter;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::desk::Shared;
use super::failure::ErrorBody;
use crate::mcp::schema;

/// A router that grows with its description.
pub(super) struct Api {
    router: Router<Shared>,
    paths: Map<String, Value>,
    schemas: SchemaGenerator,
}

/// What is told of one route.
pub(super) struct Operation {
    method: &'static str,
    path: &'static str,
    about: Map<String, Value>,
    parameters: Vec<Value>,
    /// Whether it is asked without a token as well.
    is_open: bool,
}

impl Api {
    pub(super) fn new() -> Self {
        let mut settings = SchemaSettings::draft2020_12().for_serialize();
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        Self { router: Router::new(), paths: Map::new(), schemas: settings.into_generator() }
    }

    /// Adds a route that is answered with a `T` in JSON.
    pub(super) fn json<T: JsonSchema>(self, operation: Operation, handler: MethodRouter<Shared>) -> Self {
        let mut this = self;
        let schema = this.schemas.subschema_for::<T>();
        this.answered(operation, "application/json", schema.to_value(), handler)
    }

    /// Adds a route that is answered with plain text.
    pub(super) fn text(self, operation: Operation, handler: MethodRouter<Shared>) -> Self {
        self.answered(operation, "text/plain", json!({"type": "string"}), handler)
    }

    /// Adds a route that is answered with events of these names, each with data in JSON.
    pub(super) fn events(self, operation: Operation, names: &[&str], handler: MethodRouter<Shared>) -> Self {
        let properties = json!({"event": {"enum": names}, "data": {"type": "string"}});
        let schema = json!({"type": "object", "properties": properties, "required": ["event", "data"]});
        self.answered(operation, "text/event-stream", schema, handler)
    }

    fn answered(mut self, operation: Operation, kind: &str, schema: Value, handler: MethodRouter<Shared>) -> Self {
        let Operation { method, path, mut about, parameters, is_open } = operation;
        let error = self.schemas.subschema_for::<ErrorBody>();
        let failed = json!({"description": "It failed", "content": {"application/json": {"schema": error}}});
        let answer = json!({"description": "The answer", "content": {(kind): {"schema": schema}}});
        about.insert("responses".to_owned(), json!({"200": answer, "default": failed}));
        if !parameters.is_empty() {
            about.insert("parameters".to_owned(), parameters.into());
        }
        if is_open {
            about.insert("security".to_owned(), json!([]));
        }
        // A path in a description has no mark for the rest of the path.
        let entry = self.paths.entry(path.replace("{*", "{")).or_insert_with(|| json!({}));
        entry[method] = about.into();
        self.router = self.router.route(path, handler);
        self
    }

    /// The router, and the document.
    pub(super) fn finish(mut self) -> (Router<Shared>, Value) {
        let schemas = self.schemas.take_definitions(true);
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "wikirag",
                "version": env!("CARGO_PKG_VERSION"),
                "summary": "Search many small wikis as one",
                "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            },
            // With no token file whoever is on the machine of the server may ask.
            "security": [{"token": []}, {}],
            "paths": self.paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        });
        (self.router, document)
    }
}

impl Operation {
    fn new(method: &'static str, path: &'static str, summary: &str) -> Self {
        let mut about = Map::new();
        about.insert("summary".to_owned(), summary.into());
        let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty() && *word != "v1");
        let id = words.fold(method.to_owned(), |id, word| format!("{id}-{word}"));
        about.insert("operationId".to_owned(), id.into());
        let mut this = Self { method, path, about, parameters: Vec::new(), is_open: false };
        for name in path.split('/').filter_map(|part| part.strip_prefix('{')).filter_map(|part| part.strip_suffix('}'))
        {
            let name = name.trim_start_matches('*');
            let schema = json!({"type": "string", "minLength": 1});
            this.parameters.push(json!({"name": name, "in": "path", "required": true, "schema": schema}));
        }
        this
    }

    pub(super) fn get(path: &'static str, summary: &str) -> Self {
        Self::new("get", path, summary)
    }

    /// A route whose body is a `T`.
    pub(super) fn post<T: JsonSchema>(path: &'static str, summary: &str) -> Self {
        Self::new("post", path, summary).with_body(with_nulls(schema::of_input::<T>()))
    }

    /// A route whose body is a `T` and may hold anything beside.
    pub(super) fn tolerant<T: JsonSchema>(path: &'static str, summary: &str) -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        let schema = settings.into_generator().into_root_schema_for::<T>();
        Self::new("post", path, summary).with_body(schema.to_value())
    }

    fn with_body(mut self, schema: Value) -> Self {
        let content = json!({"application/json": {"schema": schema}});
        self.about.insert("requestBody".to_owned(), json!({"required": true, "content": content}));
        self
    }

    /// What may stand behind the `?`.
    pub(super) fn asked<T: JsonSchema>(mut self) -> Self {
        let schema = schema::of_input::<T>();
        let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let mut schema = property.clone();
            let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            let is_required = required.iter().any(|one| one == name);
            self.parameters.push(json!({
                "name": name, "in": "query", "required": is_required, "description": about, "schema": schema,
            }));
        }
        self
    }

    pub(super) const fn open(mut self) -> Self {
        self.is_open = true;
        self
    }
}

/// A field that may be left out may be `null` as well.
fn with_nulls(mut schema: Map<String, Value>) -> Value {
    let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        if required.iter().any(|one| one == name) {
            continue;
        }
        if let Some(kind) = property.get_mut("type").filter(|kind| kind.is_string()) {
            *kind = json!([kind.clone(), "null"]);
        }
        if let Some(Value::Array(words)) = property.get_mut("enum") {
            words.push(Value::Null);
        }
    }
    schema.into()
}
