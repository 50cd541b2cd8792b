//! A model that is open in this process.

use std::path::Path;

use ort::environment::Environment;
use ort::session::builder::GraphOptimizationLevel;
use ort::session::{Session, SessionInputValue};
use ort::value::{TensorElementType, TensorRef, ValueType};
use wikirag_core::{Error, ErrorKind, Result};

use crate::tokens::Window;

const OPEN: &str = "open model";
const RUN: &str = "run model";

/// One session with one thread. It costs about a tenth of a second and the size of its file in memory.
pub(crate) struct Model {
    session: Session,
    inputs: Vec<(String, Input)>,
    output: String,
}

/// What an input of the model is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    Ids,
    /// Which tokens are no padding: all of them.
    Mask,
    Types,
}

impl Model {
    /// Opens the model at `path`. `output` names the tensor to read; without a name it must be the only one.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where the library does not take the file, or the model wants inputs that are not known.
    pub(crate) fn open(environment: &Environment, path: &Path, output: Option<&str>) -> Result<Self> {
        let session = open_session(environment, path)
            .map_err(|message| unavailable(OPEN, "the library does not take the model").caused_by(message))
            .and_then(|session| Self::with_session(session, output));
        session.map_err(|error| error.with("path", path.display()))
    }

    fn with_session(session: Session, output: Option<&str>) -> Result<Self> {
        let mut inputs = Vec::new();
        for input in session.inputs() {
            let about = match input.name() {
                "input_ids" => Input::Ids,
                "attention_mask" => Input::Mask,
                "token_type_ids" => Input::Types,
                other => return Err(unavailable(OPEN, format!("the model wants an input `{other}`: it is not known"))),
            };
            if !matches!(input.dtype(), ValueType::Tensor { ty: TensorElementType::Int64, .. }) {
                let message =
                    format!("the input `{}` is a {}, only tensors of int64 are known", input.name(), input.dtype());
                return Err(unavailable(OPEN, message));
            }
            inputs.push((input.name().to_owned(), about));
        }
        let names: Vec<_> = session.outputs().iter().map(|output| output.name()).collect();
        let output = match (output, &names[..]) {
            (Some(name), names) if names.contains(&name) => name.to_owned(),
            (None, [only]) => (*only).to_owned(),
            (wanted, names) => {
                let wanted = wanted
                    .map_or_else(|| "no output is named".to_owned(), |name| format!("there is no output `{name}`"));
                let message = format!("{wanted}, and the model has: {}", names.join(", "));
                return Err(
                    unavailable(OPEN, message).help("name the right one as `output` in the recipe of the model")
                );
            }
        };
        Ok(Self { session, inputs, output })
    }

    /// Runs the model over one window, and `read` over shape and values of its output.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where the model fails or gives no tensor of f32, and those of `read`.
    pub(crate) fn run<T>(&mut self, window: &Window, read: impl FnOnce(&[i64], &[f32]) -> Result<T>) -> Result<T> {
        let mask = vec![1i64; window.ids.len()];
        let failed = |error: ort::Error| unavailable(RUN, "the model fails").caused_by(error.to_string());
        let mut values: Vec<(&str, SessionInputValue<'_>)> = Vec::with_capacity(self.inputs.len());
        for (name, about) in &self.inputs {
            let row = match about {
                Input::Ids => &window.ids,
                Input::Mask => &mask,
                Input::Types => &window.types,
            };
            let tensor = TensorRef::from_array_view(([1, row.len()], row.as_slice())).map_err(failed)?;
            values.push((name, tensor.into()));
        }
        let outputs = self.session.run(values).map_err(failed)?;
        let Some(output) = outputs.get(&self.output) else {
            return Err(unavailable(RUN, format!("the model gave no output `{}`", self.output)));
        };
        let (shape, values) = output.try_extract_tensor::<f32>().map_err(|error| {
            unavailable(RUN, format!("the output `{}` is no tensor of f32", self.output)).caused_by(error.to_string())
        })?;
        read(shape, values)
    }
}

/// Joins a sum and the normalisation behind it into one operator, whose kernel works number by number where the two apart use
/// the whole width of the processor: with 1.32 texts of 200 tokens take 8 % longer with it in f32 and 20 % in int8.
const SLOW_FUSION: &str = "SkipLayerNormFusion";

/// With one thread, which is the fastest way on a CPU: a session a core beats one session over all cores, and a text alone
/// beats a batch. Memory patterns are kept for each length of text that ever came, and gain nothing.
fn open_session(environment: &Environment, path: &Path) -> std::result::Result<Session, String> {
    let told = |error: ort::Error<_>| error.to_string();
    let mut builder = Session::builder(environment)
        .map_err(|error| error.to_string())?
        .with_intra_threads(1)
        .map_err(told)?
        .with_intra_op_spinning(false)
        .map_err(told)?
        .with_inter_op_spinning(false)
        .map_err(told)?
        .with_memory_pattern(false)
        .map_err(told)?
        // On a graph that is fused already all levels take the same 50 ms; a plain one gains by the highest. A library that
        // was built without optimisers refuses both; the model runs all the same.
        .with_optimization_level(GraphOptimizationLevel::All)
        .unwrap_or_else(|error| error.recover())
        .with_disabled_optimizers(SLOW_FUSION)
        .unwrap_or_else(|error| error.recover());
    builder.commit_from_file(path).map_err(|error| error.to_string())
}

fn unavailable(operation: &'static str, message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Unavailable, operation, message)
}
