//! The symmetry of states that are made of values: sets, relations and functions over members.
//!
//! Nothing here knows a language. A [`Signature`](model::values::Signature) says what states hold,
//! and a [`Ground`](model::values::Ground) for each sort says why its members may be exchanged;
//! [`certify()`] checks that on the [`Text`](model::values::Text) of the model and makes the group
//! and its action. Reading order: `points` which members
//! move, `act` what a symmetry does to a state, `compile` and `picture` a state as an object. See
//! `docs/theory/values-symmetry.md`.

mod act;
mod certify;
mod compile;
mod picture;
mod points;
mod published;

pub use act::Act;
pub use certify::{Apart, ApartReason, CertifiedValues, Rejected, certify};
pub use picture::{Picture, Reading};
pub use points::Points;
