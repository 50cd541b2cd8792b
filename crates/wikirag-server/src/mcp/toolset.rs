//! The tools: each a name, what is told of it, and what it does.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use rmcp::model::{JsonObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wikirag_core::{Context, Error, ErrorKind, Result};

use super::{schema, tools};
use crate::service::{Caller, Service};

/// What a handler is given beside its arguments.
#[derive(Debug, Clone)]
pub struct Call {
    /// What can be asked.
    pub service: Service,
    /// Who asks. To be handed to the service with every request.
    pub caller: Caller,
    /// Cancelled when the client cancels or goes away; what is reported to it reaches the client.
    pub context: Context,
}

/// What a tool gives.
pub(super) struct Reply {
    /// The result, as the output schema of the tool says.
    pub(super) structured: Value,
    /// What a client shows that takes text alone. `None`: the result as JSON.
    pub(super) text: Option<String>,
}

type Handler = dyn Fn(Call, JsonObject) -> BoxFuture<'static, Result<Reply>> + Send + Sync;

/// One tool. Cloning shares it.
#[derive(Clone)]
pub struct Tool {
    pub(super) spec: rmcp::model::Tool,
    pub(super) handler: Arc<Handler>,
}

impl Tool {
    /// A tool that only reads, and nothing beyond the wikis. `description` is what a model chooses it by.
    ///
    /// The schemas come from `A` and `R`: their comments describe the properties, an `Option` may be left out. Arguments are checked
    /// against theirs before `handler` sees them.
    pub fn new<A, R, F, W>(name: &'static str, title: &str, description: &'static str, handler: F) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize + JsonSchema,
        F: Fn(Call, A) -> W + Send + Sync + 'static,
        W: Future<Output = Result<R>> + Send + 'static,
    {
        Self::made(name, title, description, move |call, arguments| {
            let work = handler(call, arguments);
            async move { Ok((work.await?, None)) }
        })
    }

    /// As [`Tool::new`], for a tool that also says its result in words, for clients that show text alone.
    pub fn with_text<A, R, F, W>(name: &'static str, title: &str, description: &'static str, handler: F) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize + JsonSchema,
        F: Fn(Call, A) -> W + Send + Sync + 'static,
        W: Future<Output = Result<(R, String)>> + Send + 'static,
    {
        Self::made(name, title, description, move |call, arguments| {
            let work = handler(call, arguments);
            async move { work.await.map(|(result, text)| (result, Some(text))) }
        })
    }

    fn made<A, R, F, W>(name: &'static str, title: &str, description: &'static str, handler: F) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize + JsonSchema,
        F: Fn(Call, A) -> W + Send + Sync + 'static,
        W: Future<Output = Result<(R, Option<String>)>> + Send + 'static,
    {
        let spec = rmcp::model::Tool::new(name, description, schema::of_input::<A>())
            .with_title(title)
            .with_raw_output_schema(Arc::new(schema::of_output::<R>()))
            .with_annotations(reads_only(title));
        let handler = move |call: Call, arguments: JsonObject| -> BoxFuture<'static, Result<Reply>> {
            let work = serde_json::from_value(Value::Object(arguments)).map(|arguments| handler(call, arguments));
            Box::pin(async move {
                let (result, text) =
                    work.map_err(|error| Error::new(ErrorKind::Usage, "read arguments", error.to_string()))?.await?;
                let structured = serde_json::to_value(result).map_err(|error| {
                    Error::new(ErrorKind::Internal, "write result", "the result cannot be written as JSON")
                        .caused_by(error)
                })?;
                Ok(Reply { structured, text })
            })
        };
        Self { spec, handler: Arc::new(handler) }
    }

    /// The same tool with other annotations, for one that does more than read.
    #[must_use]
    pub fn annotated(mut self, annotations: ToolAnnotations) -> Self {
        self.spec.annotations = Some(annotations);
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// What clients are told of it.
    #[must_use]
    pub const fn spec(&self) -> &rmcp::model::Tool {
        &self.spec
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name()).finish_non_exhaustive()
    }
}

fn reads_only(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(false)
}

/// Tools by name, in the order in which they were added, which is the order in which clients see them.
#[derive(Debug, Clone, Default)]
pub struct ToolSet(Vec<Tool>);

impl ToolSet {
    /// No tools.
    #[must_use]
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// The tools of this program.
    #[must_use]
    pub fn standard() -> Self {
        Self(tools::standard())
    }

    /// These tools and one more.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where there is one of this name.
    #[expect(clippy::should_implement_trait, reason = "it may fail, and nobody writes tools with a `+`")]
    pub fn add(mut self, tool: Tool) -> Result<Self> {
        if self.find(tool.name()).is_some() {
            let message = format!("two tools are called `{}`", tool.name());
            return Err(Error::new(ErrorKind::Invalid, "add tool", message).help("give one of them another name"));
        }
        self.0.push(tool);
        Ok(self)
    }

    /// The tool of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.0.iter().find(|tool| tool.name() == name)
    }

    /// The tools, in their order.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.0
    }
}
