//! The server as the protocol sees it.

use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use wikirag_core::Context;

use super::toolset::{Call, ToolSet};
use super::{complete, prompts, resources, run};
use crate::service::{Caller, Service};

/// What an agent is told at the start.
const INSTRUCTIONS: &str = "Search many small wikis as one. Start with `search`; read more of a result with `fetch`, by its id or citation. \
    `list_wikis` tells which wikis there are, and `wikis` narrows a search to some of them. Cite what you use as `wiki/path:lines`, as \
    results give it. Say so where the wikis do not hold the answer.";

/// Who calls.
#[derive(Debug, Clone)]
pub enum Callers {
    /// Always the same one: there is one client, which started the program.
    Always(Caller),
    /// Whom the access layer found: the [`Caller`] among the extensions of each HTTP request. A request without one is refused.
    OfRequest,
}

/// Tools, resources, prompts and completion over a [`Service`]. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Server {
    service: Service,
    tools: Arc<ToolSet>,
    callers: Callers,
}

impl Server {
    /// A server of these tools.
    #[must_use]
    pub fn new(service: Service, tools: ToolSet, callers: Callers) -> Self {
        Self { service, tools: Arc::new(tools), callers }
    }

    fn call(&self, context: &RequestContext<RoleServer>) -> Result<Call, ErrorData> {
        let caller = match &self.callers {
            Callers::Always(caller) => Some(caller.clone()),
            Callers::OfRequest => {
                let parts = context.extensions.get::<axum::http::request::Parts>();
                parts.and_then(|parts| parts.extensions.get::<Caller>()).cloned()
            }
        };
        let caller = caller.ok_or_else(|| ErrorData::internal_error("it is not known who calls", None))?;
        Ok(Call { service: self.service.clone(), caller, context: Context::new() })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        let program = Implementation::new("wikirag", env!("CARGO_PKG_VERSION")).with_title("wikirag");
        ServerConfig::new(capabilities).with_server_info(program).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        resources::only_page(request)?;
        Ok(ListToolsResult::with_all_items(self.tools.tools().iter().map(|tool| tool.spec.clone()).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.find(&request.name) else {
            let names: Vec<&str> = self.tools.tools().iter().map(super::Tool::name).collect();
            let message = format!("there is no tool of this name; there are: {}", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let call = self.call(&context)?;
        Ok(run::run(tool, call, request.arguments.unwrap_or_default(), context).await.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        resources::list(&self.call(&context)?, request.and_then(|request| request.cursor)).await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        resources::only_page(request)?;
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.call(&context)?, &request.uri).await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        resources::only_page(request)?;
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request.name, request.arguments.unwrap_or_default()).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        complete::complete(&self.call(&context)?, &request).await
    }
}
