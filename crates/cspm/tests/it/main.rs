//! The integration tests of `cspm`, as one binary.
//!
//! - `script`: reading scripts from texts; `corpus`: scripts by other people, where they are on the
//!   machine.
//! - `evaluate`: values of definitions, processes as terms, faults.
//! - `syntax`: tokens, lines, levels, declarations, includes, printing and noise.

mod corpus;
mod evaluate;
mod script;
mod syntax;
