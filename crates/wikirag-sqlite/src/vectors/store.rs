//! The store as a reader sees it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use wikirag_core::{Context, Error, ErrorKind, RankedList, Result};

use super::centroids::{self, Centroids};
use super::coarse::Coarse;
use super::schema::{Meta, VECTORS};
use super::{VectorSpace, VectorState, extension, search, vector, verify};
use crate::FileId;
use crate::readers::Readers;

/// The store of vectors in one file, which may not exist yet.
///
/// Reads see the last commit, whoever made it, and never wait for a writer. Each call is one snapshot.
pub struct VectorStore {
    readers: Readers,
    /// The compact forms as they were last read.
    coarse: Mutex<Option<Arc<Coarse>>>,
    /// The centroids as they were last read.
    centroids: Mutex<Option<(FileId, Arc<Centroids>)>>,
}

impl VectorStore {
    /// The store at `path`. Opens nothing yet.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            readers: Readers::new(&VECTORS, path.into(), extension::register),
            coarse: Mutex::default(),
            centroids: Mutex::default(),
        }
    }

    /// Where the file lies, or will.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.readers.path()
    }

    pub(super) const fn readers(&self) -> &Readers {
        &self.readers
    }

    /// How the store stands; `None` where nothing was ever committed. Reads one row.
    ///
    /// # Errors
    /// [`ErrorKind::StaleIndex`] for another format, [`ErrorKind::Damaged`] for a file that is none of ours or not
    /// whole; [`ErrorKind::Busy`] and [`ErrorKind::Io`] as they come.
    pub fn state(&self) -> Result<Option<VectorState>> {
        let state = self.readers.read("open vectors", |snapshot| Meta::load(snapshot).map(Meta::state));
        state.map(Option::flatten)
    }

    /// The `want` chunks whose vectors have the highest cosine to `question`, exactly: best first, ties by chunk id.
    /// Whatever the length of the question is, scores are cosines.
    ///
    /// # Errors
    /// [`ErrorKind::IndexMissing`] where nothing was ever committed, [`ErrorKind::StaleIndex`] where the vectors are
    /// not those of `space`, [`ErrorKind::Internal`] for a question that is no vector of it, [`ErrorKind::Damaged`]
    /// where what is read is not what was written, and what the context says.
    pub fn search(&self, space: &VectorSpace, question: &[f32], want: usize, context: &Context) -> Result<RankedList> {
        let known = self.coarse.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let found = self.readers.read("search vectors", |snapshot| {
            let meta = Meta::load(snapshot)?;
            let Some(state) = meta.clone().state() else { return Ok(None) };
            state.must_be_of(space)?;
            let question = vector::unit(question, meta.dimensions)?;
            let coarse = Coarse::read(snapshot, meta, known.as_ref(), context)?;
            let list = search::nearest(snapshot, &coarse, &question, want, context)?;
            Ok(Some((list, coarse)))
        })?;
        let Some((list, coarse)) = found.flatten() else { return Err(self.missing()) };
        // A slower search may put back an older state; the next one brings it up again.
        *self.coarse.lock().unwrap_or_else(PoisonError::into_inner) = Some(coarse);
        Ok(list)
    }

    /// How near the question is to what the store holds, without opening it: the highest cosine to the centroid of a group of its
    /// vectors, which lie in a small file beside it. `None` where there is no such file: in a large store, in one that is being
    /// written to, and for vectors that are not those of `space`.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`], [`ErrorKind::Io`], and [`ErrorKind::Internal`] for a question that is no vector of the space.
    pub fn nearness(&self, space: &VectorSpace, question: &[f32]) -> Result<Option<f64>> {
        let file = FileId::of(&centroids::path(self.path()));
        let mut last = self.centroids.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref().filter(|(known, _)| file == Some(*known)).map(|(_, known)| Arc::clone(known));
        let centroids = match known {
            Some(known) => known,
            None => {
                let Some(read) = Centroids::load(self.path())?.map(Arc::new) else { return Ok(None) };
                *last = file.map(|file| (file, Arc::clone(&read)));
                read
            }
        };
        drop(last);
        centroids.nearness(space, question).map_err(|fault| fault.told("compare with centroids", self.path()))
    }

    /// Checks every page and every row, and that the tables agree with one another.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`] naming what is wrong; [`ErrorKind::IndexMissing`].
    pub fn verify(&self) -> Result<()> {
        self.readers.read("verify vectors", verify::check)?.ok_or_else(|| self.missing())?;
        Centroids::load(self.path()).map(|_| ())
    }

    /// The error of a call that needs a store where there is none.
    #[must_use]
    pub fn missing(&self) -> Error {
        Error::new(ErrorKind::IndexMissing, "open vectors", "there is no index yet")
            .with("path", self.path().display())
            .help("run `wikirag build`")
    }
}

impl fmt::Debug for VectorStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorStore").field("path", &self.path()).finish_non_exhaustive()
    }
}

const _: fn() = || {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<VectorStore>();
};
