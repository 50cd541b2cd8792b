//! A program that tries native code of plugins where it can do no harm: `prober <plugin> <input>` prints the verdict.
//!
//! Programs without a command of their own for it name this one in [`Host::with_prober`](wikirag_core::Host::with_prober).

#![expect(clippy::print_stdout, reason = "the verdict is what it is run for")]

use wikirag_core::{Error, ErrorKind, Registry, Result};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [plugin, input] = &arguments[..] else {
        return Err(Error::new(ErrorKind::Usage, "probe", "give the name of a plugin and its input"));
    };
    println!("{}", Registry::from_plugins([wikirag_onnx::PLUGIN])?.probe(plugin, input)?);
    Ok(())
}
