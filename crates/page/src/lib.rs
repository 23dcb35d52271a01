//! Results as a page: one file of HTML that needs nothing else.
//!
//! The page is made of the objects that programs get with `--json`, the sources of the model, and
//! pictures that were drawn before. The same page is the face of the explorer: then a server is
//! behind it, and it asks for more ([`Bundle::live`]).
//!
//! **What is in the model stays text.** Names and strings of a model may hold anything, HTML
//! included. Data stands in the page as JSON in which `<` is written `\u003c`, so that it cannot
//! end the element that it is in; the page shows it as text; pictures are SVG in which texts are
//! escaped. A policy in the page lets no other script run than its own.
//!
//! [`chart`] draws a run as a message-sequence chart.

mod bundle;
pub mod chart;
mod html;

pub use bundle::{Bundle, Live, SourceText, View, charts, view};
pub use html::{NoRandomness, html, nonce};
