//! Pages, with what a person finds on them and the structure that it has.

mod common;

use common::{blocks, cuts, lines_of, links, read, read_as, text};
use wikirag_core::{BlockKind, ErrorKind};

#[test]
fn a_page_of_every_kind_of_block() {
    let page = "<h1>One &amp; <em>two</em></h1><p>Some\n  <b>bold</b> text<br>on two lines.<ul><li>first<li>second</ul>\
        <ol start=3><li>third</ol><table><tr><th>a<th>b<tr><td>1<td>2</table><pre>\n  fn x() {\n\n  }\n</pre>\
        <blockquote><p>said<p>again</blockquote><dl><dt>term<dd>what it is</dl>loose words";
    assert_eq!(
        blocks(page),
        [
            ("heading 1", "One & two"),
            ("paragraph", "Some bold text\non two lines."),
            ("list", "- first\n- second"),
            ("list", "3. third"),
            ("table", "a | b\n1 | 2"),
            ("code", "  fn x() {\n\n  }"),
            ("quote", "said\nagain"),
            ("other", "term\nwhat it is"),
            ("paragraph", "loose words"),
        ]
        .map(|(kind, text)| (kind.to_owned(), text.to_owned()))
    );
}

#[test]
fn white_space_is_that_of_a_browser() {
    assert_eq!(text("<p> a <b> b </b>\n\tc<i>d</i> </p>\n \n<div>e</div>f"), "a b cd\n\ne\n\nf");
    assert_eq!(text("<p>a&nbsp;b&#8211;c &lt;d&gt; &copy &zzz; &#x1F600;"), "a\u{a0}b–c <d> © &zzz; 😀");
    assert_eq!(text("<p>&nbsp;</p><p> </p><div><div></div></div>").trim(), "");
}

#[test]
fn missing_and_surplus_end_tags() {
    assert_eq!(text("<p>a<p>b</div></p></b>c</ul>"), "a\n\nb\n\nc");
    assert_eq!(text("<b><p>a</b> b</p>c"), "a b\n\nc");
    assert_eq!(text("<ul><li>a<ul><li>b</ul></li><li>c"), "- a\n  - b\n- c");
    assert_eq!(text("<table><td>a<td>b</div></p><tr><td>c<td>d</table>e"), "a | b\nc | d\n\ne");
    assert_eq!(text("<div><span>a<div>b</span>c</div>d"), "a\n\nbc\n\nd");
}

#[test]
fn lists_in_lists_and_what_is_in_items() {
    let page = "<ol><li>a<ul><li><p>b</p><p>more</p></li><li></li></ul><li><pre>x\n  y</pre>after</ol>";
    assert_eq!(text(page), "1. a\n  - b\nmore\n2. x\n  y\nafter");
    assert_eq!(cuts(page), ["  - b", "2. x", "after"]);
}

#[test]
fn a_list_of_sections_is_no_list() {
    let page = "<ul><li><h2>A</h2><p>a</p><li><h2>B</h2><p>b</p></ul>";
    let kinds: Vec<_> = blocks(page).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["heading 2", "paragraph", "heading 2", "paragraph"]);
}

#[test]
fn tables_know_their_header() {
    let page = "<table><caption>What</caption><thead><tr><th>n<th>name</thead><tr><td>1<td><p>one</p><p>uno</p>\
        <tr><td><td>two<td></td></table>";
    let document = read(page);
    assert_eq!(text(page), "What\n\nn | name\n1 | one uno\n| two");
    let BlockKind::Table { header } = &document.blocks[1].kind else { panic!("{:?}", document.blocks) };
    assert_eq!(header.unwrap().slice(&document.text), Some("n | name"));
    let document = read("<table><tr><td>1<td>2<tr><th>a<td>3</table>");
    assert_eq!(document.blocks[0].kind, BlockKind::Table { header: None });
}

#[test]
fn tables_that_only_place_boxes() {
    for page in [
        "<table><tr><td><h1>A</h1><p>b</p><td>c</table>",
        "<table><tr><td><table><tr><td>A</table><p>b</p><td>c</table>",
        "<table role=presentation><tr><td>A<td>b<td>c</table>",
        "<table><tr><td>A<tr><td>b<tr><td>c</table>",
    ] {
        assert_eq!(text(page), "A\n\nb\n\nc", "{page}");
        assert!(!read(page).blocks.iter().any(|block| matches!(block.kind, BlockKind::Table { .. })), "{page}");
    }
}

#[test]
fn links_and_images() {
    let page = "<p>see <a href='b.html#c'>the <b>other</b>\npage</a>, <a href=//x.example>no</a> <a name=d>no</a>\
        <a href=e.html></a><a href=f.html><img src=g.png alt='a picture'></a>!";
    assert_eq!(text(page), "see the other page, no no a picture !");
    assert_eq!(
        links(page),
        ["Inline b.html#c: the other page", "Inline f.html: a picture", "Embed g.png: a picture"].map(str::to_owned)
    );
}

#[test]
fn what_is_never_shown() {
    let page = "<script>if (a<b) x</script><style>p {}</style><template><p>t</template><p hidden>h</p>\
        <p style='color:red;display: none'>d</p><noscript>n</noscript><select><option>o</select><button>b</button>\
        <dialog>g</dialog><span aria-hidden=true>i</span><!-- c --><svg><title>s</title><script/><text>shown</text></svg>";
    assert_eq!(text(page), "shown");
}

#[test]
fn menus_and_banners_are_left_out() {
    let page = "<header><a href=/>Home</a> <a href=/b>Blog</a></header><nav><ul><li><a href=x>Contents</a></ul></nav>\
        <div class='main-menu'><a href=p>Products</a></div><div id=cookie-banner>We use cookies. OK?</div>\
        <h1>Title<a class=headerlink href='#t'>¶</a></h1><p>The text of the page, which is much longer than all of that \
        around it, because pages are there for their text and not for their menus, whatever one may think today. \
        It goes on for a while, says a thing twice, and so comes to an end that nobody will remember.</p>\
        <section id=cookies><h2>Cookies</h2><p>How cookies work.</p></section>\
        <footer>© Somebody, <a href=i>imprint</a></footer>";
    let text = text(page);
    for gone in ["Home", "Blog", "Contents", "Products", "OK?", "¶", "Somebody"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
    assert!(text.starts_with("Title\n\nThe text") && text.ends_with("How cookies work."), "{text}");
}

#[test]
fn headers_and_footers_of_parts_stay() {
    let long = "words that go on and on ".repeat(20);
    let page = format!(
        "<header>Site</header><section><header><h2>Part</h2></header><p>{long}</p></section>\
         <blockquote>said<footer>Author</footer></blockquote><footer>Imprint</footer>"
    );
    assert_eq!(text(&page), format!("Part\n\n{}\n\nsaid\nAuthor", long.trim_end()));
}

#[test]
fn the_main_element_counts_if_it_holds_the_most() {
    let long = "words that go on and on ".repeat(20);
    let page = format!("<h1>Title</h1><p>Before.</p><main><p>{long}</p></main><p>After.</p>");
    assert_eq!(text(&page), format!("Title\n\n{}", long.trim_end()));
    let page = format!("<main>Skip</main><p>{long}</p>");
    assert_eq!(text(&page), format!("Skip\n\n{}", long.trim_end()));
}

#[test]
fn a_page_of_nothing_but_links_is_read() {
    assert_eq!(text("<nav><ul><li><a href=a>A</a><li><a href=b>B</a></ul></nav>"), "- A\n- B");
    assert_eq!(text("<div class=menu><p><a href=a>Soup</a> <a href=b>Bread</a></p></div>"), "Soup Bread");
}

#[test]
fn buttons_in_headings() {
    assert_eq!(text("<h2><button>A question?</button></h2><p>Yes."), "A question?\n\nYes.");
    assert_eq!(text("<h2>Words <button>Copy</button></h2><p>Yes."), "Words\n\nYes.");
}

#[test]
fn a_quotation_that_is_all_code_is_code() {
    assert_eq!(
        blocks("<blockquote><pre>int f(\n  int);</pre></blockquote>"),
        [("code".into(), "int f(\n  int);".into())]
    );
    assert_eq!(blocks("<blockquote>a<pre>b</pre></blockquote>"), [("quote".into(), "a\nb".into())]);
}

#[test]
fn a_small_page_below_a_large_menu() {
    let page = "<div class=nosearch>Small. Fast.<ul><li><a href=a>Documentation</a><li><a href=b>Download</a></ul></div>\
        <h2>analyze</h2><p>ANALYZE schema-name";
    assert_eq!(text(page), "analyze\n\nANALYZE schema-name");
}

#[test]
fn metadata() {
    let page = "<html lang=de><head><title> A\n title </title><meta name=Description content='what  it is'>\
        <meta name=keywords content='a, b c,,d'><meta property=og:title content=no></head><body><p>x<svg><title>s</title></svg>";
    let meta = read(page).meta;
    assert_eq!(
        serde_json::Value::Object(meta),
        serde_json::json!({"title": "A title", "description": "what it is", "language": "de", "tags": ["a", "b c", "d"]})
    );
    assert_eq!(read("<meta property=og:title content='T'><p>x").meta["title"], "T");
    assert!(read("<title></title><p>x").meta.is_empty());
}

#[test]
fn readings_do_not_part_words() {
    assert_eq!(text("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>です"), "漢字 (かんじ)です");
    assert_eq!(text("<p>a word<sup><a href='#1'>1</a></sup>, m<sup>2</sup>"), "a word 1, m2");
}

#[test]
fn places_name_the_lines_of_the_file() {
    let page = "<!doctype html>\r\n<p>one\r\ntwo</p>\r\n\r\n<pre>\r\n\r\nthree\r\n four</pre><table>\r\n<tr><td>five\r\n<td>six</table>\r\n<p>&#10;seven &#10; eight";
    let document = read(page);
    for (word, line) in
        [("one", 2), ("two", 3), ("three", 7), ("four", 8), ("five", 9), ("six", 10), ("seven", 11), ("eight", 11)]
    {
        assert_eq!(lines_of(&document, word), (line, line), "{word}");
    }
}

#[test]
fn encodings() {
    assert_eq!(read_as("a.html", b"<meta charset=koi8-r><p>\xf2\xd5\xd3\xd3\xcb\xc9\xca").unwrap().text, "Русский");
    assert_eq!(read_as("a.html", b"\xef\xbb\xbf<meta charset=koi8-r><p>\xc3\xa9").unwrap().text, "é");
    let utf16: Vec<u8> = "\u{feff}<p>żółw".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read_as("a.html", &utf16).unwrap().text, "żółw");
    let guessed = read_as("a.html", b"<p>caf\xe9 cr\xe8me br\xfbl\xe9e").unwrap();
    assert_eq!(guessed.text, "café crème brûlée");
    assert!(guessed.warnings[0].message.contains("guess"), "{:?}", guessed.warnings);
}

#[test]
fn xhtml() {
    let page = b"<?xml version='1.0'?><html><head><title/><script src='a'/></head><body><p>a<a id='x'/>b</p><p><![CDATA[c < d]]></p></body></html>";
    assert_eq!(read_as("a.xhtml", page).unwrap().text, "ab\n\nc < d");
    assert_eq!(read_as("a.xhtml", b"<h:html><h:p>a</h:p></h:html>").unwrap().text, "a");
}

#[test]
fn a_page_without_text_says_so() {
    let document = read("<!doctype html><div id=app></div><script>go()</script>");
    assert!(document.blocks.is_empty() && document.warnings[0].message.contains("no text"));
    assert!(read("").warnings.is_empty());
}

#[test]
fn bytes_that_are_no_text_are_refused_with_a_remedy() {
    let error = read_as("a.html", b"<p>\x00\x01\x02\x00\x03\xff\x00\x01").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("a.html") && error.remedy().is_some(), "{error}");
}
