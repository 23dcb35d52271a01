//! Text to syntax tree and back.

mod corpus;
mod printed;
