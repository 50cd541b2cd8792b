//! A retrieval engine for knowledge kept as many small wikis
