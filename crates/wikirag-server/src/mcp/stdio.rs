//! One client at the other end of stdin and stdout.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::{ServiceExt, transport};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::runtime::Builder;
use tokio::sync::Notify;
use wikirag_core::{Error, ErrorKind, Result};

use super::Server;

/// How long answers may still be written after the client closed its end. With what the end of the program takes, it stays below a second.
const GRACE: Duration = Duration::from_millis(600);

/// How often is looked whether the parent is there. A pipe that others hold as well stays open when it dies.
const WATCH: Duration = Duration::from_millis(250);

/// Why the server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client closed its end.
    Closed,
    /// The process that started this one is gone.
    Orphaned,
}

/// Serves the client at the other end of stdin and stdout until it is gone, on threads of its own. What is running then has 600 ms to be
/// answered and is left alone after that: whoever calls this ends the process, which is safe at any moment.
///
/// # Errors
/// [`ErrorKind::Io`] where stdout cannot be written to or there can be no threads; [`ErrorKind::Internal`] where the client speaks another
/// protocol.
pub fn stdio(server: Server) -> Result<Ended> {
    // One thread for the pipes while the other works.
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Error::new(ErrorKind::Io, "serve", error.to_string()))?;
    let ended = runtime.block_on(serve(server));
    // Reading from stdin cannot be stopped, and work that is still running has nobody to tell.
    runtime.shutdown_background();
    ended
}

async fn serve(server: Server) -> Result<Ended> {
    let closed = Arc::new(Notify::new());
    let (input, output) = transport::stdio();
    let input = Watched { input, closed: Arc::clone(&closed) };
    let served = async {
        match server.serve((input, output)).await {
            Ok(running) => match running.waiting().await {
                Ok(QuitReason::JoinError(error)) | Err(error) => Err(broke(&error)),
                Ok(_) => Ok(Ended::Closed),
            },
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(Ended::Closed),
            Err(error @ ServerInitializeError::TransportError { .. }) => {
                Err(Error::new(ErrorKind::Io, "serve", error.to_string()))
            }
            Err(error) => Err(broke(&error)),
        }
    };
    let left = async {
        closed.notified().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        ended = served => ended,
        () = left => Ok(Ended::Closed),
        () = parent_is_gone() => Ok(Ended::Orphaned),
    }
}

fn broke(error: &dyn std::error::Error) -> Error {
    Error::new(ErrorKind::Internal, "serve", error.to_string())
}

/// Returns when the process that started this one has ended.
#[cfg(unix)]
async fn parent_is_gone() {
    let parent = std::os::unix::process::parent_id();
    while std::os::unix::process::parent_id() == parent {
        tokio::time::sleep(WATCH).await;
    }
}

/// A pipe is all there is to tell it by.
#[cfg(not(unix))]
async fn parent_is_gone() {
    std::future::pending().await
}

/// Tells when the input has ended.
struct Watched<R> {
    input: R,
    closed: Arc<Notify>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.input).poll_read(context, buffer));
        if read.is_err() || buffer.filled().len() == filled {
            self.closed.notify_one();
        }
        Poll::Ready(read)
    }
}
