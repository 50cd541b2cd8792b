//! The suite for extractors over extractors that are broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test may end where something is not as it must be")]

mod broken;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use wikirag_core::{Context, Entity, Error, ErrorKind, Extraction, Extractor, Relation, Result};
use wikirag_testkit::extractor::{CHECKS, Subject};
use wikirag_testkit::extractor_suite;

extractor_suite!(the_reference, || Ok(Box::new(Reference::new(None))));

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    HasNoName,
    IsAnotherEachTime,
    RenamesItself,
    FindsNothing,
    KeepsWhiteSpace,
    KeepsLineBreaks,
    TellsCasesApart,
    RelatesToTheUnknown,
    RelatesInAnotherCase,
    RelatesToItself,
    FindsWordsInMarks,
    RefusesEmptyPassages,
    RefusesNul,
    AsksToTryAgain,
    GoesOn,
}

const FAULTS: &[(Fault, &str)] = &[
    (Fault::HasNoName, "the_fingerprint_stays"),
    (Fault::IsAnotherEachTime, "the_fingerprint_stays"),
    (Fault::RenamesItself, "the_fingerprint_stays"),
    (Fault::FindsNothing, "a_passage_has_entities_and_relations"),
    (Fault::KeepsWhiteSpace, "names_are_plain"),
    (Fault::KeepsLineBreaks, "names_are_plain"),
    (Fault::TellsCasesApart, "no_name_comes_twice"),
    (Fault::RelatesToTheUnknown, "both_ends_of_a_relation_are_entities"),
    (Fault::RelatesInAnotherCase, "both_ends_of_a_relation_are_entities"),
    (Fault::RelatesToItself, "both_ends_of_a_relation_are_entities"),
    (Fault::FindsWordsInMarks, "nothing_is_in_a_passage_without_words"),
    (Fault::RefusesEmptyPassages, "nothing_is_in_a_passage_without_words"),
    (Fault::RefusesNul, "any_passage_is_valid"),
    (Fault::AsksToTryAgain, "any_passage_is_valid"),
    (Fault::GoesOn, "a_stopped_call_says_so"),
];

#[test]
fn each_fault_fails_its_own_check() {
    broken::each_fault_fails_its_own_check(CHECKS, FAULTS, |fault| {
        Subject::new(move || Ok(Box::new(Reference::new(fault))))
    });
}

/// Takes words with capitals for names, and neighbours for related.
struct Reference {
    fault: Option<Fault>,
    fingerprint: String,
    used: AtomicBool,
}

impl Reference {
    fn new(fault: Option<Fault>) -> Self {
        static INSTANCES: AtomicUsize = AtomicUsize::new(0);
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed);
        let fingerprint = match fault {
            Some(Fault::HasNoName) => String::new(),
            Some(Fault::IsAnotherEachTime) => format!("capitals {instance}"),
            _ => "capitals".to_owned(),
        };
        Self { fault, fingerprint, used: AtomicBool::new(false) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn refuses(&self, passage: &str) -> Option<Error> {
        let invalid = Error::new(ErrorKind::Invalid, "extract", "too long");
        match self.fault {
            Some(Fault::RefusesEmptyPassages) => passage.is_empty().then_some(invalid),
            Some(Fault::RefusesNul) => {
                passage.contains('\0').then(|| Error::new(ErrorKind::Unavailable, "extract", "no NUL"))
            }
            Some(Fault::AsksToTryAgain) => (passage.len() > 100_000).then(|| invalid.temporary()),
            _ => (passage.len() > 100_000).then_some(invalid),
        }
    }
}

#[async_trait]
impl Extractor for Reference {
    fn fingerprint(&self) -> &str {
        let renamed = self.has(Fault::RenamesItself) && self.used.load(Ordering::Relaxed);
        if renamed { "lower case" } else { &self.fingerprint }
    }

    async fn extract(&self, passage: &str, context: &Context) -> Result<Extraction> {
        if !self.has(Fault::GoesOn) {
            context.check("extract")?;
        }
        self.used.store(true, Ordering::Relaxed);
        if let Some(refused) = self.refuses(passage) {
            return Err(refused);
        }
        let mut found = Extraction::default();
        let entity = |name: &str| Entity { name: name.to_owned(), kind: String::new(), description: String::new() };
        let relation =
            |from: &str, to: &str| Relation { from: from.to_owned(), to: to.to_owned(), description: String::new() };
        if self.has(Fault::FindsNothing) {
            return Ok(found);
        }
        if self.has(Fault::FindsWordsInMarks) && passage.starts_with("...") {
            found.entities.push(entity("dots"));
        }
        let names = passage.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase));
        for name in names {
            let same = |known: &Entity| match self.fault {
                Some(Fault::TellsCasesApart) => known.name == name,
                _ => known.name.to_lowercase() == name.to_lowercase(),
            };
            if !found.entities.iter().any(same) {
                found.entities.push(entity(name));
            }
        }
        let pairs: Vec<_> = found.entities.windows(2).map(|pair| relation(&pair[0].name, &pair[1].name)).collect();
        found.relations.extend(pairs);
        // What is broken is broken in the last of them, where a check that looks at the first alone would not see it.
        match (self.fault, found.relations.last_mut()) {
            (Some(Fault::RelatesToTheUnknown), Some(last)) => last.to.push('x'),
            (Some(Fault::RelatesInAnotherCase), Some(last)) => last.to = last.to.to_lowercase(),
            (Some(Fault::RelatesToItself), Some(last)) => last.to.clone_from(&last.from),
            (Some(Fault::KeepsWhiteSpace), _) => found.entities.push(entity("Lodz ")),
            (Some(Fault::KeepsLineBreaks), _) => found.entities.push(entity("Lo\ndz")),
            _ => {}
        }
        if passage.chars().all(|c| !c.is_alphanumeric()) && !self.has(Fault::FindsWordsInMarks) {
            return Ok(Extraction::default());
        }
        Ok(found)
    }
}
