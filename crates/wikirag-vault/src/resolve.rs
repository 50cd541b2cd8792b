//! Which page a link means.

use wikirag_core::LinkKind;

use crate::pages::Pages;
use crate::paths::{ending, file_name, folder, is_markdown, join, without_ending};
use crate::resolution::{Anchor, By, Resolution, Several};
use crate::target;

/// The page that stands for its folder.
const FOLDER_PAGES: [&str; 3] = ["index", "README", "_index"];

impl Pages {
    /// Which page or file `target`, written on the page at the path `from`, means.
    ///
    /// Letters are compared without case and in either Unicode composition. Of several pages that fit none is picked.
    ///
    /// Wikilinks and embeds, as Obsidian reads them: what stands before the first `#` is the path of a page, with its
    /// ending or without; nothing is the page itself.
    ///
    /// 1. A page at exactly that path below the root. `./`, `../` and a leading `/` say where to look, and no other page
    ///    is tried then.
    /// 2. The pages whose path ends in it. Without ending Markdown pages come before others.
    /// 3. Files that are no pages, by the same two rules and with their ending.
    /// 4. Aliases, then titles.
    ///
    /// Inline links, as browsers, the generators of sites and at last Obsidian read them: `<..>`, percent codes and a
    /// query are read, then
    ///
    /// 1. the path seen from the folder of `from` (from the root with a leading `/`): a page or file, a page without
    ///    its ending, the index page of a folder, a page of another ending for `.html`;
    /// 2. as in a wikilink, without aliases and titles.
    ///
    /// Embeds follow the rules of inline links where those of wikilinks find no page, since images are embeds too, and
    /// at once where `from` is no Markdown page.
    #[must_use]
    pub fn resolve(&self, from: &str, kind: LinkKind, target: &str) -> Resolution {
        match kind {
            LinkKind::Wiki => self.wikilink(from, target),
            LinkKind::Inline => self.inline(from, target),
            LinkKind::Embed if !is_markdown(from) => self.inline(from, target),
            LinkKind::Embed => match self.wikilink(from, target) {
                none @ (Resolution::Missing | Resolution::AmbiguousFile(_)) => match self.inline(from, target) {
                    Resolution::Missing => none,
                    found => found,
                },
                found => found,
            },
        }
    }

    /// Finds a page that a person named: by path, base name, alias or title, as a wikilink from the root does. A name
    /// with a `#` is tried as it stands before it is cut (`C#`).
    #[must_use]
    pub fn find(&self, name: &str) -> Resolution {
        let name = name.trim();
        if name.contains('#') {
            let whole = self.named("", name, None);
            if whole != Resolution::Missing {
                return whole;
            }
        }
        self.wikilink("", name)
    }

    fn wikilink(&self, from: &str, target: &str) -> Resolution {
        let (path, fragment) = target::split(target);
        let anchor = Anchor::parse(fragment);
        if path.is_empty() { self.itself(from, anchor) } else { self.named(from, path, anchor) }
    }

    /// By path, base name, alias or title.
    fn named(&self, from: &str, path: &str, anchor: Option<Anchor>) -> Resolution {
        if let Some(found) = self.by_path(from, path, anchor.as_ref()) {
            return found;
        }
        let aliases = self.by_alias(path);
        let (pages, by) = if aliases.is_empty() { (self.by_title(path), By::Title) } else { (aliases, By::Alias) };
        self.one_of(pages, by, anchor.as_ref()).unwrap_or(Resolution::Missing)
    }

    /// By path or base name, as in a wikilink.
    fn by_path(&self, from: &str, path: &str, anchor: Option<&Anchor>) -> Option<Resolution> {
        // A folder is no page.
        if path.ends_with('/') {
            return None;
        }
        let is_relative = ["./", "../"].iter().any(|start| path.starts_with(start));
        let is_fixed = is_relative || path.starts_with('/');
        let path = join(if is_relative { folder(from) } else { "" }, path).filter(|path| !path.is_empty())?;
        let (pages, by) = match is_fixed {
            true => (self.whole(&path), By::Path),
            false if path.contains('/') => (self.anywhere(&path), By::Path),
            false => (self.anywhere(&path), By::Name),
        };
        self.one_of(pages, by, anchor).or_else(|| {
            let files = if is_fixed { self.file(&path).into_iter().collect() } else { self.files_anywhere(&path) };
            match files[..] {
                [] => None,
                [file] => Some(Resolution::File(file.to_owned())),
                _ => Some(Resolution::AmbiguousFile(files.into_iter().map(str::to_owned).collect())),
            }
        })
    }

    fn inline(&self, from: &str, target: &str) -> Resolution {
        let (path, fragment) = target::split(target::without_brackets(target));
        let anchor = Anchor::parse(&target::decoded(fragment));
        let without_query = path.split_once('?').map(|(path, _)| path);
        if path.is_empty() || without_query == Some("") {
            return self.itself(from, anchor);
        }
        // A question mark may also be part of a name that nobody encoded.
        for path in [Some(path), without_query].into_iter().flatten() {
            let path = target::decoded(path);
            let is_folder = matches!(file_name(&path), "" | "." | "..");
            let base = if path.starts_with('/') { "" } else { folder(from) };
            let seen = join(base, &path).and_then(|joined| self.at_place(&joined, is_folder, anchor.as_ref()));
            if let Some(found) = seen.or_else(|| self.by_path(from, &path, anchor.as_ref())) {
                return found;
            }
        }
        Resolution::Missing
    }

    /// What a browser would show at a path below the root.
    fn at_place(&self, path: &str, is_folder: bool, anchor: Option<&Anchor>) -> Option<Resolution> {
        let page = |path: &str| self.one_of(self.whole(path), By::Path, anchor);
        let index = |folder: &str| FOLDER_PAGES.iter().find_map(|name| page(&join(folder, name)?));
        if is_folder {
            // `guide/` is a folder in sources, and the page `guide.md` in sites that hide endings.
            return index(path).or_else(|| page(path));
        }
        page(path)
            .or_else(|| self.file(path).map(|file| Resolution::File(file.to_owned())))
            .or_else(|| index(path))
            .or_else(|| {
                let is_html =
                    ending(path).is_some_and(|ending| ["html", "htm"].contains(&&*ending.to_ascii_lowercase()));
                let stem = is_html.then(|| without_ending(path))?;
                // mdBook writes `README.md` as `index.html`.
                page(stem).or_else(|| {
                    index(stem.strip_suffix("index").filter(|folder| folder.is_empty() || folder.ends_with('/'))?)
                })
            })
    }

    /// The page on which the link stands.
    fn itself(&self, from: &str, anchor: Option<Anchor>) -> Resolution {
        let page: Vec<usize> = self.at(from).into_iter().collect();
        self.one_of(page.into(), By::Path, anchor.as_ref()).unwrap_or(Resolution::Missing)
    }

    /// The page where there is one, all where there are several.
    fn one_of(&self, pages: Several, by: By, anchor: Option<&Anchor>) -> Option<Resolution> {
        match pages[..] {
            [] => None,
            [page] => Some(Resolution::Page {
                page,
                by,
                anchor: anchor.filter(|anchor| self.is_place(page, anchor)).cloned(),
            }),
            _ => Some(Resolution::Ambiguous { pages, by, anchor: anchor.cloned() }),
        }
    }

    /// Whether an anchor points into the text: `#page=3` and `#height=400` tell a viewer of PDF how to show it.
    fn is_place(&self, page: usize, anchor: &Anchor) -> bool {
        let is_pdf = self
            .page(page)
            .is_some_and(|page| ending(&page.path).is_some_and(|ending| ending.eq_ignore_ascii_case("pdf")));
        !(is_pdf && matches!(anchor, Anchor::Heading(parts) if parts.iter().any(|part| part.contains('='))))
    }
}

#[cfg(test)]
mod tests;
