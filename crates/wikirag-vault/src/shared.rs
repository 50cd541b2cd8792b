//! What a name means that very many pages share.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use crate::resolution::Several;

/// Where no more than so many pages may be meant, they are looked at anew each time.
const FEW: usize = 32;

/// How something is looked up, the name apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lookup {
    /// A page by its path, or with `whole: false` by the last parts of it.
    Path { whole: bool, by: Ending },
    /// A page by an alias.
    Alias,
    /// A page by its title.
    Title,
    /// A file that is no page by its path, or with `whole: false` by the last parts of it.
    File { whole: bool },
}

/// How a path is compared with that of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ending {
    /// With the ending.
    Written,
    /// Without it, among Markdown pages.
    Markdown,
    /// Without it, among pages of other formats.
    Other,
}

/// What was found for names that more than [`FEW`] may bear.
///
/// A vault with an `index.md` in each of its folders has a link to `index` on each of its pages. To compare all of them for each
/// link would take the square of their number, so it is done once for each name.
#[derive(Debug, Default)]
pub(crate) struct Shared(RwLock<HashMap<(Lookup, String), Several>>);

impl Shared {
    /// Those of `candidates` that are meant by `key`, which must be the same for all lookups that mean the same: what `find`
    /// makes of them, now or earlier.
    pub(crate) fn several<C: Iterator<Item = usize> + Clone>(
        &self,
        lookup: Lookup,
        key: &str,
        candidates: C,
        find: impl FnOnce(C) -> Several,
    ) -> Several {
        if candidates.clone().nth(FEW).is_none() {
            return find(candidates);
        }
        let key = (lookup, key.to_owned());
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            // Without the lock: two threads may find the same, and then either is kept.
            let found = find(candidates);
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wikirag_core::LinkKind::{Embed, Inline, Wiki};

    use super::*;
    use crate::{Page, Pages, Resolution};

    const MANY: usize = 20_000;

    /// In each of as many folders a page `index.md` of one title and alias, and a picture.
    fn folders(count: usize) -> Pages {
        let page = |folder| Page {
            path: format!("part/{folder}/index.md"),
            title: "All of it".to_owned(),
            aliases: vec!["Contents".to_owned()],
        };
        Pages::new((0..count).map(page).collect(), (0..count).map(|folder| format!("part/{folder}/cover.png")))
    }

    /// Without what is kept this takes minutes.
    #[test]
    fn a_link_to_what_each_folder_has_on_each_page() {
        let pages = folders(MANY);
        let links = [(Wiki, "index"), (Wiki, "INDEX.md#a"), (Embed, "All of It"), (Wiki, "contents")];
        for (page, (kind, target)) in pages.iter().zip(links.into_iter().cycle()) {
            let found = pages.resolve(&page.path, kind, target);
            assert!(matches!(found, Resolution::Ambiguous { pages, .. } if pages.len() == MANY), "{target}");
            // Many pages are called so, but for their endings.
            assert_eq!(pages.resolve(&page.path, Wiki, "index.png"), Resolution::Missing);
        }
    }

    proptest! {
        #[test]
        fn what_was_asked_for_before_does_not_matter(
            count in (FEW - 1)..(FEW + 4),
            asked in prop::collection::vec("(part/|./|/)?([0-3]/)?(INDEX|index|cover|all of it|Contents)(\\.md|\\.png|\\.html)?", 1..5),
        ) {
            let pages = folders(count);
            for target in asked.iter().chain(&asked) {
                for kind in [Wiki, Embed, Inline] {
                    prop_assert_eq!(
                        pages.resolve("part/2/index.md", kind, target),
                        folders(count).resolve("part/2/index.md", kind, target)
                    );
                }
            }
        }
    }
}
