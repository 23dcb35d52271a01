//! A pocket calculator for what searches rest on: permutation groups ([`group`]), coloured graphs
//! ([`graph`]) and the automata of formulas ([`automaton`]), each without a model.
//!
//! What is asked was read before: [`perms`] and [`lists`] read the words in which permutations and
//! points are given, and [`points`] says how points are written.

pub mod automaton;
pub mod graph;
pub mod group;
pub mod lists;
pub mod perms;
pub mod points;
