//! The promises of every fuser, kept by this one.

use wikirag_testkit::{fuser_suite, json, make};

fuser_suite!(with_defaults, || make::fuser(wikirag_rrf::PLUGIN, json!({})));
fuser_suite!(with_a_small_k, || make::fuser(wikirag_rrf::PLUGIN, json!({ "k": 0.5 })));
fuser_suite!(with_the_largest_k, || make::fuser(wikirag_rrf::PLUGIN, json!({ "k": wikirag_rrf::MAX_K })));
