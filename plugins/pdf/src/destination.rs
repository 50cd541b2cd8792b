//! The pages to which bookmarks lead.

use std::collections::{HashMap, HashSet};

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Array, Dict, MaybeRef, Object, ObjectIdentifier};

/// What is needed to tell the page of a destination (ISO 32000-2, 12.3.2).
pub(crate) struct Destinations<'p> {
    pages: HashMap<ObjectIdentifier, usize>,
    named: HashMap<Vec<u8>, Object<'p>>,
}

/// Nodes and names of the tree of destinations that are looked at. A manual has some ten thousand.
const MAX_NAMES: usize = 500_000;

impl<'p> Destinations<'p> {
    /// Those of a file.
    pub(crate) fn of(pdf: &'p Pdf) -> Self {
        let pages = pdf.pages().iter().enumerate().filter_map(|(number, page)| Some((page.raw().obj_id()?, number)));
        Self { pages: pages.collect(), named: named(pdf) }
    }

    /// The page to which a bookmark leads, from 0.
    pub(crate) fn page(&self, bookmark: &Dict<'_>) -> Option<usize> {
        let target = bookmark.get::<Object<'_>>(b"Dest").or_else(|| bookmark.get::<Dict<'_>>(b"A")?.get(b"D"))?;
        let array = match target {
            Object::String(name) => self.array(name.as_bytes()),
            Object::Name(name) => self.array(&name),
            target => as_array(target),
        };
        let page = array?.raw_iter().next()?.as_obj_ref()?;
        self.pages.get(&page.into()).copied()
    }

    fn array(&self, name: &[u8]) -> Option<Array<'p>> {
        as_array(self.named.get(name)?.clone())
    }
}

/// A destination is an array, or a dictionary with the array in it.
fn as_array(target: Object<'_>) -> Option<Array<'_>> {
    match target {
        Object::Array(array) => Some(array),
        Object::Dict(dict) => dict.get(b"D"),
        _ => None,
    }
}

/// The destinations that have a name: the dictionary of old files, and the tree of newer ones.
fn named(pdf: &Pdf) -> HashMap<Vec<u8>, Object<'_>> {
    let xref = pdf.xref();
    let mut named = HashMap::new();
    let Some(root) = xref.get::<Dict<'_>>(xref.root_id()) else { return named };
    if let Some(old) = root.get::<Dict<'_>>(b"Dests") {
        let names: Vec<_> = old.keys().collect();
        named.extend(names.iter().filter_map(|name| Some((name.to_vec(), old.get(name)?))));
    }
    let mut waiting: Vec<Dict<'_>> = Vec::new();
    waiting.extend(root.get::<Dict<'_>>(b"Names").and_then(|names| names.get(b"Dests")));
    let mut seen = HashSet::new();
    while let Some(node) = waiting.pop() {
        if node.obj_id().is_some_and(|id| !seen.insert(id)) || named.len() > MAX_NAMES || seen.len() > MAX_NAMES {
            continue;
        }
        if let Some(names) = node.get::<Array<'_>>(b"Names") {
            let mut items = names.raw_iter();
            while let (Some(name), Some(target)) = (items.next(), items.next()) {
                if let (Some(Object::String(name)), Some(target)) = (resolve(pdf, name), resolve(pdf, target)) {
                    named.insert(name.as_bytes().to_vec(), target);
                }
            }
        }
        if let Some(kids) = node.get::<Array<'_>>(b"Kids") {
            // By reference only, as the format wants it: so no node is visited twice.
            let kids = kids.raw_iter().filter_map(|kid| kid.as_obj_ref());
            waiting.extend(
                kids.filter(|kid| !seen.contains(&(*kid).into())).filter_map(|kid| xref.get::<Dict<'_>>(kid.into())),
            );
        }
    }
    named
}

fn resolve<'p>(pdf: &'p Pdf, item: MaybeRef<Object<'p>>) -> Option<Object<'p>> {
    match item {
        MaybeRef::Ref(id) => pdf.xref().get(id.into()),
        MaybeRef::NotRef(object) => Some(object),
    }
}
