//! Any text against the documents that it cites.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use wikirag_core::{Context, PlaceRange, Result, offload};
use wikirag_text::detect_language;

use super::cite::Cited;
use super::claim::{Borne, Claim, Verdict, borne_out, claims, without};
use super::names::{Document, Names};
use crate::locate::Composition;
use crate::pages::pages_of;
use crate::{Engine, LocatedWiki, open};

/// A sentence of an answer, compared with what it cites.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedClaim {
    /// Line of its beginning, from 1.
    pub line: usize,
    /// In one line, with its citations.
    pub text: String,
    /// What was found.
    pub verdict: Verdict,
    /// The share of its words that its sources hold, 0 to 1; 0 where it cites nothing.
    pub share: f64,
    /// What it cites, as it is written.
    pub cites: Vec<String>,
    /// Numbers that its sources do not hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_numbers: Vec<String>,
    /// Quotations that are not in its sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_quotes: Vec<String>,
}

impl CheckedClaim {
    pub(super) fn new(text: &str, claim: &Claim, verdict: Verdict, borne: Borne) -> Self {
        let span = &claim.span;
        let lead = text[span.clone()].len() - text[span.clone()].trim_start().len();
        let cites: Vec<String> = claim.cited.iter().map(|cited| text[cited.span.clone()].to_owned()).collect();
        Self {
            line: text[..span.start + lead].matches('\n').count() + 1,
            text: text[span.clone()].split_whitespace().collect::<Vec<_>>().join(" "),
            verdict,
            share: borne.share,
            cites,
            missing_numbers: borne.missing_numbers,
            missing_quotes: borne.missing_quotes,
        }
    }
}

/// A text that was compared with its sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedAnswer {
    /// Name of the composition.
    pub rag: String,
    /// The sentences, in order.
    pub claims: Vec<CheckedClaim>,
    /// Sentences whose sources bear them out.
    pub supported: usize,
    /// Citations that lead to no document.
    pub invented: usize,
    /// Sentences that cite nothing.
    pub uncited: usize,
    /// Sentences with a number, a quotation or words that their sources do not hold.
    pub doubtful: usize,
}

impl CheckedAnswer {
    /// Whether each citation leads to a document that bears its sentence out, and there is one.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.invented == 0 && self.doubtful == 0 && self.supported > 0
    }
}

impl Engine {
    /// Compares each sentence of `text` with the documents of the composition that it cites, as they are indexed. Needs no model.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`](wikirag_core::ErrorKind::Refused) as [`Composition::check`]; where a catalog cannot be read.
    pub async fn verify_answer(
        &self,
        composition: &Composition,
        text: &str,
        context: &Context,
    ) -> Result<CheckedAnswer> {
        composition.check()?;
        let (engine, composition, text, context) =
            (self.clone(), composition.clone(), text.to_owned(), context.clone());
        offload(move || Library::read(&engine, &composition)?.check(&engine, &composition.name, &text, &context)).await
    }
}

/// All documents of a composition.
struct Library {
    documents: Vec<(Arc<LocatedWiki>, Document)>,
    names: Names,
}

impl Library {
    fn read(engine: &Engine, composition: &Composition) -> Result<Self> {
        let mut documents = Vec::new();
        for wiki in composition.wikis.iter().map(|wiki| &wiki.located) {
            let catalog = open::catalog(engine, wiki)?;
            documents.extend(pages_of(wiki, &catalog)?.into_iter().map(|page| {
                let name = wiki.manifest.name.to_string();
                let document = Document { wiki: name, path: page.path, title: page.title, aliases: page.aliases };
                (Arc::clone(wiki), document)
            }));
        }
        let names = Names::new(documents.iter().map(|(_, document)| document));
        Ok(Self { documents, names })
    }

    fn check(&self, engine: &Engine, rag: &str, text: &str, context: &Context) -> Result<CheckedAnswer> {
        let mut answer = CheckedAnswer {
            rag: rag.to_owned(),
            claims: Vec::new(),
            supported: 0,
            invented: 0,
            uncited: 0,
            doubtful: 0,
        };
        for claim in claims(text) {
            context.check("verify answer")?;
            let checked = self.checked(engine, text, &claim, &mut answer.invented)?;
            match checked.verdict {
                Verdict::Supported => answer.supported += 1,
                Verdict::Uncited => answer.uncited += 1,
                Verdict::Invented => {}
                Verdict::Doubtful | Verdict::OtherNumber | Verdict::Misquoted => answer.doubtful += 1,
            }
            answer.claims.push(checked);
        }
        Ok(answer)
    }

    fn checked(&self, engine: &Engine, text: &str, claim: &Claim, invented: &mut usize) -> Result<CheckedClaim> {
        if claim.cited.is_empty() {
            return Ok(CheckedClaim::new(text, claim, Verdict::Uncited, Borne::default()));
        }
        let mut sources = Vec::new();
        let mut is_invented = false;
        for cited in &claim.cited {
            let found = self.texts(engine, cited)?;
            is_invented |= found.is_empty();
            *invented += usize::from(found.is_empty());
            sources.extend(found);
        }
        let words = without(text, &claim.span, &claim.cited);
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let borne = borne_out(&words, &sources, detect_language(&words));
        let verdict = if is_invented { Verdict::Invented } else { borne.verdict() };
        Ok(CheckedClaim::new(text, claim, verdict, borne))
    }

    /// Title and text of the documents, or of the pages of them, that are cited.
    fn texts(&self, engine: &Engine, cited: &Cited) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        let places: BTreeSet<usize> = self.names.find(&cited.target).iter().copied().collect();
        for (wiki, document) in places.iter().filter_map(|place| self.documents.get(*place)) {
            let Some(stored) = open::catalog(engine, wiki)?.document(&document.path)? else { continue };
            let index = stored.places.index(&stored.text);
            let whole = matches!(index.whole(), PlaceRange::Lines(..));
            let text = match cited.pages.filter(|_| !whole) {
                None => Some(stored.text.as_str()),
                Some((first, last)) => {
                    index.span(PlaceRange::Pages(first, last)).and_then(|span| span.slice(&stored.text))
                }
            };
            texts.extend(text.map(|text| format!("{}\n{text}", stored.title)));
        }
        Ok(texts)
    }
}
