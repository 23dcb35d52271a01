//! The integration tests of `bmachine`, as one binary.
//!
//! - `parse`: priorities, brackets, shapes.
//! - `types`: names, definitions, types, and messages about them.
//! - `composition`: machines within machines, refinements, files of definitions.
//! - `noise`: no text makes a panic, an endless loop or a deep recursion.
//! - `corpus`: machines by other people, where they are on the machine.
//! - `expect`, `models`: our own machines, and what their headers expect.

mod composition;
mod corpus;
mod expect;
mod models;
mod noise;
mod parse;
mod run;
mod shown;
mod types;
