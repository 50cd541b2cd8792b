//! How near a question is to a store that nobody opens.

use std::fs;

use wikirag_core::ErrorKind;
use wikirag_sqlite::VectorSpace;

use crate::sample::{Expected, Home, Numbers};

/// A store of two bundles of vectors, and their middles.
fn two_bundles(chunks: u64) -> (Home, Expected, [Vec<f32>; 2]) {
    let home = Home::new(24);
    let mut numbers = Numbers(5);
    let middles = [numbers.vector(24), numbers.vector(24)];
    let mut expected = Expected::default();
    for text in 0..chunks {
        expected.vectors.insert(text, numbers.near(&middles[(text % 2) as usize], 0.2));
    }
    let mut writer = home.writer();
    writer.commit(&expected.put(&(0..chunks).map(|chunk| (chunk, chunk)).collect::<Vec<_>>())).unwrap();
    writer.summarise().unwrap();
    (home, expected, middles)
}

#[test]
fn a_question_near_a_bundle_is_near_the_store() {
    let (home, _, middles) = two_bundles(40);
    let store = home.reader();
    let near = |question: &[f32]| store.nearness(&home.space(), question).unwrap().unwrap();
    assert!(near(&middles[0]) > 0.95 && near(&middles[1]) > 0.95);
    let away: Vec<f32> = middles[0].iter().map(|value| -value).collect();
    assert!(near(&away) < 0.5, "{}", near(&away));
    // Lengths do not count.
    let long: Vec<f32> = middles[0].iter().map(|value| value * 7.0).collect();
    assert!((near(&long) - near(&middles[0])).abs() < 1e-6);
}

#[test]
fn a_commit_takes_them_away_until_the_feed_is_followed() {
    let (home, mut expected, middles) = two_bundles(10);
    let store = home.reader();
    assert!(store.nearness(&home.space(), &middles[0]).unwrap().is_some());
    let mut writer = home.writer();
    writer.commit(&expected.put(&[(3, 4)])).unwrap();
    assert_eq!(store.nearness(&home.space(), &middles[0]).unwrap(), None);
    writer.summarise().unwrap();
    assert!(store.nearness(&home.space(), &middles[0]).unwrap().is_some());
}

#[test]
fn other_spaces_and_large_stores_are_not_compared() {
    let (home, _, middles) = two_bundles(10);
    let other = VectorSpace { fingerprint: "another model".to_owned(), dimensions: 24 };
    assert_eq!(home.reader().nearness(&other, &middles[0]).unwrap(), None);
    assert_eq!(home.reader().nearness(&home.space(), &[1.0]).unwrap_err().kind(), ErrorKind::Internal);
    let (home, _, middles) = two_bundles(4_097);
    assert_eq!(home.reader().nearness(&home.space(), &middles[0]).unwrap(), None);
}

#[test]
fn damage_is_told() {
    let (home, _, middles) = two_bundles(10);
    let file = home.path().with_extension("centroids");
    let whole = fs::read(&file).unwrap();
    for at in [0, 9, 30, whole.len() - 5, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(&file, bytes).unwrap();
        let store = home.reader();
        assert_eq!(store.nearness(&home.space(), &middles[0]).unwrap_err().kind(), ErrorKind::Damaged, "byte {at}");
        assert_eq!(store.verify().unwrap_err().kind(), ErrorKind::Damaged, "byte {at}");
    }
}
