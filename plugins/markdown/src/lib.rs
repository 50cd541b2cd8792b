//! Plugin: CommonMark reader and structure-aware chunker
