//! Random programs and what SPIN says of them: for the tests of other crates, and for the binary
//! `fuzz`, which compares `orbit` with SPIN's verifiers over many programs.

pub mod compare;
pub mod limited;
pub mod promela;
pub mod shrink;
pub mod spin;
