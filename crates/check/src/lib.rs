//! Searches over any system.
