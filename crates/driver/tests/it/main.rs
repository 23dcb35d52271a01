//! The driver on models of the project: what is looked for how often, and what limits do.

mod checks;
mod plans;
mod states;
