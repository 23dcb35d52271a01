//! Partition backtrack.
mod base_change;
mod partition;
