//! The promises of every fuser, kept by this one.

use wikirag_testkit::{fuser_suite, json, make};

fuser_suite!(by_default, || make::fuser(wikirag_combsum::PLUGIN, json!({})));
fuser_suite!(by_min_max, || make::fuser(wikirag_combsum::PLUGIN, json!({ "normalise": "min-max" })));
fuser_suite!(by_max, || make::fuser(wikirag_combsum::PLUGIN, json!({ "normalise": "max" })));
fuser_suite!(by_distribution, || make::fuser(wikirag_combsum::PLUGIN, json!({ "normalise": "distribution" })));
