//! The public face of the crate, tested from outside.

mod graph;
