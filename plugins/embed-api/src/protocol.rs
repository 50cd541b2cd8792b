//! What the services want to be told.

use serde::{Deserialize, Serialize};
use wikirag_core::Role;

use crate::Settings;

/// The language of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// That of OpenAI, which most others speak as well.
    #[default]
    Openai,
    /// That of Voyage, which tells questions and passages apart.
    Voyage,
}

impl Protocol {
    /// As it is written in the settings.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Voyage => "voyage",
        }
    }
}

/// The body of a request in either language: a field that is not of the language is not written.
#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_dimension: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_type: Option<&'static str>,
    /// Voyage cuts long texts unless told not to.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncation: Option<bool>,
}

/// The body of a request for the vectors of `input`, prefixes included.
///
/// # Errors
/// None that is known: strings and numbers can always be written.
pub(crate) fn request(settings: &Settings, role: Role, input: &[String]) -> serde_json::Result<Vec<u8>> {
    let width = settings.send_dimensions.then_some(settings.dimensions);
    let model = settings.model.as_str();
    let plain = Request { model, input, dimensions: None, output_dimension: None, input_type: None, truncation: None };
    let input_type = match role {
        Role::Query => "query",
        Role::Passage => "document",
    };
    serde_json::to_vec(&match settings.protocol {
        Protocol::Openai => Request { dimensions: width, ..plain },
        Protocol::Voyage => {
            Request { output_dimension: width, input_type: Some(input_type), truncation: Some(false), ..plain }
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn each_service_is_told_what_it_knows() {
        let told = |protocol, send_dimensions, role| -> Value {
            let settings =
                Settings { protocol, send_dimensions, model: "m".to_owned(), dimensions: 8, ..Settings::default() };
            serde_json::from_slice(&request(&settings, role, &["a\0".to_owned()]).unwrap()).unwrap()
        };
        assert_eq!(told(Protocol::Openai, false, Role::Query), json!({"model": "m", "input": ["a\0"]}));
        assert_eq!(
            told(Protocol::Openai, true, Role::Passage),
            json!({"model": "m", "input": ["a\0"], "dimensions": 8})
        );
        assert_eq!(
            told(Protocol::Voyage, false, Role::Query),
            json!({"model": "m", "input": ["a\0"], "input_type": "query", "truncation": false})
        );
        assert_eq!(
            told(Protocol::Voyage, true, Role::Passage),
            json!({"model": "m", "input": ["a\0"], "input_type": "document", "truncation": false, "output_dimension": 8})
        );
    }

    #[test]
    fn names_are_those_of_the_settings() {
        for protocol in [Protocol::Openai, Protocol::Voyage] {
            assert_eq!(serde_json::from_value::<Protocol>(json!(protocol.name())).unwrap(), protocol);
        }
    }
}
