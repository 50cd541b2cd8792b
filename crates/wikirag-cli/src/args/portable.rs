//! Archives.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A folder, or the name of a wiki
    #[arg(value_name = "WIKI")]
    pub(crate) wiki: String,
    /// The archive. One that is there makes room, any other file does not
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Export the index as it stands, and do not bring it up to date first
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Print JSON: the head of the archive with its digest, and what is not in it
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The archive
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Make a wiki of this name; default: that of the wiki which was exported
    #[arg(long = "as", value_name = "NAME", conflicts_with = "into")]
    pub(crate) name: Option<String>,
    /// Make it the index of this folder, with its documents in it or without
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// Take the place of an index that is there
    #[arg(long)]
    pub(crate) replace: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
