//! The plugin with a real model. `WIKIRAG_TEST_LLM` is the base address of a service of OpenAI's protocol without a key, such as
//! `http://127.0.0.1:8080/v1` of llama.cpp's server, and `WIKIRAG_TEST_LLM_MODEL` its model, where it wants to be told.
//! llama.cpp speaks Anthropic's protocol as well; `WIKIRAG_TEST_LLM_ANTHROPIC` is the address of one that does.
//!
//! It is not called `real` as the tests with the model that the project gets for itself: this one is for somebody to set up.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;

use wikirag_core::{Context, Ended, Generator, Message, Prompt, Result, Speaker};
use wikirag_testkit::make::setup;
use wikirag_testkit::{block_on, json};

fn generator(protocol: &str, variable: &str) -> Result<Box<dyn Generator>> {
    let url = env::var(variable).unwrap();
    let model = env::var("WIKIRAG_TEST_LLM_MODEL").unwrap_or_else(|_| "default".to_owned());
    let settings = json!({"protocol": protocol, "url": url, "model": model, "temperature": 0.0});
    let setup = setup([wikirag_llm_api::PLUGIN], settings)?;
    setup.host.registry().generator("llm-api", &setup)
}

wikirag_testkit::generator_suite!(
    openai,
    || generator("openai", "WIKIRAG_TEST_LLM"),
    "needs a model: WIKIRAG_TEST_LLM"
);

wikirag_testkit::generator_suite!(
    anthropic,
    || generator("anthropic", "WIKIRAG_TEST_LLM_ANTHROPIC"),
    "needs a model: WIKIRAG_TEST_LLM_ANTHROPIC"
);

#[test]
#[ignore = "needs a model: WIKIRAG_TEST_LLM"]
fn a_plain_question_has_its_answer() {
    let generator = generator("openai", "WIKIRAG_TEST_LLM").unwrap();
    let text = "What is the capital of France? Answer in English, in one short sentence.".to_owned();
    let prompt = Prompt { messages: vec![Message { speaker: Speaker::User, text }], max_tokens: 64 };
    let written = block_on(generator.generate(&prompt, &mut |_| (), &Context::new())).unwrap();
    assert!(written.text.contains("Paris"), "{written:?}");
    assert_eq!(written.ended, Ended::Complete, "{written:?}");
    assert!(written.tokens_in.is_some_and(|tokens| tokens > 10) && written.tokens_out.is_some(), "{written:?}");
}
