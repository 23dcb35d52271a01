//! The public face of the crate, one module a subject.

mod backtrack;
mod blocks;
mod largest;
mod sample_groups;
