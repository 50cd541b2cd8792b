//! Conformance suites and strict fakes for plugin authors
