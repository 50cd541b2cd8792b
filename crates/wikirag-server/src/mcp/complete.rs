//! What a client proposes while somebody types an argument: names and paths that the caller sees.

use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, Reference};

use super::resources::{TEMPLATE, documents, told, wikis};
use super::toolset::Call;

pub(super) async fn complete(call: &Call, request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
    let given = |name: &str| {
        let given = request.context.as_ref().and_then(|context| context.arguments.as_ref());
        given.and_then(|given| given.get(name)).map(String::as_str)
    };
    let known = wikis(call).await.map_err(|error| told(&error))?;
    let of_rag = known.iter().filter(|(rag, _)| given("rag").is_none_or(|given| given == rag));
    let candidates: Vec<String> = match (&request.r#ref, request.argument.name.as_str()) {
        (Reference::Resource(template), "rag") if template.uri == TEMPLATE => {
            known.iter().map(|(rag, _)| rag.clone()).collect()
        }
        (Reference::Resource(template), "wiki") if template.uri == TEMPLATE => {
            of_rag.map(|(_, wiki)| wiki.clone()).collect()
        }
        (Reference::Resource(template), "path") if template.uri == TEMPLATE => {
            let mut paths = Vec::new();
            for (rag, wiki) in of_rag.filter(|(_, wiki)| given("wiki").is_none_or(|given| given == wiki)) {
                paths.extend(documents(call, rag, wiki).await.map_err(|error| told(&error))?);
            }
            paths
        }
        (Reference::Prompt(_), "wiki") => known.iter().map(|(_, wiki)| wiki.clone()).collect(),
        // Free text, and what there is not: nothing to propose.
        _ => Vec::new(),
    };
    let fitting = fitting(&request.argument.value, candidates);
    let (total, most) = (fitting.len(), CompletionInfo::MAX_VALUES);
    let values: Vec<String> = fitting.into_iter().take(most).collect();
    let total = u32::try_from(total).ok();
    let info = CompletionInfo::with_pagination(values, total, total.is_some_and(|total| total as usize > most));
    info.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
}

/// Those that begin with what was typed, then those that hold it, each once; case does not count.
fn fitting(typed: &str, mut candidates: Vec<String>) -> Vec<String> {
    let typed = typed.to_lowercase();
    candidates.sort_unstable();
    candidates.dedup();
    let (begin, others): (Vec<String>, Vec<String>) =
        candidates.into_iter().partition(|candidate| candidate.to_lowercase().starts_with(&typed));
    let hold = others.into_iter().filter(|candidate| candidate.to_lowercase().contains(&typed));
    begin.into_iter().chain(hold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_so_comes_first() {
        let candidates = || ["herbs/basil.md", "Basics.md", "beans.md", "Basics.md"].map(str::to_owned).to_vec();
        assert_eq!(fitting("bas", candidates()), ["Basics.md", "herbs/basil.md"]);
        assert_eq!(fitting("", candidates()).len(), 3);
        assert!(fitting("*", candidates()).is_empty());
    }
}
