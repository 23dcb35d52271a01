//! What every crate shares: source text, spans and diagnostics; the clock and the memory account.
//!
//! A text enters once, as a [`Source`] in a [`Sources`]; after that a place in it is a [`Span`],
//! which is small and copied freely. A mistake of the user is a [`Diagnostic`] made of spans and
//! words. Diagnostics are collected, never thrown one at a time, and [`render()`] draws all of them
//! beside the lines they speak of. Nothing here reads a file, prints, or asks whether there is a
//! terminal: the binary does.
//!
//! A thing enters this crate when two crates need it.

pub mod allowance;
pub mod brackets;
pub mod clock;
pub mod hash;
pub mod id;
pub mod memory;
pub mod source;
pub mod span;
pub mod words;

pub mod diagnostic;
pub mod render;

pub use allowance::{Allowance, Spent};
pub use clock::{Clock, Over, Ticker};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity, quote};
pub use hash::hash;
pub use render::{Colour, render};
pub use source::{Position, Source, SourceId, Sources};
pub use span::Span;
