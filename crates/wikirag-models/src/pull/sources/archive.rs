//! Zip files, which Python wheels are.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use super::super::Attempt;

/// Writes the member of this name to `sink`, which bounds what a hostile archive can unpack to.
pub(super) fn extract(archive: &Path, member: &str, sink: &mut impl io::Write) -> Attempt<()> {
    let file = File::open(archive).map_err(|error| error.to_string())?;
    let mut zip = zip::ZipArchive::new(BufReader::new(file)).map_err(|error| format!("no zip file: {error}"))?;
    let mut member = zip.by_name(member).map_err(|error| format!("`{member}` in it: {error}"))?;
    io::copy(&mut member, sink).map(drop).map_err(|error| error.to_string())
}
