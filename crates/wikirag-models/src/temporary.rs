//! Files that are written beside their place.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// A new file in `folder`, which goes away unless it is put in its place. Readable as any new file of the user is: another
/// user of the machine may run the program over the same folder.
pub(crate) fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".part-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666)).tempfile_in(folder)
    }
    #[cfg(not(unix))]
    builder.tempfile_in(folder)
}
