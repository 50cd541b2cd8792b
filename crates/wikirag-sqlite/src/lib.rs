//! The catalog of a wiki: documents, text, chunks and the change feed
