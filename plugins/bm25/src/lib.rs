//! Plugin: BM25 over tantivy
