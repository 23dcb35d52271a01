//! Tests of the crate's public face.

mod certify_chain;
mod chain;
mod cycles;
mod perm;
mod subgroup;
