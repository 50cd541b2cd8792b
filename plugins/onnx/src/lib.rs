//! Plugin `onnx`: models in ONNX format that embed or rerank, run on the CPU of this machine by the ONNX Runtime.
//!
//! * **Models** are described by recipes of `wikirag-models`: files with their hashes, pooling, prefixes, longest text. No
//!   model is named in code but the default of [`Settings::model`].
//! * **Native code.** The only native library is ONNX Runtime, loaded at run time and never linked: 1.17 or later. The one of
//!   its Python package needs glibc 2.28 on Linux. A statically linked program, for musl say, cannot load libraries: it has
//!   no embedder. `tokenizers` is built without its C and C++ parts; `fancy-regex` runs its patterns.
//! * **Nothing native is trusted.** A library that is missing, cut short, of another machine, too old, or that crashes or
//!   hangs is a reason in [`Readiness`](wikirag_core::Readiness), not the end of the program: it is loaded in a process of
//!   its own first, see [`Probe`].
//! * **Speed.** One text at a time, one session with one thread for each core: a batch is slower on a CPU, and with a
//!   dynamically quantised model the vectors of a batch depend on each other. Sessions are opened when they are needed, so a
//!   question pays for one.
//! * **Long texts** are cut into windows between words, and the vectors of the windows averaged by their tokens.

mod embedder;
mod installation;
mod library_file;
mod local;
mod model;
mod pairs;
mod pool;
mod pooling;
mod reranker;
mod runtime;
mod settings;
mod spread;
mod tokens;
mod trial;
mod verdicts;

pub use settings::{Probe, Settings};
use wikirag_core::{Capability, Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "onnx",
    version: env!("CARGO_PKG_VERSION"),
    summary: "embeds and reranks by local models (ONNX Runtime)",
    personal: &["runtime"],
    provides: &[
        Capability::Embedder { make: embedder::make },
        Capability::Reranker { make: reranker::make },
        Capability::Probe { run: trial::run },
    ],
};

submit!(PLUGIN);
