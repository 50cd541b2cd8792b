//! A start tag, as far as the text is concerned.

/// A start tag with those of its attributes that matter here.
#[derive(Debug, Default)]
pub(crate) struct Tag {
    /// The name, in lower case.
    pub name: Vec<u8>,
    /// Whether it ends with `/>`.
    pub is_closed: bool,
    /// Names and values in the order of the tag. Only those that [`KEPT`] names.
    attributes: Vec<(&'static str, String)>,
}

/// The attributes that anything here asks for.
const KEPT: [&str; 16] = [
    "alt",
    "aria-hidden",
    "class",
    "content",
    "hidden",
    "href",
    "id",
    "lang",
    "name",
    "open",
    "property",
    "role",
    "src",
    "start",
    "style",
    "xml:lang",
];

impl Tag {
    /// Begins a new tag, in the memory of the one before.
    pub(crate) fn begin(&mut self, name: &[u8]) {
        self.name.clear();
        self.name.extend_from_slice(name);
        self.is_closed = false;
        self.attributes.clear();
    }

    /// Adds an attribute without a value. Returns whether a value that follows is wanted: it is one of those that
    /// matter, and the tag has not had it yet (the first counts).
    pub(crate) fn add(&mut self, name: &[u8]) -> bool {
        let Some(name) = KEPT.into_iter().find(|kept| kept.as_bytes() == name) else { return false };
        let is_new = self.get(name).is_none();
        if is_new {
            self.attributes.push((name, String::new()));
        }
        is_new
    }

    /// The value of the attribute added last.
    pub(crate) fn set_value(&mut self, value: &[u8]) {
        if let Some((_, last)) = self.attributes.last_mut() {
            *last = String::from_utf8_lossy(value).into_owned();
        }
    }

    /// The value of an attribute; empty where it stands there without one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// Whether the page itself says that the element is not shown.
    pub(crate) fn is_hidden(&self) -> bool {
        // What is hidden until a search finds it is there to be found.
        let by_attribute = self.get("hidden").is_some_and(|value| !value.trim().eq_ignore_ascii_case("until-found"));
        by_attribute || self.get("style").is_some_and(is_hiding)
    }
}

/// Whether a style attribute takes the element out of the page.
fn is_hiding(style: &str) -> bool {
    style.split(';').filter_map(|rule| rule.split_once(':')).any(|(property, value)| {
        let value = value.split('!').next().unwrap_or(value).trim();
        let is =
            |name: &str, hiding: &str| property.trim().eq_ignore_ascii_case(name) && value.eq_ignore_ascii_case(hiding);
        is("display", "none") || is("visibility", "hidden")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(attributes: &[(&str, &str)]) -> Tag {
        let mut tag = Tag::default();
        tag.begin(b"div");
        for (name, value) in attributes {
            if tag.add(name.as_bytes()) {
                tag.set_value(value.as_bytes());
            }
        }
        tag
    }

    #[test]
    fn the_first_of_two_attributes_counts() {
        let tag = tag(&[("id", "a"), ("id", "b"), ("onclick", "c"), ("open", "")]);
        assert_eq!(tag.get("id"), Some("a"));
        assert_eq!(tag.get("open"), Some(""));
        assert_eq!(tag.get("onclick"), None);
    }

    #[test]
    fn what_hides_an_element() {
        for (name, value) in [
            ("hidden", ""),
            ("hidden", "hidden"),
            ("style", "color:red; DISPLAY : none !important"),
            ("style", "visibility:hidden"),
        ] {
            assert!(tag(&[(name, value)]).is_hidden(), "{name}={value}");
        }
        for (name, value) in
            [("hidden", "until-found"), ("style", "display:block"), ("style", "none"), ("class", "hidden")]
        {
            assert!(!tag(&[(name, value)]).is_hidden(), "{name}={value}");
        }
    }
}
