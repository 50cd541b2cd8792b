//! The ONNX Runtime library in this process.
//!
//! A process loads one library, once: what came of it stays until the process ends, and nothing else of `ort` is touched
//! unless it went well, since a call without a loaded library panics.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ort::environment::Environment;
use ort::logging::LogLevel;

struct Loaded {
    library: PathBuf,
    /// The environment, or a sentence that says why there is none.
    environment: Result<Environment, String>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

/// The library at `library`, loaded now if it was not before.
///
/// # Errors
/// A sentence that says why it cannot be used.
pub(crate) fn environment(library: &Path) -> Result<Environment, String> {
    LOADED.get_or_init(|| Loaded { library: library.to_owned(), environment: load(library) }).of(library)
}

/// Why `library` cannot be used in this process, where that is known already.
pub(crate) fn known_fault(library: &Path) -> Option<String> {
    LOADED.get().and_then(|loaded| loaded.of(library).err())
}

impl Loaded {
    fn of(&self, library: &Path) -> Result<Environment, String> {
        if self.library != library {
            return Err(format!("this process has loaded {} already, and takes no second one", self.library.display()));
        }
        self.environment.clone()
    }
}

fn load(library: &Path) -> Result<Environment, String> {
    // `ort` panics where the library hands out no interface of the version that it needs.
    let loaded = catch_unwind(|| {
        let builder = ort::init_from(library).map_err(|error| error.to_string())?;
        builder.with_name("wikirag").with_telemetry(false).build().map_err(|error| error.to_string())
    });
    let environment =
        loaded.unwrap_or_else(|_| Err("it does not hand out the interface that it must have".to_owned()))?;
    // What goes wrong comes back as an error; the library's own lines on the terminal are for those who ask for them.
    if std::env::var_os("ORT_LOG").is_none() {
        environment.set_log_level(LogLevel::Fatal);
    }
    Ok(environment)
}
