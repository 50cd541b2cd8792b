use std::collections::BTreeSet;
use std::io::Read;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, Response, StatusCode};
use flate2::read::GzDecoder;
use tower::ServiceExt;

use super::files::{FILES, File, INDEX};
use super::routes;

async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let request = headers
        .iter()
        .fold(Request::builder().method(method).uri(path), |request, (name, value)| request.header(*name, *value));
    let router: Router = routes();
    router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn get(path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    ask(Method::GET, path, headers).await
}

async fn bytes(response: Response<Body>) -> Vec<u8> {
    to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

fn path_of(file: &File) -> String {
    if file.name == INDEX { "/".to_owned() } else { format!("/page/{}", file.name) }
}

fn text_of(file: &File) -> &'static str {
    str::from_utf8(file.bytes).unwrap()
}

#[tokio::test]
async fn every_file_is_served_under_a_policy() {
    for file in FILES {
        let response = get(&path_of(file), &[]).await;
        assert_eq!(response.status(), StatusCode::OK, "{}", file.name);
        assert_eq!(header(&response, "content-type"), file.content_type());
        assert_ne!(file.content_type(), "application/octet-stream", "{}", file.name);
        assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        let policy = header(&response, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(bytes(response).await, file.bytes, "{}", file.name);
    }
}

#[tokio::test]
async fn a_file_that_the_browser_has_is_not_sent_again() {
    for encoding in ["gzip, br", "identity"] {
        for file in FILES {
            let first = get(&path_of(file), &[("accept-encoding", encoding)]).await;
            let tag = header(&first, "etag").to_owned();
            let again = |tag: String| async move {
                get(&path_of(file), &[("accept-encoding", encoding), ("if-none-match", &tag)]).await
            };
            for known in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
                let answer = again(known).await;
                assert_eq!(answer.status(), StatusCode::NOT_MODIFIED);
                assert_eq!(header(&answer, "etag"), tag);
                assert!(bytes(answer).await.is_empty());
            }
            assert_eq!(again("\"other\"".to_owned()).await.status(), StatusCode::OK);
        }
    }
}

#[tokio::test]
async fn what_is_compressed_is_the_same_file_under_another_tag() {
    let mut total = 0;
    for file in FILES {
        let plain = get(&path_of(file), &[]).await;
        let packed = get(&path_of(file), &[("accept-encoding", "br;q=1, GZip;q=0.5")]).await;
        assert_eq!(header(&packed, "vary"), "accept-encoding");
        let is_packed = header(&packed, "content-encoding") == "gzip";
        assert_eq!(is_packed, header(&packed, "etag") != header(&plain, "etag"), "{}", file.name);
        let sent = bytes(packed).await;
        total += sent.len();
        let mut read = Vec::new();
        match is_packed {
            true => GzDecoder::new(sent.as_slice()).read_to_end(&mut read).map(|_| ()).unwrap(),
            false => read = sent,
        }
        assert_eq!(read, file.bytes, "{}", file.name);
        let refused = get(&path_of(file), &[("accept-encoding", "gzip;q=0")]).await;
        assert_eq!(header(&refused, "content-encoding"), "");
    }
    assert!(total < 60_000, "the page takes {total} bytes");
}

#[tokio::test]
async fn nothing_else_is_there() {
    for path in
        ["/page/", "/page/none.js", "/page/../Cargo.toml", "/page/%2e%2e/mod.rs", "/index.html", "/page/index.html"]
    {
        assert_eq!(get(path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(ask(Method::POST, "/", &[]).await.status(), StatusCode::METHOD_NOT_ALLOWED);
    let head = ask(Method::HEAD, "/", &[]).await;
    assert_eq!(head.status(), StatusCode::OK);
    assert!(bytes(head).await.is_empty());
}

#[test]
fn the_table_and_the_folder_agree() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/files");
    let there: BTreeSet<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let named: BTreeSet<String> = FILES.iter().map(|file| file.name.to_owned()).collect();
    assert_eq!(there, named);
}

#[test]
fn nothing_comes_from_elsewhere() {
    for file in FILES {
        let text = text_of(file).replace("http://www.w3.org/2000/svg", "");
        for sign in ["http://", "https://", "url(", "@import", "import("] {
            assert!(!text.contains(sign), "{}: {sign}", file.name);
        }
    }
}

#[test]
fn no_text_becomes_markup_or_code() {
    let forbidden = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "createContextualFragment",
        "srcdoc",
        "eval(",
        "Function(",
        "setTimeout(\"",
        "javascript:",
    ];
    for file in FILES {
        for word in forbidden {
            assert!(!text_of(file).contains(word), "{}: {word}", file.name);
        }
    }
    let index = FILES.iter().find(|file| file.name == INDEX).map(text_of).unwrap();
    assert!(
        !index.contains("<style") && !index.contains(" style=") && !index.contains(" on"),
        "inline style or handler"
    );
    for script in index.split("<script").skip(1) {
        let (tag, rest) = script.split_once('>').unwrap();
        assert!(tag.contains(" src=\"/page/") && rest.starts_with("</script>"), "inline script: {tag}");
    }
}

/// Without that a module is fetched only after the one that needs it was read: one round trip for each step.
#[test]
fn the_page_names_all_its_files_at_once() {
    let index = FILES.iter().find(|file| file.name == INDEX).map(text_of).unwrap();
    for file in FILES.iter().filter(|file| file.name != INDEX) {
        assert_eq!(index.matches(&format!("\"/page/{}\"", file.name)).count(), 1, "{}", file.name);
        for import in text_of(file).lines().filter(|line| line.starts_with("import ")) {
            let name = import.split("\"./").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            assert!(FILES.iter().any(|other| other.name == name), "{}: {import}", file.name);
        }
    }
}
