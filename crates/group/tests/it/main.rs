//! The public face of the crate, one module a subject.

mod backtrack;
mod blocks;
mod image;
mod largest;
mod sample_groups;
//! Tests of the crate's public face.

mod chain;
mod perm;
//! The public face of the crate, tested from outside.

mod graph;
//! The public face of `group`, tested against plain twins.

mod shape;
