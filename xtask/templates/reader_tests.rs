//! The promises of every reader, kept by this one.

use wikirag_testkit::{json, make, reader_suite};

reader_suite!(
    with_defaults,
    || make::reader(wikirag___IDENT__::PLUGIN, json!({})),
    vec![("a.__NAME__", b"One.\n\nTwo,\nof two lines.\n".to_vec()), ("broken.__NAME__", b"caf\xe9\n".to_vec())],
);
