//! Every way of choosing, on random states that are made of values.
//!
//! Values as trees (`twin`) and random signatures (`random`), texts without objections (`texts`)
//! are those of the tests of `reduce`.

#[allow(dead_code)]
#[path = "../../../reduce/tests/it/values/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../../../reduce/tests/it/values/texts.rs"]
mod texts;
#[allow(dead_code)]
#[path = "../../../reduce/tests/it/values/twin.rs"]
mod twin;
mod values;
