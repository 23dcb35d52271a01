//! The public face of the crate, one module a subject.

mod backtrack;
mod sample_groups;
