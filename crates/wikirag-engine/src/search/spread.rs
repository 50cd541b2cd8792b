//! Much small work on a few threads.

use std::sync::Arc;

use futures_util::future::join_all;
use wikirag_core::offload;

/// Does `work` for each item, on as many threads as there are cores to keep busy; the results come in the order of the items. One task an
/// item would start a thread for each that waits for the disk.
pub(super) async fn spread<T, R, F>(threads: usize, items: &Arc<Vec<T>>, work: F) -> Vec<R>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    let work = Arc::new(work);
    let part = items.len().div_ceil(threads.max(1)).max(1);
    let parts = (0..items.len()).step_by(part).map(|start| {
        let (items, work) = (Arc::clone(items), Arc::clone(&work));
        offload(move || items.iter().skip(start).take(part).map(|item| work(item)).collect::<Vec<R>>())
    });
    join_all(parts).await.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for threads in [0, 1, 3, 100] {
            for count in [0, 1, 7, 64] {
                let items = Arc::new((0..count).collect::<Vec<usize>>());
                let doubled = futures_lite::future::block_on(spread(threads, &items, |item| item * 2));
                assert_eq!(doubled, (0..count).map(|item| item * 2).collect::<Vec<_>>(), "{threads} {count}");
            }
        }
    }
}
