//! Tests of the crate's public face.

mod chain;
mod perm;
