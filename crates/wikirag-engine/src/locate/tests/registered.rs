//! Wikis made by name.

use super::*;

#[test]
fn a_wiki_made_by_name_keeps_its_source() {
    let place = Place::new();
    let source = place.wiki("docs", "");
    let other = place.wiki("other", "");
    let made = place.register("food", &source, None).unwrap();
    assert_eq!((made.manifest.name.as_str(), &made.root), ("food", &source));
    assert_eq!(made.index_dir, place.path("data/wikis/food/.index"));
    assert_eq!(place.register("food", &source, None).unwrap(), made);
    assert_eq!(place.find("food").unwrap(), made);
    let error = place.register("food", &other, None).unwrap_err();
    assert!(error.remedy().is_some() && error.message().contains("docs"), "{error}");
    assert_eq!(kind(place.register("x", &place.path("absent"), None)), ErrorKind::NotFound);
    let tags = ["new".to_owned()];
    let name = |name| WikiName::new(name).unwrap();
    let new = NewWiki { name: name("food"), source: &source, kind: WikiKind::Skills, tags: &tags, sensitivity: None };
    assert_eq!(kind(register(&place.settings, &new)), ErrorKind::Invalid);
    let new = NewWiki { name: name("tagged"), ..new };
    let tagged = register(&place.settings, &new).unwrap().manifest;
    assert_eq!((tagged.tags.as_slice(), tagged.kind), (tags.as_slice(), WikiKind::Skills));
    assert_eq!(fs::read_dir(&source).unwrap().count(), 0);
    fs::remove_dir(&source).unwrap();
    assert_eq!(kind(place.find("food")), ErrorKind::NotFound);
}

#[test]
fn a_wiki_made_by_name_follows_the_manifest_beside_its_documents() {
    let place = Place::new();
    let source = place.wiki("docs", "name: inner\nexclude: drafts/\ntitle: Docs\nsensitivity: public");
    let made = place.register("food", &source, None).unwrap();
    assert_eq!((made.manifest.name.as_str(), made.manifest.title.as_str()), ("food", "Docs"));
    assert!(!made.manifest.includes("drafts/a.md"));
    assert_eq!(made.manifest.sensitivity, Sensitivity::Public);
}

#[test]
fn what_was_made_by_name_is_taken_back_with_its_index_and_without_its_documents() {
    for flags in [&[][..], &[("index_dir", "elsewhere")]] {
        let place = Place::with_flags(flags);
        let (source, other) = (place.wiki("docs", ""), place.wiki("other", ""));
        fs::write(source.join("a.md"), "a").unwrap();
        let made = place.register("food", &source, None).unwrap();
        fs::create_dir_all(made.index_dir.join("bm25")).unwrap();
        let food = WikiName::new("food").unwrap();
        assert!(!unregister(&place.settings, &food, &other).unwrap(), "it is made of other documents");
        assert!(made.index_dir.exists() && place.find("food").is_ok());
        let lock = crate::WriteLock::acquire(&made.index_dir).unwrap();
        assert_eq!(unregister(&place.settings, &food, &source).unwrap_err().kind(), ErrorKind::Busy);
        drop(lock);
        assert!(unregister(&place.settings, &food, &source).unwrap());
        assert!(!made.index_dir.exists() && source.join("a.md").exists());
        assert_eq!(kind(place.find("food")), ErrorKind::NotFound);
        assert!(!unregister(&place.settings, &food, &source).unwrap(), "there is none");
    }
}

#[test]
fn only_a_wiki_made_by_name_has_a_source() {
    let place = Place::new();
    let source = place.wiki("docs", "");
    place.wiki("notes/a", &format!("name: a\nsource: {}", source.display()));
    assert_eq!(kind(place.find("a")), ErrorKind::Invalid);
    assert_eq!(kind(place.register("b", &place.path("notes/a"), None)), ErrorKind::Invalid);
}

#[test]
fn a_wiki_made_by_name_is_no_part_of_the_wiki_around_it() {
    let place = Place::new();
    let inner = place.wiki("notes/outer/a/inner", "");
    place.register("inner", &inner, None).unwrap();
    place.register("alias", &place.path("notes/outer"), None).unwrap();
    place.wiki("data/wikis/broken", &format!("nam: x\nsource: {}", place.path("notes/outer/b").display()));
    for (reference, nested) in [("outer", ["a/inner", "b"].as_slice()), ("outer/a", &["inner"]), ("inner", &[])] {
        let wiki = place.find(reference).unwrap();
        assert_eq!(wiki.nested, nested.iter().map(PathBuf::from).collect(), "{reference}");
    }
}

/// A broken manifest of a wiki made by name matters to its own documents, and to all where nobody can tell which they are.
#[test]
fn a_broken_registration_closes_no_more_than_it_must() {
    let place = Place::new();
    place.wiki("notes/food", "");
    let docs = place.wiki("notes/docs/below", "");
    let source = place.path("notes/docs").display().to_string();
    for known in [
        format!("nam: x\nsource: {source}"),
        format!("source: '{source}'\nsensitivity: secret"),
        format!("{{sensitivity: , source: {source}}}"),
        format!("source: \"{source}\"\n{{"),
    ] {
        place.wiki("data/wikis/hush", &known);
        assert!(place.find("food").is_ok(), "{known}");
        for reference in ["docs", "docs/below", docs.to_str().unwrap(), "hush"] {
            assert_eq!(kind(place.find(reference)), ErrorKind::Invalid, "{known}: {reference}");
        }
    }
    for unknown in [
        "nam: x".to_owned(),
        "{".to_owned(),
        "source: docs".to_owned(),
        "nam: x\nsource: docs".to_owned(),
        format!("source: {source}\nsource: {source}\n"),
        format!("{{\nsource: \"{source}"),
    ] {
        place.wiki("data/wikis/hush", &unknown);
        let error = place.find("food").unwrap_err();
        assert_eq!((error.kind(), error.remedy().is_some()), (ErrorKind::Invalid, true), "{unknown}");
        assert!(!error.to_string().contains("hush") && !error.to_string().contains("docs"), "{error}");
        assert!(place.find("hush").unwrap_err().to_string().contains("hush"));
    }
}
