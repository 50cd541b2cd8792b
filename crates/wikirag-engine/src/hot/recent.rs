//! When pages changed.

use std::fs;
use std::time::UNIX_EPOCH;

use wikirag_core::{Date, Metadata};
use wikirag_sqlite::{FileStamp, StoredPage};

use crate::LocatedWiki;
use crate::drill::HOT_PAGE;

/// Keys of front matter that say when a page was changed, the first that holds a date.
const KEYS: [&str; 4] = ["last_updated", "updated", "modified", "last_modified"];

/// A page and the day of its last change.
#[derive(Debug)]
pub(super) struct Dated {
    pub(super) page: StoredPage,
    pub(super) day: Date,
    /// Nanoseconds since 1970, for the order within a day.
    time: i64,
}

/// The pages that changed up to the day `as_of`, the newest first, without `hot.md`. A date in front matter counts more than that of
/// the file, which may be the day of a copy.
pub(super) fn newest_first(wiki: &LocatedWiki, pages: Vec<StoredPage>, as_of: Date) -> Vec<Dated> {
    let dated = pages.into_iter().filter(|page| !page.path.eq_ignore_ascii_case(HOT_PAGE)).filter_map(|page| {
        let time = match page.modified_ns {
            FileStamp::UNKNOWN_TIME => file_time(wiki, &page.path)?,
            known => known,
        };
        let day = stated(&page.meta).filter(|day| *day <= as_of).or_else(|| day_of(time))?;
        Some(Dated { page, day, time })
    });
    let mut dated: Vec<Dated> = dated.filter(|dated| dated.day <= as_of).collect();
    dated.sort_by(|a, b| (b.day, b.time, &a.page.path).cmp(&(a.day, a.time, &b.page.path)));
    dated
}

fn stated(meta: &Metadata) -> Option<Date> {
    KEYS.iter().find_map(|key| Date::of(meta.get(*key)?.as_str()?))
}

/// The catalog keeps no time that was too young when it was read.
fn file_time(wiki: &LocatedWiki, path: &str) -> Option<i64> {
    let modified = fs::metadata(wiki.root.join(path)).ok()?.modified().ok()?;
    i64::try_from(modified.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()
}

/// The day in UTC.
fn day_of(time: i64) -> Option<Date> {
    let time = jiff::Timestamp::from_nanosecond(i128::from(time)).ok()?;
    Date::of(time.to_string().get(..10)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_tells_the_day_and_else_the_file() {
        let meta = |text: &str| serde_json::from_str::<Metadata>(text).unwrap();
        assert_eq!(stated(&meta(r#"{"updated": "soon", "modified": "2026-11-02T10:00"}"#)), Date::of("2026-11-02"));
        assert_eq!(stated(&meta(r#"{"created": "2026-11-02"}"#)), None);
        assert_eq!(day_of(1_700_000_000_000_000_000), Date::of("2023-11-14"));
        assert_eq!(day_of(i64::MAX).map(|day| day.to_string()).as_deref(), Some("2262-04-11"));
    }
}
