//! The language B: text → tokens → syntax tree → [`typed::Machine`], and what runs it.

pub mod eval;
pub mod run;
pub mod solve;
pub mod typed;
pub mod value;
