use proptest::prelude::*;
use serde_json::{Value, json};
use wikirag_core::Metadata;

use super::*;

fn today() -> Date {
    Date::of("2026-11-30").unwrap()
}

fn factors(role: &str, meta: &Value) -> Vec<(String, f64)> {
    let meta: Metadata = meta.as_object().unwrap().clone();
    let factors = Settings::default().factors(role, &meta, today());
    factors.into_iter().map(|factor| (factor.name, factor.value)).collect()
}

#[test]
fn each_declaration_is_a_factor() {
    for (meta, name, value) in [
        (json!({"status": "stable"}), "status", 1.05),
        (json!({"status": " Draft "}), "status", 0.9),
        (json!({"status": "deprecated"}), "status", 0.8),
        (json!({"status": "superseded"}), "status", 0.75),
        (json!({"confidence": "high"}), "confidence", 1.1),
        (json!({"confidence": "LOW"}), "confidence", 0.9),
        (json!({"confidence": 1}), "confidence", 1.1),
        (json!({"confidence": "0.0"}), "confidence", 0.9),
        (json!({"verified": true}), "verified", 1.05),
        (json!({"verified": "2026-11-30"}), "verified", 1.05),
        (json!({"stale_after": "2026-11-29"}), "stale", 0.9),
        (json!({"stale_after": "90d", "last_updated": "2026-08-31"}), "stale", 0.9),
        (json!({"stale_after": 90, "updated": "2026-08-31T08:00:00Z"}), "stale", 0.9),
        (json!({"stale_after": "1 year", "last_updated": "no date", "updated": "2025-10"}), "stale", 0.9),
    ] {
        assert_eq!(factors("", &meta), [(name.to_owned(), value)], "{meta}");
    }
    assert_eq!(factors("curated", &json!({})), []);
    assert_eq!(factors("raw", &json!({})), [("role".to_owned(), 0.82)]);
}

#[test]
fn what_is_not_said_or_not_understood_is_neutral() {
    for meta in [
        json!({}),
        json!({"status": "in review", "confidence": "so-so", "verified": false, "stale_after": "soon"}),
        json!({"status": ["stable"], "confidence": 1.01, "verified": "2026-12-01", "stale_after": "2026-11-30"}),
        json!({"status": null, "confidence": "NaN", "verified": null, "stale_after": "90d"}),
        json!({"confidence": "medium", "stale_after": "90d", "last_updated": "2026-09-01"}),
        json!({"confidence": -0.1, "stale_after": "9999y", "last_updated": "2026-09-01"}),
        json!({"last_updated": "1999-01-01", "updated": 7, "verified": {"by": "me"}}),
    ] {
        assert_eq!(factors("other", &meta), [], "{meta}");
    }
}

#[test]
fn the_product_is_bounded_and_the_bound_is_told() {
    let worst = json!({"status": "superseded", "confidence": 0, "stale_after": "2001-01-01"});
    let all = factors("raw", &worst);
    assert_eq!(
        all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["role", "status", "confidence", "stale", "bound"]
    );
    assert!((all.iter().map(|(_, value)| value).product::<f64>() - 0.7).abs() < 1e-12);
    let best = json!({"status": "stable", "confidence": 1, "verified": true});
    assert!((factors("curated", &best).iter().map(|(_, value)| value).product::<f64>() - 1.2).abs() < 1e-12);
}

#[test]
fn settings_are_checked() {
    let read = |value: Value| Settings::read(&Section::new("a.rag.yaml", value));
    for good in [json!({}), json!(null), json!({"raw": 1}), json!({"floor": 1, "ceiling": 1, "confidence": 0})] {
        assert!(read(good.clone()).is_ok(), "{good}");
    }
    for (bad, key) in [
        (json!({"raw": 0}), "raw"),
        (json!({"curated": 11}), "curated"),
        (json!({"confidence": 1}), "confidence"),
        (json!({"floor": 1.1}), "floor"),
        (json!({"ceiling": 0.9}), "ceiling"),
        (json!({"stale": "often"}), "string"),
        (json!({"trusted": 1}), "trusted"),
    ] {
        let error = read(bad.clone()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains(key) && error.to_string().contains("a.rag.yaml"), "{error}");
    }
}

/// Any value of front matter, of those with a meaning more often.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec![
            json!("stable"),
            json!("superseded"),
            json!("low"),
            json!(true),
            json!("1d"),
            json!("2001-01-01")
        ]),
        any::<f64>().prop_map(|number| json!(number)),
        any::<i64>().prop_map(|number| json!(number)),
        "\\PC{0,12}".prop_map(|text| json!(text)),
        Just(json!([1, {"a": null}])),
    ]
}

proptest! {
    #[test]
    fn any_front_matter_gives_sound_bounded_factors(
        role in "curated|raw|\\PC{0,4}",
        values in prop::collection::vec(value(), 6),
    ) {
        let keys = ["status", "confidence", "verified", "stale_after", "last_updated", "updated"];
        let meta: Metadata = keys.into_iter().map(str::to_owned).zip(values).collect();
        let factors = Settings::default().factors(&role, &meta, today());
        prop_assert!(factors.iter().all(|factor| factor.value.is_finite() && factor.value > 0.0 && !factor.note.is_empty()));
        let product: f64 = factors.iter().map(|factor| factor.value).product();
        prop_assert!((0.7 - 1e-9..=1.2 + 1e-9).contains(&product), "{}", product);
    }
}
