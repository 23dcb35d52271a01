//! The integration tests of `bmachine`, as one binary.
//!
//! - `corpus`: machines by other people, where they are on the machine.

mod corpus;
mod run;
