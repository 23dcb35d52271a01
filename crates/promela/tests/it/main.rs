//! The integration tests of `promela`, as one binary.

mod corpus;
mod run;
