//! Whether library and model work together on this machine, tried where a crash or an endless loop does no harm.

use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_models::{Kind, Pooling, Recipe};

use crate::model::Model;
use crate::pooling::{Shape, score};
use crate::runtime;
use crate::tokens::Window;

/// What is tried. As text it is the input of the probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trial {
    pub(crate) library: PathBuf,
    pub(crate) model: PathBuf,
    kind: String,
    output: Option<String>,
    pooling: String,
    dimensions: usize,
    normalise: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Verdict {
    /// It works.
    Usable,
    /// The library cannot be used; a sentence says why.
    RuntimeUnusable(String),
    /// The library can, the model cannot; a sentence says why.
    ModelUnusable(String),
}

const OPERATION: &str = "probe ONNX Runtime";

/// Runs the trial that `input` describes in this process, and gives the verdict as text.
///
/// # Errors
/// [`ErrorKind::Invalid`] where `input` is none. What the trial finds is a verdict, not an error.
pub(crate) fn run(input: &str) -> Result<String> {
    let invalid = |error: serde_json::Error| Error::new(ErrorKind::Invalid, OPERATION, error.to_string());
    let trial: Trial = serde_json::from_str(input).map_err(invalid)?;
    serde_json::to_string(&trial.here()).map_err(invalid)
}

impl Trial {
    pub(crate) fn new(library: PathBuf, model: PathBuf, recipe: &Recipe) -> Self {
        Self {
            library,
            model,
            kind: recipe.kind.as_str().to_owned(),
            output: recipe.output.clone(),
            pooling: recipe.pooling.as_str().to_owned(),
            dimensions: recipe.dimensions,
            normalise: recipe.normalise,
        }
    }

    /// Loads the library and the model into this process, and uses them.
    fn here(&self) -> Verdict {
        let environment = match runtime::environment(&self.library) {
            Ok(environment) => environment,
            Err(fault) => return Verdict::RuntimeUnusable(fault),
        };
        match Model::open(&environment, &self.model, self.output.as_deref()).and_then(|model| self.use_it(model)) {
            Ok(()) => Verdict::Usable,
            Err(error) => Verdict::ModelUnusable(error.statement()),
        }
    }

    /// Embeds or scores a few tokens: the smallest numbers are tokens of every vocabulary.
    fn use_it(&self, mut model: Model) -> Result<()> {
        let window = Window { ids: (0..8).collect(), types: vec![0; 8], weight: 8 };
        if self.kind == Kind::Reranker.as_str() {
            return model.run(&window, score).map(drop);
        }
        let pooling = [Pooling::None, Pooling::Mean, Pooling::Cls, Pooling::Last];
        let Some(pooling) = pooling.into_iter().find(|pooling| pooling.as_str() == self.pooling) else {
            return Err(Error::new(ErrorKind::Invalid, OPERATION, format!("there is no pooling `{}`", self.pooling)));
        };
        let shape = Shape { pooling, dimensions: self.dimensions, normalise: self.normalise };
        model.run(&window, |dims, values| shape.vector(dims, values, window.ids.len())).map(drop)
    }

    /// The same in a process of its own, which `command` with the name of the plugin and the trial starts. It is ended
    /// after `limit`.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where the process cannot be started: that says nothing about library and model.
    pub(crate) fn in_child(&self, command: &[PathBuf], limit: Duration) -> Result<Verdict> {
        let unable = |message: String| {
            Error::new(ErrorKind::Unavailable, OPERATION, message).help("set `probe: here` to go without")
        };
        let input = serde_json::to_string(self).map_err(|error| unable(error.to_string()))?;
        let Some((program, first)) = command.split_first() else {
            return Err(unable("the program names no command for it".to_owned()));
        };
        let mut child = Command::new(program)
            .args(first)
            .arg(crate::PLUGIN.name)
            .arg(input)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            // What a library prints on its way down helps nobody; what is known of its end is in the verdict.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| unable(error.to_string()).with("path", program.display()))?;
        let output = read_in_background(&mut child);
        let Some(status) = wait(&mut child, limit).map_err(|error| unable(error.to_string()))? else {
            let message = format!("it hangs: nothing came of loading it within {} s", limit.as_secs_f32());
            return Ok(Verdict::RuntimeUnusable(message));
        };
        // A process of its own may have inherited the pipe, so its end may not come.
        let output = output.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        Ok(judge(status, &output))
    }
}

/// The verdict in what the process wrote before it ended.
fn judge(status: ExitStatus, output: &str) -> Verdict {
    if !status.success() {
        return Verdict::RuntimeUnusable(format!("it ends the process that loads it ({status})"));
    }
    // A library may have printed something before.
    let last = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    serde_json::from_str(last)
        .unwrap_or_else(|_| Verdict::RuntimeUnusable("the process that loads it ends without a verdict".to_owned()))
}

/// Reads what the process writes, so that it never waits for a reader. Only the end is kept.
fn read_in_background(child: &mut Child) -> mpsc::Receiver<String> {
    const KEPT: usize = 64 << 10;
    let (sender, receiver) = mpsc::channel();
    if let Some(mut stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut kept = Vec::new();
            let mut buffer = [0; 4096];
            while let Ok(count) = read(&mut stdout, &mut buffer) {
                if count == 0 {
                    break;
                }
                kept.extend_from_slice(&buffer[..count]);
                kept.drain(..kept.len().saturating_sub(KEPT));
            }
            // Nobody listens any more where the process was ended.
            let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
        });
    }
    receiver
}

fn read(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// How the process ended, or `None` where it was ended after `limit`.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            // It may have ended by itself just now.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(test)]
#[path = "trial_tests.rs"]
mod tests;
