//! Whole-program tests
