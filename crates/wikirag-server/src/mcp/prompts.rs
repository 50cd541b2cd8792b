//! Prompts: what a person picks in a client to start with.

use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

/// One prompt: a name, its arguments, and the text that they are put into.
struct Known {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name, what it is, and whether it must be given.
    arguments: [(&'static str, &'static str, bool); 2],
    text: fn(subject: &str, wiki: Option<&str>) -> String,
}

const WIKI: (&str, &str, bool) = ("wiki", "Only this wiki; default: all", false);

const PROMPTS: [Known; 2] = [
    Known {
        name: "answer-with-sources",
        title: "Answer with sources",
        description: "Answer a question from the wikis alone, each statement with its source",
        arguments: [("question", "What is asked", true), WIKI],
        text: |question, wiki| {
            format!(
                "Answer this question from the wikis, and from nothing else{}.\n\n{question}\n\n\
                 Search first, in several wordings where the first finds little, and read around the passages that matter. Put the \
                 citation of the passage behind each statement, as results give it (`wiki/path:lines`). Where sources disagree, tell both \
                 sides. Where the wikis do not hold the answer, say so and say what you searched for.",
                within(wiki)
            )
        },
    },
    Known {
        name: "explore",
        title: "Explore a topic",
        description: "Find out what the wikis know of a topic, and how its pages hang together",
        arguments: [("topic", "What it is about", true), WIKI],
        text: |topic, wiki| {
            format!(
                "Find out what the wikis know of this topic{}: {topic}\n\n\
                 Search for it, then follow the links of the best pages with `links`. Tell what there is, page by page, each with its \
                 path and one sentence; then how the pages hang together, what is disputed or out of date, and what is missing.",
                within(wiki)
            )
        },
    },
];

fn within(wiki: Option<&str>) -> String {
    wiki.map(|wiki| format!(" (only the wiki `{wiki}`)")).unwrap_or_default()
}

/// The prompts.
pub(super) fn list() -> Vec<Prompt> {
    let prompt = |known: &Known| {
        let arguments = known.arguments.map(|(name, description, required)| {
            PromptArgument::new(name).with_description(description).with_required(required)
        });
        Prompt::new(known.name, Some(known.description), Some(arguments.into())).with_title(known.title)
    };
    PROMPTS.iter().map(prompt).collect()
}

/// The prompt of this name, filled in.
pub(super) fn get(name: &str, arguments: JsonObject) -> Result<GetPromptResult, ErrorData> {
    let wrong = |message: String| ErrorData::invalid_params(message, None);
    let Some(known) = PROMPTS.iter().find(|known| known.name == name) else {
        let names = PROMPTS.each_ref().map(|known| known.name).join(", ");
        return Err(wrong(format!("there is no prompt of this name; there are: {names}")));
    };
    let names = known.arguments.map(|(name, ..)| name);
    if arguments.keys().any(|given| !names.contains(&given.as_str())) {
        return Err(wrong(format!("`{name}` takes: {}", names.join(", "))));
    }
    let [subject, wiki] =
        names.map(|name| arguments.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty()));
    let subject = subject.ok_or_else(|| wrong(format!("`{name}` needs a text as `{}`", names[0])))?;
    let message = PromptMessage::new_text(Role::User, (known.text)(subject, wiki));
    Ok(GetPromptResult::new(vec![message]).with_description(known.description))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(value: Value) -> JsonObject {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn arguments_are_filled_in_or_refused() {
        let filled = get("answer-with-sources", arguments(json!({ "question": "why?", "wiki": "garden" }))).unwrap();
        let text = serde_json::to_string(&filled).unwrap();
        assert!(text.contains("why?") && text.contains("the wiki `garden`"), "{text}");
        for (name, given) in [
            ("answer", json!({})),
            ("explore", json!({})),
            ("explore", json!({ "topic": " " })),
            ("explore", json!({ "topic": 3 })),
            ("explore", json!({ "topic": "x", "depth": "3" })),
        ] {
            assert!(get(name, arguments(given.clone())).is_err(), "{name} {given}");
        }
    }
}
