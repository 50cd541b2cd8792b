//! Wikis of the kind `skills`: what agents are given to work with, found by the task at hand.
//!
//! An **entry** is one file: a skill, a rule, a workflow, a command or an agent ([`SkillKind`]). Which files are entries is decided by
//! their names and folders, in one table (`kind.rs`); what belongs to a skill, and what is about a folder, is skipped by the build and
//! told. An entry is a document whose title is its name, whose summary is its description and whose role is its kind.
//!
//! * [`Engine::find_skills`](crate::Engine::find_skills): from a task to entries;
//! * [`Engine::get_skill`](crate::Engine::get_skill): the whole of one, and the files that belong to it.

mod alike;
mod entry;
mod fetch;
mod find;
mod fold;
mod found;
mod judge;
mod kind;
mod place;
mod task;
mod why;

pub(crate) use entry::Entry;
pub use fetch::{FetchedSkill, Resource};
pub use find::FindOptions;
pub use found::{Alike, FoundSkill, FoundSkills, TokensSpent};
pub use judge::{AskedTask, HitAt, JudgedSkills};
pub use kind::SkillKind;
pub(crate) use place::SkillFolders;
pub use why::Why;

/// Raised when another entry is made of the same file.
pub(crate) const FORMAT: u32 = 1;
