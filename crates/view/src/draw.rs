//! Pictures as files: drawn, and for other programs.

pub mod svg;
pub mod text;
