//! The suite that every reader must pass.

use serde_json::json;
use wikirag_html::PLUGIN;
use wikirag_testkit::make;

wikirag_testkit::reader_suite!(
    reader,
    || make::reader(PLUGIN, json!({})),
    vec![
        (
            "page.html",
            b"<!doctype html>\n<title>A page</title>\n<h1>Page</h1>\n<p>With a <a href=b.html>link</a>.\n<ul><li>one<li>two</ul>\n<table><tr><th>a<th>b<tr><td>1<td>2</table>\n<pre>\n  code\n</pre>"
                .to_vec()
        ),
        ("old.htm", b"<meta charset=windows-1252><p>caf\xe9 <img src=a.png alt='a picture'>".to_vec()),
        (
            "page.xhtml",
            b"<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><head><script src='a.js'/></head>\n<body><p>text</p></body></html>"
                .to_vec()
        ),
    ]
);
