//! The promises of every layer, kept by this one.

use wikirag_core::LayerSetup;
use wikirag_testkit::{make, retriever_suite};

retriever_suite!(with_defaults, |setup: &LayerSetup| make::retriever(wikirag___IDENT__::PLUGIN, setup));
