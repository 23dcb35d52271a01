//! What a search found, for people and programs.
