//! The public face of the crate.
//!
//! - `values`: states that are made of values.

mod values;
