//! The promises of a retriever.

use wikirag_testkit::make;

wikirag_testkit::retriever_suite!(conformance, |setup| make::retriever(wikirag_bm25::PLUGIN, setup));
