//! Text to syntax tree and back.

mod corpus;
mod declarations;
mod includes;
mod levels;
mod lines;
mod models;
mod noise;
mod printed;
mod random;
mod tree;
