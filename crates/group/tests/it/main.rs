//! The public face of the crate, one module a subject.

mod backtrack;
mod blocks;
mod chain;
mod graph;
mod image;
mod largest;
mod perm;
mod sample_groups;
mod shape;
