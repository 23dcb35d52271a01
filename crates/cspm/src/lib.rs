//! The language CSPM: text → tokens → syntax tree, checked for names and types; then values and
//! [`process`] terms, and the transition systems they stand for.

pub mod ast;

pub mod process;

pub mod operate;

pub mod leaf;

pub mod compress;
