//! How the suites test themselves: with plugins that are broken on purpose.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;
use std::thread;

use wikirag_testkit::{Check, failing};

/// The whole plugin passes all checks; each fault is seen by exactly the check it is paired with; and each check sees
/// at least one fault, so none of them is a test that cannot fail.
pub(crate) fn each_fault_fails_its_own_check<S, F: Copy + Debug + Send>(
    checks: &[Check<S>],
    faults: &[(F, &'static str)],
    subject: impl Fn(Option<F>) -> S + Sync,
) {
    assert_eq!(failing(checks, &subject(None)), Vec::<&str>::new(), "the plugin without a fault");
    let waiting = Mutex::new(faults.to_vec());
    let seen_otherwise = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((fault, check)) = { waiting.lock().unwrap().pop() } {
                    let failed = failing(checks, &subject(Some(fault)));
                    if failed != [check] {
                        seen_otherwise.lock().unwrap().push(format!("{fault:?} fails {failed:?}, not {check} alone"));
                    }
                }
            });
        }
    });
    assert_eq!(seen_otherwise.into_inner().unwrap(), Vec::<String>::new());
    let checked: BTreeSet<_> = faults.iter().map(|(_, check)| *check).collect();
    let unproved: Vec<_> = checks.iter().map(|check| check.name).filter(|name| !checked.contains(name)).collect();
    assert_eq!(unproved, Vec::<&str>::new(), "checks that no fault fails");
}
