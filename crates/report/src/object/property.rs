//! Properties, and what speaks against them.

use super::{Counts, Group, Witness};
use crate::summary::Verdict;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// Something that was asked for.
///
/// What speaks against it first stands in it directly, and what else does in `others`; a run that
/// shows that it holds stands in it likewise.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Property {
    /// What it is called; an assertion as it is written.
    pub name: String,
    /// What kind of thing it is: `deadlock`, `assertions`, `invariant`, `ltl`, `refinement`, ….
    pub kind: String,
    /// Which of the assertions of a script it is, from 1.
    pub number: Option<usize>,
    /// The line of an assertion of a script; of what else is violated, the line of the step in
    /// which it goes wrong.
    pub line: Option<u32>,
    /// Whether `not` stands before it.
    pub negated: bool,
    /// The semantic model of an assertion of a script: `T`, `F`, `FD`.
    pub semantics: Option<String>,
    /// Whether it holds, `not` included.
    pub verdict: Verdict,
    /// Why nobody can tell, if so; or what else is to know about the verdict.
    pub reason: Option<String>,
    /// What else its reader should know, a sentence each.
    pub notes: Vec<String>,
    /// For whom it was checked, if it was asked of several members.
    pub members: Vec<Members>,
    /// The texts of its atoms, if it is a formula.
    pub atoms: Vec<String>,
    /// The components of the process, by name.
    pub components: Vec<String>,
    /// How many elements the group has that does not care about the property, if a search was made
    /// for it alone.
    pub group_without_it: Option<String>,
    /// How many the group has that this search used.
    pub group_order: Option<String>,
    /// That group, if more is told of it.
    pub symmetry: Option<Group>,
    /// Which infinite runs count: `weak` or `strong`; null for all.
    pub fairness: Option<String>,
    /// Whether all that is wrong shows after finitely many moves, if it is about runs.
    pub safety: Option<bool>,
    /// How many states that has which watches the runs.
    pub automaton_states: Option<usize>,
    /// What was counted, if a search was made for it alone.
    pub counts: Option<Counts>,
    /// What came of `--audit` for it alone, in words.
    pub audit: Option<String>,
    /// What came of `--self-check` for it alone, in words.
    pub self_check: Option<String>,
    /// How long the search for it alone took, in seconds.
    pub time_s: Option<f64>,
    /// What is wrong, or what the run shows.
    pub message: Option<String>,
    /// The step in which it goes wrong, as written.
    pub step: Option<String>,
    /// How many times it was seen.
    pub n_seen: Option<u64>,
    /// The file of that step, if it is not that of the model.
    pub file: Option<String>,
    /// The uses of inlines and macros around that step, from inside out.
    pub called_from: Vec<String>,
    /// A run that shows it.
    pub witness: Option<Witness>,
    /// Where a formula fails along the run, from the formula down to its atoms.
    pub why: Vec<Reason>,
    /// What else speaks against it.
    pub others: Vec<Violation>,
}

/// Something that speaks against a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Violation {
    /// What is wrong.
    pub message: String,
    /// The step in which it goes wrong, as written; a deadlock has none.
    pub step: Option<String>,
    /// Its line; what was typed on the command line has none.
    pub line: Option<u32>,
    /// The file of that line, if it is not that of the model.
    pub file: Option<String>,
    /// The uses of inlines and macros around it, from inside out.
    pub called_from: Vec<String>,
    /// How many times it was seen.
    pub n_seen: u64,
    /// A run that shows it.
    pub witness: Witness,
    /// Where a formula fails along the run, from the formula down to its atoms.
    pub why: Vec<Reason>,
}

/// Why a part of a formula fails at a place of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Reason {
    /// After how many steps.
    pub step: usize,
    /// The part of the formula.
    pub formula: String,
    /// In words.
    pub text: String,
}

/// Members that a property has one answer for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Members {
    /// What the property calls them.
    pub name: String,
    /// For whom it was checked.
    pub checked: i32,
    /// For whom that is the answer.
    pub answered: Vec<i32>,
    /// The answer.
    pub verdict: Verdict,
    /// How many symmetries keep the one that was checked.
    pub group_order: Option<String>,
    /// How many exchange members, if the answer was carried to others.
    pub group_of_members: Option<String>,
}

/// An operation of a machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// Whether the search took it.
    pub taken: bool,
}

/// What a `print` of a script says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Print {
    /// Its line.
    pub line: u32,
    /// The value, or null if it could not be worked out.
    pub value: Option<String>,
}
