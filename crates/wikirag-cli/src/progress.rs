//! Progress on a terminal.

use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wikirag::{Progress, Step};

/// Draws one bar on stderr for the stage that is running: units done, rate, time left.
pub(crate) struct Bar {
    name: String,
    current: Mutex<Option<(String, ProgressBar)>>,
}

impl Bar {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), current: Mutex::new(None) }
    }
}

impl Progress for Bar {
    fn report(&self, step: Step<'_>) {
        // A poisoned lock means that another reporter panicked; a bar is not worth a second panic.
        let Ok(mut current) = self.current.lock() else { return };
        let same = current.as_ref().is_some_and(|(stage, _)| stage == step.stage);
        if !same {
            if let Some((_, bar)) = current.take() {
                bar.finish_and_clear();
            }
            // 10 redraws a second at most, and nothing on anything that is no terminal.
            let bar = ProgressBar::with_draw_target(step.total, ProgressDrawTarget::stderr_with_hz(10));
            let template = match step.total {
                Some(_) => "{msg} {bar:30} {human_pos}/{human_len} {per_sec} {eta} left",
                None => "{msg} {human_pos}",
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message(format!("{}: {}", self.name, step.stage));
            *current = Some((step.stage.to_owned(), bar));
        }
        if let Some((_, bar)) = &*current {
            if let Some(total) = step.total {
                bar.set_length(total);
            }
            bar.set_position(step.done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Ok(Some((_, bar))) = self.current.get_mut().map(Option::take) {
            bar.finish_and_clear();
        }
    }
}
