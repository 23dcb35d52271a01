//! The integration tests of `bmachine`, as one binary.
//!
//! - `corpus`: machines by other people, where they are on the machine.
//! - `expect`, `models`: our own machines, and what their headers expect.
//! - `plain`, `counts`: the plainest search there is, and what it counts of our own machines.

mod corpus;
mod counts;
mod expect;
mod models;
mod plain;
mod run;
