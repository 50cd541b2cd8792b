//! The wikirag program, as a library
