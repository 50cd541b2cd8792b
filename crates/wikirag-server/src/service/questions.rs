//! What was asked: the log of questions, and the topics that are missing.

use schemars::JsonSchema;
use serde::Deserialize;
use wikirag_core::{Context, Error, ErrorKind, Result};
use wikirag_engine::questions::{Entry, Gaps, GapsOptions};
use wikirag_engine::{Answer, QueryOptions};

use super::operations::in_range;
use super::{Caller, QueryRequest, Scope, Service, places};

/// Topics that are asked for and missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GapsRequest {
    /// See [`Scope::rag`].
    #[serde(default)]
    pub rag: Option<String>,
    /// Topics at most, 1 to 500.
    #[schemars(range(min = 1, max = 500))]
    #[serde(default)]
    pub limit: Option<usize>,
}

impl GapsRequest {
    /// The most topics of one answer.
    pub const MAX_LIMIT: usize = 500;
}

impl Service {
    /// [`Service::query`], and what was asked goes to the log of questions. `surface` is what it calls the way in.
    ///
    /// # Errors
    /// As [`Service::query`].
    pub async fn search(
        &self,
        caller: &Caller,
        request: &QueryRequest,
        surface: &str,
        context: &Context,
    ) -> Result<Answer> {
        let (composition, mut answer) = self.query_with(caller, request, context).await?;
        if self.engine().settings().questions.log {
            let support = self.engine().support(&composition, &answer).await?;
            let entry = Entry::of(&answer, &support, surface, composition.clearance);
            let mut hints: Vec<_> = self.engine().log_question(&composition, &entry).await.into_iter().collect();
            places::hide(&mut [], &mut hints);
            answer.hints.extend(hints);
        }
        Ok(answer)
    }

    /// The topics that were asked for and are missing, as the log of questions has it. Questions tell of those who asked, so a caller
    /// who may read some wikis only is told of none.
    ///
    /// # Errors
    /// As [`Service::composition`] and [`Engine::gaps`](wikirag_engine::Engine::gaps): [`ErrorKind::NotFound`] where nothing was logged that the
    /// caller may see.
    pub async fn gaps(&self, caller: &Caller, request: &GapsRequest, context: &Context) -> Result<Gaps> {
        let limit = request.limit.unwrap_or(60);
        in_range("limit", limit, GapsRequest::MAX_LIMIT)?;
        let composition = self.composition(caller, &Scope { rag: request.rag.clone(), wikis: None }).await?;
        if caller.wikis.is_some() {
            return Err(Error::new(ErrorKind::NotFound, "find gaps", "no question has been logged yet"));
        }
        let options = GapsOptions { since: None, limit, query: QueryOptions::default() };
        let mut gaps = self.engine().gaps(&composition, &options, context).await?;
        places::hide(&mut gaps.degraded, &mut gaps.hints);
        Ok(gaps)
    }
}
