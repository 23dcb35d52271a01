//! States that are made of values.
//!
//! - `twin`: values as trees, and all that is done to them the plain way.
//! - `random`: random signatures and states.
//! - `orbits`: what symmetries do to states, against the twin; canonical states, sizes of orbits.
//! - `pictures`: states that pictures of other makes mix up; markers.
//! - `audits`: systems that are symmetric, and systems that are not.
//! - `grounds`: what is certified, and what is not.

mod audits;
mod grounds;
mod orbits;
mod pictures;
mod random;
mod texts;
mod twin;
