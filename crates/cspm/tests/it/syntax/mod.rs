//! Text to syntax tree and back.

mod corpus;
mod levels;
mod lines;
mod noise;
mod printed;
mod random;
mod tree;
