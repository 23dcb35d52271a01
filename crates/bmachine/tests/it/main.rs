//! The integration tests of `bmachine`, as one binary.
//!
//! - `parse`: priorities, brackets, shapes.
//! - `types`: names, definitions, types, and messages about them.
//! - `composition`: machines within machines, refinements, files of definitions.
//! - `noise`: no text makes a panic, an endless loop or a deep recursion.
//! - `corpus`: machines by other people, where they are on the machine.

mod composition;
mod corpus;
mod noise;
mod parse;
mod run;
mod shown;
mod types;
