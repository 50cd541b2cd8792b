//! What a check is, and what it says when a promise is broken.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A broken promise, told so that the author of the plugin sees the input and both sides of the comparison.
#[derive(Clone, PartialEq, Eq)]
pub struct Broken(String);

impl Broken {
    /// A broken promise in one or more sentences.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// The same, with the place (a document, a question) put before it.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

// A test that returns `Err` prints it with `Debug`; escaped line ends would make it unreadable.
impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<wikirag_core::Error> for Broken {
    fn from(error: wikirag_core::Error) -> Self {
        Self(format!("a call failed that must not fail: {error:?}"))
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self(format!("the suite itself met an error of the file system: {error}"))
    }
}

/// What a check comes to.
pub type Outcome<T = ()> = Result<T, Broken>;

/// One promise of a kind of plugin, as a function of the plugin (`S` knows how to make it).
pub struct Check<S> {
    /// Name of the test that the suite's macro makes of it.
    pub name: &'static str,
    /// Looks whether the promise is kept. A panic counts as a broken promise.
    pub run: fn(&S) -> Outcome,
}

/// Names of the checks that `subject` fails, by an error or by a panic. For suites that test themselves.
#[must_use]
pub fn failing<S>(checks: &[Check<S>], subject: &S) -> Vec<&'static str> {
    let passes = |check: &Check<S>| matches!(catch_unwind(AssertUnwindSafe(|| (check.run)(subject))), Ok(Ok(())));
    checks.iter().filter(|check| !passes(check)).map(|check| check.name).collect()
}

/// Returns from a check with [`Broken`] unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => {
        if !$holds {
            return Err($crate::Broken::new(format!($($message)+)));
        }
    };
}
pub(crate) use ensure;

/// The table of a kind, from its list of checks.
#[doc(hidden)]
#[macro_export]
macro_rules! __table {
    (() $($check:ident)+) => {
        &[$($crate::Check { name: stringify!($check), run: $check }),+]
    };
}

/// One `#[test]` for each check of a kind's list, in a module of its own; `made` are the arguments of `Subject::new`.
/// With a reason the tests are there and named, and run only when asked for.
#[doc(hidden)]
#[macro_export]
macro_rules! __tests {
    (($module:ident, $kind:ident, $made:tt $(, $reason:literal)?) $($check:ident)+) => {
        mod $module {
            #[allow(unused_imports)]
            use super::*;
            $crate::__test! { $kind $made [$($reason)?] $($check)+ }
        }
    };
}

/// The tests themselves: an attribute with an optional part cannot stand inside the repetition.
#[doc(hidden)]
#[macro_export]
macro_rules! __test {
    ($kind:ident $made:tt [] $($check:ident)+) => {
        $(
            #[test]
            fn $check() -> $crate::Outcome {
                $crate::$kind::$check(&$crate::$kind::Subject::new $made)
            }
        )+
    };
    ($kind:ident $made:tt [$reason:literal] $($check:ident)+) => {
        $(
            #[test]
            #[ignore = $reason]
            fn $check() -> $crate::Outcome {
                $crate::$kind::$check(&$crate::$kind::Subject::new $made)
            }
        )+
    };
}
