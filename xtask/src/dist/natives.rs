//! Which crates of a binary brought code that is not Rust.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::specification::Specification;
use crate::files;
use crate::tool::Result;

/// What compilers of other languages leave behind.
const ENDINGS: [&str; 4] = [".a", ".o", ".lib", ".obj"];

/// Fails where the build in `target` compiled other native crates than the specification allows, or fewer: a list that
/// allows what is gone would let it come back unseen. What a build script might do does not count, only what it did.
pub(super) fn check(specification: &Specification, target: &Path) -> Result<()> {
    let mut found = BTreeSet::new();
    let builds = target.join("dist").join("build");
    for entry in fs::read_dir(&builds).map_err(|error| format!("{}: {error}", builds.display()))? {
        let entry = entry?;
        let out = entry.path().join("out");
        let mut compiled = false;
        if out.is_dir() {
            files::walk(&out, &|_| true, &mut |path, _| {
                compiled |= ENDINGS.iter().any(|ending| path.ends_with(ending));
                Ok(())
            })?;
        }
        if compiled {
            found.insert(crate_of(&entry.file_name().to_string_lossy()).to_owned());
        }
    }
    let allowed: BTreeSet<String> = specification.native.iter().cloned().collect();
    if found == allowed {
        return Ok(());
    }
    Err(format!("`{}` allows the native crates {allowed:?} and has {found:?}", specification.name).into())
}

/// The crate of a build folder, which is named after it and a hash.
fn crate_of(folder: &str) -> &str {
    folder.rsplit_once('-').map_or(folder, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_compiled_counts() {
        let target = std::env::temp_dir().join(format!("xtask-natives-{}", std::process::id()));
        let out = |folder: &str| target.join("dist/build").join(folder).join("out");
        for (folder, file) in
            [("libsqlite3-sys-0a1b", "deep/libsqlite3.a"), ("blake3-77", "flags.txt"), ("a-b-c-9", "x.o")]
        {
            let file = out(folder).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let specification = |native: &[&str]| Specification {
            name: "x".into(),
            summary: String::new(),
            features: Vec::new(),
            plugins: Vec::new(),
            native: native.iter().map(|name| (*name).to_owned()).collect(),
            model: None,
            served_by: Vec::new(),
            most_mb: 1,
        };
        assert!(check(&specification(&["libsqlite3-sys", "a-b-c"]), &target).is_ok());
        for wrong in [&["libsqlite3-sys"][..], &["a-b-c", "blake3", "libsqlite3-sys"]] {
            let error = check(&specification(wrong), &target).unwrap_err().to_string();
            assert!(error.contains("allows the native crates"), "{error}");
        }
        fs::remove_dir_all(target).unwrap();
    }
}
