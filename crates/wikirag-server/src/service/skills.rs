//! Finding skills, for a caller.

use wikirag_core::{Context, Error, ErrorKind, Result, offload};
use wikirag_engine::skills::{FetchedSkill, FindOptions, FoundSkills, SkillKind};
use wikirag_engine::{Composition, QueryOptions, Refresh};

use super::requests::LOOK;
use super::{Caller, DocumentRequest, Scope, Service, places, view};

/// A task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillsRequest {
    /// What is to be done, in plain words.
    pub task: String,
    /// Name of the composition; all that the caller sees where left out.
    pub rag: Option<String>,
    /// Only these wikis, by name.
    pub wikis: Option<Vec<String>>,
    /// Only entries of this kind.
    pub kind: Option<SkillKind>,
    /// Entries at most, 1 to 50.
    pub limit: Option<usize>,
}

impl SkillsRequest {
    /// The most entries of one answer. It is a list to choose from, and more would cost more to read than a second call.
    pub const MAX_LIMIT: usize = 50;
}

impl Service {
    /// Finds the entries that help with a task.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::find_skills`](wikirag_engine::Engine::find_skills).
    pub async fn skills(&self, caller: &Caller, request: &SkillsRequest, context: &Context) -> Result<FoundSkills> {
        let limit = request.limit.unwrap_or(FindOptions::default().limit);
        if !(1..=SkillsRequest::MAX_LIMIT).contains(&limit) {
            let message = format!("`limit` is {limit}, which is out of range");
            let help = format!("take a number from 1 to {}", SkillsRequest::MAX_LIMIT);
            return Err(Error::new(ErrorKind::Usage, "read request", message).help(help));
        }
        let composition = self.any(caller, request.rag.clone(), request.wikis.clone()).await?;
        let query = QueryOptions { refresh: Refresh::Within(LOOK), allow_missing: true, ..QueryOptions::default() };
        let options = FindOptions { limit, kind: request.kind, why: true, query, ..FindOptions::default() };
        let mut found = self.engine().find_skills(&composition, &request.task, &options, context).await?;
        places::hide(&mut found.degraded, &mut found.hints);
        Ok(found)
    }

    /// Reads an entry.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::get_skill`](wikirag_engine::Engine::get_skill).
    pub async fn skill(&self, caller: &Caller, request: &DocumentRequest) -> Result<FetchedSkill> {
        let composition = self.any(caller, request.rag.clone(), None).await?;
        let (engine, id) = (self.engine().clone(), request.id.clone());
        offload(move || engine.get_skill(&composition, &id)).await
    }

    /// What `rag` names, else all that the caller sees.
    async fn any(&self, caller: &Caller, rag: Option<String>, wikis: Option<Vec<String>>) -> Result<Composition> {
        if rag.is_some() {
            return self.composition(caller, &Scope { rag, wikis }).await;
        }
        let all = self.all(caller).await?;
        match wikis {
            Some(wikis) => view::narrow(all, &wikis),
            None => Ok(all),
        }
    }
}
