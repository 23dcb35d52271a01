//! Text to syntax tree and back.

mod corpus;
mod levels;
mod lines;
mod printed;
mod random;
mod tree;
