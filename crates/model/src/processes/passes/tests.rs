//! The passes on models small enough to count on paper, then on random ones.

pub mod build;
mod by_hand;
mod random;
mod structure;
