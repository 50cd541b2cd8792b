//! The promises of every fuser, kept by this one.

use wikirag_testkit::{fuser_suite, json, make};

fuser_suite!(with_defaults, || make::fuser(wikirag___IDENT__::PLUGIN, json!({})));
