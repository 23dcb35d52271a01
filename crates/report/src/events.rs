//! Runs of processes that are known by their events.
//!
//! Events and processes are names here: who found the run knows what they are called.

/// A run that shows something about a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Events {
    /// What it shows, in one word.
    pub kind: &'static str,
    /// What is seen before that.
    pub trace: Vec<String>,
    /// What happens, step by step, with what each component does.
    pub steps: Vec<EventStep>,
    /// The last step leads back to where the one of this number starts, counted from 0.
    pub loop_from: Option<usize>,
    /// The event it is about, if it is about one.
    pub event: Option<String>,
    /// What is offered at its end, where that matters.
    pub offered: Option<Vec<String>>,
    /// What would have been right there; one of these sets, where there are several.
    pub allowed: Vec<Vec<String>>,
    /// Where each component is at the end.
    pub end: Vec<End>,
    /// Another run with the same trace, if it needs two.
    pub other: Option<Vec<EventStep>>,
    /// What the search stored where a symmetry made another state of it.
    pub stored: Vec<StoredComponents>,
}

/// A state that the search stored in place of one of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredComponents {
    /// After how many steps of the run.
    pub n_steps: usize,
    /// The symmetry that makes the state of the run of it, as cycles of components.
    pub permutation: String,
    /// Where each component is in it.
    pub components: Vec<End>,
}

/// A step of such a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventStep {
    /// What is seen of it; τ if nothing is.
    pub event: String,
    /// The components that take part.
    pub parts: Vec<Part>,
}

/// What a component does in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The component.
    pub name: String,
    /// What it does.
    pub event: String,
    /// Where the text stands that it is at before.
    pub place: Option<Place>,
}

/// Where a component is at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The component.
    pub name: String,
    /// The process that it is.
    pub process: String,
    /// Where the text of that stands.
    pub place: Option<Place>,
}

/// A line of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The file, if it is not that of the model.
    pub file: Option<String>,
}
