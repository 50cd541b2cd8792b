use std::collections::BTreeMap;

use proptest::prelude::*;
use wikirag_core::{PortableIndex, Sensitivity, WikiName};

use super::super::head::{CatalogPart, Contents, LayerPart};
use super::*;

/// The files of a small archive.
fn files() -> BTreeMap<String, Vec<u8>> {
    // More than is unpacked at a time, and little in the archive: it is read anew for each byte of that.
    let long = vec![7; PIECE + 1];
    let files = [("catalog.db", b"catalog".to_vec()), ("bm25/v2/a.idx", long), ("bm25/v2/b.idx", Vec::new())];
    files.map(|(path, content)| (path.to_owned(), content)).into()
}

fn contents(files: &BTreeMap<String, Vec<u8>>) -> Contents {
    let part = |(path, content): (&String, &Vec<u8>)| FilePart {
        path: path.clone(),
        bytes: content.len() as u64,
        hash: blake3::hash(content).to_hex().to_string(),
    };
    Contents {
        sensitivity: Sensitivity::Confidential,
        manifest: "tags: [a]\n".to_owned(),
        catalog: CatalogPart { format: 2, documents: 1, chunks: 2, characters: 3 },
        layers: vec![LayerPart {
            name: "bm25".to_owned(),
            index: PortableIndex { format: "2".to_owned(), model: None },
        }],
        files: files.iter().map(part).collect(),
    }
}

/// An archive with this head, whatever it says, and these bytes in its files.
fn archive(head: &Head, files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let content = |file: &FilePart| Ok(files.get(&file.path).map_or(&[][..], Vec::as_slice));
    write(&mut bytes, head, Compression::fast(), content).unwrap();
    bytes
}

fn sound() -> (Head, Vec<u8>) {
    let files = files();
    let head = Head::new(WikiName::new("garden").unwrap(), contents(&files)).unwrap();
    let bytes = archive(&head, &files);
    (head, bytes)
}

fn read(bytes: &[u8]) -> Result<(Head, BTreeMap<String, Vec<u8>>)> {
    let mut files = BTreeMap::new();
    let head = ArchiveReader::open(bytes, bytes.len() as u64)?.unpack(
        |_| Ok(Vec::new()),
        |file, content| {
            files.insert(file.path.clone(), content);
            Ok(())
        },
    )?;
    Ok((head, files))
}

/// The error of an archive whose head was changed by somebody who knew how to sum.
fn refused(change: impl FnOnce(&mut Contents)) -> Error {
    let files = files();
    let mut contents = contents(&files);
    change(&mut contents);
    let head = Head::new(WikiName::new("garden").unwrap(), contents).unwrap();
    let mut bytes = Vec::new();
    let most = |file: &FilePart| {
        let content =
            files.get(&file.path).cloned().unwrap_or_else(|| vec![0; usize::try_from(file.bytes).unwrap_or(0)]);
        Ok(io::Cursor::new(content))
    };
    // Where the lengths do not fit nothing but the head is written, which is as far as anybody comes.
    let _ = write(&mut bytes, &head, Compression::fast(), most);
    read(&bytes).unwrap_err()
}

#[test]
fn what_was_packed_comes_back() {
    let (head, bytes) = sound();
    assert_eq!(read(&bytes).unwrap(), (head, files()));
}

#[test]
fn no_changed_byte_and_no_cut_is_taken() {
    let (_, bytes) = sound();
    for at in 0..bytes.len() {
        let mut broken = bytes.clone();
        broken[at] ^= 1;
        assert!(read(&broken).is_err(), "byte {at}");
        let kind = read(&bytes[..at]).unwrap_err().kind();
        assert!(kind == ErrorKind::Damaged || at < MAGIC.len() && kind == ErrorKind::Invalid, "cut at {at}: {kind:?}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(read(&longer).unwrap_err().kind(), ErrorKind::Damaged);
}

#[test]
fn other_files_and_other_forms_are_told_apart() {
    let (_, bytes) = sound();
    let later = [b"wrindex2", &bytes[8..]].concat();
    let error = read(&later).unwrap_err();
    assert!(error.kind() == ErrorKind::StaleIndex && error.message().contains("form '2'"), "{error}");
    for other in [&b""[..], b"PK\x03\x04", b"---\nname: garden\n---\n"] {
        let error = read(other).unwrap_err();
        assert!(error.kind() == ErrorKind::Invalid && error.message().contains("no archive"), "{error}");
    }
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let evil = [
        "../catalog.db",
        "/etc/passwd",
        "bm25/../../x",
        "bm25/./x",
        "bm25//x",
        "bm25/",
        "bm25",
        "bm25\\x",
        "C:/x",
        "bm25/a:b",
        "bm25/a\0b",
        "bm25/ü",
        "bm25/a.",
        "other/x",
        "lock",
        ".wiki.yaml",
        "",
        "bm25/a/b/c/d",
    ];
    for path in evil {
        let error = refused(|contents| {
            contents.files.push(FilePart { path: path.to_owned(), bytes: 0, hash: String::new() });
            contents.files.sort_by(|a, b| a.path.cmp(&b.path));
        });
        assert!(
            error.kind() == ErrorKind::Invalid && error.message().contains("no file of an index"),
            "{path:?}: {error}"
        );
    }
    let names = ["..", ".", "../bm25", ""];
    for name in names {
        let error = refused(|contents| {
            contents.layers[0].name = name.to_owned();
            contents.files.retain(|file| file.path == "catalog.db");
            contents.files.push(FilePart { path: format!("{name}/x"), bytes: 0, hash: String::new() });
            contents.files.sort_by(|a, b| a.path.cmp(&b.path));
        });
        assert_eq!(error.kind(), ErrorKind::Invalid, "{name:?}: {error}");
    }
}

#[test]
fn what_no_export_writes_is_refused() {
    let told = |what: &str, error: Error| {
        assert!(error.kind() == ErrorKind::Invalid && error.message().contains(what), "{what}: {error}");
    };
    told("no catalog", refused(|contents| contents.files.retain(|file| file.path != "catalog.db")));
    told("in order", refused(|contents| contents.files.reverse()));
    told(
        "in order",
        refused(|contents| {
            let twice = contents.files[0].clone();
            contents.files.insert(0, FilePart { path: twice.path.to_uppercase().replace("BM25", "bm25"), ..twice });
        }),
    );
    told("a layer twice", refused(|contents| contents.layers.push(contents.layers[0].clone())));
    told("bytes are to come out", refused(|contents| contents.files[0].bytes = 1 << 40));
    told("bytes are to come out", refused(|contents| contents.files.iter_mut().for_each(|file| file.bytes = u64::MAX)));
    for own in ["name: x", "source: /etc", "sensitivity: public", "documents: present", "\"source\": /etc"] {
        told("its manifest gives", refused(|contents| contents.manifest = format!("{own}\n")));
    }
    for broken in ["{", "tags: {", "colour: red", "- a", "chunker: 3"] {
        told("its manifest", refused(|contents| contents.manifest = broken.to_owned()));
    }
}

#[test]
fn a_head_that_lies_of_its_files_is_found_out() {
    let files = files();
    for change in [|file: &mut FilePart| file.bytes += 1, |file: &mut FilePart| file.hash.replace_range(0..1, "x")] {
        let mut contents = contents(&files);
        change(&mut contents.files[0]);
        let head = Head::new(WikiName::new("garden").unwrap(), contents).unwrap();
        let (sound, bytes) = sound();
        // The head in the place of the sound one, and the sum over all of it.
        let json = serde_json::to_vec(&head).unwrap();
        let body = MAGIC.len() + 4 + serde_json::to_vec(&sound).unwrap().len();
        let mut forged =
            [&MAGIC[..], &(json.len() as u32).to_le_bytes(), &json, &bytes[body..bytes.len() - 32]].concat();
        forged.extend(blake3::hash(&forged).as_bytes());
        assert_eq!(read(&forged).unwrap_err().kind(), ErrorKind::Damaged);
    }
}

#[test]
fn the_digest_is_that_of_the_contents_alone() {
    let (head, _) = sound();
    let other = Head::new(WikiName::new("other").unwrap(), head.contents.clone()).unwrap();
    assert_eq!(other.digest, head.digest);
    let mut contents = head.contents;
    contents.sensitivity = Sensitivity::Public;
    assert_ne!(Head::new(head.wiki, contents).unwrap().digest, head.digest);
}

proptest! {
    #[test]
    fn any_bytes_are_an_archive_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400), length in 0..600u64) {
        for start in [&b""[..], MAGIC] {
            let bytes = [start, &bytes[..]].concat();
            let opened = ArchiveReader::open(&bytes[..], length);
            prop_assert!(opened.is_err());
        }
    }

    #[test]
    fn no_piece_of_an_archive_can_be_changed(at in any::<prop::sample::Index>(), piece in prop::collection::vec(any::<u8>(), 1..40)) {
        let (_, bytes) = sound();
        let at = at.index(bytes.len());
        let mut changed = bytes.clone();
        changed.splice(at..(at + piece.len()).min(bytes.len()), piece);
        prop_assert!(changed == bytes || read(&changed).is_err());
    }
}
