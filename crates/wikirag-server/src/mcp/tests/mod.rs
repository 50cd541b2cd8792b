//! The server as its clients see it by HTTP, each with a caller of its own.

mod callers;
mod handlers;
mod schemas;

use std::fs;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;
use wikirag_core::{Registry, Sensitivity};
use wikirag_engine::Engine;
use wikirag_engine::settings::{LoadOptions, Settings};

use super::{Callers, Server, ToolSet, routes};
use crate::service::{Caller, Service};

/// A folder with the wikis `garden` (public) and `vault` (restricted), and what serves both of them as `all` and the first as `plot`.
struct World {
    _folder: TempDir,
    service: Service,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("garden/.wiki.yaml", "name: garden\nsensitivity: public\nlayers: [bm25]\n");
        write("garden/basil.md", "# Basil\n\nSow basil in May. See [[beans]].\n");
        write("garden/beans.md", "# Beans\n\nBeans climb. See [[basil]].\n");
        write("vault/.wiki.yaml", "name: vault\ntitle: Secrets\nsensitivity: restricted\nlayers: [bm25]\n");
        write("vault/hidden.md", "# Hidden\n\nHidden basil. See [[other]].\n");
        write("vault/other.md", "# Other\n\nBack to [[hidden]].\n");
        write("tap/.wiki.yaml", "name: tap\nkind: skills\nsensitivity: public\nlayers: [bm25]\n");
        write("tap/pdf/SKILL.md", "---\nname: pdf\n---\nMerge files, see [forms](forms.md).\n");
        write("tap/pdf/forms.md", "Forms.\n");
        write("all.rag.yaml", "wikis: [garden, vault, tap]\nclearance: restricted\n");
        write("plot.rag.yaml", "wikis: [garden]\nclearance: public\n");
        let plugins = [wikirag_bm25::PLUGIN, wikirag_markdown::PLUGIN, wikirag_rrf::PLUGIN];
        let settings = Settings::load(&LoadOptions::new(folder.path())).unwrap();
        let engine = Engine::new(Registry::from_plugins(plugins).unwrap(), settings).unwrap();
        let rags = ["all.rag.yaml", "plot.rag.yaml"].map(str::to_owned);
        let service = Service::new(engine, &rags, folder.path().to_owned()).unwrap();
        Self { _folder: folder, service }
    }

    fn server(&self, tools: ToolSet) -> Server {
        Server::new(self.service.clone(), tools, Callers::OfRequest)
    }
}

/// Whoever may read what is of this level, and of these wikis where some are named.
fn caller(clearance: Sensitivity, wikis: Option<&[&str]>) -> Caller {
    let wikis = wikis.map(|wikis| wikis.iter().map(|wiki| (*wiki).to_owned()).collect());
    Caller { name: "test".to_owned(), clearance, wikis }
}

/// What the server answers to one request of this caller.
async fn post(server: &Server, caller: Option<&Caller>, method: &str, params: Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut request = Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-06-18")
        .body(Body::from(body.to_string()))
        .unwrap();
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller.clone());
    }
    let response = routes(server.clone()).oneshot(request).await.unwrap();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&body)))
}

/// What a tool says to a caller who may read everything.
async fn call(server: &Server, tool: &str, arguments: Value) -> Value {
    let all = caller(Sensitivity::Restricted, None);
    post(server, Some(&all), "tools/call", json!({ "name": tool, "arguments": arguments })).await["result"].clone()
}
