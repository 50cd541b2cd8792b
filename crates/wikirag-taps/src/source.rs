//! What somebody may add: an address, a repository, or a folder.

use std::fmt;
use std::path::{Path, PathBuf};

use wikirag_core::{Error, ErrorKind, Result, WikiName};

const OPERATION: &str = "add tap";

/// Ways to a repository that git itself knows. Not `ext::` and other helpers: there the address would say which program is run.
const SCHEMES: [&str; 5] = ["https", "http", "ssh", "git", "file"];

/// Where the documents of a tap come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Cloned from this address: `https://`, `http://`, `ssh://`, `git://`, `file://`, or `[USER@]HOST:PATH`.
    Url(String),
    /// Cloned from the bare repository in this folder.
    Repository(PathBuf),
    /// This folder, used where it lies. No git is run on it.
    Folder(PathBuf),
}

impl Source {
    /// Understands what somebody wrote. Paths are taken from `base`, which is absolute. What is a folder is one, whatever
    /// else it may look like.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where it is neither a folder nor an address; [`ErrorKind::Invalid`] for an address that is
    /// not followed.
    pub fn parse(given: &str, base: &Path) -> Result<Self> {
        let given = given.trim();
        Self::of_path(given, base).or_else(|_| Self::of_url(given))
    }

    /// A folder, taken from `base`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is none.
    pub(crate) fn of_path(given: &str, base: &Path) -> Result<Self> {
        let path = base.join(given);
        if given.is_empty() || given.contains('\0') || !path.is_dir() {
            return Err(
                Error::new(ErrorKind::NotFound, OPERATION, "there is no such folder").with("path", path.display())
            );
        }
        // Without links and `..`: the tap must lead to the same folder whatever becomes of them.
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        let is_bare = path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir();
        Ok(if is_bare { Self::Repository(path) } else { Self::Folder(path) })
    }

    /// An address.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub(crate) fn of_url(given: &str) -> Result<Self> {
        match address(given) {
            Ok(()) => Ok(Self::Url(given.to_owned())),
            Err(fault) => Err(fault.error(given)),
        }
    }

    /// Whether git makes a clone of it.
    #[must_use]
    pub fn is_cloned(&self) -> bool {
        !matches!(self, Self::Folder(_))
    }

    /// Whether git reads it from a disk of this machine.
    pub(crate) fn is_local(&self) -> bool {
        match self {
            Self::Url(url) => url.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:")),
            Self::Repository(_) | Self::Folder(_) => true,
        }
    }

    /// The name of a tap where nobody gives one: the last two parts of the path of an address (`owner-repository`), the last
    /// one of a path, without `.git`.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where that is no name of a wiki.
    pub fn default_name(&self) -> Result<WikiName> {
        let name = match self {
            Self::Url(url) => name_of_url(url),
            Self::Repository(path) | Self::Folder(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.strip_suffix(".git").unwrap_or(&name).to_owned()
            }
        };
        tap_name(&name).map_err(|error| error.help("give one with `--name`"))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::Repository(path) | Self::Folder(path) => path.display().fmt(f),
        }
    }
}

/// Checks the name of a tap: that of a wiki, which is no flag and no hidden folder.
///
/// # Errors
/// [`ErrorKind::Invalid`] with the rule that was broken.
pub fn tap_name(name: &str) -> Result<WikiName> {
    let name = WikiName::new(name)?;
    if name.as_str().starts_with(['-', '.']) {
        let message = format!("the name `{name}` begins with `{}`", &name.as_str()[..1]);
        return Err(Error::new(ErrorKind::Invalid, OPERATION, message).help("take another name"));
    }
    Ok(name)
}

/// Whether `name` may be the name of a branch, by the rules of git-check-ref-format(1).
pub(crate) fn is_branch(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_odd = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    name.len() <= 1024
        && name.split('/').all(is_part)
        && !name.contains(is_odd)
        && !name.contains("..")
        && !name.contains("@{")
        && !name.ends_with('.')
        && !name.starts_with('-')
        && name != "@"
}

/// Why something is no address that is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Neither,
    Dash,
    Odd,
    Scheme,
    Password,
}

impl Fault {
    fn error(self, given: &str) -> Error {
        let shown: String = given.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        let invalid = |message: &'static str| Error::new(ErrorKind::Invalid, OPERATION, message);
        match self {
            Self::Neither => Error::new(ErrorKind::NotFound, OPERATION, "it is neither a folder nor an address")
                .help("give a folder that is there, or an address such as `https://HOST/OWNER/REPOSITORY`")
                .with("given", shown),
            Self::Dash => {
                invalid("an address must not begin with `-`, which programs take for a flag").with("given", shown)
            }
            Self::Odd => invalid("an address holds neither blanks nor control characters").with("given", shown),
            Self::Scheme => invalid("addresses of this kind are not followed")
                .help(format!(
                    "use one of {}, or `HOST:PATH`",
                    SCHEMES.map(|scheme| format!("`{scheme}://`")).join(", ")
                ))
                .with("given", shown),
            // The address is not repeated, for what is in it.
            Self::Password => invalid("the address holds a password, which would be kept and shown")
                .help("leave it out; git asks your credential helper for it"),
        }
    }
}

fn address(given: &str) -> Result<(), Fault> {
    if given.starts_with('-') {
        return Err(Fault::Dash);
    }
    if given.chars().any(|c| c.is_control() || c.is_whitespace()) {
        let looks_so = given.contains("://");
        return Err(if looks_so { Fault::Odd } else { Fault::Neither });
    }
    if let Some((scheme, rest)) = given.split_once("://") {
        if !SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
            return Err(Fault::Scheme);
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        return match authority.rsplit_once('@') {
            Some((user, _)) if user.contains(':') => Err(Fault::Password),
            // Git refuses such a host too; older versions handed it to ssh as a flag.
            Some((_, host)) if host.starts_with('-') => Err(Fault::Dash),
            None if authority.starts_with('-') => Err(Fault::Dash),
            _ if authority.is_empty() && !scheme.eq_ignore_ascii_case("file") => Err(Fault::Neither),
            _ => Ok(()),
        };
    }
    if given.contains("::") {
        return Err(Fault::Scheme);
    }
    // `[user@]host:path`, as ssh has it; a single letter before the colon is a drive.
    let (host, path) = given.split_once(':').ok_or(Fault::Neither)?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    if host.starts_with('-') {
        return Err(Fault::Dash);
    }
    let is_host = host.len() > 1 && !host.contains(['/', '\\']) && !path.is_empty();
    if is_host { Ok(()) } else { Err(Fault::Neither) }
}

fn name_of_url(url: &str) -> String {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => url.split_once(':').map_or("", |(_, path)| path),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    parts[parts.len().saturating_sub(2)..].join("-")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_have_names() {
        for (url, name) in [
            ("https://example.org/acme/skills", "acme-skills"),
            ("https://example.org/acme/skills.git/", "acme-skills"),
            ("https://user@example.org/org/project/_git/skills", "_git-skills"),
            ("git@example.org:acme/skills.git", "acme-skills"),
            ("example.org:skills", "skills"),
            ("ssh://example.org:22/~me/skills", "~me-skills"),
            ("file:///srv/git/skills.git", "git-skills"),
            ("HTTPS://example.org/a/b?x#y", "a-b"),
        ] {
            let source = Source::parse(url, Path::new("/")).unwrap();
            assert_eq!(source, Source::Url(url.to_owned()));
            assert_eq!(source.default_name().unwrap().as_str(), name, "{url}");
        }
        for url in ["https://example.org", "https://example.org/..", "https://example.org/-a", "h0st:a*b"] {
            let error = Source::parse(url, Path::new("/")).unwrap().default_name().unwrap_err();
            assert!(error.to_string().contains("name"), "{error}");
        }
    }

    #[test]
    fn what_could_be_a_flag_a_program_or_a_secret_is_refused() {
        for (given, fault) in [
            ("-u", Fault::Dash),
            ("--upload-pack=touch x", Fault::Dash),
            ("ssh://-oProxyCommand=x/y", Fault::Dash),
            ("ssh://me@-oProxyCommand=x/y", Fault::Dash),
            ("-oProxyCommand=x:y", Fault::Dash),
            ("me@-oProxyCommand=x:y", Fault::Dash),
            ("ext::sh -c touch", Fault::Neither),
            ("ext::touch", Fault::Scheme),
            ("fd::3", Fault::Scheme),
            ("javascript://x", Fault::Scheme),
            ("transport::https://example.org/a", Fault::Scheme),
            ("https://me:secret@example.org/a", Fault::Password),
            ("https://example.org/a b", Fault::Odd),
            ("https://example.org/a\nb", Fault::Odd),
            ("https:///a", Fault::Neither),
            ("no/such/folder", Fault::Neither),
            ("c:\\skills", Fault::Neither),
            ("host:", Fault::Neither),
            ("", Fault::Neither),
        ] {
            assert_eq!(address(given), Err(fault), "{given}");
        }
        let error = Source::parse("https://me:secret@example.org/a", Path::new("/")).unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }

    #[test]
    fn folders_are_told_from_bare_repositories() {
        let place = tempfile::tempdir().unwrap();
        for folder in ["bare.git/objects", "bare.git/refs", "notes:x"] {
            std::fs::create_dir_all(place.path().join(folder)).unwrap();
        }
        std::fs::write(place.path().join("bare.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let bare = Source::parse("bare.git", place.path()).unwrap();
        assert!(matches!(bare, Source::Repository(_)) && bare.is_cloned() && bare.is_local());
        assert_eq!(bare.default_name().unwrap().as_str(), "bare");
        // A folder, although it looks like an address.
        let folder = Source::parse("notes:x", place.path()).unwrap();
        assert!(matches!(folder, Source::Folder(_)) && !folder.is_cloned());
    }

    #[test]
    fn branches_follow_the_rules_of_git() {
        for good in ["main", "a/b", "é", "v1.2", "feature/x-y_z"] {
            assert!(is_branch(good), "{good}");
        }
        for bad in [
            "", "-b", "a b", "a..b", "/a", "a/", "a//b", ".a", "a/.b", "a.lock", "a.", "@", "a@{b", "a:b", "+a*",
            "a\nb", "a\\b",
        ] {
            assert!(!is_branch(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_understood_or_refused(given in any::<String>(), base in "/[a-z]{1,8}") {
            if let Ok(Source::Url(url)) = Source::parse(&given, Path::new(&base)) {
                prop_assert!(!url.starts_with('-') && !url.contains(char::is_control));
                if let Ok(name) = (Source::Url(url)).default_name() {
                    prop_assert!(!name.as_str().contains('/') && !name.as_str().starts_with('.'));
                }
            }
            let _ = is_branch(&given);
        }
    }
}
