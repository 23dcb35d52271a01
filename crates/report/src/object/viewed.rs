//! What `orbit view` shows.

use super::{Diagnostic, Model};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A picture of the states of a model.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Viewed {
    /// The version of Orbit.
    pub orbit: String,
    /// The model.
    pub model: Model,
    /// Which view it is: `full`, `quotient`, `signature`, `dfa`, `bisimulation`, `projection`,
    /// `levels`.
    pub view: String,
    /// What it shows, in a line.
    pub title: String,
    /// What a reader has to know: what was left out, and why.
    pub notes: Vec<String>,
    /// What was counted.
    pub counts: ViewCounts,
    /// Why not all states were explored, if a limit was the reason: `states`, `memory`, `time`,
    /// `depth`, `interrupted`, `endless`, `refuted`, `cut`.
    pub stop_reason: Option<String>,
    /// The nodes; edges name them by their places, from 0.
    pub nodes: Vec<ViewNode>,
    /// The edges.
    pub edges: Vec<ViewEdge>,
    /// The picture in the format that was asked for, if it was one of other programs and was not
    /// written into a file; as SVG, if a page was asked for.
    pub drawing: Option<String>,
    /// Errors and warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// How large a state space is, and a view of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ViewCounts {
    /// States that were explored, with the one before the set-up where that counts.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// Transitions from a state to itself.
    pub self_loops: u64,
    /// Operations: labels without their arguments.
    pub operations: u64,
    /// How many states of the unreduced system these represent; null if each represents itself, or
    /// if that is not known.
    pub full_states: Option<u64>,
    /// The largest distance from an initial state.
    pub depth: u32,
    /// How many of the states the view is made of.
    pub shown_states: u64,
    /// Nodes of the abstraction; not those of the picture, if that is a coarser one.
    pub nodes: u64,
    /// Edges of the abstraction, each label counted.
    pub edges: u64,
    /// Pairs of a node and a label of an edge from it.
    pub node_labels: u64,
}

/// A node.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ViewNode {
    /// What it says, in full.
    pub lines: Vec<String>,
    /// What it is: `initial`, `deadlock`, `violation`, `current`, `unexpanded`.
    pub kinds: Vec<String>,
    /// How far it is from an initial node, in the picture.
    pub depth: u32,
    /// How many states are in it.
    pub states: u64,
    /// How many states of the unreduced system these represent.
    pub full_states: u64,
    /// The numbers of some of its states.
    pub members: Vec<u32>,
}

/// An edge.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ViewEdge {
    /// Where it begins, a place in the list of nodes.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Its labels.
    pub labels: Vec<String>,
    /// Whether each state of its node has such a transition, and all of these lead into one node.
    pub is_definite: bool,
    /// Whether it leads to a node that is no deeper.
    pub is_back: bool,
}
