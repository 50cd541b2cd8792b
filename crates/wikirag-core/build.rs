//! Nothing is built here: cargo asks for a build script wherever a `links` key stands.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
