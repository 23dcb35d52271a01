//! Shapes of groups against full enumeration: everything here that ends in `_plain` works on the
//! list of all elements and knows nothing of chains.

pub mod common;
mod find;
mod least;
mod names;
