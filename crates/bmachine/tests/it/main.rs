//! The integration tests of `bmachine`, as one binary.
//!
//! - `corpus`: machines by other people, where they are on the machine.
//! - `expect`, `models`: our own machines, and what their headers expect.

mod corpus;
mod expect;
mod models;
mod run;
