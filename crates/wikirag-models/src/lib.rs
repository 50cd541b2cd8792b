//! Models and the libraries that run them: recipes, where their files lie, getting them.
