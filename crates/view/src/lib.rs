//! Pictures of graphs: what was explored, less of it, and where it is drawn.
//!
//! A [`Space`] is a labelled graph of states, as it was explored. An abstraction
//! ([`abstraction`]) makes a [`Picture`] of it: nodes that are sets of states, edges that are sets
//! of transitions, both with words. [`layout`] gives each node a place and each edge a way, and
//! [`draw`] writes the result: [`svg`], and formats for other programs. Nothing here knows what a
//! state is made of.
//!
//! Worked example: a space of 65 states of a phone book becomes, by the operations that are enabled
//! in a state ([`abstraction::signature`]), a picture of four nodes.

pub mod abstraction;
pub mod draw;
pub mod layout;
pub mod part;
pub mod picture;
pub mod space;

pub use draw::svg::{Drawing, svg};
pub use picture::{NodeKinds, Picture, PictureEdge, PictureNode};
pub use space::{LabelId, Space, SpaceBuilder};
