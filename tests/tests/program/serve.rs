//! `wikirag serve`, over real sockets.

mod access;
mod chat;
mod fuzz;
mod leaks;
mod life;
mod server;
mod shapes;

use wikirag_tests::World;

use crate::garden;
use server::Server;

/// The wiki `garden` for everybody, `office` for the team, and `crypt` for those who were told, in one composition.
fn estate() -> World {
    let world = garden();
    world.write("office/.wiki.yaml", "name: office\nsensitivity: internal\n");
    world.write(
        "office/rota.md",
        "# Rota\n\nThe rota of the beans and the compost is changed on Mondays. See [[keys]].\n",
    );
    world.write("office/keys.md", "# Keys\n\nThe keys of the shed hang in the hall.\n");
    world.write("crypt/.wiki.yaml", "name: crypt\ntitle: Sapphire\nsensitivity: confidential\n");
    world.write("crypt/sapphire.md", "# Sapphire\n\nThe sapphire lies under the compost heap. See [[heirloom]].\n");
    world.write("crypt/heirloom.md", "# Heirloom\n\nThe heirloom beans are worth more than the sapphire.\n");
    world.write("estate.rag.yaml", "name: estate\nclearance: confidential\nwikis: [garden, office, crypt]\n");
    let _ = world.run(&["build", "estate.rag.yaml"]).ok();
    world
}

/// A new token in the file `tokens.toml`.
fn token(world: &World, args: &[&str]) -> String {
    let args = [&["token", "--into", "tokens.toml"], args].concat();
    world.run(&args).ok().stdout.trim().to_owned()
}
