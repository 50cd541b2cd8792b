//! Example: a plugin from outside that joins the program
