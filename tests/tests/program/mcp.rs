//! Agents at the other end of stdin and stdout: lines of JSON-RPC in, lines of JSON-RPC out, nothing else.

mod client;
mod install;
mod leaks;
mod life;
mod skills;
mod surface;
mod tools;

use wikirag_tests::World;

use crate::garden;

/// The wiki `garden` and the composition `plot` over it, and a wiki beside it that `plot` may not see.
fn plot() -> World {
    let world = garden();
    world.write("plot.rag.yaml", "wikis: [garden]\nclearance: public\n");
    world.write("vault/.wiki.yaml", "name: vault\ntitle: Vault of secrets\nsensitivity: restricted\n");
    world.write("vault/hidden.md", "# Hidden basil\n\nThe basil of the vault is hidden. See [[other]].\n");
    world.write("vault/other.md", "# Other\n\nBack to [[hidden]].\n");
    world
}
