//! Who is told how far a command has come, so that there is an answer if it has to end at once.

use check::Progress;
use report::{Model, Property};

/// Is told how far a command has come.
pub trait Listener {
    /// From now on it is in this phase, as in "time ran out while …".
    fn phase(&self, words: &'static str);

    /// What is asked of which model, by name and kind.
    fn asked(&self, model: Model, asked: Vec<(String, String)>);

    /// Something that is asked has an answer.
    fn answered(&self, property: &Property);

    /// How far a search has come.
    fn progress(&self, progress: &Progress);
}

/// Nobody.
pub struct Nobody;

impl Listener for Nobody {
    fn phase(&self, _: &'static str) {}

    fn asked(&self, _: Model, _: Vec<(String, String)>) {}

    fn answered(&self, _: &Property) {}

    fn progress(&self, _: &Progress) {}
}
