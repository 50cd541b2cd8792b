//! Who leads where: links, tags and mentions as one graph.

use std::collections::HashMap;

use wikirag_core::Span;
use wikirag_text::caseless;
use wikirag_vault::Resolution;

use super::Vault;

/// One reason why `from` and `to` belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) proof: Proof,
}

/// What makes an edge, as a thing in the text of the page that it leads from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Proof {
    /// The link at this place among those of the page.
    Link(usize),
    /// The page has the tag.
    Tag,
    /// A name of the other page stands here, in bytes of the text.
    Mention(Span),
}

/// All edges. Nodes are the pages by their place in the vault, and after them the tags.
pub(super) struct Edges {
    /// By `from`, for pages in the order of the text.
    list: Vec<Edge>,
    out: Vec<usize>,
    by_target: Vec<usize>,
    into: Vec<usize>,
    tags: Vec<String>,
}

impl Edges {
    /// The links of a vault that mean another page, with `mentions`, which lead from page to page, and with tags where they
    /// are wanted.
    pub(super) fn new(vault: &Vault, mentions: Vec<Edge>, with_tags: bool) -> Self {
        let mut list = mentions;
        for from in 0..vault.pages.len() {
            for (at, (_, meaning)) in vault.links_of(from).enumerate() {
                if let Resolution::Page { page, .. } = meaning
                    && *page != from
                {
                    list.push(Edge { from, to: *page, proof: Proof::Link(at) });
                }
            }
        }
        let tags = if with_tags { tag(vault, &mut list) } else { Vec::new() };
        list.sort_by_key(|edge| edge.from);
        let nodes = vault.pages.len() + tags.len();
        let mut by_target: Vec<usize> = (0..list.len()).collect();
        by_target.sort_by_key(|edge| list[*edge].to);
        let starts = |of: &dyn Fn(usize) -> usize| {
            let mut starts = vec![0; nodes + 1];
            (0..list.len()).for_each(|edge| starts[of(edge) + 1] += 1);
            (0..nodes).for_each(|node| starts[node + 1] += starts[node]);
            starts
        };
        let (out, into) = (starts(&|edge| list[edge].from), starts(&|edge| list[edge].to));
        Self { list, out, by_target, into, tags }
    }

    /// The edges that lead from a node.
    pub(super) fn from(&self, node: usize) -> &[Edge] {
        &self.list[self.out[node]..self.out[node + 1]]
    }

    /// The edges that lead to a node.
    pub(super) fn to(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.by_target[self.into[node]..self.into[node + 1]].iter().map(|edge| &self.list[*edge])
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.out.len() - 1
    }

    /// The tag that a node is, as the first page spells it.
    pub(super) fn tag(&self, node: usize) -> Option<&str> {
        let first = self.nodes() - self.tags.len();
        self.tags.get(node.checked_sub(first)?).map(String::as_str)
    }
}

/// Adds an edge from each page to each of its tags, which are told apart as Obsidian does: without case.
fn tag(vault: &Vault, list: &mut Vec<Edge>) -> Vec<String> {
    let (mut nodes, mut tags) = (HashMap::new(), Vec::new());
    for (from, page) in vault.pages.iter().enumerate() {
        let mut own = Vec::new();
        for tag in &page.tags {
            let node = *nodes.entry(caseless(tag)).or_insert_with(|| {
                tags.push(tag.clone());
                tags.len() - 1
            });
            if !own.contains(&node) {
                own.push(node);
                list.push(Edge { from, to: vault.pages.len() + node, proof: Proof::Tag });
            }
        }
    }
    tags
}
