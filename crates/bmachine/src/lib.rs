//! The language B: text → tokens → syntax tree → [`typed::Machine`], and what runs it.

pub mod typed;

pub mod alike;
