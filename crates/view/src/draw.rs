//! Pictures as files: drawn, and for other programs.

pub mod dot;
pub mod graphml;
pub mod json;
pub mod svg;
pub mod text;
