//! The public face of the crate, one module a subject.

mod perm;

mod certify_chain;
mod chain;
mod cycles;
mod subgroup;

mod backtrack;
mod blocks;
mod largest;
mod sample_groups;

mod graph;
mod image;
mod shape;
