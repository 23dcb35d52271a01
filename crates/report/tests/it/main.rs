//! Summaries of searches over a small system, as text and as JSON.
//!
//! - `counter`: the system.
//! - `summaries`: verdicts, property by property.
//! - `texts`: what people read.
//! - `objects`: what programs read.

mod counter;
mod objects;
mod summaries;
mod texts;
