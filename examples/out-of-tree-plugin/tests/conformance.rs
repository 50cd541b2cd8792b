//! The promises of every fuser, kept by this one.

use out_of_tree_plugin::PLUGIN;
use wikirag_testkit::{fuser_suite, json, make};

fuser_suite!(borda, || make::fuser(PLUGIN, json!({})));

#[test]
fn settings_are_refused() {
    assert!(make::fuser(PLUGIN, json!({ "k": 60 })).is_err());
}
