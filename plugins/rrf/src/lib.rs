//! Plugin: reciprocal rank fusion
