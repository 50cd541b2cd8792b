//! What a page says of itself in its head.

use serde_json::Value;
use wikirag_core::Metadata;

use crate::tag::Tag;

/// The declarations of a page, the first of each kind.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// `<title>`.
    pub title: Option<String>,
    social_title: Option<String>,
    description: Option<String>,
    social_description: Option<String>,
    keywords: Option<String>,
    author: Option<String>,
    /// `lang` of the outermost element that has it.
    pub language: Option<String>,
}

impl Declared {
    /// Takes note of a `<meta>`.
    pub(crate) fn add(&mut self, meta: &Tag) {
        let Some(content) = meta.get("content").map(squeezed).filter(|content| !content.is_empty()) else { return };
        let Some(name) = meta.get("name").or_else(|| meta.get("property")) else { return };
        let place = match name.trim().to_ascii_lowercase().as_str() {
            "og:title" => &mut self.social_title,
            "description" => &mut self.description,
            "og:description" => &mut self.social_description,
            "keywords" => &mut self.keywords,
            "author" => &mut self.author,
            _ => return,
        };
        place.get_or_insert(content);
    }

    /// As front matter: `title`, `description`, `tags`, `author`, `language`.
    pub(crate) fn into_metadata(self) -> Metadata {
        let mut meta = Metadata::new();
        let mut put = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                meta.insert(key.to_owned(), Value::String(value));
            }
        };
        let title = self.title.map(|title| squeezed(&title)).filter(|title| !title.is_empty());
        put("title", title.or(self.social_title));
        put("description", self.description.or(self.social_description));
        put("author", self.author);
        put("language", self.language);
        let tags = self.keywords.iter().flat_map(|keywords| keywords.split([',', ';'])).map(str::trim);
        let tags: Vec<_> = tags.filter(|tag| !tag.is_empty()).map(|tag| Value::String(tag.to_owned())).collect();
        if !tags.is_empty() {
            meta.insert("tags".to_owned(), Value::Array(tags));
        }
        meta
    }
}

/// The words of `text`, with one space between them.
pub(crate) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
