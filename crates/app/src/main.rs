//! The binary `orbit`.
fn main() {}
