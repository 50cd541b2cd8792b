//! Running one call so that nothing it does can end the server.

use std::convert::Infallible;
use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use rmcp::service::{RequestContext, RoleServer};
use tokio::task::AbortHandle;
use wikirag_core::{CancelFlag, Error, Result};

use super::arguments;
use super::progress;
use super::toolset::{Call, Reply, Tool};
use crate::service::Fault;

/// The result of a call. What goes wrong is a result as well: models read those, and not the errors of the protocol.
pub(super) async fn run(
    tool: &Tool,
    mut call: Call,
    given: JsonObject,
    context: RequestContext<RoleServer>,
) -> CallToolResult {
    let checked = match arguments::check(&tool.spec.input_schema, given) {
        Ok(checked) => checked,
        Err(error) => return failed(&Fault::of(&error)),
    };
    let (reporter, reports) = progress::channel();
    call.context = call.context.with_progress(reporter);
    let cancel = call.context.cancel.clone();
    // A task of its own: a panic ends that task, and is told here.
    let handler = Arc::clone(&tool.handler);
    let mut work = tokio::spawn(async move { handler(call, checked).await });
    let _stop = Stop { cancel, work: work.abort_handle() };
    let done = tokio::select! {
        biased;
        done = &mut work => done,
        // Nobody hears the answer; the guard stops the work.
        () = context.ct.cancelled() => return text_error("the call was cancelled"),
        never = forever(progress::forward(reports, &context.peer, context.meta.get_progress_token())) => match never {},
    };
    match done {
        Ok(done) => reply(tool.name(), done),
        Err(error) => {
            tracing::error!(tool = tool.name(), %error, "a tool broke");
            text_error("the tool broke; this is a fault of the program, and its log tells more")
        }
    }
}

/// Progress may end before the work does.
async fn forever(work: impl Future<Output = ()>) -> Infallible {
    work.await;
    std::future::pending().await
}

fn reply(tool: &str, done: Result<Reply>) -> CallToolResult {
    match done {
        Ok(Reply { structured, text }) => {
            let mut result = CallToolResult::structured(structured);
            if let Some(text) = text {
                result.content = vec![ContentBlock::text(text)];
            }
            result
        }
        Err(error) => {
            log(tool, &error);
            failed(&Fault::of(&error))
        }
    }
}

/// What the caller is not told is for the operator.
fn log(tool: &str, error: &Error) {
    let fault = Fault::of(error);
    if fault.message != error.message() {
        tracing::warn!(tool, code = error.kind().code(), %error, "a call failed");
    }
}

fn failed(fault: &Fault) -> CallToolResult {
    text_error(&match &fault.remedy {
        Some(remedy) => format!("{}\n{remedy}", fault.message),
        None => fault.message.clone(),
    })
}

fn text_error(text: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Stops the work when nobody waits for it any more, whichever way that came about.
struct Stop {
    cancel: CancelFlag,
    work: AbortHandle,
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.work.abort();
    }
}
