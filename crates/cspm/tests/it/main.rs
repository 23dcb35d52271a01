//! The integration tests of `cspm`, as one binary.
//!
//! - `script`: reading scripts from texts; `corpus`: scripts by other people, where they are on the
//!   machine.
//! - `types`: what is well typed, what is not and what is said of it, dots, modules, noise.
//! - `syntax`: tokens, lines, levels, declarations, includes, printing and noise.

mod corpus;
mod script;
mod syntax;
mod types;
