//! What was filled into the forms of a page.

use std::collections::HashSet;

use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object};
use hayro_interpret::hayro_syntax::page::Page;

use crate::info::text_string;
use crate::layout::TextLine;

/// Flags of an annotation (ISO 32000-2, 12.5.3): hidden, and not to be viewed.
const UNSEEN: u32 = 1 << 1 | 1 << 5;
/// Flag of a field (12.7.5.3): what is typed is not shown.
const PASSWORD: u32 = 1 << 13;

/// Adds the values of text and choice fields that the page does not draw: viewers draw them themselves.
pub(crate) fn add_values(page: &Page<'_>, lines: &mut Vec<TextLine>) {
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else { return };
    let mut values = annotations.iter::<Dict<'_>>().filter_map(|field| value(&field)).peekable();
    if values.peek().is_none() {
        return;
    }
    let drawn: HashSet<String> =
        lines.iter().flat_map(|line| line.text.split_whitespace()).map(str::to_owned).collect();
    for text in values {
        if !text.split_whitespace().all(|word| drawn.contains(word)) {
            lines.push(TextLine { text, begins: true });
        }
    }
}

fn value(field: &Dict<'_>) -> Option<String> {
    let parent = field.get::<Dict<'_>>(b"Parent");
    let own = |key: &[u8]| field.get::<Object<'_>>(key);
    let inherited = |key: &[u8]| own(key).or_else(|| parent.as_ref()?.get::<Object<'_>>(key));
    let number = |object: Option<Object<'_>>| object.and_then(Object::into_i32).map_or(0, i32::cast_unsigned);
    let is_field = field.get::<Name<'_>>(b"Subtype").is_some_and(|kind| &*kind == b"Widget");
    if !is_field || number(own(b"F")) & UNSEEN != 0 || number(inherited(b"Ff")) & PASSWORD != 0 {
        return None;
    }
    let (Object::Name(kind), Object::String(value)) = (inherited(b"FT")?, inherited(b"V")?) else { return None };
    let text = text_string(value.as_bytes());
    (matches!(&*kind, b"Tx" | b"Ch") && !text.is_empty()).then_some(text)
}
