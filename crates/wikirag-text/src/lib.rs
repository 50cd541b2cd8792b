//! Normalising, tokens, analysers and token counting
